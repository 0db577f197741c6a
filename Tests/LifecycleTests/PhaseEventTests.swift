@testable import Lifecycle
import Registry
import TestSupport
import Testing

/// A module that handles the events of all phases.
private final class Witness: Module {
  static func subscribe(_ events: Subscriptions<Witness>) {
    events.on(.modulesDidSetUp) { _, context in context.configuration[.trace].add("did set up") }
    events.on(.modulesDidInitialize) { _, context in context.configuration[.trace].add("did initialise") }
    events.on(.modulesDidFinishStarting) { _, context in context.configuration[.trace].add("did finish starting") }
    events.on(.modulesWillTearDown) { _, context in context.configuration[.trace].add("will tear down") }
    events.on(.moduleDidUnregister) { _, name, context in context.configuration[.trace].add("unmounted \(name)") }
  }
}

/// A module whose handler has the identifier of a phase's event, and another type.
private final class Mistyped: Module {
  static func subscribe(_ events: Subscriptions<Mistyped>) {
    events.on(Event<Int, Void>("modules.didSetUp")) { _, _, context in context.configuration[.trace].add("called") }
  }
}

private final class Other: Traced {}
private final class Fails: Traced {
  func initialize(_ context: Context) throws { throw Broken() }
}

/// A module that handles the events that follow its phases.
private final class Expectant: Traced {
  static nonisolated(unsafe) var events: Set = ["initialize", "finish"]
  static func subscribe(_ events: Subscriptions<Expectant>) {
    if Self.events.contains("initialize") {
      events.on(.modulesDidInitialize) { _, context in context.configuration[.trace].add("Expectant handles initialize")
      }
    }
    if Self.events.contains("finish") {
      events.on(.modulesDidFinishStarting) { _, context in context.configuration[.trace].add("Expectant handles finish")
      }
    }
  }
}

/// A module that adds another one in the phase that a test sets.
private final class Adds: Module {
  static var phase = ModulePhase.setUp
  static weak var manager: ModuleManager?
  private func add(in phase: ModulePhase) { if Self.phase == phase { Self.manager?.register(Expectant.self) } }
  func setUp(_ context: Context) { add(in: .setUp) }
  func initialize(_ context: Context) { add(in: .initialize) }
  func didFinishStarting(_ context: Context) { add(in: .didFinishStarting) }
}

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var nested: Self { .init("phases.nested") }
}

/// A module that is activated by the end of the start, and adds another one in a phase.
private final class Activated: Module {
  static var adds: (manager: ModuleManager, phase: ModulePhase, replays: Bool)?
  private func add(in phase: ModulePhase, _ context: Context) {
    guard let adds = Self.adds, adds.phase == phase else { return }
    adds.manager.register(Expectant.self, replaysMissedPhases: adds.replays)
    adds.manager.trigger(.nested)
  }
  func setUp(_ context: Context) { add(in: .setUp, context) }
  func initialize(_ context: Context) { add(in: .initialize, context) }
  func didFinishStarting(_ context: Context) { add(in: .didFinishStarting, context) }
  static func subscribe(_ events: Subscriptions<Activated>) { events.on(.modulesDidFinishStarting) { _, _ in } }
}

/// A module that is activated by the event that a test sets, and triggers another one.
private final class Surrounding: Module {
  static nonisolated(unsafe) var event = Event<Void, Void>.modulesDidSetUp
  static weak var manager: ModuleManager?
  func setUp(_ context: Context) { Self.manager?.trigger(.nested) }
  static func subscribe(_ events: Subscriptions<Surrounding>) { events.on(event) { _, _ in } }
}

/// A module that is activated by the nested event, and handles those of all phases.
private final class Surrounded: Module {
  static func subscribe(_ events: Subscriptions<Surrounded>) {
    events.on(.nested) { _, _ in }
    for event in Surrounding.all { events.on(event) { _, context in context.configuration[.trace].add("\(event.id)") } }
  }
}
extension Surrounding {
  fileprivate static var all: [Event<Void, Void>] {
    [.modulesDidSetUp, .modulesDidInitialize, .modulesDidFinishStarting]
  }
}

private final class StopsWhenTornDown: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<StopsWhenTornDown>) {
    events.on(.modulesWillTearDown) { _, _ in manager?.stop() }
  }
}

/// A module whose teardown removes its handler.
private final class Departing: Module {
  private var token: RegistrationToken?
  func setUp(_ context: Context) { token = context.modules?.on(.ping) { _, _ in } }
  func tearDown(_ context: Context) {
    context.configuration[.trace].add("begins")
    token?.cancel()
    context.configuration[.trace].add("ends")
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct PhaseEventTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager() -> ModuleManager {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.context.configuration[.trace] = trace
    return manager
  }

  @Test func `a missed phase is not replayed to a handler of another type`() throws {
    let manager = manager()
    try manager.start()
    manager.register(Mistyped.self, replaysMissedPhases: true)
    #expect(trace.lines.isEmpty)
    manager.stop()
  }

  @Test func `modules that are removed together are announced after their teardowns`() throws {
    let manager = manager()
    for name in ["one", "two"] { manager.register(named: name) { Departing() } }
    manager.on(.moduleDidUnregister) { name, context in context.configuration[.trace].add(name) }
    try manager.start()
    #expect(manager.unregister(Departing.self))
    #expect(trace.lines.prefix(4) == ["begins", "ends", "begins", "ends"])
    #expect(Set(trace.lines.dropFirst(4)) == ["one", "two"])
    manager.stop()
  }

  @Test func `each phase is an event that follows the phase of all modules`() async throws {
    let manager = manager()
    manager.register(Witness.self, priority: 1)
    manager.register(Other.self)
    try manager.start()
    await manager.waitUntilIdle()
    manager.stop()
    #expect(
      trace.lines == [
        "Other setUp", "did set up", "Other initialize", "did initialise", "Other didFinishStarting",
        "did finish starting",
        "will tear down", "Other tearDown",
      ])
    #expect(problems.codes.isEmpty)
  }

  @Test func `the event for a removed module has its name, and follows its tear-down`() throws {
    let manager = manager()
    manager.register(Other.self)
    manager.register(Witness.self)
    try manager.start()
    trace.clear()
    manager.unregister(Other.self)
    #expect(trace.lines == ["Other tearDown", "unmounted LifecycleTests.Other"])
    // The module that failed had been set up, and has been removed.
    manager.register(Fails.self)
    #expect(trace.lines.suffix(2) == ["Fails tearDown", "unmounted LifecycleTests.Fails"])
    manager.register(Other.self)
    #expect(manager.unregister(named: "LifecycleTests.Other"))
    #expect(trace.lines.suffix(2) == ["Other tearDown", "unmounted LifecycleTests.Other"])
    manager.stop()
    manager.unregister(Witness.self)
    #expect(trace.lines.last == "will tear down")
  }

  @Test(arguments: [false, true])
  func `a late module receives missed phases on request`(thereAreOthers: Bool) async throws {
    let manager = manager()
    if thereAreOthers { manager.register(Other.self) }
    try manager.start()
    await manager.waitUntilIdle()
    trace.clear()
    manager.register(Witness.self)
    await manager.waitUntilIdle()
    #expect(trace.lines.isEmpty)
    manager.unregister(Witness.self)
    manager.register(Witness.self, replaysMissedPhases: true)
    #expect(trace.lines == ["did set up", "did initialise"])
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did set up", "did initialise", "did finish starting"])
  }

  @Test func `a module that is added before the start finishes receives each phase once`() async throws {
    let manager = manager()
    try manager.start()
    manager.register(Witness.self, replaysMissedPhases: true)
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did set up", "did initialise", "did finish starting"])
  }

  @Test(arguments: [false, true])
  func `a module that is added before the start finishes receives the event after its phases`(isLater: Bool)
    async throws
  {
    let manager = manager()
    manager.register(Other.self)
    try manager.start()
    manager.register(Expectant.self, initialization: isLater ? .inNextTurn : .inStart)
    await manager.waitUntilIdle()
    #expect(
      trace.lines.filter { $0.hasPrefix("Expectant") } == [
        "Expectant setUp", "Expectant initialize", "Expectant didFinishStarting", "Expectant handles finish",
      ])
  }

  @Test func `modules that others add while they are set up or finish starting receive the event after their phases`()
    async throws
  {
    for phase in [ModulePhase.setUp, .initialize, .didFinishStarting] {
      trace.clear()
      let manager = manager()
      Adds.phase = phase
      Adds.manager = manager
      manager.register(Adds.self)
      try manager.start()
      await manager.waitUntilIdle()
      #expect(
        trace.lines == [
          "Expectant setUp", "Expectant initialize", "Expectant didFinishStarting", "Expectant handles finish",
        ], "\(phase)")
      manager.stop()
    }
  }

  @Test(arguments: ["initialize", "finish"])
  func `a module that a phase event activates receives it after its phases`(event: String) async throws {
    Expectant.events = [event]
    defer { Expectant.events = ["initialize", "finish"] }
    let manager = manager()
    manager.register(Expectant.self, activation: .onFirstEvent, initialization: .inNextTurn)
    try manager.start()
    await manager.waitUntilIdle()
    let phases = ["Expectant setUp", "Expectant initialize", "Expectant didFinishStarting"]
    let index = event == "initialize" ? 2 : 3
    #expect(trace.lines == phases[..<index] + ["Expectant handles \(event)"] + phases[index...])
  }

  @Test(arguments: [false, true], [false, true])
  func `a module that is initialized later receives the event for the initialization after it`(
    isLate: Bool, replays: Bool
  ) async throws {
    let manager = manager()
    manager.register(Other.self)
    if isLate {
      try manager.start()
      await manager.waitUntilIdle()
    }
    manager.register(Expectant.self, initialization: .inNextTurn, replaysMissedPhases: replays)
    if !isLate { try manager.start() }
    await manager.waitUntilIdle()
    // A module that is added later has missed both events.
    let isMissed = isLate && !replays
    #expect(
      trace.lines.filter { $0.hasPrefix("Expectant") }
        == ["Expectant setUp", "Expectant initialize"] + (isMissed ? [] : ["Expectant handles initialize"])
        + ["Expectant didFinishStarting"] + (isMissed ? [] : ["Expectant handles finish"]))
  }

  @Test(arguments: [ModulePhase.setUp, .initialize, .didFinishStarting], [false, true])
  func `a module that an activated one adds receives the event once, after its phases`(
    phase: ModulePhase, replays: Bool
  ) async throws {
    let manager = manager()
    Activated.adds = (manager, phase, replays)
    defer { Activated.adds = nil }
    manager.register(Activated.self, activation: .onFirstEvent)
    try manager.start()
    await manager.waitUntilIdle()
    let lines = trace.lines.filter { $0.hasPrefix("Expectant") && !$0.hasSuffix("handles initialize") }
    #expect(
      lines == ["Expectant setUp", "Expectant initialize", "Expectant didFinishStarting", "Expectant handles finish"])
  }

  @Test(arguments: 0..<3)
  func `a module that is activated while an event activates another one receives it once`(index: Int) async throws {
    Surrounding.event = Surrounding.all[index]
    let manager = manager()
    Surrounding.manager = manager
    manager.register(Surrounding.self, priority: 1, activation: .onFirstEvent)
    manager.register(Surrounded.self, activation: .onFirstEvent, replaysMissedPhases: true)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(trace.lines == Surrounding.all.map { "\($0.id)" })
  }

  @Test func `the end of a start is not announced in another run`() async throws {
    let manager = manager()
    manager.register(Witness.self)
    try manager.start()
    manager.stop()
    try manager.start()
    trace.clear()
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did finish starting"])
    manager.stop()
    trace.clear()
    await manager.waitUntilIdle()
    #expect(trace.lines.isEmpty)
  }

  @Test func `a handler of the tear-down event can stop the manager itself`() throws {
    let manager = manager()
    StopsWhenTornDown.manager = manager
    manager.register(StopsWhenTornDown.self)
    try manager.start()
    manager.stop()
    #expect(trace.lines.filter { $0 == "StopsWhenTornDown tearDown" }.count == 1)
    try manager.start()
    #expect(manager.moduleNames == ["LifecycleTests.StopsWhenTornDown"])
  }

  @Test func `with asynchronous phases, the tear-down event follows all shut-downs`()
    async throws
  {
    let bench = RunBench()
    bench.modules.context.configuration[.trace] = trace
    bench.modules.register(Witness.self)
    bench.add(Worker<Tag.A>.self)
    bench.add(Worker<Tag.B>.self)
    bench.world.scripts["B shutDown"] = { trace.add("B shuts down") }
    bench.world.scripts["A shutDown"] = { trace.add("A shuts down") }
    let running = try await bench.begin()
    bench.modules.unregister(Worker<Tag.A>.self)
    await bench.modules.waitUntilIdle()
    try await bench.stop(running)
    let name = recordName(of: Worker<Tag.A>.self)
    #expect(trace.lines.suffix(4) == ["A shuts down", "unmounted \(name)", "B shuts down", "will tear down"])
  }

  @Test func `a module with asynchronous phases is initialized in the start, and then becomes ready`()
    async throws
  {
    let bench = RunBench()
    bench.modules.register(Worker<Tag.A>.self, initialization: .inNextTurn)
    bench.modules.register(Worker<Tag.B>.self, activation: .onFirstEvent)
    let running = try await bench.begin()
    #expect(bench.world.trace.prefix(3) == ["A setUp", "A initialize", "A becomeReady"])
    #expect(bench.modules.trigger(.whoIsThere) == ["A", "B"])
    try await bench.world.reach("B run")
    try await bench.stop(running)
    #expect(bench.world.who("shutDown.").sorted() == ["A", "B"])
  }
}
