/// A pending answer to an asynchronous event.
@MainActor final class PendingAnswer {
  private static var count = 0

  let subscriber: Subscriber
  let work: @MainActor () async throws -> () -> Void
  private let number: Int
  var task: Task<Void, Never>?
  private(set) var isOpen = true
  private let question: OpenQuestion

  init(
    _ subscriber: Subscriber, _ question: OpenQuestion, _ work: @escaping @MainActor () async throws -> () -> Void
  ) {
    self.subscriber = subscriber
    self.question = question
    self.work = work
    Self.count += 1
    number = Self.count
    subscriber.pendingAnswers[number] = self
  }

  /// Marks the answer as begun. Ends the registration of a handler that runs only once.
  ///
  /// - Returns: `false` if the answer was abandoned or withdrawn, for example because the handler
  ///   already answers another event.
  func begin() -> Bool {
    guard isOpen else { return false }
    guard subscriber.runsOnce else { return true }
    // Ending the registration withdraws the handler's pending answers, so exclude this one.
    subscriber.pendingAnswers[number] = nil
    question.context.manager?.consume(subscriber)
    subscriber.pendingAnswers[number] = self
    return true
  }

  func close() -> Bool {
    guard isOpen else { return false }
    isOpen = false
    subscriber.pendingAnswers[number] = nil
    question.answerWasClosed()
    return true
  }

  func withdraw() {
    guard close() else { return }
    task?.cancel()
    question.answerWasWithdrawn()
  }
}
