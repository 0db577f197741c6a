@testable import AppHost

/// Objects with replaceable methods, which simulate those of Objective-C on every platform.
// Unchecked because tests use a single thread.
final class SimulatedMethods: MethodTable, @unchecked Sendable {
  typealias Implementation = @MainActor (SimulatedObject, Any?) -> Any?

  final class Class: Hashable {
    /// The classes, which are never released, like those of Objective-C.
    ///
    /// A closure that wraps a method retains its class, and the class retains the method.
    @MainActor private static var all: [Class] = []

    let name: String
    let parent: Class?
    var methods: [String: Implementation] = [:]
    /// A Boolean value that indicates whether an observer has put this class in front of an
    /// object's class.
    let isObservers: Bool

    @MainActor init(_ name: String, _ parent: Class? = nil, isObservers: Bool = false) {
      self.name = name
      self.parent = parent
      self.isObservers = isObservers
      Self.all.append(self)
    }

    static func == (left: Class, right: Class) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private(set) var replaced: [String] = []

  func dispatchClass(of object: AnyObject) -> Class {
    // Tests pass no other objects.
    var type = (object as! SimulatedObject).type
    while type.isObservers, let parent = type.parent { type = parent }
    return type
  }

  func superclass(of type: Class) -> Class? { type.parent }

  func ownImplementation(of selector: String, in type: Class) -> Implementation? { type.methods[selector] }

  func implementation(of selector: String, in type: Class) -> Implementation? {
    type.methods[selector] ?? type.parent.flatMap { implementation(of: selector, in: $0) }
  }

  func setImplementation(_ implementation: @escaping Implementation, of selector: String, in type: Class) {
    replaced.append("\(type.name) \(selector)")
    type.methods[selector] = implementation
  }

  func responds(_ object: AnyObject, to selector: String) -> Bool {
    let object = object as! SimulatedObject
    return implementation(of: selector, in: object.type) != nil
      || [object.forwardingTarget, object.passesOnTo].contains { $0.map { responds($0, to: selector) } ?? false }
  }

  func forwardingTarget(of object: AnyObject, for selector: String) -> AnyObject? {
    (object as! SimulatedObject).forwardingTarget
  }

  func message(_ selector: String, to object: AnyObject) -> Implementation? {
    guard responds(object, to: selector) else { return nil }
    return { [self] object, argument in call(object, selector, argument) }
  }

  func forwarding(of selector: String, in type: Class) -> Implementation? {
    { [self] object, argument in object.passesOnTo.flatMap { call($0, selector, argument) } }
  }

  /// Calls a method like a system does.
  @MainActor @discardableResult func call(_ object: SimulatedObject, _ selector: String, _ argument: Any? = nil) -> Any?
  {
    if let method = implementation(of: selector, in: object.type) { return method(object, argument) }
    return (object.forwardingTarget ?? object.passesOnTo).flatMap { call($0, selector, argument) }
  }
}

/// A delegate of a simulated class.
class SimulatedObject {
  var type: SimulatedMethods.Class
  var forwardingTarget: SimulatedObject?
  /// The object to which this one forwards whole invocations, without reporting it as a forwarding
  /// target.
  var passesOnTo: SimulatedObject?

  init(_ type: SimulatedMethods.Class) {
    self.type = type
  }
}

/// A delegate that notifies the modules itself.
final class NotifyingObject: SimulatedObject, ModuleNotifier {}
