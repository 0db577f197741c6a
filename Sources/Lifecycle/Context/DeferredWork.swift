import Registry

/// The tasks that a manager has begun and that have not ended.
@MainActor final class DeferredWork {
  /// The number of tasks that have not ended.
  private var count = 0
  private let waiting = WaitingTasks()

  /// Runs a closure in a later turn of the main actor.
  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    count += 1
    ModuleWork.task {
      work()
      self.end()
    }
  }

  /// Runs a closure in a task off the main actor.
  ///
  /// - Parameters:
  ///   - observation: The observation of the work, or nil if there are no observers.
  ///   - failed: A closure that receives the error that the work throws.
  func inTask(
    _ priority: TaskPriority, _ work: @escaping @Sendable () async throws -> Void, observation: IntervalObservation?,
    failed: @escaping @MainActor (any Error) -> Void
  ) {
    count += 1
    // What the work captures is released before the wait for it ends.
    let work = Locked<(@Sendable () async throws -> Void)?>(work)
    Task.detached(priority: priority) {
      observation?.begin()
      let failure = await Self.perform(work)
      observation?.end()
      await self.end(failure, failed)
    }
  }

  /// Performs work, and returns the error that it throws.
  private nonisolated static func perform(_ work: Locked<(@Sendable () async throws -> Void)?>) async -> (any Error)? {
    do { try await work.withLock { $0.take() }?() } catch { return error }
    return nil
  }

  private func end(_ failure: (any Error)? = nil, _ failed: @MainActor (any Error) -> Void = { _ in }) {
    count -= 1
    if let failure { failed(failure) }
    if count == 0 { waiting.resume() }
  }

  /// Waits until no task is left, including tasks that other tasks begin.
  func waitUntilDone() async {
    while count > 0 { await waiting.wait() }
  }
}

/// The tasks that wait for a state of the main actor's data.
@MainActor final class WaitingTasks {
  private var continuations: [CheckedContinuation<Void, Never>] = []

  var isEmpty: Bool { continuations.isEmpty }

  /// Waits for the next call of ``resume()``.
  func wait() async { await withCheckedContinuation { continuations.append($0) } }

  func resume() {
    let waiting = continuations
    continuations = []
    for continuation in waiting { continuation.resume() }
  }
}
