import Dispatch
import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

final class HandlerModuleA: Module {
  static func subscribe(_ events: Subscriptions<HandlerModuleA>) {
    events.on(.arrived) { _, _, context in context.configuration[.trace].add("module") }
    events.on(.gathered) { _, _ in ["module"] }
  }
}

/// Handlers that are exported without a module, as in an app.
///
/// The handlers are in ExportedHandlers.swift.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct HandlerTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private let exported = RecordSource.records {
    $0.handlerName?.hasPrefix("LifecycleTests/ExportedHandlers.swift:") == true
  }

  private func manager(_ modules: [any Module.Type] = [], records: RecordSource? = nil) -> ModuleManager {
    let trace = trace
    return ModuleManager(
      modules: modules, records: records ?? exported, configuration: ContextValues { $0[.trace] = trace },
      onDiagnostic: problems.handler)
  }

  private func place(_ line: Int, _ column: Int = 1) -> String {
    "LifecycleTests/ExportedHandlers.swift:\(line):\(column)"
  }

  @Test func `exported handlers are called among the modules, by priority and then by location`() throws {
    let modules = manager()
    modules.register(HandlerModuleA.self, priority: 5)
    try modules.start()
    modules.trigger(.arrived, 7)
    #expect(trace.lines == ["early 7", "module", "ninth 7", "tenth 7", "beside", "late 7"])
    #expect(modules.trigger(.gathered) == ["module", "first", "in a type", "in an extension"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a handler is an entry that is named by its location, and not a module`() throws {
    let modules = manager([HandlerModuleA.self])
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.HandlerModuleA"])
    let names = modules.report().records.map(\.handlerName)
    #expect(names.contains(place(26)) && names.contains(place(27)) && names.contains(place(27, 48)))
    for record in modules.report().records {
      #expect(
        record.kind == .handler && record.kind.description == "evnt" && record.hasAccessor && record.typeName == nil)
    }
    #expect(modules.image(of: place(26)) != nil)
    #expect(modules.unregister(named: place(26)))
    modules.trigger(.arrived, 1)
    #expect(trace.lines == ["early 1", "module", "tenth 1", "beside", "late 1"])
  }

  @Test func `a separate manager has the handlers that its source selects`() throws {
    let none = manager(records: RecordSource.none)
    try none.start()
    none.trigger(.arrived, 1)
    #expect(trace.lines.isEmpty)
    let one = place(28)
    let single = manager(records: .records { $0.handlerName == one })
    try single.start()
    single.trigger(.arrived, 2)
    #expect(trace.lines == ["early 2"])
  }

  @Test func `before the start and after the stop nothing is delivered`() throws {
    let modules = manager()
    modules.trigger(.arrived, 1)
    #expect(problems.diagnostics.map(\.code) == [.notStarted])
    try modules.start()
    modules.stop()
    modules.trigger(.arrived, 2)
    #expect(trace.lines.isEmpty)
    try modules.start()
    modules.trigger(.arrived, 3)
    #expect(trace.lines.count == 5)
  }

  @Test func `a handler that throws is reported with its location, and the others are called`() throws {
    let modules = manager()
    try modules.start()
    modules.trigger(.broken, 1)
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1 && problem.code == .handlerFailed && problem.subject == place(44))
    #expect(problem.image != nil && problem.message.contains("'handlers.broken' threw an error: Broken()"))
    #expect(trace.lines == ["after the broken one"])
  }

  @Test func `a handler for one call ignores events that it triggers, and is restored by a start`()
    throws
  {
    let modules = manager()
    HandlerProbe.manager = modules
    for _ in 0..<2 {
      try modules.start()
      let isTold = { modules.report().description.contains(", was called once and waits for the next start") }
      #expect(!isTold())
      for _ in 0..<3 { modules.trigger(.once) }
      #expect(isTold())
      modules.stop()
    }
    let round = ["once", "always", "always", "always", "always"]
    #expect(trace.lines == round + round)
  }

  @Test func `a handler with a task priority runs off the main actor, and waitUntilIdle waits for its end`()
    async throws
  {
    let probe = HandlerProbe.shared
    let modules = manager()
    try modules.start()
    let before = probe.trace.lines.count
    modules.trigger(.away, 1)
    // This test blocks the main actor, so a handler on the main actor could not begin.
    #expect(probe.hasBegun())
    await modules.waitUntilIdle()
    #expect(probe.trace.lines.dropFirst(before) == ["began 1 at \(TaskPriority.utility.rawValue)", "ended 1"])
    modules.stop()
    modules.trigger(.away, 2)
    await modules.waitUntilIdle()
    #expect(probe.trace.lines.count == before + 2)
  }

  @Test func `an error in a handler's task is reported on the main actor before waitUntilIdle returns`() async throws {
    let place = place(54)
    let reported = Counter()
    let modules = ModuleManager(records: exported) { problem in
      MainActor.preconditionIsolated()
      let isExpected = problem.message.contains("'handlers.awayBroken' threw an error: Broken()")
      if problem.code == .handlerFailed, problem.subject == place, isExpected { reported.increment() }
    }
    try modules.start()
    modules.trigger(.awayBroken, 1)
    modules.trigger(.awayBroken, 2)
    modules.stop()
    await modules.waitUntilIdle()
    #expect(reported.value == 2)
  }

  @Test func `a handler with a task priority can be called once as well`() async throws {
    let modules = manager()
    try modules.start()
    for _ in 0..<3 { modules.trigger(.awayOnce) }
    await modules.waitUntilIdle()
    #expect(HandlerProbe.shared.trace.lines.filter { $0 == "away once" }.count == 1)
  }
}

extension HandlerProbe {
  /// Blocks until a handler begins, and returns false after twenty minutes.
  ///
  /// The handler waits for a thread that other tests can keep busy.
  fileprivate func hasBegun() -> Bool { began.wait(timeout: .now() + 1_200) == .success }
}
