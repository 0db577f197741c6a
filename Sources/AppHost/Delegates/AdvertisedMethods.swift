package import Lifecycle

/// The optional methods of a delegate that at least one module needs.
///
/// A system infers from the existence of a method that the app wants a background mode, or handles
/// notifications. Therefore, a delegate does not respond to a method whose event no module handles.
@MainActor package struct AdvertisedMethods {
  private let modules: ModuleManager
  /// The methods that depend on subscriptions, by selector.
  private let methods: [String: DelegateMethod]

  /// Creates the methods of one protocol.
  ///
  /// An app's delegate needs the method of the launch for itself, and lacks the methods for which
  /// it observes a notification.
  package init(_ role: DelegateMethod.Role, of modules: ModuleManager) {
    self.modules = modules
    let methods = DelegateMethod.all(of: role).filter {
      $0.event != "\(Event.didFinishLaunching.id)" && (role == .scene || !$0.isNotified)
    }
    self.methods = Dictionary(uniqueKeysWithValues: methods.map { ($0.selector, $0) })
  }

  /// Returns a Boolean value that indicates whether the delegate responds to a method.
  ///
  /// The result is the same before the start, because modules subscribe before they are created.
  ///
  /// - Parameters:
  ///   - hasMethod: A Boolean value that indicates whether the delegate has the method or forwards
  ///     it. A delegate never advertises a method that it lacks, because the system's call would
  ///     terminate the app.
  ///   - isOverridden: A closure that returns `true` if a subclass overrides the method. It is
  ///     called only if the result depends on it.
  package func isAdvertised(_ selector: String, hasMethod: Bool, isOverridden: () -> Bool) -> Bool {
    guard hasMethod, let method = methods[selector] else { return hasMethod }
    return isOverridden() || method.isWanted(by: modules.subscribedEvents)
  }
}
