internal import RegistryC

extension Actor {
  /// A Boolean value that indicates whether the calling code runs on this actor.
  ///
  /// The result depends on the executor, not on the thread: after an asynchronous `main` suspends,
  /// the main actor runs on other threads on Linux, and on Apple systems without a run loop.
  package nonisolated var isCurrent: Bool {
    // `UnownedSerialExecutor` is frozen and consists of the two words of a `SerialExecutorRef`.
    let (identity, implementation) = unsafeBitCast(
      unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    return registry_executor_is_current(identity, implementation, self is MainActor)
  }
}

/// The identity of the calling code's executor; zero if no serial executor is known.
var currentExecutor: UInt {
  // Main-actor code can run outside tasks, where the runtime doesn't know its executor.
  MainActor.shared.isCurrent ? 1 : registry_executor_current()
}
