import Registry

@MainActor final class DeferredWork {
  private var count = 0
  private let waiting = WaitingTasks()
  #if DEBUG
  /// The handlers that wait for the next turn. A slice removes its first element in constant time.
  private(set) var handlers: ArraySlice<(event: String, name: String)> = []

  /// Lists a handler until it begins. Usually, the first handler begins next, but tasks with other
  /// priorities can begin earlier.
  func addHandler(_ event: StaticString, _ name: String) { handlers.append(("\(event)", name)) }
  func beginHandler(_ event: StaticString, _ name: String) {
    guard let index = handlers.firstIndex(where: { $0 == ("\(event)", name) }) else { return }
    if index == handlers.startIndex { handlers.removeFirst() } else { handlers.remove(at: index) }
  }
  #endif

  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    count += 1
    ModuleWork.task {
      work()
      self.end()
    }
  }

  /// Runs a closure in a task off the main actor.
  func inTask(_ priority: TaskPriority, _ work: @escaping @Sendable () async -> Void) {
    count += 1
    // Release what the work captures before the waiting tasks resume.
    let work = Locked<(@Sendable () async -> Void)?>(work)
    Task.detached(priority: priority) {
      await work.withLock { $0.take() }?()
      await self.end()
    }
  }

  private func end() {
    count -= 1
    if count == 0 { waiting.resume() }
  }

  /// Waits until no deferred work is left, including work that is added during the wait.
  func waitUntilDone() async {
    while count > 0 { await waiting.wait() }
  }
}

@MainActor final class WaitingTasks {
  private var continuations: [CheckedContinuation<Void, Never>] = []

  var isEmpty: Bool { continuations.isEmpty }

  func wait() async { await withCheckedContinuation { continuations.append($0) } }

  func resume() {
    let waiting = continuations
    continuations = []
    for continuation in waiting { continuation.resume() }
  }
}
