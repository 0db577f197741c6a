/// A handle to something that was registered at run time.
///
/// Modules, services, event handlers, observers, and routes are registered until their token is
/// canceled. Discarding a token does not end its registration.
///
/// ```swift
/// let token = modules.on(.userDidLogIn) { user, context in print(user.name) }
/// token.cancel()
/// ```
public struct RegistrationToken: Sendable {
  private let end: @Sendable () -> Bool

  /// Creates a token of a source of intervals, or of another registry of yours.
  ///
  /// - Parameter end: A closure that ends the registration and returns whether it was still active.
  public init(_ end: @escaping @Sendable () -> Bool) {
    self.end = end
  }

  /// Ends the registration.
  ///
  /// You can call this method from any thread and more than once. What belongs to a module manager
  /// (modules, event handlers, and observers of its configuration and its intervals) ends
  /// immediately if you call this method on the main actor, and soon after otherwise.
  ///
  /// - Returns: `true` if the registration was still active. For what belongs to a module manager,
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
