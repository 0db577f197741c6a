import Registry

/// A pending answer to an asynchronous event.
@MainActor final class PendingAnswer {
  let subscriber: Subscriber
  let work: @MainActor () async throws -> () -> Void
  var task: Task<Void, Never>?
  private(set) var isOpen = true
  private let question: OpenQuestion
  /// The answer whose work triggered the event. An answer that is no longer awaited doesn't count,
  /// because tasks that it created can trigger events without end.
  private weak var outer = PendingAnswer.current

  /// The number of nested answers that are awaited, including this one; zero if this one isn't.
  var depth: Int { isOpen ? 1 + (outer?.depth ?? 0) : 0 }

  var event: StaticString { question.id }

  static var current: PendingAnswer? { ModuleWork.current?.answer as? PendingAnswer }

  init(
    _ subscriber: Subscriber, _ question: OpenQuestion, _ work: @escaping @MainActor () async throws -> () -> Void
  ) {
    self.subscriber = subscriber
    self.question = question
    self.work = work
    subscriber.pendingAnswers.append(self)
    question.openCount += 1
  }

  func close() -> Bool {
    guard isOpen else { return false }
    isOpen = false
    question.openCount -= 1
    subscriber.pendingAnswers.remove(self)
    return true
  }

  func withdraw() {
    guard close() else { return }
    task?.cancel()
    // Finish in a later turn of the main actor. The manager is now removing a module or handler, or
    // is stopping, and the completion could change the manager.
    ModuleWork.task { [question] in question.finishIfAnswered() }
  }
}
