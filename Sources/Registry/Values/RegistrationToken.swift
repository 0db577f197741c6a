/// A handle to a module, a service, or a closure that was registered at run time.
///
/// A registration lasts until its token is canceled. Discarding the token doesn't end it.
///
/// ```swift
/// let token = modules.on(.userDidLogIn) { user, context in print(user.name) }
/// token.cancel()
/// ```
public struct RegistrationToken: Sendable {
  private let end: @Sendable () -> Bool

  /// Creates a token for your own registry or source of intervals.
  ///
  /// - Parameter end: A closure that ends the registration and returns whether it was still active.
  public init(_ end: @escaping @Sendable () -> Bool) {
    self.end = end
  }

  /// Ends the registration.
  ///
  /// You can call this method from any thread and more than once. Registrations with a module
  /// manager, such as modules, event handlers, and observers, end immediately if you call it on the
  /// main actor, and soon afterward otherwise.
  ///
  /// - Returns: `true` if the registration was still active. For registrations with a module
  ///   manager, the result is always `true` off the main actor.
  @discardableResult
  public func cancel() -> Bool { end() }

  /// Creates a token whose registration belongs to the main actor.
  ///
  /// On the main actor, `cancel()` ends the registration immediately. Elsewhere, it returns `true`,
  /// and the registration ends in a later turn of the main actor.
  package static func onMainActor(_ end: @escaping @MainActor () -> Bool) -> RegistrationToken {
    RegistrationToken {
      guard MainActor.shared.isCurrent else {
        Task { @MainActor in _ = end() }
        return true
      }
      // Not `assumeIsolated`: before macOS 15 and iOS 18, it stops the process if an actor with an
      // executor of its own runs on the main thread. `end` throws nothing.
      return (try? withoutIsolation(end)()) ?? true
    }
  }
}
