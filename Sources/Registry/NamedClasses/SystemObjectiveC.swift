#if canImport(ObjectiveC)
internal import RegistryC

struct SystemObjectiveC: ObjectiveCRuntime {
  let isAvailable = true

  func classNamed(_ name: String) -> (any ObjectiveCClass)? {
    guard let pointer = registry_objc_class(name) else { return nil }
    // A class is an object that is never freed. The cast finds its metatype, as for the elements of
    // an array of classes that Objective-C passes to Swift. The pointer itself can't be cast,
    // because the metatype of a class written in Objective-C is a wrapper.
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    guard let type = object as? AnyClass else { return nil }
    return SystemClass(pointer: pointer, type: type)
  }

  func existential(named name: String) -> Any.Type? {
    // "So" is the mangled module of imported types. The Objective-C runtime lacks protocols that no
    // code uses; the result for them is nil.
    registry_objc_protocol(name) == nil ? nil : _typeByName("So\(name.utf8.count)\(name)_p")
  }
}

private struct SystemClass: ObjectiveCClass, @unchecked Sendable {
  // Unchecked: classes are never freed, and any thread can use them.
  let pointer: UnsafeRawPointer
  let type: AnyClass

  /// The runtime's names for imported types begin with the module `__C`.
  var isSwift: Bool { !_typeName(type).hasPrefix(importedModule) }

  func adopts(_ name: String) -> Bool? {
    guard let adopted = registry_objc_protocol(name) else { return nil }
    return registry_objc_class_conforms(pointer, adopted)
  }

  func responds(to selector: String) -> Bool { registry_objc_class_responds(pointer, selector) }

  func make() -> AnyObject? {
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
#else
/// The runtime of a system without Objective-C, where every name is unknown.
struct SystemObjectiveC: ObjectiveCRuntime {
  let isAvailable = false

  func classNamed(_ name: String) -> (any ObjectiveCClass)? { nil }

  func existential(named name: String) -> Any.Type? { nil }
}
#endif
