#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

/// The methods of Objective-C's classes.
@MainActor final class ObjectiveCMethodTable: MethodTable {
  struct Class: Hashable {
    let type: AnyClass

    static func == (left: Class, right: Class) -> Bool { left.type === right.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
  }

  /// Where the types of methods that are added are read.
  private let protocols: [Protocol]

  init(protocols: [Protocol]) {
    self.protocols = protocols
  }

  /// Key-value observing puts a class in front of an object's own, and takes it away when nobody observes any more. Other libraries'
  /// stay, and are where methods are looked up first.
  func dispatchClass(of object: AnyObject) -> Class {
    var type: AnyClass = object_getClass(object) ?? Swift.type(of: object)
    while NSStringFromClass(type).hasPrefix("NSKVONotifying_"), let parent = class_getSuperclass(type) { type = parent }
    return Class(type: type)
  }

  func superclass(of type: Class) -> Class? { class_getSuperclass(type.type).map { Class(type: $0) } }

  func ownImplementation(of selector: String, in type: Class) -> IMP? {
    let selector = NSSelectorFromString(selector)
    guard let method = class_getInstanceMethod(type.type, selector) else { return nil }
    // An inherited method is the very one of the superclass.
    if let parent = class_getSuperclass(type.type), class_getInstanceMethod(parent, selector) == method { return nil }
    return method_getImplementation(method)
  }

  func implementation(of selector: String, in type: Class) -> IMP? {
    class_getInstanceMethod(type.type, NSSelectorFromString(selector)).map { method_getImplementation($0) }
  }

  func setImplementation(_ implementation: IMP, of selector: String, in type: Class) {
    let name = NSSelectorFromString(selector)
    class_replaceMethod(type.type, name, implementation, encoding(of: name, in: type.type))
  }

  func responds(_ object: AnyObject, to selector: String) -> Bool {
    (object as? any NSObjectProtocol)?.responds(to: NSSelectorFromString(selector)) ?? false
  }

  func forwardingTarget(of object: AnyObject, for selector: String) -> AnyObject? {
    (object as? NSObject)?.forwardingTarget(for: NSSelectorFromString(selector)) as AnyObject?
  }

  /// Whether a subclass has a method of its own in place of a class's.
  static func isOverridden(_ selector: Selector, by object: AnyObject, of type: AnyClass) -> Bool {
    class_getInstanceMethod(object_getClass(object), selector) != class_getInstanceMethod(type, selector)
  }

  private func encoding(of selector: Selector, in type: AnyClass) -> UnsafePointer<CChar>? {
    if let method = class_getInstanceMethod(type, selector) { return method_getTypeEncoding(method) }
    for one in protocols {
      if let types = protocol_getMethodDescription(one, selector, false, true).types { return UnsafePointer(types) }
    }
    return nil
  }
}

/// Delegates' methods have objects for arguments, blocks included, and answer nothing or a Boolean: a few shapes for all.
extension MethodHook where Table == ObjectiveCMethodTable {
  typealias Original = OriginalMethod<ObjectiveCMethodTable>

  /// `- (void)method:a`
  func void1(_ modules: @escaping @MainActor (_ a: AnyObject?, _ original: () -> Void) -> Void) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) @MainActor (AnyObject, AnyObject?) -> Void = { object, a in
      let alone = { (own: Original) in
        own.cast(to: (@convention(c) (AnyObject, Selector, AnyObject?) -> Void).self)(own.receiver, name, a)
      }
      self.call(object, about: a as? NSObject, otherwise: (), alone: alone) { own in
        modules(a) { if let own { alone(own) } }
      }
    }
    return imp_implementationWithBlock(block)
  }

  /// `- (void)method:a b:b`
  func void2(
    _ modules: @escaping @MainActor (_ a: AnyObject?, _ b: AnyObject?, _ original: () -> Void) -> Void
  ) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) @MainActor (AnyObject, AnyObject?, AnyObject?) -> Void = { object, a, b in
      let alone = { (own: Original) in
        own.cast(to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?) -> Void).self)(
          own.receiver, name, a, b)
      }
      self.call(object, about: b as? NSObject, otherwise: (), alone: alone) { own in
        modules(a, b) { if let own { alone(own) } }
      }
    }
    return imp_implementationWithBlock(block)
  }

  /// `- (void)method:a b:b c:c`
  func void3(
    _ modules: @escaping @MainActor (_ a: AnyObject?, _ b: AnyObject?, _ c: AnyObject?, _ original: () -> Void) -> Void
  ) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) @MainActor (AnyObject, AnyObject?, AnyObject?, AnyObject?) -> Void = {
      object, a, b, c in
      let alone = { (own: Original) in own.call3(name, a, b, c) }
      self.call(object, about: b as? NSObject, otherwise: (), alone: alone) { own in
        modules(a, b, c) { if let own { alone(own) } }
      }
    }
    return imp_implementationWithBlock(block)
  }

  /// `- (BOOL)method:a b:b`
  func bool2(_ modules: @escaping @MainActor (_ b: AnyObject?, _ original: (() -> Bool)?) -> Bool) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) @MainActor (AnyObject, AnyObject?, AnyObject?) -> ObjCBool = { object, a, b in
      let alone = { (own: Original) -> Bool in
        own.cast(to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?) -> ObjCBool).self)(
          own.receiver, name, a, b
        ).boolValue
      }
      let result = self.call(object, about: b as? NSObject, otherwise: false, alone: alone) { own in
        modules(b, own.map { own in { alone(own) } })
      }
      return ObjCBool(result)
    }
    return imp_implementationWithBlock(block)
  }

  /// `- (BOOL)method:a b:b c:c`
  func bool3(
    _ modules: @escaping @MainActor (_ b: AnyObject?, _ c: AnyObject?, _ original: (() -> Bool)?) -> Bool
  ) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) @MainActor (AnyObject, AnyObject?, AnyObject?, AnyObject?) -> ObjCBool = {
      object, a, b, c in
      let alone = { (own: Original) -> Bool in
        own.cast(to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?, AnyObject?) -> ObjCBool).self)(
          own.receiver, name, a, b, c
        ).boolValue
      }
      let result = self.call(object, about: b as? NSObject, otherwise: false, alone: alone) { own in
        modules(b, c, own.map { own in { alone(own) } })
      }
      return ObjCBool(result)
    }
    return imp_implementationWithBlock(block)
  }

  /// `- (void)method:a b:b completion:c`, where `c` is a block.
  ///
  /// - Parameter modules: `original` does what the delegate does, with another block in place of its own; nil if it does nothing.
  func awaited(
    _ modules:
      @escaping @MainActor (_ b: AnyObject?, _ completion: AnyObject, _ original: ((AnyObject) -> Void)?) -> Void
  ) -> IMP {
    let name = NSSelectorFromString(selector)
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?, AnyObject) -> Void = { object, a, b, completion in
      let arguments = HandedOver((object, a, b, completion))
      let call = { @MainActor in
        let (object, a, b, completion) = arguments.take()
        self.call(object, about: b as? NSObject, otherwise: ()) { own in
          own.call3(name, a, b, completion)
        } modules: { own in
          modules(b, completion, own.map { own in { own.call3(name, a, b, $0) } })
        }
      }
      // The notification centre does not say on which thread it calls.
      if Thread.isMainThread { MainActor.assumeIsolated(call) } else { DispatchQueue.main.async(execute: call) }
    }
    return imp_implementationWithBlock(block)
  }
}

extension OriginalMethod where Table == ObjectiveCMethodTable {
  // Unsafe: the selector tells a method's arguments, and the caller the shape that its selector has.
  func cast<Function>(to type: Function.Type) -> Function { unsafeBitCast(implementation, to: type) }

  func call3(_ name: Selector, _ a: AnyObject?, _ b: AnyObject?, _ c: AnyObject?) {
    cast(to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?, AnyObject?) -> Void).self)(
      receiver, name, a, b, c)
  }
}
#endif
