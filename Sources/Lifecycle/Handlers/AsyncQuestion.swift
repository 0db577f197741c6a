import Registry

extension AsyncEvent {
  /// The synchronous event to dispatch. Its handlers receive the question and begin to answer it.
  var question: Event<AsyncQuestion<Payload, Outcome>, Void> { .init(id, declaration: declaration) }
}

/// A collector of the answers to an asynchronous event.
@MainActor final class AsyncQuestion<Payload, Outcome>: OpenQuestion {
  let payload: Payload
  private let rule: CombiningRule<Outcome>
  private var answers: [Outcome?] = []
  private var outcome: Outcome {
    var outcome = rule.initial()
    for answer in answers { if case .some(let answer) = answer { rule.combine(&outcome, answer) } }
    return outcome
  }

  init(_ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, _ context: Context) {
    rule = event.rule
    self.payload = payload
    super.init(event.id, context)
  }

  /// Adds an answer that the running handler gives later.
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
  func askApp(_ ask: (@escaping @Sendable (Outcome) -> Void) -> Void) where Outcome: Sendable {
    let index = reserveAnswer()
    awaitsApp = true
    let scope = OverrideScope.current
    ask { answer in
      _ = scope.run { ModuleWork.task { self.hostDidAnswer { self.answers[index] = answer } } }
    }
  }

  private func reserveAnswer() -> Int {
    answers.append(.none)
    return answers.count - 1
  }

  /// Calls a closure with the outcome; see ``OpenQuestion/wait(_:app:_:)``.
  ///
  /// - Parameter appSeconds: The app's time limit in seconds; nil to use the handlers' limit.
  func wait(_ seconds: Double, app appSeconds: Double? = nil, _ completion: @escaping @MainActor (Outcome) -> Void) {
    // Capture `self` unowned: the question owns the closure, and a strong reference would leak if
    // the app never answered.
    wait(seconds, app: appSeconds ?? seconds) { [unowned self] in completion(outcome) }
  }

  func outcome(within seconds: Double) async -> Outcome {
    await waitForAnswers(seconds)
    return outcome
  }
}
