/// A handle to something that was registered at run time.
///
/// Modules, services, event handlers, observers, and routes stay registered until their token is
/// canceled. You can discard the token; the registration stays.
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
  /// You can call this method from any thread and more than once. Registrations of a module manager
  /// (modules, event handlers, and observers of its configuration and its intervals) end
  /// immediately if you call this on the main actor, and soon afterward otherwise.
  ///
  /// - Returns: `true` if the registration was still active. For a module manager's registrations,
  ///   the result is always `true` off the main actor.
  @discardableResult
  public func cancel() -> Bool { end() }

  /// Creates a token whose registration belongs to the main actor.
  ///
  /// Canceling the token on the main actor ends the registration immediately. Elsewhere, it ends in
  /// a later turn of the main actor, and `cancel()` returns `true`.
  package static func onMainActor(_ end: @escaping @MainActor () -> Bool) -> RegistrationToken {
    RegistrationToken {
      guard MainActor.shared.isCurrent else {
        Task { @MainActor in _ = end() }
        return true
      }
      return MainActor.assumeIsolated(end)
    }
  }
}
