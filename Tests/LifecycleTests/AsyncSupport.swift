import Lifecycle
import TestWaits
import Testing

/// The answers that modules wait for until the test gives them.
@MainActor final class GivenAnswers: Sendable {
  /// The names of the modules that were asked, in order.
  private(set) var asked: [String] = []
  /// The names of the modules whose tasks were cancelled while they waited.
  private(set) var cancelled: [String] = []
  private var waiting: [String: CheckedContinuation<String, any Error>] = [:]

  nonisolated init() {}

  /// Waits for an answer.
  ///
  /// - Parameter ignoresCancellation: A Boolean value that indicates whether to continue waiting
  ///   after a cancellation.
  func answer(_ name: String, ignoresCancellation: Bool) async throws -> String {
    asked.append(name)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[name] = continuation
      }
    } onCancel: {
      Task { @MainActor in self.cancel(name, ignoresCancellation) }
    }
  }

  /// Gives a waiting module its answer.
  func give(_ name: String, _ result: Result<String, any Error>? = nil) {
    waiting.removeValue(forKey: name)?.resume(with: result ?? .success(name))
  }

  /// Waits until all the named modules wait for an answer.
  func wait(for names: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until("\(names) are asked", sourceLocation: sourceLocation) {
      names.allSatisfy { waiting[$0] != nil }
    }
  }

  /// Waits until the task of a module is cancelled.
  func waitForCancellation(of name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until("\(name) is cancelled", sourceLocation: sourceLocation) { cancelled.contains(name) }
  }

  private func cancel(_ name: String, _ ignoresCancellation: Bool) {
    cancelled.append(name)
    if !ignoresCancellation { waiting.removeValue(forKey: name)?.resume(throwing: CancellationError()) }
  }
}

extension ContextKey where Value == GivenAnswers {
  static var answers: Self { .init("test.answers", default: GivenAnswers()) }
}

extension AsyncEvent where Payload == Int, Outcome == [String] {
  static var question: Self { .init("test.question", combining: .collect) }
}

/// A module that answers when the test gives it an answer.
///
/// The answer consists of the module's name and the payload, as in `Alpha:1`.
@MainActor protocol Answering: Module {
  /// A Boolean value that indicates whether the module ignores cancellation.
  static var ignoresCancellation: Bool { get }
}

extension Answering {
  static var ignoresCancellation: Bool { false }
  static var name: String { String(describing: Self.self) }

  static func subscribe(_ events: Subscriptions<Self>) {
    events.on(.question) { _, number, context in
      let answer = try await context.configuration[.answers].answer(name, ignoresCancellation: ignoresCancellation)
      return ["\(answer):\(number)"]
    }
  }
}
