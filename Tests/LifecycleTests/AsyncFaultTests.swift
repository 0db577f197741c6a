import Lifecycle
import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

private final class Alpha: Answering {}
private final class Beta: Answering {}
/// A module that ignores cancellation.
private final class IgnoresCancellation: Answering {
  static var ignoresCancellation: Bool { true }
}

/// A module with two handlers that wait.
private final class Twice: Module {
  static func subscribe(_ events: Subscriptions<Twice>) {
    for number in 1...2 {
      events.on(.question) { _, _, context in
        [try await context.configuration[.answers].answer("Twice\(number)", ignoresCancellation: false)]
      }
    }
  }
}

/// A module that never answers, for events with and without a payload.
private final class Silent: Module {
  static func subscribe(_ events: Subscriptions<Silent>) {
    events.on(.question) { _, _, _ in
      try await untilCancelled()
      return []
    }
    events.on(.plainQuestion) { _, _ in
      try await untilCancelled()
      return []
    }
  }
}

extension AsyncEvent where Payload == Void, Outcome == [String] {
  fileprivate static var plainQuestion: Self { .init("test.plainQuestion", combining: .collect) }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct AsyncFaultTests {
  let problems = DiagnosticCollector()
  let answers = GivenAnswers()
  let time = ManualTime()

  /// The outcomes that a completion has received.
  @MainActor final class Outcomes {
    var list: [[String]] = []

    func add(_ outcome: [String]) { list.append(outcome) }

    func first(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
      try await until("the completion is called", sourceLocation: sourceLocation) { !list.isEmpty }
      return list[0]
    }
  }

  private func started(_ modules: [any Module.Type]) throws -> ModuleManager {
    let manager = ModuleManager(
      modules: modules, configuration: ContextValues { $0[.answers] = answers }, time: time.source,
      onDiagnostic: problems.handler)
    try manager.start()
    return manager
  }

  /// Lets all tasks continue that can.
  private func settle() async {
    for _ in 0..<100 { await Task.yield() }
  }

  @Test func `a module that does not answer in time is named, canceled, and ignored`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcomes.add($0) }
    try await answers.wait(for: "Alpha", "Beta")
    try await time.sleepers(1)
    answers.give("Alpha")
    time.advance(by: 24_999_999_999)
    await settle()
    #expect(outcomes.list.isEmpty && problems.diagnostics.isEmpty)
    time.advance(by: 1)
    #expect(try await outcomes.first() == ["Alpha:1"])
    try await answers.waitForCancellation(of: "Beta")
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1 && problem.code == .noAnswer && problem.code.description == "no-answer")
    #expect(problem.subject.hasSuffix("Beta") && problem.severity == .error)
    #expect(problem.message.hasPrefix("its handler of 'test.question' did not answer within 25.0 s"))
    // The module's cancellation is not reported as a failure, and the completion is called only
    // once.
    await settle()
    #expect(outcomes.list.count == 1 && problems.diagnostics.count == 1)
  }

  @Test func `a time limit of infinity starts no timer`() async throws {
    let modules = try started([Alpha.self])
    async let outcome = modules.trigger(.question, 1, timeLimit: .infinity)
    try await answers.wait(for: "Alpha")
    await settle()
    #expect(time.sleeperCount == 0)
    answers.give("Alpha")
    #expect(await outcome == ["Alpha:1"])
  }

  @Test func `the caller sets the time limit`() async throws {
    let modules = try started([Alpha.self])
    async let outcome = modules.trigger(.question, 1, timeLimit: 2)
    try await answers.wait(for: "Alpha")
    try await time.sleepers(1)
    time.advance(seconds: 2)
    #expect(await outcome == [])
    #expect(problems[.noAnswer].count == 1)
  }

  /// Returns a manager whose events end immediately and record their time limits.
  private func started(recording limits: Trace) throws -> ModuleManager {
    let failing = TimeSource(
      now: { 0 },
      sleep: { nanoseconds in
        limits.add("\(nanoseconds)")
        throw Broken()
      })
    let modules = ModuleManager(modules: [Silent.self], time: failing, onDiagnostic: problems.handler)
    try modules.start()
    return modules
  }

  @Test func `each form of trigger waits for 25 seconds by default`() async throws {
    let limits = Trace()
    let modules = try started(recording: limits)
    var count = 0
    func ended(_ outcome: [String]) { count += 1 }
    _ = await modules.trigger(.question, 1)
    _ = await modules.trigger(.plainQuestion)
    modules.trigger(.question, 1, completion: ended)
    modules.trigger(.plainQuestion, (), completion: ended)
    modules.trigger(.question, 1, app: { _ in }, completion: ended)
    _ = await modules.context.trigger(.question, 1)
    _ = await modules.context.trigger(.plainQuestion)
    try await until("all are over") { count == 3 }
    #expect(limits.lines == Array(repeating: "25000000000", count: 7))
  }

  @Test func `each form of trigger passes on the time limit of its caller`() async throws {
    let limits = Trace()
    let modules = try started(recording: limits)
    var count = 0
    func ended(_ outcome: [String]) { count += 1 }
    _ = await modules.trigger(.question, 1, timeLimit: 3)
    _ = await modules.trigger(.plainQuestion, timeLimit: 3)
    _ = await modules.context.trigger(.question, 1, timeLimit: 3)
    _ = await modules.context.trigger(.plainQuestion, timeLimit: 3)
    modules.trigger(.question, 1, timeLimit: 3, completion: ended)
    modules.trigger(.plainQuestion, timeLimit: 3, completion: ended)
    modules.trigger(.question, 1, timeLimit: 3, app: { _ in }, completion: ended)
    try await until("all are over") { count == 3 }
    #expect(limits.lines == Array(repeating: "3000000000", count: 7))
  }

  @Test func `a late answer is dropped, and the completion is not called again`() async throws {
    let modules = try started([Alpha.self, IgnoresCancellation.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1, timeLimit: 5) { outcomes.add($0) }
    try await answers.wait(for: "Alpha", "IgnoresCancellation")
    try await time.sleepers(1)
    answers.give("Alpha")
    await settle()
    time.advance(seconds: 5)
    #expect(try await outcomes.first() == ["Alpha:1"])
    try await answers.waitForCancellation(of: "IgnoresCancellation")
    answers.give("IgnoresCancellation")
    await settle()
    #expect(outcomes.list == [["Alpha:1"]] && problems.diagnostics.map(\.code) == [.noAnswer])
    // The next event is answered as usual.
    async let next = modules.trigger(.question, 2)
    try await answers.wait(for: "Alpha", "IgnoresCancellation")
    answers.give("IgnoresCancellation")
    answers.give("Alpha")
    #expect(await next == ["Alpha:2", "IgnoresCancellation:2"])
  }

  @Test func `an error of a late handler is dropped as well`() async throws {
    let modules = try started([IgnoresCancellation.self])
    async let outcome = modules.trigger(.question, 1, timeLimit: 5)
    try await answers.wait(for: "IgnoresCancellation")
    try await time.sleepers(1)
    time.advance(seconds: 5)
    #expect(await outcome == [])
    answers.give("IgnoresCancellation", .failure(Broken()))
    await settle()
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
  }

  @Test func `a module with several handlers that do not answer is named once`() async throws {
    let modules = try started([Twice.self])
    async let outcome = modules.trigger(.question, 1, timeLimit: 5)
    try await answers.wait(for: "Twice1", "Twice2")
    try await time.sleepers(1)
    time.advance(seconds: 5)
    #expect(await outcome == [])
    #expect(problems.diagnostics.count == 1 && problems[.noAnswer][0].subject.hasSuffix("Twice"))
  }

  @Test func `a failing time source ends the wait`() async throws {
    let failing = TimeSource(now: { 0 }, sleep: { _ in throw Broken() })
    let modules = ModuleManager(
      modules: [Alpha.self], configuration: ContextValues { $0[.answers] = answers }, time: failing,
      onDiagnostic: problems.handler)
    try modules.start()
    #expect(await modules.trigger(.question, 1) == [])
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
  }

  @Test func `a handler that throws is reported with module and event, and has no answer`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    for run in 1...2 {
      async let outcome = modules.trigger(.question, run)
      try await answers.wait(for: "Alpha", "Beta")
      answers.give("Alpha", .failure(Broken()))
      answers.give("Beta")
      #expect(await outcome == ["Beta:\(run)"])
    }
    #expect(problems.diagnostics.map(\.code) == [.handlerFailed, .handlerFailed])
    let problem = problems.diagnostics[0]
    #expect(
      problem.subject.hasSuffix("Alpha") && problem.message == "its handler of 'test.question' threw an error: Broken()"
    )
    #expect(modules.report().diagnostics.count == 1)
  }

  @Test func `a module that throws a cancellation error itself is reported like any other`() async throws {
    let modules = try started([Alpha.self])
    async let outcome = modules.trigger(.question, 1)
    try await answers.wait(for: "Alpha")
    answers.give("Alpha", .failure(CancellationError()))
    #expect(await outcome == [])
    #expect(problems.diagnostics.map(\.code) == [.handlerFailed])
  }

  @Test func `stopping the manager cancels the open handlers and delivers the existing answers`() async throws {
    let modules = try started([Alpha.self, Beta.self, IgnoresCancellation.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcomes.add($0) }
    try await answers.wait(for: "Alpha", "Beta", "IgnoresCancellation")
    answers.give("Alpha")
    await settle()
    modules.stop()
    // The stop itself does not call the completion.
    #expect(outcomes.list.isEmpty)
    #expect(try await outcomes.first() == ["Alpha:1"])
    try await answers.waitForCancellation(of: "Beta")
    try await answers.waitForCancellation(of: "IgnoresCancellation")
    answers.give("IgnoresCancellation")
    time.advance(seconds: 100)
    await settle()
    #expect(outcomes.list.count == 1 && problems.diagnostics.isEmpty)
  }

  @Test func `a manager that is restarted ignores answers of the old instances`() async throws {
    let modules = try started([IgnoresCancellation.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcomes.add($0) }
    try await answers.wait(for: "IgnoresCancellation")
    modules.stop()
    try modules.start()
    answers.give("IgnoresCancellation")
    #expect(try await outcomes.first() == [])
    await settle()
    #expect(outcomes.list.count == 1 && problems.diagnostics.isEmpty)
  }

  @Test func `a module that is removed has no answer, and the others are awaited`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcomes.add($0) }
    try await answers.wait(for: "Alpha", "Beta")
    modules.unregister(Alpha.self)
    try await answers.waitForCancellation(of: "Alpha")
    await settle()
    #expect(outcomes.list.isEmpty)
    answers.give("Beta")
    #expect(try await outcomes.first() == ["Beta:1"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a module that is removed before its handler's turn is not called`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcomes.add($0) }
    modules.unregister(Alpha.self)
    modules.unregister(Beta.self)
    #expect(outcomes.list.isEmpty)
    #expect(try await outcomes.first() == [])
    await settle()
    #expect(answers.asked.isEmpty && outcomes.list.count == 1 && problems.diagnostics.isEmpty)
  }

  @Test func `a completion can trigger events, stop the manager, and remove modules`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    let outcomes = Outcomes()
    modules.trigger(.question, 1) { outcome in
      modules.unregister(Beta.self)
      modules.trigger(.question, 2) {
        modules.stop()
        outcomes.add(outcome + $0)
      }
    }
    try await answers.wait(for: "Alpha", "Beta")
    answers.give("Beta")
    answers.give("Alpha")
    await settle()
    try await answers.wait(for: "Alpha")
    answers.give("Alpha")
    #expect(try await outcomes.first() == ["Alpha:1", "Beta:1", "Alpha:2"])
    #expect(modules.moduleNames.isEmpty && problems.diagnostics.isEmpty)
  }

  @Test func `canceling the calling task cancels the handlers, whose answers are still combined`() async throws {
    let modules = try started([Alpha.self, IgnoresCancellation.self])
    let asking = Task { await modules.trigger(.question, 1) }
    try await answers.wait(for: "Alpha", "IgnoresCancellation")
    asking.cancel()
    try await answers.waitForCancellation(of: "Alpha")
    try await answers.waitForCancellation(of: "IgnoresCancellation")
    answers.give("IgnoresCancellation")
    #expect(await asking.value == ["IgnoresCancellation:1"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `answers that wait for each other endlessly are stopped and reported`() async throws {
    let modules = try started([])
    modules.on(.question) { number, context in
      ["\(number)"] + (number < 1_000 ? await context.trigger(.question, number + 1, timeLimit: .infinity) : [])
    }
    for _ in 1...2 {
      #expect(await modules.trigger(.question, 1, timeLimit: .infinity) == (1...100).map(String.init))
    }
    #expect(problems.codes == [.tooDeep])
    #expect(problems.diagnostics[0].message.contains("triggered 'test.question' more than 100 events deep"))
  }

  @Test func `an event that no answer waits for is not nested`() async throws {
    let modules = try started([])
    let outcomes = Outcomes()
    modules.on(.question) { number, context in
      if number < 300 { context.modules?.trigger(.question, number + 1) { outcomes.add($0) } }
      return []
    }
    _ = await modules.trigger(.question, 1, timeLimit: .infinity)
    try await until("all events have ended") { outcomes.list.count == 299 }
    #expect(problems.diagnostics.isEmpty)
  }
}
