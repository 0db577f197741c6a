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

/// The serial executor that code runs on, to be compared with others.
struct CurrentExecutor: Equatable {
  private let identity: UInt

  /// The executor of the calling code. All code that runs on none has the same one.
  static var current: CurrentExecutor {
    // The main actor's code is not always in a task, so the runtime does not always know.
    CurrentExecutor(identity: MainActor.shared.isCurrent ? 1 : registry_executor_current())
  }
}
