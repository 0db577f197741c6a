@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class Sleeper: Traced {
  static func subscribe(_ events: Subscriptions<Sleeper>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("Sleeper open \(link)")
      return true
    }
    events.on(.open, .afterHost) { _, _, _ in false }
    events.on(.ping) { _, context in context.configuration[.trace].add("Sleeper ping") }
  }
}

private final class SecondSleeper: Traced {
  static func subscribe(_ events: Subscriptions<SecondSleeper>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("SecondSleeper open \(link)")
      return false
    }
  }
}

private final class Awake: Traced {
  static func subscribe(_ events: Subscriptions<Awake>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("Awake open \(link)")
      return false
    }
  }
}

private final class FailsToWake: Traced {
  static func subscribe(_ events: Subscriptions<FailsToWake>) { events.on(.ping) { _, _ in } }
  func setUp(_ context: Context) throws { throw Broken() }
}

private final class FailsNextTurn: Traced {
  func initialize(_ context: Context) throws { throw Broken() }
}

/// A module that, during its set-up, triggers an event that activates another module.
private final class TriggersInSetUp: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add("TriggersInSetUp setUp")
    Self.manager?.trigger(.ping)
  }
}

private final class WokenBySetUp: Traced {
  static func subscribe(_ events: Subscriptions<WokenBySetUp>) {
    events.on(.modulesDidSetUp) { _, context in context.configuration[.trace].add("WokenBySetUp hears") }
  }
}

/// A module that removes another module, or stops the manager, during its set-up.
private final class EndsOthers: Traced {
  static nonisolated(unsafe) var end: @MainActor () -> Void = {}
  static func subscribe(_ events: Subscriptions<EndsOthers>) { events.on(.open) { _, _, _ in false } }
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add("EndsOthers setUp")
    Self.end()
  }
}

extension Event where Payload == Void, Outcome == [String] {
  fileprivate static var lazyList: Self { .init("test.lazyList") }
}

@ExportModule(activation: .onFirstEvent, initialization: .inNextTurn, replaysMissedPhases: true)
final class LazyModule: Module {
  static func subscribe(_ events: Subscriptions<LazyModule>) {
    events.on(.lazyList) { _, _ in ["lazy"] }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ActivationTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager(_ records: RecordSource = .none) -> ModuleManager {
    let manager = ModuleManager(records: records, onDiagnostic: problems.handler)
    manager.context.configuration[.trace] = trace
    return manager
  }

  @Test func `an inactive module is created at the first event that it subscribes to, and not before`() async throws {
    let manager = manager()
    manager.register(Sleeper.self, activation: .onFirstEvent)
    manager.register(Awake.self)
    try manager.start()
    await manager.waitUntilIdle()
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["Awake setUp", "Awake initialize", "Awake didFinishStarting"])
    #expect(manager.modules == ["LifecycleTests.Awake"])
    trace.clear()
    for _ in 0..<2 { #expect(manager.trigger(.open, "x")) }
    #expect(
      trace.lines == [
        "Sleeper setUp", "Sleeper initialize", "Awake open x", "Sleeper open x", "Awake open x", "Sleeper open x",
      ])
    await manager.waitUntilIdle()
    manager.trigger(.ping)
    #expect(trace.lines.suffix(2) == ["Sleeper didFinishStarting", "Sleeper ping"])
    manager.stop()
    #expect(trace.lines.suffix(2) == ["Sleeper tearDown", "Awake tearDown"])
    #expect(problems.codes.isEmpty)
  }

  @Test func `a module that never activates is neither set up nor torn down, and waits again later`() throws {
    let manager = manager()
    manager.register(Sleeper.self, activation: .onFirstEvent)
    try manager.start()
    manager.stop()
    #expect(trace.lines.isEmpty)
    try manager.start()
    #expect(trace.lines.isEmpty)
    #expect(manager.trigger(.open, "x"))
    manager.stop()
    trace.clear()
    try manager.start()
    #expect(trace.lines.isEmpty)
    #expect(manager.trigger(.open, "x"))
    #expect(trace.lines == ["Sleeper setUp", "Sleeper initialize", "Sleeper open x"])
  }

  @Test func `several modules activate in order, and all are set up before one is initialized`() throws {
    let manager = manager()
    manager.register(Sleeper.self, after: ["LifecycleTests.SecondSleeper"], activation: .onFirstEvent)
    manager.register(SecondSleeper.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.open, "x")
    #expect(
      trace.lines == [
        "SecondSleeper setUp", "Sleeper setUp", "SecondSleeper initialize", "Sleeper initialize",
        "SecondSleeper open x", "Sleeper open x",
      ])
  }

  @Test func `a module that throws when it activates is dropped and reported, and the event continues`() throws {
    let manager = manager()
    manager.register(FailsToWake.self, priority: 1, activation: .onFirstEvent)
    manager.register(Sleeper.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.ping)
    manager.trigger(.ping)
    #expect(trace.lines == ["Sleeper setUp", "Sleeper initialize", "Sleeper ping", "Sleeper ping"])
    #expect(problems.codes == [.setUpFailed])
    #expect(problems.diagnostics.first?.subject == "LifecycleTests.FailsToWake")
  }

  @Test(arguments: [true, false])
  func `a module that another one's set-up removes or stops does not activate`(isStopped: Bool) throws {
    let manager = manager()
    EndsOthers.end = { if isStopped { manager.stop() } else { manager.unregister(Sleeper.self) } }
    defer { EndsOthers.end = {} }
    manager.register(EndsOthers.self, priority: 1, activation: .onFirstEvent)
    manager.register(Sleeper.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.open, "x")
    #expect(trace.lines.first == "EndsOthers setUp" && !trace.lines.contains("Sleeper setUp"))
  }

  @Test func `an event during the start activates the modules whose turn has passed`() async throws {
    let manager = manager()
    TriggersInSetUp.manager = manager
    manager.register(Sleeper.self, level: .basic, activation: .onFirstEvent)
    manager.register(TriggersInSetUp.self)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(
      trace.lines == [
        "TriggersInSetUp setUp", "Sleeper setUp", "Sleeper initialize", "Sleeper ping", "TriggersInSetUp initialize",
        "Sleeper didFinishStarting", "TriggersInSetUp didFinishStarting",
      ])
  }

  @Test func `an event of the manager activates modules like any other`() throws {
    let manager = manager()
    manager.register(WokenBySetUp.self, activation: .onFirstEvent)
    try manager.start()
    #expect(trace.lines == ["WokenBySetUp setUp", "WokenBySetUp initialize", "WokenBySetUp hears"])
  }

  @Test func `a late module can also wait for its first event`() throws {
    let manager = manager()
    try manager.start()
    #expect(manager.register(Sleeper.self, activation: .onFirstEvent))
    #expect(trace.lines.isEmpty)
    #expect(manager.trigger(.open, "x"))
    #expect(trace.lines == ["Sleeper setUp", "Sleeper initialize", "Sleeper open x"])
    #expect(manager.unregister(Sleeper.self))
    #expect(trace.lines.last == "Sleeper tearDown")
    manager.register(SecondSleeper.self, activation: .onFirstEvent)
    #expect(manager.unregister(SecondSleeper.self))
    manager.trigger(.open, "y")
    #expect(trace.lines.last == "Sleeper tearDown")
  }

  @Test func `a module at launch that waits for an inactive one is reported once`() throws {
    let manager = manager()
    manager.register(Sleeper.self, activation: .onFirstEvent)
    manager.register(Awake.self, after: ["LifecycleTests.Sleeper"])
    try manager.start()
    manager.trigger(.ping)
    #expect(problems.codes == [.activationConflict])
    #expect(problems.diagnostics.first?.subject == "LifecycleTests.Awake")
    #expect(problems.diagnostics.first?.message.contains("LifecycleTests.Sleeper") == true)
  }

  @Test func `an exported module waits as its attribute states`() throws {
    let manager = manager(.records { $0.typeName == "LifecycleTests.LazyModule" })
    try manager.start()
    #expect(manager.modules.isEmpty)
    #expect(manager.trigger(.lazyList) == ["lazy"])
    #expect(manager.modules == ["LifecycleTests.LazyModule"])
  }

  @Test func `initialization in the next turn is after the start and before any didFinishStarting`()
    async throws
  {
    let manager = manager()
    manager.register(Awake.self, priority: 1, initialization: .inNextTurn)
    manager.register(Sleeper.self)
    try manager.start()
    #expect(trace.lines == ["Awake setUp", "Sleeper setUp", "Sleeper initialize"])
    await manager.waitUntilIdle()
    #expect(trace.lines.suffix(3) == ["Awake initialize", "Awake didFinishStarting", "Sleeper didFinishStarting"])
    manager.register(SecondSleeper.self, initialization: .inNextTurn)
    #expect(trace.lines.last == "SecondSleeper setUp")
    await manager.waitUntilIdle()
    #expect(trace.lines.suffix(2) == ["SecondSleeper initialize", "SecondSleeper didFinishStarting"])
  }

  @Test func `a module that throws in the next turn is dropped and reported, and the others continue`() async throws {
    let manager = manager()
    manager.register(FailsNextTurn.self, priority: 1, initialization: .inNextTurn)
    manager.register(Awake.self)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(manager.modules == ["LifecycleTests.Awake"])
    #expect(problems.codes == [.setUpFailed])
    #expect(trace.lines.suffix(2) == ["FailsNextTurn tearDown", "Awake didFinishStarting"])
  }

  @Test func `no module is initialized in the next turn after the manager stops`() async throws {
    let manager = manager()
    manager.register(Awake.self, initialization: .inNextTurn)
    try manager.start()
    manager.stop()
    #expect(trace.lines == ["Awake setUp", "Awake tearDown"])
    trace.clear()
    // If the first start had left work for the next turn, it would run before that of the second
    // start.
    manager.register(Sleeper.self, priority: 1, initialization: .inNextTurn)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(
      trace.lines == [
        "Sleeper setUp", "Awake setUp", "Sleeper initialize", "Awake initialize", "Sleeper didFinishStarting",
        "Awake didFinishStarting",
      ])
  }
}
