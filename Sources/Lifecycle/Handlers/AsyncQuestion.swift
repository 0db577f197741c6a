package import Registry

extension Diagnostic.Code {
  /// A handler that did not answer an asynchronous event within the time limit.
  ///
  /// The outcome lacks its answer.
  package static let noAnswer: Self = "no-answer"
}

extension AsyncEvent {
  /// The event that is dispatched. Its handlers receive the question and begin to answer it.
  var question: Event<AsyncQuestion<Payload, Outcome>, Void> { .init(rule.id) }
}

/// The delivery of an asynchronous event, which collects the answers of its handlers.
@MainActor final class AsyncQuestion<Payload, Outcome> {
  /// The progress of the app's own handling.
  private enum HostState {
    /// The app does not handle the event, or has answered.
    case done
    /// The app has not answered. The closures begin the handlers that run after it.
    case pending(followers: [@MainActor () -> Void])
  }

  let payload: Payload
  private let rule: Event<Payload, Outcome>
  private let time: TimeSource
  private let context: Context
  /// Returns the subscriber whose handler is running.
  private let currentSubscriber: @MainActor () -> Subscriber?
  /// The answers in the order of handlers. An answer that has not arrived is nil.
  private var answers: [Outcome?] = []
  private var pending: [PendingAnswer] = []
  private var openCount = 0
  private var host = HostState.done
  private var timers: [Task<Void, Never>] = []
  /// The closure that receives the outcome, or nil before it is set and after its call.
  private var completion: (@MainActor (Outcome) -> Void)?

  init(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, time: TimeSource, context: Context,
    currentSubscriber: @escaping @MainActor () -> Subscriber?
  ) {
    rule = event.rule
    self.payload = payload
    self.time = time
    self.context = context
    self.currentSubscriber = currentSubscriber
  }

  // MARK: - Answering

  /// Begins to answer on behalf of the module whose handler is running.
  func answer(_ timing: HandlerTiming, _ work: @escaping @MainActor () async throws -> Outcome) {
    guard let subscriber = currentSubscriber() else { return }
    let index = reserveAnswer()
    let answer = PendingAnswer(subscriber) {
      self.openCount -= 1
    } withdrawn: {
      // Finish in another turn, because the module is being removed and the completion can do
      // anything to its manager.
      _ = ModuleWork.outside { Task { self.finishIfAnswered() } }
    }
    pending.append(answer)
    let begin: @MainActor () -> Void = {
      guard answer.begin() else { return }
      answer.task = ModuleWork.outside {
        Task {
          // The module may have been removed before the task began.
          guard answer.isOpen else { return }
          let result = await self.attempt(work, answer)
          guard answer.close() else { return }
          self.answers[index] = result
          self.finishIfAnswered()
        }
      }
    }
    if timing == .afterHost, case .pending(var followers) = host {
      host = .done  // The array must have one owner, so that it is not copied.
      followers.append(begin)
      host = .pending(followers: followers)
    } else {
      begin()
    }
  }

  /// Calls the app's own handling.
  ///
  /// - Parameter ask: A closure that receives a completion handler. Any thread can call the
  ///   handler, and only the first call counts.
  func askHost(_ ask: (@escaping @Sendable (Outcome) -> Void) -> Void) where Outcome: Sendable {
    let index = reserveAnswer()
    host = .pending(followers: [])
    ask { answer in
      _ = ModuleWork.outside { Task { @MainActor in self.hostDidAnswer(index, answer) } }
    }
  }

  private func hostDidAnswer(_ index: Int, _ answer: Outcome) {
    guard let followers = endHostsTurn() else { return }
    answers[index] = answer
    for begin in followers { begin() }
    finishIfAnswered()
  }

  /// Stops waiting for the app.
  ///
  /// - Returns: The handlers that run after the app, or nil if it was not waited for.
  private func endHostsTurn() -> [@MainActor () -> Void]? {
    guard case .pending(let followers) = host else { return nil }
    host = .done
    openCount -= 1
    return followers
  }

  private func reserveAnswer() -> Int {
    answers.append(.none)
    openCount += 1
    return answers.count - 1
  }

  private func attempt(_ work: @MainActor () async throws -> Outcome, _ answer: PendingAnswer) async -> Outcome? {
    do {
      let own = ModuleWork(owner: answer.subscriber, manager: context.shutdown, shutdown: nil)
      return try await ModuleWork.$current.withValue(own) {
        try await context.activities.observingAsync(answer.subscriber.activity(.handler(of: rule.id)), work)
      }
    } catch {
      // A cancellation by this question is not the handler's fault, and neither is a late error.
      let wasCancelled = Task.isCancelled && error is CancellationError
      if answer.isOpen, !wasCancelled {
        context.log.report(answer.subscriber.handlerFailure(rule.id, error), always: true)
      }
      return nil
    }
  }

  // MARK: - Waiting

  /// Calls a closure with the outcome when all answers have arrived or the time limits have passed.
  ///
  /// The app's own handling has no time limit if no handler is called.
  ///
  /// - Parameters:
  ///   - seconds: The number of seconds that the handlers have.
  ///   - hostSeconds: The number of seconds that the app's own handling has, at least `seconds`. If
  ///     nil, it has as long as the handlers.
  ///   - completion: A closure that receives the outcome.
  func wait(_ seconds: Double, host hostSeconds: Double? = nil, _ completion: @escaping @MainActor (Outcome) -> Void) {
    self.completion = completion
    if openCount > 0, !pending.isEmpty {
      let hostSeconds = hostSeconds.map { max($0, seconds) } ?? seconds
      limit(seconds) {
        if hostSeconds == seconds { self.expireHost(seconds) }
        self.expireHandlers("within \(seconds) s")
      }
      if hostSeconds > seconds { limit(hostSeconds) { self.expireHost(hostSeconds) } }
    }
    finishIfAnswered()
  }

  private func limit(_ seconds: Double, _ expire: @escaping @MainActor () -> Void) {
    // The system keeps the timer of a canceled task until it is due.
    guard seconds != .infinity else { return }
    timers.append(
      ModuleWork.outside {
        Task {
          // A sleep that throws, although this task was not canceled, ends the wait.
          try? await self.time.sleep(TimeSource.nanoseconds(seconds))
          guard !Task.isCancelled else { return }
          expire()
          self.finishIfAnswered()
        }
      })
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

  private func cancel() {
    for answer in pending where answer.isOpen { answer.task?.cancel() }
  }

  /// Stops waiting for the handlers that have not answered, as the time limit does.
  ///
  /// - Parameter reason: The end of the sentence "its handler did not answer …".
  func interrupt(_ reason: String) {
    expireHandlers(reason)
    finishIfAnswered()
  }

  /// Stops waiting for the app, and reports that.
  private func expireHost(_ seconds: Double) {
    guard endHostsTurn() != nil else { return }
    context.log.report(
      Diagnostic(
        severity: .error, code: .noAnswer, subject: "\(rule.id)", image: nil,
        message: "the app's own handler did not call its completion within \(seconds) s; the outcome lacks its answer"),
      always: true)
  }

  /// Stops waiting for the handlers that have not answered, and reports them.
  private func expireHandlers(_ deadline: String) {
    let late = pending.filter { $0.close() }
    for answer in late { answer.task?.cancel() }
    var reported: Set<String> = []
    // A handler without a task waited for the app.
    for answer in late where answer.task != nil && reported.add(answer.subscriber.name) {
      let message =
        "its handler of '\(rule.id)' did not answer \(deadline); its task is canceled, and the outcome lacks its"
        + " answer"
      context.log.report(answer.subscriber.diagnostic(.error, .noAnswer, message), always: true)
    }
  }

  private func finishIfAnswered() {
    guard openCount == 0, let completion else { return }
    self.completion = nil
    for timer in timers { timer.cancel() }
    timers = []
    // The question and its pending answers refer to each other.
    pending = []
    var outcome = rule.initial()
    for answer in answers { if case .some(let answer) = answer { rule.combine(&outcome, answer) } }
    completion(outcome)
  }
}
