/// A handle to something that was registered at run time.
///
/// Services, event handlers, configuration observers, and routes are registered until their token
/// is canceled. Discarding a token does not end its registration.
///
/// ```swift
/// let token = modules.on(.userDidLogIn) { user, context in print(user.name) }
/// token.cancel()
/// ```
public struct RegistrationToken: Sendable {
  private let end: @Sendable () -> Bool

  /// Creates a token.
  ///
  /// - Parameter end: A closure that ends the registration and returns whether it was still active.
  package init(_ end: @escaping @Sendable () -> Bool) {
    self.end = end
  }

  /// Ends the registration.
  ///
  /// You can call this method from any thread and more than once.
  ///
  /// - Returns: `true` if the registration was still active.
  @discardableResult
  public func cancel() -> Bool { end() }
}
