/// What there is to be done with the methods of objects at run time: Objective-C's, or those of a simulation in tests.
@MainActor package protocol MethodTable {
  associatedtype Class: Hashable
  /// What is called: Objective-C's `IMP`.
  associatedtype Implementation

  /// The class that the object's methods are looked up in. Classes that observers put in front of it for as long as they observe
  /// are left out.
  func dispatchClass(of object: AnyObject) -> Class

  func superclass(of type: Class) -> Class?

  /// The class's own method; nil if it inherits it or has none.
  func ownImplementation(of selector: String, in type: Class) -> Implementation?

  /// What its instances do, inherited or not; nil if there is none.
  func implementation(of selector: String, in type: Class) -> Implementation?

  /// Puts a method in place of the class's own, or adds it.
  func setImplementation(_ implementation: Implementation, of selector: String, in type: Class)

  /// What the object itself says.
  func responds(_ object: AnyObject, to selector: String) -> Bool

  /// Who does it in its place, if the object has no such method.
  func forwardingTarget(of object: AnyObject, for selector: String) -> AnyObject?

  /// What is called when the object is sent a message, whether it has the method or passes the call on; nil if it does neither.
  func message(_ selector: String, to object: AnyObject) -> Implementation?

  /// Passes a call on as a whole, as objects do that say whom to only when they are given it: Objective-C's `forwardInvocation:`.
  func forwarding(of selector: String, in type: Class) -> Implementation?
}

/// A delegate of this package, which triggers the events itself.
package protocol ModuleNotifier: AnyObject {}
