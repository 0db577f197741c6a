internal import RegistryC

/// The system's Objective-C run time, by way of `registry_objc_runtime.h`. Elsewhere than on Apple systems it has nothing.
struct SystemObjectiveC: ObjectiveCRuntime {
  var isAvailable: Bool { registry_objc_is_there() }

  func classNamed(_ name: String) -> (any ObjectiveCClass)? {
    guard let pointer = registry_objc_class(name) else { return nil }
    // A class is an object, which stays. The cast asks the run time which metatype it stands for, as it does for the elements of an
    // array of classes that Objective-C hands to Swift. The pointer's bits are not a metatype's: that of a class of Objective-C's own is a
    // wrapper around it.
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    guard let type = object as? AnyClass else { return nil }
    return SystemClass(pointer: pointer, type: type)
  }

  func existential(named name: String) -> Any.Type? {
    // "So" is the module of all that is imported. Asked for first: only protocols that some code uses are there.
    registry_objc_protocol(name) == nil ? nil : _typeByName("So\(name.utf8.count)\(name)_p")
  }
}

/// A class of the system's run time.
private struct SystemClass: ObjectiveCClass, @unchecked Sendable {
  // Unchecked: classes are not freed, and may be used on every thread.
  let pointer: UnsafeRawPointer
  let type: AnyClass

  /// Swift calls the module of all that is imported `__C`.
  var isSwift: Bool { !_typeName(type).hasPrefix(importedModule) }

  func adopts(_ name: String) -> Bool? {
    guard let adopted = registry_objc_protocol(name) else { return nil }
    return registry_objc_class_conforms(pointer, adopted)
  }

  func responds(to selector: String) -> Bool { registry_objc_class_responds(pointer, selector) }

  func make() -> AnyObject? {
    // It comes with the count of its caller.
    registry_objc_new(pointer).map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
  }

  func send(_ selector: String, to object: AnyObject, with argument: AnyObject?) -> Bool {
    withExtendedLifetime((object, argument)) {
      registry_objc_send(
        Unmanaged.passUnretained(object).toOpaque(), selector,
        argument.map { Unmanaged.passUnretained($0).toOpaque() })
    }
  }
}
