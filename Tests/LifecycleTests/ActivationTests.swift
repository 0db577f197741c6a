@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class WaitingModule: Traced {
  static func subscribe(_ events: Subscriptions<WaitingModule>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("WaitingModule open \(link)")
      return true
    }
    events.on(.open, .afterApp) { _, _, _ in false }
    events.on(.ping) { _, context in context.configuration[.trace].add("WaitingModule ping") }
  }
}

private final class SecondWaitingModule: Traced {
  static func subscribe(_ events: Subscriptions<SecondWaitingModule>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("SecondWaitingModule open \(link)")
      return false
    }
  }
}

private final class ActiveModule: Traced {
  static func subscribe(_ events: Subscriptions<ActiveModule>) {
    events.on(.open) { _, link, context in
      context.configuration[.trace].add("ActiveModule open \(link)")
      return false
    }
  }
}

private final class FailsToActivate: Traced {
  static func subscribe(_ events: Subscriptions<FailsToActivate>) { events.on(.ping) { _, _ in } }
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

private final class ActivatedBySetUp: Traced {
  static func subscribe(_ events: Subscriptions<ActivatedBySetUp>) {
    events.on(.modulesDidSetUp) { _, context in context.configuration[.trace].add("ActivatedBySetUp receives") }
  }
}

/// A module whose set-up registers a module for the same event and triggers another event.
private final class RegistersInSetUp: Traced {
  static var activation = ModuleActivation.onFirstEvent
  static func subscribe(_ events: Subscriptions<RegistersInSetUp>) { events.on(.open) { _, _, _ in false } }
  func setUp(_ context: Context) throws {
    context.modules?.register(WaitingModule.self, activation: Self.activation)
    context.trigger(.list)
  }
}

/// A module that, during its teardown, registers modules that form a cycle and triggers an event.
private final class TriggersInTearDown: Traced {
  func tearDown(_ context: Context) throws {
    for (name, other) in [("a", "b"), ("b", "a")] {
      context.modules?.register(named: name, after: [other]) { ActiveModule() }
    }
    context.trigger(.open, "x")
  }
}

/// A module whose setup registers a module that follows it.
private final class RegistersFollower: Traced {
  static func subscribe(_ events: Subscriptions<RegistersFollower>) { events.on(.ping) { _, _ in } }
  func setUp(_ context: Context) throws {
    context.modules?.register(ActiveModule.self, after: [RegistersFollower.self])
    context.configuration[.trace].add("RegistersFollower setUp")
  }
}

/// A module whose setup triggers the event that activates the module.
private final class TriggersItsOwn: Module {
  static func subscribe(_ events: Subscriptions<TriggersItsOwn>) { events.on(.ping) { _, _ in } }
  func setUp(_ context: Context) { context.trigger(.ping) }
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
  fileprivate static var lazyList: Self { .init("test.lazyList", combining: .collect) }
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
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    manager.register(ActiveModule.self)
    try manager.start()
    await manager.waitUntilIdle()
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["ActiveModule setUp", "ActiveModule initialize", "ActiveModule didFinishStarting"])
    #expect(manager.moduleNames == ["LifecycleTests.ActiveModule"])
    trace.clear()
    for _ in 0..<2 { #expect(manager.trigger(.open, "x")) }
    #expect(
      trace.lines == [
        "WaitingModule setUp", "WaitingModule initialize", "ActiveModule open x", "WaitingModule open x",
        "ActiveModule open x", "WaitingModule open x",
      ])
    await manager.waitUntilIdle()
    manager.trigger(.ping)
    #expect(trace.lines.suffix(2) == ["WaitingModule didFinishStarting", "WaitingModule ping"])
    manager.stop()
    #expect(trace.lines.suffix(2) == ["WaitingModule tearDown", "ActiveModule tearDown"])
    #expect(problems.codes.isEmpty)
  }

  @Test func `a module that never activates is neither set up nor torn down, and waits again later`() throws {
    let manager = manager()
    manager.register(WaitingModule.self, activation: .onFirstEvent)
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
    #expect(trace.lines == ["WaitingModule setUp", "WaitingModule initialize", "WaitingModule open x"])
  }

  @Test func `several modules activate in order, and all are set up before one is initialized`() throws {
    let manager = manager()
    manager.register(WaitingModule.self, after: ["LifecycleTests.SecondWaitingModule"], activation: .onFirstEvent)
    manager.register(SecondWaitingModule.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.open, "x")
    #expect(
      trace.lines == [
        "SecondWaitingModule setUp", "WaitingModule setUp", "SecondWaitingModule initialize",
        "WaitingModule initialize",
        "SecondWaitingModule open x", "WaitingModule open x",
      ])
  }

  @Test func `a module that throws when it activates is dropped and reported, and the event continues`() throws {
    let manager = manager()
    manager.register(FailsToActivate.self, priority: 1, activation: .onFirstEvent)
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.ping)
    manager.trigger(.ping)
    #expect(
      trace.lines == ["WaitingModule setUp", "WaitingModule initialize", "WaitingModule ping", "WaitingModule ping"])
    #expect(problems.codes == [.setUpFailed])
    #expect(problems.diagnostics.first?.subject == "LifecycleTests.FailsToActivate")
  }

  @Test(arguments: [true, false])
  func `a module that another one's set-up removes or stops does not activate`(isStopped: Bool) throws {
    let manager = manager()
    EndsOthers.end = { if isStopped { manager.stop() } else { manager.unregister(WaitingModule.self) } }
    defer { EndsOthers.end = {} }
    manager.register(EndsOthers.self, priority: 1, activation: .onFirstEvent)
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.open, "x")
    #expect(trace.lines.first == "EndsOthers setUp" && !trace.lines.contains("WaitingModule setUp"))
    for _ in 0..<2 { manager.trigger(.open, "y") }
    #expect(problems[.notStarted].count == (isStopped ? 2 : 0))
  }

  @Test(arguments: [ModuleActivation.onFirstEvent, .atLaunch])
  func `a module that another one registers as it activates receives the event`(activation: ModuleActivation) throws {
    let manager = manager()
    RegistersInSetUp.activation = activation
    manager.register(RegistersInSetUp.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.open, "x")
    #expect(trace.lines.contains("WaitingModule open x"))
    #expect(problems.codes.isEmpty)
  }

  @Test func `a module that another one registers as it activates follows it`() throws {
    let manager = manager()
    manager.register(RegistersFollower.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.ping)
    let names = ["RegistersFollower", "ActiveModule"]
    #expect(trace.lines == names.flatMap { ["\($0) setUp", "\($0) initialize"] })
  }

  @Test func `an event in the setup of a module that activates reaches the other modules that wait for it`() throws {
    let manager = manager()
    manager.register(TriggersItsOwn.self, priority: 1, activation: .onFirstEvent)
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    try manager.start()
    manager.trigger(.ping)
    #expect(trace.lines.filter { $0 == "WaitingModule ping" }.count == 2)
  }

  @Test func `an event during the teardown activates no module, even if others form a cycle`() throws {
    let manager = manager()
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    manager.register(TriggersInTearDown.self)
    try manager.start()
    manager.stop()
    #expect(!trace.lines.contains("WaitingModule setUp"))
  }

  @Test func `an event during the start activates the modules whose turn has passed`() async throws {
    let manager = manager()
    TriggersInSetUp.manager = manager
    manager.register(WaitingModule.self, level: .basic, activation: .onFirstEvent)
    manager.register(TriggersInSetUp.self)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(
      trace.lines == [
        "TriggersInSetUp setUp", "WaitingModule setUp", "WaitingModule initialize", "WaitingModule ping",
        "TriggersInSetUp initialize",
        "WaitingModule didFinishStarting", "TriggersInSetUp didFinishStarting",
      ])
  }

  @Test func `an event of the manager activates modules like any other`() throws {
    let manager = manager()
    manager.register(ActivatedBySetUp.self, activation: .onFirstEvent)
    try manager.start()
    #expect(trace.lines == ["ActivatedBySetUp setUp", "ActivatedBySetUp initialize", "ActivatedBySetUp receives"])
  }

  @Test func `a late module can also wait for its first event`() throws {
    let manager = manager()
    try manager.start()
    #expect(manager.adds { $0.register(WaitingModule.self, activation: .onFirstEvent) })
    #expect(trace.lines.isEmpty)
    #expect(manager.trigger(.open, "x"))
    #expect(trace.lines == ["WaitingModule setUp", "WaitingModule initialize", "WaitingModule open x"])
    #expect(manager.unregister(WaitingModule.self))
    #expect(trace.lines.last == "WaitingModule tearDown")
    manager.register(SecondWaitingModule.self, activation: .onFirstEvent)
    #expect(manager.unregister(SecondWaitingModule.self))
    manager.trigger(.open, "y")
    #expect(trace.lines.last == "WaitingModule tearDown")
  }

  @Test func `a module that is registered in code can name its predecessors by type`() throws {
    let manager = manager()
    manager.register(WaitingModule.self, after: [SecondWaitingModule.self])
    manager.register(SecondWaitingModule.self)
    try manager.start()
    #expect(manager.moduleNames == ["LifecycleTests.SecondWaitingModule", "LifecycleTests.WaitingModule"])
  }

  @Test func `a module at launch that waits for an inactive one is reported once`() throws {
    let manager = manager()
    manager.register(WaitingModule.self, activation: .onFirstEvent)
    manager.register(ActiveModule.self, after: ["LifecycleTests.WaitingModule"])
    try manager.start()
    manager.trigger(.ping)
    #expect(problems.codes == [.activationConflict])
    #expect(problems.diagnostics.first?.subject == "LifecycleTests.ActiveModule")
    #expect(problems.diagnostics.first?.message.contains("LifecycleTests.WaitingModule") == true)
  }

  @Test func `an exported module waits as its attribute states`() throws {
    let manager = manager(.records { $0.typeName == "LifecycleTests.LazyModule" })
    try manager.start()
    #expect(manager.moduleNames.isEmpty)
    #expect(manager.trigger(.lazyList) == ["lazy"])
    #expect(manager.moduleNames == ["LifecycleTests.LazyModule"])
  }

  @Test func `initialization in the next turn is after the start and before any didFinishStarting`()
    async throws
  {
    let manager = manager()
    manager.register(ActiveModule.self, priority: 1, initialization: .inNextTurn)
    manager.register(WaitingModule.self)
    try manager.start()
    #expect(trace.lines == ["ActiveModule setUp", "WaitingModule setUp", "WaitingModule initialize"])
    await manager.waitUntilIdle()
    #expect(
      trace.lines.suffix(3) == [
        "ActiveModule initialize", "ActiveModule didFinishStarting", "WaitingModule didFinishStarting",
      ])
    manager.register(SecondWaitingModule.self, initialization: .inNextTurn)
    #expect(trace.lines.last == "SecondWaitingModule setUp")
    await manager.waitUntilIdle()
    #expect(trace.lines.suffix(2) == ["SecondWaitingModule initialize", "SecondWaitingModule didFinishStarting"])
  }

  @Test func `a module that throws in the next turn is dropped and reported, and the others continue`() async throws {
    let manager = manager()
    manager.register(FailsNextTurn.self, priority: 1, initialization: .inNextTurn)
    manager.register(ActiveModule.self)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(manager.moduleNames == ["LifecycleTests.ActiveModule"])
    #expect(problems.codes == [.setUpFailed])
    #expect(problems.diagnostics[0].message.hasSuffix("; it is removed, and the other modules continue"))
    #expect(trace.lines.suffix(2) == ["FailsNextTurn tearDown", "ActiveModule didFinishStarting"])
  }

  @Test func `no module is initialized in the next turn after the manager stops`() async throws {
    let manager = manager()
    manager.register(ActiveModule.self, initialization: .inNextTurn)
    try manager.start()
    manager.stop()
    #expect(trace.lines == ["ActiveModule setUp", "ActiveModule tearDown"])
    trace.clear()
    // If the first start had left work for the next turn, it would run before that of the second
    // start.
    manager.register(WaitingModule.self, priority: 1, initialization: .inNextTurn)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(
      trace.lines == [
        "WaitingModule setUp", "ActiveModule setUp", "WaitingModule initialize", "ActiveModule initialize",
        "WaitingModule didFinishStarting",
        "ActiveModule didFinishStarting",
      ])
  }
}
