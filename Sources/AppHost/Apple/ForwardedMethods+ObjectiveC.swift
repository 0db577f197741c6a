#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

extension ForwardedMethods {
  /// Creates the methods that a protocol of Objective-C declares.
  ///
  /// - Parameters:
  ///   - role: The role of the protocol.
  ///   - type: The protocol as a metatype, such as `(any UIApplicationDelegate).self`.
  convenience init(_ role: DelegateMethod.Role, of type: Any.Type) {
    // Unsafe because the class is not marked as Sendable. The runtime never changes a protocol.
    nonisolated(unsafe) let type = type as AnyObject as? Protocol
    self.init(role) { selector in
      // The function searches the inherited protocols as well.
      type.map { protocol_getMethodDescription($0, NSSelectorFromString(selector), false, true).name != nil } ?? false
    } responds: { object, selector in
      (object as? any NSObjectProtocol)?.responds(to: NSSelectorFromString(selector)) ?? false
    }
  }

  /// Returns the first object that receives a call of a method, or nil if the delegate does not
  /// forward it.
  func target(for selector: Selector?) -> AnyObject? { selector.flatMap { target(for: NSStringFromSelector($0)) } }
}
#endif
