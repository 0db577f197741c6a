/// The tasks that a manager has begun and that have not ended.
@MainActor final class DeferredWork {
  /// The tasks with their numbers, in order.
  ///
  /// A dictionary would be slower for the few tasks of a start, because the runtime would search
  /// the conformance of `Int`.
  private var tasks: [(number: Int, task: Task<Void, Never>)] = []
  private var count = 0

  /// Runs a closure in a later turn of the main actor.
  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    count += 1
    let number = count
    let task = GracefulShutdown.outsideOfRuns {
      Task { @MainActor in
        work()
        self.remove(number)
      }
    }
    tasks.append((number, task))
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
    let task = Task.detached(priority: priority) {
      var failure: (any Error)?
      observation?.begin()
      do { try await work() } catch { failure = error }
      observation?.end()
      await self.end(number, failure, failed)
    }
    tasks.append((number, task))
  }

  private func end(_ number: Int, _ failure: (any Error)?, _ failed: @MainActor (any Error) -> Void) {
    remove(number)
    if let failure { failed(failure) }
  }

  private func remove(_ number: Int) {
    // Tasks usually end in the order in which they began, so the search is short.
    for (index, item) in tasks.enumerated() where item.number == number {
      tasks.remove(at: index)
      return
    }
  }

  /// Waits until no task is left, including those that other tasks begin meanwhile.
  func waitUntilDone() async {
    while let task = tasks.first?.task { await task.value }
  }
}
