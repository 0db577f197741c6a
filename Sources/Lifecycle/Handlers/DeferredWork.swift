/// The tasks that a manager has begun and that have not ended.
@MainActor final class DeferredWork {
  /// The tasks in the order in which they began; nil for a task that has ended.
  ///
  /// For a dictionary, the runtime would search all images for a conformance of its keys, at every
  /// start.
  private var tasks: [Task<Void, Never>?] = []
  /// The number of the first task in `tasks`.
  private var first = 0
  /// The number of tasks at the beginning of `tasks` that have ended.
  private var ended = 0

  /// The number of the task that begins next.
  private var next: Int { first + tasks.count }

  /// Runs a closure in a later turn of the main actor.
  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    let number = next
    let task = ModuleWork.outside {
      Task { @MainActor in
        work()
        self.end(number)
      }
    }
    tasks.append(task)
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
    let number = next
    let task = Task.detached(priority: priority) {
      var failure: (any Error)?
      observation?.begin()
      do { try await work() } catch { failure = error }
      observation?.end()
      await self.end(number, failure, failed)
    }
    tasks.append(task)
  }

  private func end(_ number: Int, _ failure: (any Error)?, _ failed: @MainActor (any Error) -> Void) {
    end(number)
    if let failure { failed(failure) }
  }

  private func end(_ number: Int) {
    tasks[number - first] = nil
    while ended < tasks.count, tasks[ended] == nil { ended += 1 }
    // Remove many at once, so that the time for all tasks is linear.
    guard ended * 2 >= tasks.count else { return }
    tasks.removeFirst(ended)
    first += ended
    ended = 0
  }

  /// Waits until no task is left, including those that other tasks begin meanwhile.
  func waitUntilDone() async {
    while ended < tasks.count { await tasks[ended]?.value }
  }
}
