package import Registry

extension Diagnostic.Code {
  package static var noAnswer: Self { "no-answer" }
}

/// A wait for the answers to an asynchronous event.
///
/// The class is not generic, because generic waiting code is large. Its subclass stores the
/// answers.
@MainActor class OpenQuestion {
  final let id: StaticString
  final let context: Context
  private final var pending: [PendingAnswer] = []
  /// The number of pending answers that are open, because a search would visit all earlier ones.
  final var openCount = 0
  /// A Boolean value that indicates whether the app's own handling has begun and can still answer.
  final var awaitsApp = false
  private final var timers: [Task<Void, Never>] = []
  /// The closure to call when the wait ends, or nil before the wait and after the call.
  private final var completion: (@MainActor () -> Void)?

  init(_ id: StaticString, _ context: Context) {
    self.id = id
    self.context = context
  }

  // MARK: - Answering

  /// Adds an answer of the running handler, and begins to compute it unless the handler must wait
  /// for the app.
  ///
  /// - Parameter work: A closure that computes the answer, and returns a closure that stores it.
  final func addAnswer(_ timing: HandlerTiming, _ work: @escaping @MainActor () async throws -> () -> Void) {
    guard let subscriber = context.currentOwner as? Subscriber else { return }
    if let outer = PendingAnswer.current, outer.depth >= EventDepth.limit {
      let message = "its handler of '\(outer.event)' triggered '\(id)' \(EventDepth.problem)"
      // Report this only once, because a diagnostic handler can trigger events for each report.
      return context.log.report(outer.subscriber.diagnostic(.error, .tooDeep, message), always: false)
    }
    let answer = PendingAnswer(subscriber, self, work)
    pending.append(answer)
    if timing == .beforeApp || !awaitsApp { begin(answer) }
  }

  private final func begin(_ answer: PendingAnswer) {
    // The answer may have been withdrawn, for example because its handler runs only once and is
    // answering another event.
    guard answer.isOpen else { return }
    if answer.subscriber.runsOnce {
      // Ending the registration withdraws the handler's pending answers, so exclude this one.
      answer.subscriber.pendingAnswers.remove(answer)
      context.manager?.consume(answer.subscriber)
      answer.subscriber.pendingAnswers.append(answer)
    }
    answer.task = ModuleWork.task {
      // The answer may have been withdrawn or abandoned before the task began.
      guard answer.isOpen else { return }
      var keep: (() -> Void)?
      do {
        try await answer.subscriber.perform(.handler(of: self.id), self.context, answer: answer) {
          keep = try await answer.work()
        }
      } catch {
        // Neither a cancellation by this question nor a late error is the handler's fault.
        let wasCancelled = Task.isCancelled && error is CancellationError
        if answer.isOpen, !wasCancelled { answer.subscriber.report(error, of: self.id, self.context) }
      }
      guard answer.close() else { return }
      keep?()
      self.finishIfAnswered()
    }
  }

  /// Receives the app's answer, and calls the closure to store it unless the wait for the app has
  /// ended.
  final func hostDidAnswer(_ keep: () -> Void) {
    guard awaitsApp else { return }
    awaitsApp = false
    keep()
    // Handlers without a task have been waiting for the app.
    for answer in pending where answer.task == nil { begin(answer) }
    finishIfAnswered()
  }

  // MARK: - Waiting

  /// Calls a closure when every answer has arrived, was withdrawn, or is no longer awaited.
  ///
  /// The app's own handling has no time limit if no handler is called.
  ///
  /// - Parameters:
  ///   - seconds: The handlers' time limit.
  ///   - appSeconds: The time limit of the app's own handling, raised to `seconds` if it's less.
  final func wait(_ seconds: Double, app appSeconds: Double, _ completion: @escaping @MainActor () -> Void) {
    self.completion = completion
    context.log.remark(.noAnswer, "\(id)", seconds.problemOfLimit("the event's 'timeLimit'", longest: 3_600))
    if !isAnswered, !pending.isEmpty {
      // If a limit is NaN, `max` returns its first argument.
      let seconds = max(0, seconds)
      let appSeconds = max(seconds, appSeconds)
      limit(seconds) {
        if appSeconds == seconds { self.expireApp(seconds) }
        self.interrupt("within \(seconds) s")
      }
      if awaitsApp, appSeconds > seconds { limit(appSeconds) { self.expireApp(appSeconds) } }
    }
    finishIfAnswered()
  }

  final func waitForAnswers(_ seconds: Double) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(seconds, app: seconds) { continuation.resume() } }
    } onCancel: {
      Task { @MainActor in self.cancel() }
    }
  }

  private final func limit(_ seconds: Double, _ expire: @escaping @MainActor () -> Void) {
    if let timer = context.time.limit(seconds, expire) { timers.append(timer) }
  }

  /// Cancels the tasks of handlers that have not answered. Their answers still count.
  private final func cancel() {
    for answer in pending where answer.isOpen { answer.task?.cancel() }
  }

  private final func expireApp(_ seconds: Double) {
    guard awaitsApp else { return }
    awaitsApp = false
    context.log.report(
      .error, .noAnswer, "\(id)",
      "the app's own handler did not call its completion within \(seconds) s; the outcome lacks its answer")
    finishIfAnswered()
  }

  /// Stops waiting for the handlers that have not answered.
  ///
  /// - Parameter deadline: The end of the sentence "its handler did not answer …".
  final func interrupt(_ deadline: String) {
    let late = pending.filter { $0.close() }
    for answer in late { answer.task?.cancel() }
    var reported: Set<String> = []
    // Handlers without a task were still waiting for the app, so don't report them.
    for answer in late where answer.task != nil && reported.add(answer.subscriber.name) {
      let message =
        "its handler of '\(id)' did not answer \(deadline); its task is canceled, and the outcome lacks its answer"
      context.log.report(answer.subscriber.diagnostic(.error, .noAnswer, message), always: true)
    }
    finishIfAnswered()
  }

  private final var isAnswered: Bool { !awaitsApp && openCount == 0 }

  final func finishIfAnswered() {
    guard isAnswered, let completion else { return }
    self.completion = nil
    for timer in timers { timer.cancel() }
    timers = []
    // The question and its pending answers retain each other, so break the cycle.
    pending = []
    completion()
  }
}
