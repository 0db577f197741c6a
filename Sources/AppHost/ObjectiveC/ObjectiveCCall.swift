package import Lifecycle
package import Registry

extension Diagnostic.Code {
  package static var wrongAnswer: Self { "wrong-answer" }
}

/// A call to an Objective-C module's method, with its argument and answer.
///
/// The method receives the call as a `REGContext`; tests receive the call itself.
@MainActor package final class ObjectiveCCall {
  let module: String
  package let selector: String
  package let contents: SystemEventContents
  package let context: Context
  /// The selector for the type of answer that the event takes, or nil if it takes no answer.
  private let wanted: String?
  private let mayTakeTime: Bool

  private var answer: (any Sendable)?
  private var failure: (any Error)?
  private var deferrals: [AsyncStream<Never>] = []
  private var isOver = false

  init(
    _ module: String, _ selector: String, _ contents: SystemEventContents, _ context: Context, _ outcome: Any.Type,
    mayTakeTime: Bool
  ) {
    self.module = module
    self.selector = selector
    self.contents = contents
    self.context = context
    wanted = Self.selector(for: outcome)
    self.mayTakeTime = mayTakeTime
  }

  private static func selector(for outcome: Any.Type) -> String? {
    switch outcome {
    case is Bool.Type: "answer:"
    case is BackgroundFetchResult.Type: "answerFetchResult:"
    case is NotificationPresentationOptions.Type: "answerPresentationOptions:"
    case is UserActivity?.Type: "answerActivity:"
    default: nil
    }
  }

  /// Answers the event. The last answer counts.
  package func give<Outcome: Sendable>(_ answer: Outcome) {
    let selector = Self.selector(for: Outcome.self) ?? ""
    guard selector == wanted else {
      let words = wanted.map { "requires an answer with '-\($0)'" } ?? "takes no answer"
      return report("'-\(self.selector)' called '-\(selector)', but its event \(words)")
    }
    guard !isOver else { return reportLate(selector) }
    self.answer = answer
  }

  /// Makes the call fail, as if the method had thrown an error.
  package func fail(_ error: any Error) {
    guard !isOver else { return reportLate("failWithError:") }
    failure = error
  }

  /// Makes the event wait for an answer until the deferral finishes or is deallocated.
  ///
  /// The call has no effect and is reported if the event has ended or doesn't wait for answers.
  @discardableResult
  package func takeTime(_ deferral: ObjectiveCDeferral = ObjectiveCDeferral()) -> ObjectiveCDeferral {
    if isOver {
      reportLate("takeTime")
    } else if !mayTakeTime {
      report("'-\(selector)' called '-takeTime', but its event ends when the method returns")
    } else {
      deferrals.append(deferral.stream)
    }
    return deferral
  }

  /// Waits for the method's deferrals, unless the task is canceled.
  func finish() async {
    // The method can add deferrals during the wait.
    while !deferrals.isEmpty {
      for await _ in deferrals.removeFirst() {}
    }
  }

  /// Ends the call, and returns its answer, or the neutral outcome if the method gave no answer.
  func result<Outcome>(neutral: Outcome) throws -> Outcome {
    isOver = true
    if let failure { throw failure }
    return answer as? Outcome ?? neutral
  }

  private func reportLate(_ selector: String) {
    report("'-\(self.selector)' called '-\(selector)' after its event had ended")
  }

  private func report(_ message: String) {
    context.log.report(.warning, .wrongAnswer, module, "\(message); the call is ignored")
  }
}

/// An object that makes an event wait until the object finishes or is deallocated.
package final class ObjectiveCDeferral: Sendable {
  let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  package init() {
    (stream, continuation) = AsyncStream<Never>.makeStream()
  }

  /// Ends the wait. You can call it on any thread; a second call has no effect.
  package func finish() { continuation.finish() }

  deinit { continuation.finish() }
}
