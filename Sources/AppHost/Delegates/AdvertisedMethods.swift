package import Lifecycle

/// The optional methods of a delegate that at least one module needs.
///
/// A system infers from the existence of a method that the app wants a background mode, or handles
/// notifications. Therefore, a delegate does not respond to a method whose event no module handles.
@MainActor package struct AdvertisedMethods {
  private let role: DelegateMethod.Role
  private let modules: ModuleManager
  /// The events of methods that depend on them, by selector.
  private let events: [String: String]

  /// Creates the methods of one protocol.
  ///
  /// - Parameter always: The selectors of methods that the delegate needs for itself.
  package init(_ role: DelegateMethod.Role, of modules: ModuleManager, always: Set<String> = []) {
    self.role = role
    self.modules = modules
    events = Dictionary(
      DelegateMethod.all(of: role).filter { !always.contains($0.selector) }.map { ($0.selector, $0.event) }
    ) { first, _ in first }
  }

  /// Returns a Boolean value that indicates whether the delegate responds to a method.
  ///
  /// The result is the same before the start, because modules subscribe before they are created.
  ///
  /// - Parameter isOverridden: A closure that returns `true` if a subclass overrides the method. It
  ///   is called only if the result depends on it.
  /// - Returns: A Boolean value, or nil for a method that does not depend on modules.
  package func isAdvertised(_ selector: String, isOverridden: () -> Bool) -> Bool? {
    guard let event = events[selector] else { return nil }
    return isOverridden() || modules.subscribedEvents.contains(event)
  }
}
