import Lifecycle

/// Where modules of a test wait with their answers until the test gives them.
@MainActor final class GivenAnswers: Sendable {
  /// Who was asked, in order.
  private(set) var asked: [String] = []
  /// Whose task was cancelled while it waited.
  private(set) var cancelled: [String] = []
  private var waiting: [String: CheckedContinuation<String, any Error>] = [:]
  private var watchers: [(isThere: (GivenAnswers) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  nonisolated init() {}

  /// Waits for an answer; `deaf` does so also when it is cancelled.
  func answer(_ name: String, deaf: Bool) async throws -> String {
    asked.append(name)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[name] = continuation
        tell()
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
  func wait(for names: String...) async {
    await until { answers in names.allSatisfy { answers.waiting[$0] != nil } }
  }

  /// Waits until one's task is cancelled.
  func waitForCancellation(of name: String) async {
    await until { $0.cancelled.contains(name) }
  }

  private func cancel(_ name: String, _ deaf: Bool) {
    cancelled.append(name)
    if !deaf { waiting.removeValue(forKey: name)?.resume(throwing: CancellationError()) }
    tell()
  }

  private func until(_ isThere: @escaping (GivenAnswers) -> Bool) async {
    if isThere(self) { return }
    await withCheckedContinuation { watchers.append((isThere, $0)) }
  }

  private func tell() {
    let told = watchers.filter { $0.isThere(self) }
    watchers.removeAll { $0.isThere(self) }
    for watcher in told { watcher.continuation.resume() }
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
