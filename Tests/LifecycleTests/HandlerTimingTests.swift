import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

/// Handlers of both kinds of events, before and after the app's own handling.
@Suite(.timeLimit(.minutes(20))) @MainActor struct HandlerTimingTests {
  private let time = ManualTime()
  private let problems = DiagnosticCollector()
  private let modules: ModuleManager

  init() throws {
    let records = RecordSource.records {
      $0.handlerName?.hasPrefix("LifecycleTests/ExportedHandlers.swift:") == true
    }
    modules = ModuleManager(records: records, time: time.source, onDiagnostic: problems.handler)
    try modules.start()
  }

  @Test func `an exported handler answers an asynchronous event`() async {
    #expect(await modules.trigger(.collected, 1) == ["before 1", "after 1"])
    #expect(await modules.trigger(.mayEnd))
    #expect(await !modules.trigger(.mayEnd))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a handler in a task has released its payload when the manager is idle`() async {
    final class Payload: Sendable {}
    let event = Event<Payload, Void>("timing.payload")
    modules.on(event, taskPriority: .high) { _ in }
    var retained = 0
    for _ in 0..<50 {
      weak var released: Payload?
      do {
        let payload = Payload()
        released = payload
        modules.trigger(event, payload)
      }
      await modules.waitUntilIdle()
      if released != nil { retained += 1 }
    }
    #expect(retained == 0)
  }

  @Test func `an exported handler runs before or after the app`() {
    #expect(modules.trigger(.aroundHost, (), app: { ["app"] }) == ["before", "app", "after"])
    #expect(modules.trigger(.aroundHost) == ["before", "after"])
  }

  @Test func `a handler that is added at run time runs before or after the app`() {
    let event = Event<Int, [String]>("timing.sync", combining: .collect)
    modules.on(event, .afterApp) { number, _ in ["after \(number)"] }
    modules.on(event) { number, _ in ["before \(number)"] }
    #expect(modules.trigger(event, 7, app: { ["app \($0)"] }) == ["before 7", "app 7", "after 7"])
  }

  @Test func `a handler that is added at run time answers an asynchronous event until it is removed`() async {
    let event = AsyncEvent<Int, [String]>("timing.async", combining: .collect)
    let plain = AsyncEvent<Void, [String]>("timing.plain", combining: .collect)
    let token = modules.on(event) { number, _ in ["answer \(number)"] }
    modules.on(event, once: true) { _, _ in ["once"] }
    modules.on(plain) { _ in ["plain"] }
    #expect(await Set(modules.trigger(event, 1)) == ["answer 1", "once"])
    #expect(await modules.trigger(event, 2) == ["answer 2"])
    #expect(await modules.trigger(plain) == ["plain"])
    #expect(token.cancel())
    #expect(await modules.trigger(event, 3) == [])
  }

  @Test func `a handler of an asynchronous event that runs after the app begins when the app has answered`()
    async throws
  {
    let event = AsyncEvent<Int, [String]>("timing.order", combining: .collect)
    let trace = Trace()
    modules.on(event, .afterApp, priority: 9) { _, _ in
      trace.add("after")
      return ["after"]
    }
    modules.on(event) { _, _ in ["before"] }
    var answer: (@Sendable ([String]) -> Void)?
    var outcomes: [[String]] = []
    modules.trigger(event, 1, app: { answer = $0 }, completion: { outcomes.append($0) })
    for _ in 0..<100 { await Task.yield() }
    #expect(trace.lines.isEmpty && outcomes.isEmpty)
    let giveAnswer = try #require(answer)
    giveAnswer(["app"])
    try await until("the handlers have answered") { !outcomes.isEmpty }
    #expect(outcomes == [["before", "app", "after"]] && trace.lines == ["after"])
  }

  @Test func `an app that does not answer is reported, and the handlers after it are not called`() async throws {
    let event = AsyncEvent<Int, [String]>("timing.silent", combining: .collect)
    modules.on(event, .afterApp) { _, _ in
      Issue.record("the app has not answered")
      return ["after"]
    }
    modules.on(event) { _, _ in ["before"] }
    var outcomes: [[String]] = []
    modules.trigger(event, 1, timeLimit: 3, app: { _ in }, completion: { outcomes.append($0) })
    for _ in 0..<100 { await Task.yield() }
    try await until("the time limit is set") { time.sleeperCount > 0 }
    time.advance(seconds: 4)
    try await until("the time limit has passed") { !outcomes.isEmpty }
    #expect(outcomes == [["before"]])
    #expect(problems.codes == [.noAnswer] && problems.diagnostics[0].subject == "timing.silent")
  }

  // MARK: - Handlers that run once

  @Test(arguments: [true, false])
  func `a handler that runs once and is answering ends with its manager and its token`(stops: Bool) async throws {
    let event = AsyncEvent<Int, [String]>("timing.once.ends", combining: .collect)
    let trace = Trace()
    let token = modules.on(event, once: true) { _, _ in
      trace.add("called")
      do {
        try await Task.sleep(for: .seconds(600))
      } catch {
        trace.add("canceled")
        throw error
      }
      return ["answer"]
    }
    var outcomes: [[String]] = []
    modules.trigger(event, 1) { outcomes.append($0) }
    try await until("the handler was called") { trace.lines == ["called"] }
    if stops { modules.stop() } else { #expect(token.cancel()) }
    try await until("the outcome is there") { outcomes == [[]] }
    try await until("the task is canceled") { trace.lines == ["called", "canceled"] }
    #expect(!token.cancel() && problems.diagnostics.isEmpty)
    if stops { try modules.start() }
    #expect(await modules.trigger(event, 2) == [])
  }

  @Test func `a handler that runs once is not removed by an event that ends before it is called`() async throws {
    let event = AsyncEvent<Int, [String]>("timing.once.silent", combining: .collect)
    modules.on(event, .afterApp, once: true) { number, _ in ["once \(number)"] }
    var outcomes: [[String]] = []
    modules.trigger(event, 1, timeLimit: 3, app: { _ in }, completion: { outcomes.append($0) })
    try await until("the time limit is set") { time.sleeperCount > 0 }
    time.advance(seconds: 4)
    try await until("the time limit has passed") { outcomes == [[]] }
    #expect(await modules.trigger(event, 2) == ["once 2"])
    #expect(await modules.trigger(event, 3) == [])
  }

  @Test func `a handler that runs once answers one of several events that wait for the app`() async throws {
    let event = AsyncEvent<Int, [String]>("timing.once.several", combining: .collect)
    modules.on(event, .afterApp, once: true) { number, _ in ["once \(number)"] }
    var answers: [@Sendable ([String]) -> Void] = []
    var outcomes: [Int: [String]] = [:]
    for number in 1...2 {
      modules.trigger(event, number, app: { answers.append($0) }, completion: { outcomes[number] = $0 })
    }
    answers[1](["app"])
    try await until("the second event has its outcome") { outcomes[2] == ["app", "once 2"] }
    answers[0](["app"])
    try await until("the first event has its outcome") { outcomes[1] == ["app"] }
    #expect(problems.diagnostics.isEmpty)
  }

  // MARK: - Tokens

  @Test func `a token that is canceled on another thread ends its registration in a later turn`() async throws {
    let trace = Trace()
    let token = modules.on(Event<Void, Void>("timing.token")) { _ in trace.add("called") }
    let setting = ContextKey<Int>("timing.setting", default: 0)
    let observation = modules.context.observe(setting) { _, new in trace.add("set \(new)") }
    modules.trigger(Event<Void, Void>("timing.token"))
    modules.context.configuration[setting] = 1
    #expect(trace.lines == ["called", "set 1"])
    #expect(await Task.detached { token.cancel() && observation.cancel() }.value)
    try await until("both are removed") { !token.cancel() && !observation.cancel() }
    modules.trigger(Event<Void, Void>("timing.token"))
    modules.context.configuration[setting] = 2
    #expect(trace.lines == ["called", "set 1"])
  }
}
