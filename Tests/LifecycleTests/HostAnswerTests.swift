import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

extension AsyncEvent where Payload == Int, Outcome == [String] {
  fileprivate static var whoAnswers: Self { .init("host.whoAnswers", combining: .collect) }
}

private final class AnswersWithHost: Module {
  static func subscribe(_ events: Subscriptions<AnswersWithHost>) {
    events.on(.whoAnswers) { _, number, _ in ["module \(number)"] }
  }
}

private final class AnswersLate: Module {
  @MainActor static var isTime = false
  static func subscribe(_ events: Subscriptions<AnswersLate>) {
    events.on(.whoAnswers) { _, _, _ in
      try await until("it is time to answer") { isTime }
      return ["late"]
    }
  }
}

/// An asynchronous event that the app itself answers as well.
@Suite(.timeLimit(.minutes(20))) @MainActor struct HostAnswerTests {
  private let time = ManualTime()
  private let problems = DiagnosticCollector()
  private let modules: ModuleManager

  init() throws {
    modules = ModuleManager(modules: [AnswersWithHost.self], time: time.source, onDiagnostic: problems.handler)
    try modules.start()
  }

  /// Triggers the event and returns the outcomes that the completion received.
  private func ask(
    _ host: ((@escaping @Sendable ([String]) -> Void) -> Void)?, meanwhile: () async throws -> Void = {}
  ) async throws -> [[String]] {
    var outcomes: [[String]] = []
    modules.trigger(.whoAnswers, 7, timeLimit: 3, app: host) { outcomes.append($0) }
    try await meanwhile()
    try await until("the completion is called") { !outcomes.isEmpty }
    // The completion is not called a second time.
    for _ in 0..<100 { await Task.yield() }
    return outcomes
  }

  @Test func `the app's answer is combined after those of modules, also if it is given first`() async throws {
    #expect(try await ask { $0(["app"]) } == [["module 7", "app"]])
    var outcomes: [[String]] = []
    modules.trigger(.whoAnswers, 7, timeLimit: 3) { answer in
      onThreads(1) { _ in answer(["app"]) }
    } completion: {
      outcomes.append($0)
    }
    try await until("the completion is called") { !outcomes.isEmpty }
    #expect(outcomes == [["module 7", "app"]] && problems.diagnostics.isEmpty)
  }

  @Test func `if the app does not handle an event, the outcome is that of the modules`() async throws {
    #expect(try await ask(nil) == [["module 7"]])
  }

  @Test func `the second answer of an app is ignored`() async throws {
    let outcomes = try await ask { answer in
      answer(["app"])
      answer(["again"])
    }
    #expect(outcomes == [["module 7", "app"]])
  }

  @Test func `an app that answers twice does not answer for a module`() async throws {
    let modules = ModuleManager(modules: [AnswersLate.self], time: time.source, onDiagnostic: problems.handler)
    try modules.start()
    AnswersLate.isTime = false
    var outcomes: [[String]] = []
    modules.trigger(.whoAnswers, 7, timeLimit: 3) { answer in
      answer(["app"])
      answer(["again"])
    } completion: {
      outcomes.append($0)
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(outcomes.isEmpty)
    AnswersLate.isTime = true
    try await until("the completion is called") { !outcomes.isEmpty }
    #expect(outcomes == [["late", "app"]])
  }

  @Test func `an app that does not answer is reported, and its late answer is dropped`() async throws {
    var late: (@Sendable ([String]) -> Void)?
    let outcomes = try await ask({ late = $0 }) {
      try await time.sleepers(1)
      for _ in 0..<20 { await Task.yield() }
      time.advance(seconds: 3)
    }
    #expect(outcomes == [["module 7"]])
    let problem = try #require(problems[.noAnswer].first)
    #expect(problem.subject == "host.whoAnswers" && problem.message.contains("the app's own handler"))
    late?(["app"])
    for _ in 0..<20 { await Task.yield() }
    #expect(outcomes.count == 1 && problems.diagnostics.count == 1)
  }

  @Test func `the app's answer is used after the manager stops, and a limit of zero is a limit`()
    async throws
  {
    var answer: (@Sendable ([String]) -> Void)?
    let outcomes = try await ask {
      answer = $0
    } meanwhile: {
      modules.stop()
      for _ in 0..<20 { await Task.yield() }
      answer?(["app"])
    }
    #expect(outcomes == [["app"]] && problems[.noAnswer].isEmpty)
    let impatient = ModuleManager(modules: [], onDiagnostic: problems.handler)
    try impatient.start()
    impatient.on(.whoAnswers, .afterApp) { _, _ in ["after"] }
    var told: [[String]] = []
    // A limit that isn't a number counts as zero.
    for (calls, limit) in [(1, 0), (2, Double.nan)] {
      impatient.trigger(.whoAnswers, 7, timeLimit: limit, app: { _ in }) { told.append($0) }
      try await until("the completion is called") { told.count == calls }
      #expect(told.last == [] && problems[.noAnswer].count { !$0.message.contains("nan") } == calls)
    }
  }

  @Test func `the app has unlimited time if no handler is called`() async throws {
    let alone = ModuleManager(modules: [], time: time.source, onDiagnostic: problems.handler)
    try alone.start()
    var answer: (@Sendable ([String]) -> Void)?
    var outcomes: [[String]] = []
    alone.trigger(.whoAnswers, 7, timeLimit: 3, app: { answer = $0 }, completion: { outcomes.append($0) })
    for _ in 0..<100 { await Task.yield() }
    #expect(time.sleeperCount == 0)
    time.advance(seconds: 1000)
    for _ in 0..<100 { await Task.yield() }
    #expect(outcomes.isEmpty)
    answer?(["app"])
    try await until("the completion is called") { !outcomes.isEmpty }
    #expect(outcomes == [["app"]] && problems.codes == [.nothingToStart])
  }

  @Test(arguments: [true, false]) func `handlers can have less time than the app`(appAnswers: Bool) async throws {
    let slow = ModuleManager(modules: [], time: time.source, onDiagnostic: problems.handler)
    try slow.start()
    slow.on(.whoAnswers) { _, _ in
      try await Task.sleep(for: .seconds(600))
      return ["too late"]
    }
    slow.on(.whoAnswers, .afterApp) { _, _ in
      Issue.record("its time has passed when the app answers")
      return ["after"]
    }
    var answer: (@Sendable ([String]) -> Void)?
    var outcomes: [[String]] = []
    slow.trigger(
      .whoAnswers, 7, timeLimit: 2, appTimeLimit: 25, app: { answer = $0 }, completion: { outcomes.append($0) })
    try await until("both time limits are set") { time.sleeperCount == 2 }
    time.advance(seconds: 2)
    try await until("the handler is reported") { problems[.noAnswer].count == 1 }
    for _ in 0..<100 { await Task.yield() }
    #expect(outcomes.isEmpty, "the app can still answer")
    if appAnswers { answer?(["app"]) } else { time.advance(seconds: 23) }
    try await until("the completion is called") { !outcomes.isEmpty }
    #expect(outcomes == [appAnswers ? ["app"] : []])
    #expect(
      problems[.noAnswer].map(\.message).last
        == (appAnswers
          ? "its handler of 'host.whoAnswers' did not answer within 2.0 s; its task is canceled, and the outcome lacks"
            + " its answer"
          : "the app's own handler did not call its completion within 25.0 s; the outcome lacks its answer"))
  }

  @Test func `the app is called also if the modules are not started, which is reported`() async throws {
    modules.stop()
    #expect(try await ask { $0(["app"]) } == [["app"]])
    #expect(problems[.notStarted].count == 1)
  }
}
