package import Lifecycle

/// Which optional methods a delegate of this package says that it has: those that some module subscribed to.
///
/// Systems conclude from a method that is there what an app does: that it wants background modes, or is registered for
/// notifications. So a method that would only tell nobody is not there.
@MainActor package struct AdvertisedMethods {
  private let role: DelegateMethod.Role
  private let modules: ModuleManager
  /// The events of methods that depend on them, by selector.
  private let events: [String: String]

  /// - Parameter always: Methods that are there in any case, as the delegate itself does something in them.
  package init(_ role: DelegateMethod.Role, of modules: ModuleManager, always: Set<String> = []) {
    self.role = role
    self.modules = modules
    events = Dictionary(
      DelegateMethod.all(of: role).filter { !always.contains($0.selector) }.map { ($0.selector, $0.event) }
    ) { first, _ in first }
  }

  /// What to say of a method.
  ///
  /// - Parameter isOverridden: Whether a subclass has a method of its own in place of the delegate's; asked only where that
  ///   matters.
  /// - Returns: Nil if it is none that depends on modules. Before the start as after it: modules subscribe before they are made.
  package func isAdvertised(_ selector: String, isOverridden: () -> Bool) -> Bool? {
    guard let event = events[selector] else { return nil }
    return isOverridden() || modules.subscribedEvents.contains(event)
  }
}
