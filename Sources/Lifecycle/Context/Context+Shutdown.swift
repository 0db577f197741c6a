import Registry

extension Context {
  /// A Boolean value that indicates whether a graceful shutdown has begun.
  ///
  /// In the task of ``AsyncModule/run(_:)`` and its child tasks, the property describes the module:
  /// it is true as soon as the modules that wait for this one have shut down, right before
  /// ``AsyncModule/shutDown(_:)`` is called. A module that is removed shuts down as well. Elsewhere
  /// the property describes the manager: it is true from the beginning of a stop until all modules
  /// are torn down.
  ///
  /// You can use the property on any thread. It acquires a lock. A `run` that reads the property
  /// observes the shutdown, so its task is canceled only after ``PhaseLimits/gracePeriod``.
  public nonisolated var isShuttingDownGracefully: Bool { observedShutdown.query() }

  /// Waits until a graceful shutdown begins.
  ///
  /// ```swift
  /// func run(_ context: Context) async throws {
  ///   let heartbeat = Task { try await sendHeartbeats() }
  ///   try await context.waitForGracefulShutdown()
  ///   heartbeat.cancel()
  /// }
  /// ```
  ///
  /// The shutdown is the one that ``isShuttingDownGracefully`` describes. If it has begun, the
  /// method returns at once.
  ///
  /// - Parameter isolation: The actor that waits, by default that of the caller. The method begins
  ///   to observe the shutdown before the caller suspends.
  /// - Throws: `CancellationError` if the task is canceled first.
  public func waitForGracefulShutdown(isolation: isolated (any Actor)? = #isolation) async throws {
    let shutdown = observedShutdown
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let id = shutdown.add { continuation.yield() }
    defer { if let id { shutdown.remove(id) } }
    // The shutdown of a manager can be over when this task continues, so the state is not read.
    for await _ in stream { return }
    // The stream ended, because the task was canceled.
    throw CancellationError()
  }

  /// Performs an operation, and calls a handler if a graceful shutdown begins meanwhile.
  ///
  /// ```swift
  /// func run(_ context: Context) async throws {
  ///   try await context.withGracefulShutdownHandler {
  ///     for await job in queue { try await process(job) }
  ///   } onGracefulShutdown: {
  ///     queue.finish()  // the loop completes the jobs that are left
  ///   }
  /// }
  /// ```
  ///
  /// The shutdown is the one that ``isShuttingDownGracefully`` describes. Handlers are called in
  /// the order in which they were added, so an outer one before an inner one. The task of `run` is
  /// canceled when its grace period ends; see ``PhaseLimits/gracePeriod``.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the operation, by default that of the caller.
  ///   - operation: The operation to perform.
  ///   - handler: A closure that is called once at most: on the main actor when the shutdown
  ///     begins, or at once and before the operation if it has begun. It must return soon. It can
  ///     still run when the operation has ended.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func withGracefulShutdownHandler<Result>(
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result,
    onGracefulShutdown handler: @escaping @Sendable () -> Void
  ) async rethrows -> Result {
    let shutdown = observedShutdown
    let id = shutdown.add(handler)
    defer { if let id { shutdown.remove(id) } }
    return try await operation()
  }

  /// Requests a graceful shutdown of the manager, from any thread, and returns at once.
  ///
  /// See ``ModuleManager/triggerGracefulShutdown()``.
  public nonisolated func triggerGracefulShutdown() { shutdownRequest.trigger() }

  /// The shutdown that the current task observes.
  private nonisolated var observedShutdown: GracefulShutdown {
    guard let work = ModuleWork.current, work.manager === shutdown else { return shutdown }
    return work.shutdown ?? shutdown
  }
}
