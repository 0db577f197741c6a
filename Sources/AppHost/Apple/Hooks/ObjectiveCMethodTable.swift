#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

final class ObjectiveCMethodTable: MethodTable {
  struct Class: Hashable {
    let type: AnyClass

    static func == (left: Class, right: Class) -> Bool { left.type === right.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
  }

  /// The protocols that declare the types of added methods. The runtime knows them, because this
  /// package's classes adopt them.
  private let protocols = DelegateMethod.Role.allCases.compactMap { NSProtocolFromString($0.rawValue) }

  /// Returns the class to search for an object's methods. It skips the class that key-value
  /// observing inserts and later removes, but not other libraries' classes.
  func dispatchClass(of object: AnyObject) -> Class {
    var type: AnyClass = object_getClass(object) ?? Swift.type(of: object)
    while NSStringFromClass(type).hasPrefix("NSKVONotifying_"), let parent = class_getSuperclass(type) { type = parent }
    return Class(type: type)
  }

  func superclass(of type: Class) -> Class? { class_getSuperclass(type.type).map { Class(type: $0) } }

  func ownImplementation(of selector: String, in type: Class) -> IMP? {
    let selector = NSSelectorFromString(selector)
    guard let method = class_getInstanceMethod(type.type, selector) else { return nil }
    // For an inherited method, the runtime returns the superclass's method.
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

  func message(_ selector: String, to object: AnyObject) -> IMP? {
    guard responds(object, to: selector) else { return nil }
    // If the object lacks the method, the result is the function that forwards every message.
    return class_getMethodImplementation(object_getClass(object), NSSelectorFromString(selector))
  }

  func forwarding(of selector: String, in type: Class) -> IMP? {
    // The superclass lacks the added method, so the result is the function that forwards messages.
    class_getMethodImplementation(class_getSuperclass(type.type) ?? NSObject.self, NSSelectorFromString(selector))
  }

  static func isOverridden(_ selector: Selector, by object: AnyObject, of type: AnyClass) -> Bool {
    class_getInstanceMethod(object_getClass(object), selector) != class_getInstanceMethod(type, selector)
  }

  func shape(of selector: String) -> MethodShape? {
    guard let types = encoding(of: NSSelectorFromString(selector)) else { return nil }
    let results: [Character: MethodShape.Result] = ["v": .none, "@": .object]
    // The encoding of a Boolean value depends on the processor.
    let result = results[Character(Unicode.Scalar(UInt8(bitPattern: types[0])))] ?? .bool
    return MethodShape(result: result, argumentCount: selector.count { $0 == ":" })
  }

  private func encoding(of selector: Selector, in type: AnyClass) -> UnsafePointer<CChar>? {
    class_getInstanceMethod(type, selector).map { method_getTypeEncoding($0) } ?? encoding(of: selector)
  }

  private func encoding(of selector: Selector) -> UnsafePointer<CChar>? {
    protocols.lazy.compactMap { protocol_getMethodDescription($0, selector, false, true).types }.first
      .map { UnsafePointer($0) }
  }
}
#endif
