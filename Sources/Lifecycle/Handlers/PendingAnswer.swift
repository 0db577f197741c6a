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
  }

  /// Marks the answer as begun. Ends the registration of a handler that runs only once.
  ///
  /// - Returns: `false` if the answer was abandoned or withdrawn, for example because the handler
  ///   runs only once and is answering another event.
  func begin() -> Bool {
    guard isOpen else { return false }
    guard subscriber.runsOnce else { return true }
    // Ending the registration withdraws the handler's pending answers, so exclude this one.
    subscriber.pendingAnswers.removeAll { $0 === self }
    question.context.manager?.consume(subscriber)
    subscriber.pendingAnswers.append(self)
    return true
  }

  func close() -> Bool {
    guard isOpen else { return false }
    isOpen = false
    subscriber.pendingAnswers.removeAll { $0 === self }
    return true
  }

  func withdraw() {
    guard close() else { return }
    task?.cancel()
    question.answerWasWithdrawn()
  }
}
