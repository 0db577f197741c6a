public import Registry

extension Diagnostic.Code {
  /// A module did not answer an ``AsyncEvent`` within the time limit; the outcome is without its answer.
  public static let noAnswer = Self(rawValue: "no-answer")
}

/// An ``AsyncEvent`` that was put to the modules: what their handlers are given, and where the answers come together.
@MainActor final class AsyncQuestion<Payload, Outcome> {
  let payload: Payload
  private let rule: Event<Payload, Outcome>
  private let manager: ModuleManager
  /// By the place of their handlers; none until there is one.
  private var answers: [Outcome?] = []
  private var pending: [PendingAnswer] = []
  private var openCount = 0
  private var timer: Task<Void, Never>?
  /// Whether the app itself has still to answer.
  private var isHostAsked = false
  /// Who waits; nil before that, and once told.
  private var completion: (@MainActor (Outcome) -> Void)?

  init(_ rule: Event<Payload, Outcome>, _ payload: Payload, _ manager: ModuleManager) {
    self.rule = rule
    self.payload = payload
    self.manager = manager
  }

  // MARK: - Answering

  /// Begins to answer, for the module whose handler is under way.
  func answer(_ work: @escaping @MainActor () async throws -> Outcome) {
    // Who calls this is a handler, which an event calls.
    guard let entry = manager.dispatch.frame?.pointee.entry else { return }
    let place = answers.count
    answers.append(.none)
    openCount += 1
    let answer = PendingAnswer(entry) {
      self.openCount -= 1
    } withdrawn: {
      // Not at once: the module is just being taken out, and whoever waits may do anything to the manager.
      Task { self.finishIfAnswered() }
    }
    pending.append(answer)
    answer.task = Task {
      // The module may be gone before its turn has come.
      guard answer.isOpen else { return }
      let result = await self.attempt(work, answer)
      guard answer.close() else { return }
      self.answers[place] = result
      self.finishIfAnswered()
    }
  }

  /// Asks the app itself, whose answer comes after the modules'.
  ///
  /// - Parameter ask: Is given what is called with the answer, on any thread; only the first call counts.
  func askHost(_ ask: (@escaping @Sendable (Outcome) -> Void) -> Void) where Outcome: Sendable {
    let place = answers.count
    answers.append(.none)
    openCount += 1
    isHostAsked = true
    ask { answer in
      Task { @MainActor in
        guard self.isHostAsked else { return }
        self.isHostAsked = false
        self.openCount -= 1
        self.answers[place] = answer
        self.finishIfAnswered()
      }
    }
  }

  private func attempt(
    _ work: @MainActor () async throws -> Outcome, _ answer: PendingAnswer
  ) async -> Outcome? {
    do {
      return try await work()
    } catch {
      // That it was cancelled is no fault of its own, and too late is too late.
      let wasCancelled = Task.isCancelled && error is CancellationError
      if answer.isOpen, !wasCancelled { manager.reportHandler(of: rule.id, answer.entry, threw: error) }
      return nil
    }
  }

  // MARK: - Waiting

  /// Calls back when all have answered, or so many seconds have passed.
  func wait(_ seconds: Double, _ completion: @escaping @MainActor (Outcome) -> Void) {
    self.completion = completion
    if openCount > 0 {
      let time = manager.time
      timer = Task {
        // A source that fails has no time to give.
        try? await time.sleep(TimeSource.nanoseconds(seconds))
        if !Task.isCancelled { self.expire(seconds) }
      }
    }
    finishIfAnswered()
  }

  /// Waits until all have answered, or so many seconds have passed.
  func outcome(within seconds: Double) async -> Outcome {
    // Kept here and not handed through the continuation, for which it would have to be Sendable.
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

  /// Gives up those that have not answered.
  private func expire(_ seconds: Double) {
    let late = pending.filter { $0.close() }
    for answer in late { answer.task?.cancel() }
    if isHostAsked {
      isHostAsked = false
      openCount -= 1
      manager.log.report(
        Diagnostic(
          severity: .error, code: .noAnswer, subject: "\(rule.id)", image: nil,
          message:
            "the app's own handler did not call its completion within \(seconds) s; the outcome is without its answer"),
        always: true)
    }
    var named: Set<String> = []
    for entry in late.map(\.entry) where named.insert(entry.name).inserted {
      let message =
        "it did not answer \(rule.id) within \(seconds) s; its task is cancelled, and the outcome is without its answer"
      manager.log.report(entry.diagnostic(.error, .noAnswer, message), always: true)
    }
    finishIfAnswered()
  }

  private func finishIfAnswered() {
    guard openCount == 0, let completion else { return }
    self.completion = nil
    timer?.cancel()
    // They refer to each other.
    pending = []
    var outcome = rule.initial()
    for answer in answers { if case .some(let answer) = answer { rule.combine(&outcome, answer) } }
    completion(outcome)
  }
}

/// An answer that is waited for. Its module knows of it, to withdraw it when it is taken out.
@MainActor final class PendingAnswer {
  let entry: ModuleEntry
  var task: Task<Void, Never>?
  private(set) var isOpen = true
  private let closed: @MainActor () -> Void
  private let withdrawn: @MainActor () -> Void

  init(_ entry: ModuleEntry, closed: @escaping @MainActor () -> Void, withdrawn: @escaping @MainActor () -> Void) {
    self.entry = entry
    self.closed = closed
    self.withdrawn = withdrawn
    entry.answering.append(self)
  }

  /// Waits no more.
  ///
  /// - Returns: Whether it was waited for until now.
  func close() -> Bool {
    guard isOpen else { return false }
    isOpen = false
    entry.answering.removeAll { $0 === self }
    closed()
    return true
  }

  /// Waits no more, as the module is taken out.
  func withdraw() {
    guard close() else { return }
    task?.cancel()
    withdrawn()
  }
}

extension ModuleEntry {
  /// Waits no more for what the module has not answered yet.
  func withdrawAnswers() {
    for answer in answering { answer.withdraw() }
  }
}
