import Registry
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle
@testable import RegistryReports

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var bell: Self { .init("runMistake.bell") }
}

extension Event where Payload == Int, Outcome == Bool {
  fileprivate static var mayRing: Self { .init("runMistake.mayRing", combining: .all) }
}

extension AsyncEvent where Payload == Int, Outcome == Bool {
  fileprivate static var mayRing: Self { .init("runMistake.mayRing", combining: .all) }
}

private protocol Rope: Sendable {}

private final class Early: Module {
  func setUp(_ context: Context) { context.trigger(.bell) }
}

private final class Late: Module {
  func setUp(_ context: Context) { context.on(.bell) { _ in } }
  func initialize(_ context: Context) {
    context.on(.modulesDidSetUp) { _ in }
    context.on(.modulesDidInitialize) { _ in }
  }
}

private final class Expecting: Module {
  static func subscribe(_ events: Subscriptions<Expecting>) {
    events.on(.modulesDidInitialize) { _, _ in }
    events.on(.modulesDidFinishStarting) { _, _ in }
  }
}

private final class Tower: AsyncModule {
  func becomeReady(_ context: Context) async throws { _ = try context.services.createService(for: Rope.self) }
}

@ExportModule(initialization: .inNextTurn)
final class MistakeNextTurn: Module {
  static func subscribe(_ events: Subscriptions<MistakeNextTurn>) {
    events.inNextTurn(.bell) { _, _ in }
    events.on(.modulesDidFinishStarting) { _, _ in }
  }
}

@ExportModule
final class MistakeWithProperty: Module {
  @Service private var rope: (any Rope)?
}

private typealias A = Worker<Tag.A>

/// Mistakes in the start, the run, and the stop of a manager, and correct code that looks similar.
@MainActor @Suite(.timeLimit(.minutes(20))) struct RunMistakeTests {
  let problems = DiagnosticCollector()

  private func manager(_ modules: [any Module.Type] = []) -> ModuleManager {
    ModuleManager(modules: modules, onDiagnostic: problems.handler)
  }

  @Test func `a phase that lacks a service suggests the order`() async {
    await #expect { try await manager([Tower.self]).run() } throws: {
      "\($0)".hasSuffix("registers the service in its 'becomeReady', name that module in 'after' [phase-failed]")
    }
  }

  @Test func `the modules that missed an event are listed until the next start, up to a limit`() throws {
    let modules = manager([Early.self])
    let tokens = (0..<200).map { _ in modules.on(.bell) { _ in } }
    try modules.start()
    #expect(modules.subscribersMissing("runMistake.bell").count == 100)
    modules.stop()
    for token in tokens { #expect(token.cancel()) }
    try modules.start()
    #expect(modules.subscribersMissing("runMistake.bell").isEmpty)
    #if DEBUG
    for _ in 0..<200 { modules.on(.modulesDidSetUp) { _ in } }
    #expect(modules.handlersAfter("modules.didSetUp").count == 100)
    #endif
    modules.stop()
  }

  #if DEBUG
  @Test func `a module that fails before others are ready is told which ones 'after' can name`() async throws {
    for isAlone in [false, true] {
      let bench = RunBench()
      for module: any Module.Type in [A.self, Worker<Tag.B>.self, Worker<Tag.C>.self] { bench.add(module) }
      let gate = Gate()
      if !isAlone { bench.world.scripts["B becomeReady"] = { await gate.pass() } }
      bench.world.scripts["A becomeReady"] = {
        try await bench.world.reach(isAlone ? "C becomeReady." : "B becomeReady")
        gate.open()
        throw Broken()
      }
      await #expect {
        try await bench.run().value
      } throws: {
        let hint = "; not ready at that time: '\(recordName(of: Worker<Tag.B>.self))'; if the module needs one of these"
        return "\($0)".contains("threw an error in 'becomeReady': Broken()\(isAlone ? " [" : hint)")
      }
    }
  }

  @Test func `work that is canceled after its grace period is told with its module`() async throws {
    let bench = RunBench()
    bench.add(A.self)
    bench.world.scripts["A run"] = {
      try await bench.modules.context.gracefulShutdown()
      bench.world.note("A drains")
      try await untilCancelled()
    }
    let running = bench.run(limits: PhaseLimits(gracePeriod: 3))
    try await bench.world.reach("A run")
    await bench.modules.waitUntilIdle()
    bench.modules.triggerGracefulShutdown()
    try await bench.world.reach("A shutDown.")
    #expect(bench.modules.workingModules.count == 1)
    try await bench.time.sleepers(1)
    bench.time.advance(seconds: 4)
    try await running.value
    #expect(
      bench.problems.diagnostics.map(\.message) == [
        "'run' has not returned 3.0 s after the shutdown and is canceled; return when the context is shutting down, or"
          + " set 'gracePeriod' to 0"
      ])
    #expect(bench.problems.codes == [.timedOut] && bench.modules.workingModules.isEmpty)
  }

  @Test func `a report lists handlers that were added after their event`() throws {
    let modules = manager([Early.self, Late.self])
    try modules.start()
    let text = modules.report().description
    #expect(text.ranges(of: "was triggered before 'LifecycleTests/RunMistakeTests.swift:").count == 2, "\(text)")
    modules.stop()
    // The order decides, also after a restart.
    let correct = manager([Late.self])
    correct.register(Early.self, after: [Late.self])
    correct.on(.modulesDidFinishStarting) { _ in }
    try correct.start()
    correct.stop()
    try correct.start()
    correct.on(.bell) { _ in }
    #expect(correct.report().description.ranges(of: "was triggered before 'Lifecycle").count == 1)
    correct.stop()
  }

  @Test func `a report lists modules that were registered after a phase event that they handle`() async throws {
    let modules = manager([Early.self])
    try modules.start()
    await modules.waitUntilIdle()
    modules.register(Expecting.self)
    modules.register(named: "replayed", replaysMissedPhases: true) { Expecting() }
    await modules.waitUntilIdle()
    let text = modules.report().description
    let told = "was triggered before 'LifecycleTests.Expecting' was set up, which did not receive it; pass 'replays"
    #expect(text.ranges(of: told).count == 2 && text.ranges(of: "was triggered before").count == 2, "\(text)")
    modules.stop()
    // At the next start, the module receives both events.
    try modules.start()
    await modules.waitUntilIdle()
    #expect(!modules.report().description.contains("was triggered before"))
    modules.stop()
  }

  @Test func `an event that is asynchronous only where it is triggered`() async throws {
    let modules = manager()
    modules.on(Event.mayRing) { _, _ in true }
    try modules.start()
    _ = await modules.trigger(AsyncEvent.mayRing, 1)
    modules.stop()
    let end = "; one is declared as an 'AsyncEvent' and the other as an 'Event', so declare both the same way; it is"
    #expect(problems.codes == [.eventMismatch] && problems.diagnostics[0].message.contains(end))
  }

  @Test func `limits in another unit, negative limits, and NaN are told`() async throws {
    let modules = manager()
    let limits = PhaseLimits(becomeReady: 30_000, shutDown: -1, gracePeriod: .nan, totalShutdown: 8_000)
    try modules.runInBackground(limits: limits) { _ in }
    modules.stop()
    await modules.waitUntilIdle()
    #expect(problems.codes.filter { $0 == .timedOut }.count == 4)
    #expect(
      problems.diagnostics.first?.message
        == "the limit 'becomeReady' is 30000.0 s, longer than 3600.0 s; limits are in seconds, so write '30.0' for 30000.0"
        + " ms, or '.infinity' for no limit")
    #expect(problems.diagnostics[1].message.hasPrefix("the limit 'shutDown' is -1.0, which counts as zero; write "))
    let events = manager([Late.self])
    try events.start()
    for limit in [5_000, 25, .infinity] { _ = await events.trigger(AsyncEvent.mayRing, 1, timeLimit: limit) }
    events.stop()
    #expect(problems[.noAnswer].count == 1)
    let correct = manager([Late.self])
    try correct.runInBackground(limits: PhaseLimits(becomeReady: 600, gracePeriod: 0)) { _ in }
    correct.stop()
    await correct.waitUntilIdle()
    #expect(problems.codes.filter { $0 == .timedOut }.count == 4)
  }

  @Test func `a stop in the turn of the start tells which work it drops`() async throws {
    let modules = manager([MistakeNextTurn.self])
    modules.runner.isTest = false
    try modules.start()
    modules.trigger(.bell)
    modules.stop()
    #expect(
      problems.diagnostics.map(\.message) == [
        "'stop()' drops work for the next turn of the main actor: 'initialize' of 'LifecycleTests.MistakeNextTurn', the"
          + " handlers of 'modulesDidFinishStarting', the handler of 'runMistake.bell' in"
          + " 'LifecycleTests.MistakeNextTurn'; call 'await modules.waitUntilIdle()' first, or run the modules with"
          + " 'try await run()'"
      ])
    try modules.start()
    modules.trigger(.bell)
    await modules.waitUntilIdle()
    modules.stop()
    // Handlers of different priorities can begin in another order.
    let deferred = DeferredWork()
    for name in ["A", "B"] { deferred.addHandler("runMistake.bell", name) }
    deferred.beginHandler("runMistake.bell", "B")
    #expect(deferred.handlers.map(\.name) == ["A"])
    let plain = manager([Late.self])
    plain.runner.isTest = false
    try plain.start()
    plain.stop()
    #expect(problems.codes == [.stoppedBeforeStart])
  }

  @Test func `an unknown name in after that is a target or a list is told how to write names`() throws {
    let modules = manager()
    modules.register(Early.self, after: ["LifecycleTests"])
    modules.register(Late.self, after: ["Cart.A, Cart.B"])
    try modules.start()
    let messages = problems[.unknownAfter].map(\.message)
    let ends = [
      "; did you mean one of the modules of this target, such as 'LifecycleTests.Early'?",
      #"; did you mean several names, as in '["Cart.A", "Cart.B"]'?"#,
    ]
    for end in ends { #expect(messages.contains { $0.hasSuffix(end) }, "\(messages)") }
    modules.stop()
  }
  #endif

  @Test func `a report lists what code gave to the shared managers`() throws {
    let modules = manager([Late.self])
    let title = "Given to '.shared', which this manager does not use:"
    let tokens = [
      ServiceManager.shared.register(Rope.self) { fatalError() }, ModuleManager.shared.on(.bell) { _ in },
    ]
    #expect(!modules.report().description.contains(title))
    try modules.start()
    let lines = modules.report().description.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0 == title })
    let section = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
    for end in ["; use 'context.services'", "; register it with this manager"] {
      #expect(section.contains { $0.contains("RunMistakeTests.swift") && $0.hasSuffix(end) }, "\(section)")
    }
    modules.stop()
    for token in tokens { token.cancel() }
  }

  @Test func `a report lists flags, settings, and requirements that the shared managers were given`() throws {
    let (modules, shared) = (manager([Late.self]), manager())
    shared.context.configuration[ContextKey<Int>("runMistake.level", default: 0)] = 3
    shared.requireAllNeeds()
    try modules.start()
    let lines = ServiceManager.shared.withTestScope {
      ServiceManager.shared.conditions.insert(.flag("runMistake"))
      return modules.sharedSection(shared).flatMap(\.lines)
    }
    modules.stop()
    var expected = ["the flag 'runMistake'; insert it in 'context.services.conditions'"]
    expected.append("'requireAllNeeds()'; call it on this manager")
    #if DEBUG
    expected.append("the setting 'runMistake.level'; set it in this manager's configuration")
    #endif
    for line in expected { #expect(lines.contains(line), "\(lines)") }
  }

  @Test func `a report lists the modules that the shared manager runs, too`() throws {
    let (modules, shared) = (manager([Late.self]), manager([Early.self, Late.self]))
    try modules.start()
    try shared.start()
    let sections = modules.sharedSection(shared)
    #expect(
      RegistryReport(sections: sections, records: [], diagnostics: []).description.hasPrefix(
        """
        Modules and handlers that '.shared' runs, too; start one manager, or give each its own records:
          'LifecycleTests.Late'
        Records:
        """))
    shared.stop()
    modules.stop()
  }
}
