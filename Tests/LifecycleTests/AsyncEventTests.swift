import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private final class Alpha: Answering {}
private final class Beta: Answering {}
private final class Gamma: Answering {}

/// A module that answers every event immediately, with every form of subscription.
private final class Ready: Module {
  static func subscribe(_ events: Subscriptions<Ready>) {
    events.on(.done) { _, context in context.configuration[.trace].add("Ready done") }
    events.on(.may) { _, word, _ in word == "ready" }
    events.on(.first) { module, number, context in await module.first(number, context) }
    events.on(.ways) { _, bit, _ in Bits(rawValue: bit) }
    events.on(.best) { module, context in await module.best(context) }
  }
  func first(_ number: Int, _ context: Context) async -> String? { number == 1 ? "one" : nil }
  func best(_ context: Context) async -> Int { 3 }
}

private final class ReadyToo: Module {
  static func subscribe(_ events: Subscriptions<ReadyToo>) {
    // These handlers do not wait.
    events.on(.done) { _, context in context.configuration[.trace].add("ReadyToo done") }
    events.on(.may) { _, word, _ in word == "too" }
    events.on(.first) { _, number, _ in "too \(number)" }
    events.on(.ways) { _, bit, _ in Bits(rawValue: bit << 1) }
    events.on(.best) { _, _ in 7 }
  }
}

extension AsyncEvent where Payload == Void, Outcome == Void {
  fileprivate static var done: Self { .init("async.done") }
}
extension AsyncEvent where Payload == String, Outcome == Bool {
  fileprivate static var may: Self { .init("async.may", combining: .any) }
}
extension AsyncEvent where Payload == Int, Outcome == String? {
  fileprivate static var first: Self { .init("async.first", combining: .first) }
}
extension AsyncEvent where Payload == Int, Outcome == Bits {
  fileprivate static var ways: Self { .init("async.ways", combining: .union) }
}
extension AsyncEvent where Payload == Void, Outcome == Int {
  fileprivate static var best: Self { .init("async.best", combining: .init(initial: 1) { $0 = max($0, $1) }) }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct AsyncEventTests {
  let problems = DiagnosticCollector()
  let trace = Trace()
  let answers = GivenAnswers()
  let time = ManualTime()

  private func started(_ modules: [any Module.Type]) throws -> ModuleManager {
    let manager = ModuleManager(
      modules: modules,
      configuration: ContextValues {
        $0[.trace] = trace
        $0[.answers] = answers
      }, time: time.source, onDiagnostic: problems.handler)
    try manager.start()
    return manager
  }

  @Test func `answers are combined in the order of handlers, whichever answers first`() async throws {
    let modules = try started([Alpha.self, Beta.self, Gamma.self])
    async let outcome = modules.trigger(.question, 1)
    try await answers.wait(for: "Alpha", "Beta", "Gamma")
    #expect(answers.asked == ["Alpha", "Beta", "Gamma"])
    for name in ["Gamma", "Beta", "Alpha"] { answers.give(name) }
    #expect(await outcome == ["Alpha:1", "Beta:1", "Gamma:1"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `the order of calls and of answers is the same in a thousand runs`() async throws {
    let modules = try started([Gamma.self, Beta.self, Alpha.self])
    let names = ["Alpha", "Beta", "Gamma"]
    for run in 0..<1_000 {
      async let outcome = modules.trigger(.question, run)
      try await answers.wait(for: "Alpha", "Beta", "Gamma")
      // Each run uses the next order of answers.
      for place in [run % 3, (run + 1 + run % 2) % 3, (run + 2 - run % 2) % 3] { answers.give(names[place]) }
      #expect(await outcome == ["Alpha:\(run)", "Beta:\(run)", "Gamma:\(run)"])
    }
    #expect(answers.asked == (0..<1_000).flatMap { _ in names })
  }

  @Test func `the completion is called once, on the main actor, after all handlers answer`() async throws {
    let modules = try started([Alpha.self, Beta.self])
    var outcomes: [[String]] = []
    modules.trigger(.question, 2) { outcome in
      MainActor.preconditionIsolated()
      outcomes.append(outcome)
    }
    try await answers.wait(for: "Alpha", "Beta")
    answers.give("Alpha")
    await Task.yield()
    #expect(outcomes.isEmpty)
    answers.give("Beta")
    try await until("the completion is called") { !outcomes.isEmpty }
    time.advance(seconds: 100)
    modules.stop()
    await modules.waitUntilIdle()
    #expect(outcomes == [["Alpha:2", "Beta:2"]] && problems.diagnostics.isEmpty)
  }

  @Test func `answers are combined by the event's rule, in every form of subscription`() async throws {
    let modules = try started([Ready.self, ReadyToo.self])
    await modules.trigger(.done)
    #expect(trace.lines == ["Ready done", "ReadyToo done"])
    for (word, isTrue) in [("ready", true), ("too", true), ("x", false)] {
      #expect(await modules.trigger(.may, word) == isTrue)
    }
    #expect(await modules.trigger(.first, 1) == "one")
    #expect(await modules.trigger(.first, 2) == "too 2")
    #expect(await modules.trigger(.ways, 1).rawValue == 3)
    #expect(await modules.trigger(.best) == 7)
    var best: Int?
    modules.trigger(.best) { best = $0 }
    try await until("the completion is called") { best != nil }
    #expect(best == 7)
  }

  @Test func `without a subscriber, the initial outcome is returned immediately`() async throws {
    let modules = try started([])
    var outcomes: [Int] = []
    modules.trigger(.best) { outcomes.append($0) }
    #expect(outcomes == [1])
    #expect(await modules.trigger(.best) == 1)
    #expect(await modules.trigger(.first, 1) == nil)
    #expect(await !modules.trigger(.may, "x"))
    #expect(time.sleeperCount == 0 && problems.codes == [.nothingToStart])
  }

  @Test func `a manager that is not started returns the initial outcome immediately, which is reported`() {
    let modules = ModuleManager(modules: [Ready.self], onDiagnostic: problems.handler)
    var outcomes: [Int] = []
    modules.trigger(.best) { outcomes.append($0) }
    #expect(outcomes == [1])
    #expect(problems.diagnostics.map(\.code) == [.notStarted] && problems.diagnostics[0].subject == "async.best")
  }

  @Test func `an asynchronous and a synchronous event with one identifier are distinguished and reported`() throws {
    let modules = try started([Ready.self])
    modules.trigger(Event<Void, Int>("async.best", combining: .init(initial: 0) { $0 += $1 }))
    var outcomes: [Int] = []
    let other = AsyncEvent<Void, Int>("async.may", combining: .init(initial: 5) { $0 += $1 })
    modules.trigger(other, ()) { outcomes.append($0) }
    #expect(problems[.eventMismatch].map(\.subject) == ["async.best", "async.may"] && outcomes == [5])
  }

  @Test func `an asynchronous event activates modules that wait for their first event`() async throws {
    let modules = try started([])
    modules.register(Alpha.self, activation: .onFirstEvent)
    #expect(modules.moduleNames.isEmpty)
    async let outcome = modules.trigger(.question, 3)
    try await answers.wait(for: "Alpha")
    answers.give("Alpha")
    #expect(await outcome == ["Alpha:3"])
    #expect(modules.moduleNames == ["LifecycleTests.Alpha"] || modules.moduleNames.count == 1)
  }

  @Test func `two simultaneous events have separate answers`() async throws {
    let modules = try started([Ready.self, ReadyToo.self, Alpha.self])
    async let slow = modules.trigger(.question, 4)
    try await answers.wait(for: "Alpha")
    #expect(await modules.trigger(.first, 1) == "one")
    answers.give("Alpha", .success("late"))
    #expect(await slow == ["late:4"])
  }

  @Test func `a manager is released after its events complete`() async throws {
    weak var weakly: ModuleManager?
    do {
      let modules = try started([Ready.self, Alpha.self])
      weakly = modules
      async let outcome = modules.trigger(.question, 5)
      try await answers.wait(for: "Alpha")
      try await time.sleepers(1)
      answers.give("Alpha")
      _ = await outcome
      // No task waits for the time limit any longer.
      #expect(time.sleeperCount == 0)
      await modules.waitUntilIdle()
    }
    // The last task releases its frame in a later turn.
    try await until("the manager is released") { weakly == nil }
  }
}
