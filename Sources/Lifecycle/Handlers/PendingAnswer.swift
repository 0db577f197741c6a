/// A pending answer to an asynchronous event.
@MainActor final class PendingAnswer {
  let subscriber: Subscriber
  let work: @MainActor () async throws -> () -> Void
  var task: Task<Void, Never>?
  private(set) var isOpen = true
  private let question: OpenQuestion

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
    // The answers usually arrive in order, so the search usually ends at the first one.
    let index = subscriber.pendingAnswers.firstIndex { $0 === self }
    if let index { subscriber.pendingAnswers.remove(at: index) }
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
