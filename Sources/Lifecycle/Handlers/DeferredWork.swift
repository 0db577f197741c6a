/// The tasks that a manager has begun and that have not ended.
@MainActor final class DeferredWork {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var count = 0

  /// Runs a closure in a later turn of the main actor.
  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    count += 1
    let number = count
    tasks[number] = GracefulShutdown.outsideOfRuns {
      Task { @MainActor in
        work()
        self.tasks[number] = nil
      }
    }
  }

  /// Runs a closure in a task off the main actor.
  ///
  /// - Parameters:
  ///   - observation: The observation of the work, or nil if there are no observers.
  ///   - failed: A closure that receives the error that the work throws.
  func inTask(
    _ priority: TaskPriority, _ work: @escaping @Sendable () async throws -> Void, observation: AsyncObservation?,
    failed: @escaping @MainActor (any Error) -> Void
  ) {
    count += 1
    let number = count
    tasks[number] = Task.detached(priority: priority) {
      var failure: (any Error)?
      observation?.begin()
      do { try await work() } catch { failure = error }
      observation?.end()
      await self.end(number, failure, failed)
    }
  }

  private func end(_ number: Int, _ failure: (any Error)?, _ failed: @MainActor (any Error) -> Void) {
    tasks[number] = nil
    if let failure { failed(failure) }
  }

  /// Waits until no task is left, including those that other tasks begin meanwhile.
  func waitUntilDone() async {
    while let task = tasks.first?.value { await task.value }
  }
}
