#if canImport(ObjectiveC)
import Foundation
import Lifecycle
import ObjectiveC

/// A delegate of this package that responds only to the methods that it needs.
@MainActor protocol MethodAdvertiser: NSObject, ModuleNotifier {
  nonisolated var methods: AdvertisedMethods { get }
  var moduleManager: ModuleManager { get }
}

extension MethodAdvertiser {
  /// Replaces the objects that receive calls, and makes the system query the methods again.
  func forward(to objects: [AnyObject]) {
    methods.forward(to: objects)
    SystemDelegates().refreshDelegates(moduleManager)
  }

  /// Returns true if the delegate has a method and needs it.
  ///
  /// The function is nonisolated, like NSObject's `responds(to:)`. Systems query a delegate on the
  /// main thread when it's set. On other threads, the result is true for every method that the
  /// delegate has or forwards.
  ///
  /// - Parameter type: This package's delegate class, for detecting overrides in subclasses.
  nonisolated func advertises(_ selector: Selector?, hasMethod: Bool, of type: AnyClass) -> Bool {
    guard let selector else { return false }
    let hasMethod = hasMethod || methods.target(for: selector) != nil
    guard Thread.isMainThread else { return hasMethod }
    return MainActor.assumeIsolated {
      methods.isAdvertised(NSStringFromSelector(selector), hasMethod: hasMethod, for: moduleManager) {
        ObjectiveCMethodTable.isOverridden(selector, by: self, of: type)
      }
    }
  }
}

extension AdvertisedMethods {
  convenience init(_ role: DelegateMethod.Role) {
    // Unsafe because `Protocol` isn't Sendable, but the runtime never changes a protocol.
    nonisolated(unsafe) let type = NSProtocolFromString(role.rawValue)
    self.init(role) { object, selector in
      let selector = NSSelectorFromString(selector)
      // The function also searches inherited protocols.
      let isDeclared = type.map { protocol_getMethodDescription($0, selector, false, true).name != nil } ?? false
      return isDeclared && (object as? any NSObjectProtocol)?.responds(to: selector) ?? false
    }
  }

  func target(for selector: Selector?) -> AnyObject? { selector.flatMap { target(for: NSStringFromSelector($0)) } }
}
#endif
