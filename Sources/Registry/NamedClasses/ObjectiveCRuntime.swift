/// The operations of an Objective-C runtime, which tests can replace.
package protocol ObjectiveCRuntime: Sendable {
  /// A Boolean value that indicates whether the system has an Objective-C runtime.
  var isAvailable: Bool { get }

  /// Returns the class with a name in the loaded images, including Swift classes with that name.
  func classNamed(_ name: String) -> (any ObjectiveCClass)?

  /// Returns the protocol with a name.
  ///
  /// The result is the type `any P`.
  func existential(named name: String) -> Any.Type?
}

/// A class that an Objective-C runtime knows.
package protocol ObjectiveCClass: Sendable {
  var type: AnyClass { get }

  /// A Boolean value that indicates whether the class is written in Swift.
  ///
  /// Such a class may have no initializer that Objective-C can call.
  var isSwift: Bool { get }

  /// Returns whether the class or a superclass adopts a protocol; nil if there is no
  /// such protocol.
  func adopts(_ name: String) -> Bool?

  /// Returns whether instances of the class have a method.
  func responds(to selector: String) -> Bool

  /// Returns a new instance from `alloc` and `init`, or nil if there is none.
  ///
  /// The call runs user code, which must not throw exceptions.
  func make() -> AnyObject?

  /// Calls a method that takes an object and returns nothing.
  ///
  /// The method must not throw exceptions.
  ///
  /// - Returns: False if the object has no such method.
  func send(_ selector: String, to object: AnyObject, with argument: AnyObject?) -> Bool
}
