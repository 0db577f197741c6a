/// The operations of an Objective-C runtime, which tests can replace.
package protocol ObjectiveCRuntime: Sendable {
  var isAvailable: Bool { get }

  /// Returns the loaded class, Swift or Objective-C, with the given Objective-C name.
  func classNamed(_ name: String) -> (any ObjectiveCClass)?

  /// Returns the type `any P` of the protocol with the given name.
  func existential(named name: String) -> Any.Type?
}

package protocol ObjectiveCClass: Sendable {
  var type: AnyClass { get }

  /// A Boolean value that indicates whether the class is written in Swift, and so may have no
  /// initializer that Objective-C can call.
  var isSwift: Bool { get }

  /// Returns whether the class or a superclass adopts a protocol; nil for an unknown protocol.
  func adopts(_ name: String) -> Bool?

  func responds(to selector: String) -> Bool

  /// Returns a new instance from `alloc` and `init`, or nil. Runs user code, which must not throw
  /// exceptions.
  func make() -> AnyObject?

  /// Calls a method that takes an object, returns nothing, and must not throw exceptions.
  ///
  /// - Returns: False if the object doesn't implement the method.
  func send(_ selector: String, to object: AnyObject, with argument: AnyObject?) -> Bool
}
