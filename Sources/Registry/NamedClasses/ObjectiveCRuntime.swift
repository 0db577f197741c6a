/// What is asked of an Objective-C run time: the system's, or one that a test plays.
package protocol ObjectiveCRuntime: Sendable {
  /// Whether the system has one.
  var isAvailable: Bool { get }

  /// The class of a name in the images that are loaded, a Swift class under its name in Objective-C included.
  func classNamed(_ name: String) -> (any ObjectiveCClass)?

  /// The protocol of a name, as the type `any P`.
  func existential(named name: String) -> Any.Type?
}

/// A class that an Objective-C run time knows.
package protocol ObjectiveCClass: Sendable {
  var type: AnyClass { get }

  /// Whether it is written in Swift: then it may have no initializer that Objective-C could call.
  var isSwift: Bool { get }

  /// Whether it or one that it inherits from adopts the protocol of a name; nil if the run time has no such protocol.
  func adopts(_ name: String) -> Bool?

  /// Whether its instances have a method.
  func responds(to selector: String) -> Bool

  /// A new instance, by `alloc` and `init`; nil if that gives none. Runs user code, which must not throw exceptions.
  func make() -> AnyObject?

  /// Calls a method that takes an object and returns nothing, which must not throw exceptions; false if there is none.
  func send(_ selector: String, to object: AnyObject, with argument: AnyObject?) -> Bool
}
