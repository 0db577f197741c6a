/// The overrides and the test scope that apply to a task's lookups.
///
/// Scopes are task-local, so dispatch queue blocks, callbacks, and detached tasks run outside them.
/// A value of this type carries the scope to such code:
///
/// ```swift
/// let scope = OverrideScope.current
/// queue.async {
///   scope.run { checkOut() }  // uses the overrides of the code that created the block
/// }
/// ```
///
/// If no scope applies when you create a value, `run` uses none, so production code can do this as
/// well. Creating a value costs about as much as reading a task-local value.
///
/// A value keeps its scopes alive, and they slow down lookups in other tasks. Release the value
/// together with the callback.
public struct OverrideScope: Sendable {
  let scope: TaskScope?

  /// The scope of the current task.
  public static var current: OverrideScope { OverrideScope(scope: TaskScope.current) }

  /// Runs an operation in the scope, instead of the scope of the calling code.
  ///
  /// - Parameter operation: A closure that runs in the scope.
  /// - Returns: The result of the operation.
  /// - Throws: Any error that `operation` throws.
  public func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// Runs an asynchronous operation in the scope, on the caller's actor.
  ///
  /// - Parameter operation: A closure that runs in the scope, and whose tasks inherit it.
  /// - Returns: The result of the operation.
  /// - Throws: Any error that `operation` throws.
  public nonisolated(nonsending) func run<Result>(
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await TaskScope.$current.withValue(scope, operation: operation, isolation: #isolation)
  }
}
