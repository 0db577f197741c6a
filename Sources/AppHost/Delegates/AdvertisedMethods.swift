package import Lifecycle
import Registry

/// The optional methods that a delegate of this package responds to.
///
/// A delegate's methods tell a system that the app wants a background mode or handles
/// notifications, so a delegate responds to an event's method only if a module or a subclass
/// handles the event. The delegate forwards methods without an event to other objects.
// Unchecked because a lock guards the array, and other threads only query whether objects respond.
package final class AdvertisedMethods: @unchecked Sendable {
  private let methods: [String: DelegateMethod]
  private let receives: @Sendable (AnyObject, String) -> Bool
  private let targets = Locked<[AnyObject]>([])

  /// Creates the methods of one protocol. `receives` returns `true` if the protocol declares a
  /// method as optional and an object has it.
  package init(_ role: DelegateMethod.Role, receives: @escaping @Sendable (AnyObject, String) -> Bool) {
    self.receives = receives
    methods = Dictionary(uniqueKeysWithValues: DelegateMethod.all(of: role).map { ($0.selector, $0) })
  }

  /// Returns true if the delegate responds to a method.
  ///
  /// The result is the same before and after the start, because modules subscribe before their
  /// instances are created. An app's delegate always responds to the launch method, to start the
  /// modules. Methods whose events are derived from notifications exist only in subclasses.
  ///
  /// - Parameters:
  ///   - hasMethod: True if the delegate has the method or forwards it. A delegate must not
  ///     advertise any other method, because the system's call would terminate the app.
  ///   - isOverridden: A closure that returns `true` if a subclass overrides the method. It's
  ///     called only for methods that need a subscription or an override.
  @MainActor package func isAdvertised(
    _ selector: String, hasMethod: Bool, for modules: ModuleManager, isOverridden: () -> Bool
  ) -> Bool {
    guard hasMethod, let method = methods[selector], !method.isNotified,
      method.event != "\(Event.didFinishLaunching.id)"
    else { return hasMethod }
    return isOverridden() || method.isWanted(by: modules.subscribedEvents)
  }

  func forward(to objects: [AnyObject]) {
    // Release the previous objects after unlocking, because their deinitializers can run any code.
    let previous = targets.withLock { targets in
      defer { targets = objects }
      return targets
    }
    withExtendedLifetime(previous) {}
  }

  /// Returns the first object that receives a method, or nil if the delegate does not forward it.
  /// Systems can call a delegate on any thread.
  func target(for selector: String) -> AnyObject? {
    let objects = targets.withLock { $0 }
    return methods[selector] == nil ? objects.first { receives($0, selector) } : nil
  }
}
