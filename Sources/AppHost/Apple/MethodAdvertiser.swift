#if canImport(ObjectiveC)
import Foundation

/// A delegate of this package that responds only to the methods that it needs.
@MainActor protocol MethodAdvertiser: NSObject, ModuleNotifier {
  var advertised: AdvertisedMethods { get }
  nonisolated var forwarded: ForwardedMethods { get }
}

extension MethodAdvertiser {
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
#endif
