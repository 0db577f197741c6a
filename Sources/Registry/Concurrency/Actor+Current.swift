internal import RegistryC

extension Actor {
  /// A Boolean value that indicates whether the calling code runs on this actor.
  ///
  /// The result depends on the executor and not on the thread. The main actor leaves the main
  /// thread after the first suspension of an asynchronous `main`, on Linux always and on Apple
  /// systems if no run loop runs.
  package nonisolated var isCurrent: Bool {
    // `UnownedSerialExecutor` is frozen: the two words of a `SerialExecutorRef`.
    let (identity, implementation) = unsafeBitCast(
      unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    return registry_executor_is_current(identity, implementation, self is MainActor)
  }
}

/// The identity of the serial executor that code runs on.
struct CurrentExecutor: Equatable {
  private let identity: UInt

  /// The executor of the calling code. Code that runs on no serial executor shares one value.
  static var current: CurrentExecutor {
    // Code of the main actor can run outside tasks, where the runtime does not know its executor.
    CurrentExecutor(identity: MainActor.shared.isCurrent ? 1 : registry_executor_current())
  }
}
