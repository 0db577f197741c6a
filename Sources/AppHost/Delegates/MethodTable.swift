/// Operations on methods, implemented with the Objective-C runtime or simulated in tests.
package protocol MethodTable {
  associatedtype Class: Hashable
  /// The type of a pointer to a method's function.
  associatedtype Implementation

  /// Returns the class to search for the object's methods, ignoring the subclasses that key-value
  /// observing inserts.
  func dispatchClass(of object: AnyObject) -> Class

  func superclass(of type: Class) -> Class?

  /// Returns the class's own method, or nil if the class inherits or lacks the method.
  func ownImplementation(of selector: String, in type: Class) -> Implementation?

  /// Returns the implementation that instances use, inherited or not, or nil if there is none.
  func implementation(of selector: String, in type: Class) -> Implementation?

  /// Replaces the class's own method, or adds it.
  func setImplementation(_ implementation: Implementation, of selector: String, in type: Class)

  /// Returns true if the object itself claims to respond to a method.
  func responds(_ object: AnyObject, to selector: String) -> Bool

  /// Returns the target that the object forwards a missing method to.
  func forwardingTarget(of object: AnyObject, for selector: String) -> AnyObject?

  /// Returns the implementation that a message to the object calls, possibly to forward the
  /// message. The result is nil if the object neither has the method nor forwards it.
  func message(_ selector: String, to object: AnyObject) -> Implementation?

  /// Returns the implementation that forwards a call as an invocation. Objects use
  /// `forwardInvocation:` if they choose the target only during the call.
  func forwarding(of selector: String, in type: Class) -> Implementation?
}

/// A delegate of this package, which triggers the events itself.
package protocol ModuleNotifier: AnyObject {}
