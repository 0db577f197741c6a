#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

/// A delegate of this package that responds only to the methods that it needs.
@MainActor protocol MethodAdvertiser: NSObject, ModuleNotifier {
  var advertised: AdvertisedMethods { get }
  nonisolated var forwarded: ForwardedMethods { get }
  var host: SystemEventHost { get }
}

extension MethodAdvertiser {
  /// Replaces the objects that receive calls, and makes the system query the methods again.
  func forward(to objects: [AnyObject]) {
    forwarded.forward(to: objects)
    SystemDelegates().refreshDelegates(host)
  }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  ///
  /// The function is nonisolated like `responds(to:)` of `NSObject`. Systems query a delegate on
  /// the main thread when it is set. On another thread, the class itself answers.
  ///
  /// - Parameters:
  ///   - hasMethod: A Boolean value that indicates whether the class has the method.
  ///   - type: The class of this package, whose subclasses can override the method.
  nonisolated func advertises(_ selector: Selector?, hasMethod: Bool, of type: AnyClass) -> Bool {
    guard let selector else { return false }
    let name = NSStringFromSelector(selector)
    let hasMethod = hasMethod || forwarded.target(for: name) != nil
    guard Thread.isMainThread else { return hasMethod }
    return MainActor.assumeIsolated {
      advertised.isAdvertised(name, hasMethod: hasMethod) {
        ObjectiveCMethodTable.isOverridden(selector, by: self, of: type)
      }
    }
  }
}

extension ForwardedMethods {
  /// Creates the methods that the protocol of a role declares.
  convenience init(_ role: DelegateMethod.Role) {
    // Unsafe because the class is not marked as Sendable. The runtime never changes a protocol.
    nonisolated(unsafe) let type = NSProtocolFromString(role.rawValue)
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
