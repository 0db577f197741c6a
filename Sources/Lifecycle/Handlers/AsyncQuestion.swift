extension AsyncEvent {
  /// The event that is dispatched. Its handlers receive the question and begin to answer it.
  var question: Event<AsyncQuestion<Payload, Outcome>, Void> { .init(rule.id) }
}

/// The delivery of an asynchronous event, which collects the answers of its handlers.
@MainActor final class AsyncQuestion<Payload, Outcome>: OpenQuestion {
  let payload: Payload
  private let rule: Event<Payload, Outcome>
  /// The answers in the order of handlers. An answer that has not arrived is nil.
  private var answers: [Outcome?] = []
  /// The closure that receives the outcome, or nil before it is set and after its call.
  private var completion: (@MainActor (Outcome) -> Void)?

  init(_ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, _ context: Context) {
    rule = event.rule
    self.payload = payload
    super.init(rule.id, context)
  }

  /// Begins to answer on behalf of the module whose handler is running.
  func answer(_ timing: HandlerTiming, _ work: @escaping @MainActor () async throws -> Outcome) {
    let index = reserveAnswer()
    addAnswer(timing) {
      let answer = try await work()
      return { self.answers[index] = answer }
    }
  }

  /// Calls the app's own handling.
  ///
  /// - Parameter ask: A closure that receives a completion handler. Any thread can call the
  ///   handler, and only the first call counts.
  func askHost(_ ask: (@escaping @Sendable (Outcome) -> Void) -> Void) where Outcome: Sendable {
    let index = reserveAnswer()
    awaitHost()
    ask { answer in
      ModuleWork.task { self.hostDidAnswer { self.answers[index] = answer } }
    }
  }

  private func reserveAnswer() -> Int {
    answers.append(.none)
    return answers.count - 1
  }

  /// Calls a closure with the outcome; see ``OpenQuestion/wait(_:host:)``.
  ///
  /// - Parameter hostSeconds: The number of seconds that the app has. If nil, it has as long as the
  ///   handlers.
  func wait(_ seconds: Double, host hostSeconds: Double? = nil, _ completion: @escaping @MainActor (Outcome) -> Void) {
    self.completion = completion
    wait(seconds, host: hostSeconds ?? seconds)
  }

  /// Returns the outcome when all answers have arrived or the time limit has passed.
  func outcome(within seconds: Double) async -> Outcome {
    // Use a variable, because the value of a continuation must be Sendable.
    var outcome: Outcome?
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(seconds) {
          outcome = .some($0)
          continuation.resume()
        }
      }
    } onCancel: {
      Task { @MainActor in self.cancel() }
    }
    return outcome ?? rule.initial()
  }

  override func deliver() {
    var outcome = rule.initial()
    for answer in answers { if case .some(let answer) = answer { rule.combine(&outcome, answer) } }
    let completion = completion
    self.completion = nil
    completion?(outcome)
  }
}
