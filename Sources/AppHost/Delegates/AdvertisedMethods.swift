package import Lifecycle

/// The optional methods of a delegate that some module needs.
///
/// A system infers from the existence of a method that the app wants a background mode, or handles
/// notifications. So a delegate does not respond to a method that no module receives.
@MainActor package struct AdvertisedMethods {
  private let role: DelegateMethod.Role
  private let modules: ModuleManager
  /// The events of methods that depend on them, by selector.
  private let events: [String: String]

  /// Creates the methods of one protocol.
  ///
  /// - Parameter always: The methods that always exist, because the delegate itself does something
  ///   in them.
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
  /// - Parameter isOverridden: Returns true if a subclass overrides the method. It is called only
  ///   if that matters.
  /// - Returns: Nil for a method that does not depend on modules.
  package func isAdvertised(_ selector: String, isOverridden: () -> Bool) -> Bool? {
    guard let event = events[selector] else { return nil }
    return isOverridden() || modules.subscribedEvents.contains(event)
  }
}
