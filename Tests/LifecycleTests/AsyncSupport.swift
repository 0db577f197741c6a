import Lifecycle
import TestWaits
import Testing

/// Where modules of a test wait with their answers until the test gives them.
@MainActor final class GivenAnswers: Sendable {
  /// Who was asked, in order.
  private(set) var asked: [String] = []
  /// Whose task was cancelled while it waited.
  private(set) var cancelled: [String] = []
  private var waiting: [String: CheckedContinuation<String, any Error>] = [:]

  nonisolated init() {}

  /// Waits for an answer; `deaf` does so also when it is cancelled.
  func answer(_ name: String, deaf: Bool) async throws -> String {
    asked.append(name)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[name] = continuation
      }
    } onCancel: {
      Task { @MainActor in self.cancel(name, deaf) }
    }
  }

  /// Lets somebody who waits answer.
  func give(_ name: String, _ result: Result<String, any Error>? = nil) {
    waiting.removeValue(forKey: name)?.resume(with: result ?? .success(name))
  }

  /// Waits until all of these wait.
  func wait(for names: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until("\(names) are asked", sourceLocation: sourceLocation) {
      names.allSatisfy { waiting[$0] != nil }
    }
  }

  /// Waits until one's task is cancelled.
  func waitForCancellation(of name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until("\(name) is cancelled", sourceLocation: sourceLocation) { cancelled.contains(name) }
  }

  private func cancel(_ name: String, _ deaf: Bool) {
    cancelled.append(name)
    if !deaf { waiting.removeValue(forKey: name)?.resume(throwing: CancellationError()) }
  }
}

extension ContextKey where Value == GivenAnswers {
  static var answers: Self { .init("test.answers", default: GivenAnswers()) }
}

extension AsyncEvent where Payload == Int, Outcome == [String] {
  static var question: Self { .init("test.question") }
}

/// A module that answers when the test says so, `name:payload` by its own name.
@MainActor protocol Answering: Module {
  /// Whether it goes on when its task is cancelled.
  static var isDeaf: Bool { get }
}

extension Answering {
  static var isDeaf: Bool { false }
  static var name: String { String(describing: Self.self) }

  static func subscribe(_ events: Subscriptions<Self>) {
    events.on(.question) { _, number, context in
      let answer = try await context.configuration[.answers].answer(name, deaf: isDeaf)
      return ["\(answer):\(number)"]
    }
  }
}
