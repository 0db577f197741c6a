import Foundation
import Lifecycle
import LifecycleTracing
import Registry
import RegistryAnalysis
import Routing
import TestSupport
import Testing

private let time = ManualTime()

private func take(_ milliseconds: UInt64) { time.advance(by: milliseconds * 1_000_000) }

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var logIn: Self { .init("budget.logIn") }
  fileprivate static var ping: Self { .init("budget.ping") }
}
extension AsyncEvent where Payload == Void, Outcome == Void {
  fileprivate static var fetch: Self { .init("budget.fetch") }
}
extension Route where Parameters == Void, Outcome == Void {
  fileprivate static var home: Self { .init("budget.home") }
}

private protocol Wheel: Sendable {}
private struct Rim: Wheel {}

private final class Store: AsyncModule {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static var isReady = false

  init() { take(1) }
  func setUp(_ context: Context) throws {
    take(2)
    _ = try context.services.createService(for: Wheel.self)
  }
  func initialize(_ context: Context) throws { take(1) }
  func didFinishStarting(_ context: Context) throws { take(1) }
  func becomeReady(_ context: Context) async throws {
    take(3)
    await Task.yield()
    take(4)
    Self.isReady = true
  }

  static func subscribe(_ events: Subscriptions<Store>) {
    events.on(.logIn) { _, _ in
      take(4)
      manager?.trigger(.ping)
    }
    events.on(.fetch) { _, _ in
      take(6)
      await Task.yield()
      take(6)
    }
  }
}

/// A module that is set up after the start.
private final class Late: Module {
  func setUp(_ context: Context) throws { take(30) }
}

/// A trace with one event.
private func phase(_ members: String) -> String { "{\"traceEvents\":[{\"cat\":\"phase\",\(members)}]}" }

@Suite(.serialized) @MainActor struct BudgetTests {
  /// Returns the trace of an app with a fixed clock: all work takes whole milliseconds.
  private func trace(slower: UInt64 = 0, limit: Int = 100) async throws -> Data {
    let services = ServiceManager(onDiagnostic: { _ in })
    services.register(Wheel.self, fileID: "Parts/Rim.swift", line: 1) {
      take(3)
      return Rim()
    }
    let manager = ModuleManager(modules: [Store.self], services: services, onDiagnostic: { _ in })
    manager.on(.ping, fileID: "Cart/Ping.swift", line: 1, column: 1) { _ in take(5 + slower) }
    let router = Router(onDiagnostic: { _ in })
    router.register(.home) { take(8) }
    (Store.manager, Store.isReady) = (manager, false)
    let timeline = LifecycleTimeline(limit: limit, time: time.source)
    for token in [timeline.observe(manager), timeline.observe(services), timeline.observe(router)] { _ = token }
    let run = Task { try await manager.run(limits: .unlimited) }
    while !Store.isReady { await Task.yield() }
    await manager.waitUntilIdle()
    for _ in 0..<2 { manager.trigger(.logIn) }
    await manager.trigger(.fetch, timeLimit: .infinity)
    try await router.open(.home)
    manager.register(Late.self)
    await manager.waitUntilIdle()
    manager.triggerGracefulShutdown()
    try? await run.value
    return try timeline.chromeTrace()
  }

  private func read(_ json: Data) throws -> LaunchTrace { try LaunchTrace(json: json, file: "trace.json") }

  private func budget(_ limits: [(Budget.Kind, String)]) -> Budget {
    var budget = Budget()
    for (kind, limit) in limits {
      let isLimit = budget.add(kind, limit)
      #expect(isLimit, "\(limit)")
    }
    return budget
  }

  @Test func `a trace has phases, handlers, services, and routes with the time that each one takes itself`()
    async throws
  {
    let report = budget([]).report(on: [try read(try await trace())])
    #expect(
      report.table == """
        KIND     NAME                                       TIME  LIMIT
        start                                               15ms  -
        module   RegistryAnalysisTests.Late                 30ms  -
        module   RegistryAnalysisTests.Store                5ms   -
        handler  Cart/Ping.swift:1:1: budget.ping           5ms   -
        handler  RegistryAnalysisTests.Store: budget.logIn  4ms   -
        async    RegistryAnalysisTests.Store: becomeReady   7ms   -
        async    RegistryAnalysisTests.Store: budget.fetch  12ms  -
        service  the factory at Parts/Rim.swift:1           3ms   -
        route    budget.home                                8ms   -
        """)
    #expect(report.problems.isEmpty && !report.isOverBudget)
  }

  @Test func `each limit that is exceeded is a problem, and one for a name precedes one for all names`() async throws {
    let trace = try read(try await trace())
    let budget = budget([
      (.start, "14.5ms"), (.module, "RegistryAnalysisTests.Store=5ms"), (.module, "4ms"), (.handler, "4ms"),
      (.handler, "budget.ping=1s"), (.async, "RegistryAnalysisTests.Store: budget.fetch=11999us"),
      (.service, "3000000ns"), (.route, "7ms"),
    ])
    let report = budget.report(on: [trace])
    #expect(
      report.problems.map(\.line) == [
        "trace.json: error: the start took 15ms, and the limit is 14.5ms; make it faster, or raise the limit"
          + " [over-budget]",
        "trace.json: error: RegistryAnalysisTests.Late: its phases took 30ms, and the limit is 4ms; make it faster, or"
          + " raise the limit [over-budget]",
        "trace.json: error: RegistryAnalysisTests.Store: its handler of 'budget.fetch' took 12ms, and the limit is"
          + " 11999us; make it faster, or raise the limit [over-budget]",
        "trace.json: error: budget.home: the request took 8ms, and the limit is 7ms; make it faster, or raise the limit"
          + " [over-budget]",
      ])
    #expect(report.isOverBudget)
    let read = try JSONDecoder().decode(Budget.Report.self, from: report.json())
    #expect(read.version == 1 && read.measurements == report.measurements && read.problems == report.problems)
  }

  @Test func `the median of several traces counts`() async throws {
    var traces: [LaunchTrace] = []
    for slower in [0, 40, 2] as [UInt64] { traces.append(try read(try await trace(slower: slower))) }
    let limit = [(Budget.Kind.handler, "Cart/Ping.swift:1:1=7ms")]
    #expect(!budget(limit).report(on: traces).isOverBudget)
    traces.append(try read(try await trace(slower: 3)))
    traces.append(try read(Data(phase(#""ph":"X","name":"A","ts":0,"dur":1"#).utf8)))
    let report = budget(limit).report(on: traces)
    #expect(
      report.problems.map(\.line) == [
        "error: Cart/Ping.swift:1:1: its handler of 'budget.ping' took 7.5ms in the median of 4 of 5 traces, and the"
          + " limit is 7ms; make it faster, or raise the limit [over-budget]"
      ])
    #expect(report.table.hasPrefix("KIND     NAME                                       MEDIAN  LIMIT\n"))
  }

  @Test func `the longest call, the first run of a phase, the last limit, and each process count`() throws {
    func event(_ kind: String, _ activity: String, _ start: Int, _ duration: Int) -> String {
      #"{"ph":"X","cat":"\#(kind)","name":"A","args":{"\#(kind)":"\#(activity)"},"ts":\#(start),"dur":\#(duration)}"#
    }
    func route(_ phase: String, _ process: Int, _ start: Int) -> String {
      #"{"ph":"\#(phase)","cat":"route","name":"r\#(process)","id":1,"pid":\#(process),"ts":\#(start)}"#
    }
    let events = [
      event("phase", "init", 0, 1), event("phase", "setUp", 1, 2), event("phase", "didFinishStarting", 3, 1),
      event("event", "ping", 10, 5), event("event", "ping", 20, 3), event("phase", "init", 30, 9),
      event("phase", "setUp", 40, 9), route("b", 1, 50), route("b", 2, 51), route("e", 1, 55), route("e", 2, 59),
    ]
    let trace = try read(Data("{\"traceEvents\":[\(events.joined(separator: ","))]}".utf8))
    let report = budget([(.handler, "1us"), (.handler, "5us")]).report(on: [trace])
    #expect(report.measurements.map(\.nanoseconds) == [4_000, 4_000, 5_000, 5_000, 8_000])
    #expect(!report.isOverBudget)
  }

  @Test func `limits that select nothing and entries that were not recorded are reported`() async throws {
    let trace = try read(try await trace(limit: 1))
    let report = budget([(.module, "Registry.Stor=1ms"), (.module, "1s"), (.route, "1ms")])
      .report(on: [trace])
    #expect(
      report.problems.map(\.line) == [
        "note: --module Registry.Stor=1ms: no trace has a module with the name 'Registry.Stor', so the option has no"
          + " effect; remove it, or record that work [nothing-selected]",
        "note: --route 1ms: no trace has an opened route, so the option has no effect; remove it, or record that work"
          + " [nothing-selected]",
        "trace.json: warning: the timeline did not record \(trace.dropped) entries, which can exceed limits; pass it a"
          + " larger 'limit:' [incomplete-trace]",
      ])
    #expect(trace.dropped > 10 && !report.isOverBudget)
  }

  @Test func `a trace that ends during the start is reported if the start has a limit`() throws {
    func problems(_ phases: [String], _ kind: Budget.Kind = .start, dropped: Int = 0) throws -> [String] {
      let events = phases.map { #"{"ph":"X","cat":"phase","name":"A","args":{"phase":"\#($0)"},"ts":0,"dur":1}"# }
      let json = #"{"dropped":\#(dropped),"traceEvents":[\#(events.joined(separator: ","))]}"#
      return budget([(kind, "1s")]).report(on: [try read(Data(json.utf8))]).problems.map(\.line)
    }
    #expect(
      try problems(["init", "setUp", "initialize"]) == [
        "trace.json: warning: it ends before the first 'didFinishStarting', so the start failed or took longer; write"
          + " the trace after the start [incomplete-trace]"
      ])
    #expect(try problems(["init", "setUp", "initialize", "didFinishStarting"]) == [])
    #expect(try problems(["init", "setUp"], .module) == [])
    #expect(try problems(["init", "setUp"], dropped: 1).count == 1)
  }

  @Test(
    arguments: [
      ("5ms", 5_000_000), ("2.5us", 2_500), ("7ns", 7), ("0s", 0), (".5s", 500_000_000), ("5", nil), ("ms", nil),
      ("-1ms", nil),
      ("1e3ms", nil), ("nans", nil), ("0x5s", nil), ("1.2.3s", nil), ("99999999999999s", nil), ("5 ms", nil), ("", nil),
    ] as [(String, Int?)])
  func `a time is a number with a unit`(text: String, nanoseconds: Int?) {
    #expect(Budget.nanoseconds(text) == nanoseconds)
  }

  @Test(arguments: [(Budget.Kind.start, "Cart=5ms"), (.module, "=5ms"), (.module, "Cart="), (.module, "Cart")])
  func `text that is no limit is rejected`(kind: Budget.Kind, text: String) {
    var budget = Budget()
    let isLimit = budget.add(kind, text)
    #expect(!isLimit)
  }

  @Test(arguments: [
    (999, "999ns"), (1_000, "1us"), (1_500_400, "1.5ms"), (61_200_999, "61.201ms"), (1_000_000_000, "1s"), (0, "0ns"),
    (999_999_999, "1000ms"),
  ])
  func `a time is printed with its largest unit`(nanoseconds: Int, text: String) {
    #expect(Budget.text(nanoseconds) == text)
  }

  @Test func `work that overlaps has no negative time, and names are escaped`() throws {
    func event(_ kind: String, _ start: Double, _ duration: Double) -> String {
      #"{"ph":"X","cat":"\#(kind)","name":"A","args":{"\#(kind)":"x\n::error::y"},"ts":\#(start),"dur":\#(duration)}"#
    }
    let events = [event("event", 0, 1), event("service", 0.5, 1e12)].joined(separator: ",")
    let report = budget([(.handler, "0s")]).report(on: [try read(Data("{\"traceEvents\":[\(events)]}".utf8))])
    #expect(report.measurements.map(\.nanoseconds) == [0, 1_000_000_000_000_000])
    let slow = try read(Data("{\"traceEvents\":[\(event("event", 0, 1))]}".utf8))
    #expect(
      budget([(.handler, "0s")]).report(on: [slow]).problems.map(\.line) == [
        "trace.json: error: A: its handler of 'x\\u{a}::error::y' took 1us, and the limit is 0s; make it faster, or raise the"
          + " limit [over-budget]"
      ])
  }

  @Test func `annotations of GitHub escape what its runner would read as syntax`() {
    var problem = RegistrySnapshot.Problem(
      severity: "error", code: "over-budget", message: "100%\r\n::set-output a,b: c")
    problem.subject = "a,b: c%"
    #expect(
      problem.gitHubAnnotation
        == "::error title=over-budget%3A a%2Cb%3A c%25::error: a,b: c%25: 100%25%0D%0A::set-output a,b: c [over-budget]"
    )
    problem.severity = "note"
    #expect(problem.gitHubAnnotation.hasPrefix("::notice title="))
  }

  @Test(arguments: [
    ("", "it isn't JSON"), ("{\"traceEvents\":[{\"name\":", "it isn't JSON"),
    ("[1,2]", "it has no array 'traceEvents' of objects"),
    ("{}", "it has no array 'traceEvents' of objects"), ("{\"traceEvents\":{}}", "it has no array 'traceEvents'"),
    ("{\"traceEvents\":[1]}", "it has no array 'traceEvents' of objects"),
    ("{\"dropped\":\"5\",\"traceEvents\":[]}", "it has no array 'traceEvents' of objects, or 'dropped' isn't"),
    ("{\"traceEvents\":[]}", "it has no phases, handlers, services, or routes"),
    (
      "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"gpu\",\"name\":7,\"pid\":\"p\",\"args\":{\"a\":1}}]}",
      "it has no phases"
    ),
    (phase("\"ph\":\"X\",\"ts\":1,\"dur\":2"), "'traceEvents[0]' has no valid 'name'"),
    (phase("\"ph\":\"X\",\"name\":\"A\",\"dur\":2"), "'traceEvents[0]' has no valid 'ts'"),
    (phase("\"ph\":\"X\",\"name\":\"A\",\"ts\":-1,\"dur\":2"), "'traceEvents[0]' has no valid 'ts'"),
    (phase("\"ph\":\"X\",\"name\":\"A\",\"ts\":1e300,\"dur\":2"), "'traceEvents[0]' has no valid 'ts'"),
    (phase("\"ph\":\"X\",\"name\":\"A\",\"ts\":1,\"dur\":1e13"), "'traceEvents[0]' has no valid 'dur'"),
    (phase("\"ph\":\"X\",\"name\":\"A\",\"ts\":1,\"dur\":\"2\""), "'traceEvents[0]' has no valid 'dur'"),
    (phase("\"ph\":\"b\",\"name\":\"A\",\"ts\":1"), "'traceEvents[0]' has no valid 'id'"),
    (phase("\"ph\":\"e\",\"name\":\"A\",\"ts\":1,\"id\":4"), "'traceEvents[0]' has no valid 'id'"),
    (phase("\"ph\":\"b\",\"name\":\"A\",\"ts\":1,\"id\":4"), "it has no phases"),
  ])
  func `a file that is no trace, or is damaged, is an error`(json: String, reason: String) {
    let problem = #expect(throws: RegistrySnapshot.Problem.self) {
      try LaunchTrace(json: Data(json.utf8), file: "t.json")
    }
    let line = problem?.line ?? ""
    #expect(
      line.hasPrefix("t.json: error: not a trace of modules: \(reason)") && line.hasSuffix(" [malformed-trace]"),
      "\(line)")
  }
}
