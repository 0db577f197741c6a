internal import RegistryC

extension Actor {
  /// Whether the code that runs now runs on this actor.
  ///
  /// Asks the executor, not the thread: on Linux the main actor leaves the main thread after the first
  /// suspension.
  package nonisolated var isCurrent: Bool {
    // `UnownedSerialExecutor` is frozen: the two words of a `SerialExecutorRef`.
    let (identity, implementation) = unsafeBitCast(
      unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    return registry_executor_is_current(identity, implementation, self is MainActor)
  }
}
