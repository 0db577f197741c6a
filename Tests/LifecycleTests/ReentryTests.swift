@testable import Lifecycle
import Registry
import TestSupport
import Testing

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var forth: Self { .init("reentry.forth") }
  fileprivate static var problem: Self { .init("reentry.problem") }
}

/// A module whose handler triggers the event that it handles.
private final class Endless: Module {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<Endless>) {
    events.on(.forth) { _, _ in manager?.trigger(.forth) }
  }
}

/// A module that records the problems that a handler of diagnostics forwards.
private final class Journal: Module {
  static func subscribe(_ events: Subscriptions<Journal>) {
    events.on(.problem) { _, context in context.configuration[.trace].add("problem") }
  }
}

/// A module that throws when it receives a problem.
///
/// Each type argument provides another module.
private final class Complaining<Type>: Module {
  static func subscribe(_ events: Subscriptions<Complaining>) {
    events.on(.problem) { _, _ in throw Broken() }
  }
}

private final class Needed: Traced {}
private final class Needing: Traced {}
private final class AddedByDiagnostic: Traced {
  static func subscribe(_ events: Subscriptions<AddedByDiagnostic>) {
    events.on(.ping) { _, context in context.configuration[.trace].add("ping") }
  }
}

/// A module that registers itself while the manager collects its subscriptions.
private final class RegistersInSubscribe: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<RegistersInSubscribe>) {
    let manager = manager
    Self.manager = nil
    manager?.register(RegistersInSubscribe.self)
  }
}

private final class Early: Traced {}
/// A module that restarts the manager in its first set-up.
private final class Restarts: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws {
    let manager = Self.manager
    Self.manager = nil
    manager?.stop()
    try manager?.start()
  }
}
/// A module that restarts the manager when it receives an event that it missed.
private final class RestartsInReplay: Traced {
  static func subscribe(_ events: Subscriptions<RestartsInReplay>) {
    events.on(.modulesDidSetUp) { _, context in
      guard !context.configuration[.trace].lines.contains("RestartsInReplay tearDown") else { return }
      context.modules?.stop()
      try context.modules?.start()
    }
    events.on(.modulesDidInitialize) { _, context in context.configuration[.trace].add("event") }
  }
}
private final class BringsTwo: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws {
    Self.manager?.register(Early.self, priority: 2)
    Self.manager?.register(Restarts.self, priority: 1)
  }
}

/// A module that adds a handler in its setup and triggers the event in its initialization.
private final class HandlesInSetUp: Module {
  func setUp(_ context: Context) {
    context.on(.ping) { context in context.configuration[.trace].add("pong") }
  }
  func initialize(_ context: Context) { context.trigger(.ping) }
}
/// A module that registers another one when it receives a missed event.
private final class RegistersInReplay: Module {
  static func subscribe(_ events: Subscriptions<RegistersInReplay>) {
    events.on(.modulesDidInitialize) { _, context in context.modules?.register(AddedByDiagnostic.self) }
  }
}

/// A module that registers a module, which stops the manager in its setup.
private final class Registers: Module {
  func setUp(_ context: Context) { context.modules?.register(Stops.self) }
}
private final class Stops: Module {
  func setUp(_ context: Context) { context.modules?.stop() }
}

/// Modules and handlers of diagnostics that call their manager during its own operations.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ReentryTests {
  let trace = Trace()
  let problems = DiagnosticCollector()

  private func manager(_ modules: [any Module.Type] = []) -> ModuleManager {
    ModuleManager(
      modules: modules, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  /// Calls a closure for each diagnostic on the main actor, where managers report diagnostics.
  private func onDiagnostic(of modules: ModuleManager, _ body: @escaping @MainActor (ModuleManager) -> Void) {
    modules.onDiagnostic = { [problems, weak modules] diagnostic in
      problems.handler(diagnostic)
      MainActor.assumeIsolated { if let modules { body(modules) } }
    }
  }

  @Test func `events that nest too deep are attributed to the module that triggered them`()
    throws
  {
    let modules = manager([Endless.self, Journal.self])
    Endless.manager = modules
    onDiagnostic(of: modules) { $0.trigger(.problem) }
    try modules.start()
    modules.trigger(.forth)
    let blamed = problems[.tooDeep].filter { $0.subject == recordName(of: Endless.self) }
    #expect(blamed.count == 1 && blamed[0].message.contains("'reentry.forth' triggered 'reentry.forth'"))
    // The failed delivery to the journal is reported too, with the event as the subject, because no
    // module triggered it.
    #expect(problems[.tooDeep].map(\.subject) == [recordName(of: Endless.self), "reentry.problem"])
    #expect(problems.diagnostics.count == 2)
    modules.trigger(.problem)
    #expect(trace.lines == ["problem"])
  }

  @Test func `a handler of diagnostics that triggers the endless event again ends as well`() throws {
    let modules = manager([Endless.self])
    Endless.manager = modules
    onDiagnostic(of: modules) { $0.trigger(.forth) }
    try modules.start()
    modules.trigger(.forth)
    #expect(problems[.tooDeep].count == 2 && problems.diagnostics.count == 2)
    #expect(modules.dispatcher.depth == 0)
  }

  @Test func `handlers that throw for events of a diagnostics handler end`() throws {
    let complaining: [any Module.Type] = [
      Complaining<Int>.self, Complaining<Int8>.self, Complaining<Int16>.self, Complaining<Int32>.self,
      Complaining<UInt>.self, Complaining<UInt8>.self, Complaining<UInt16>.self, Complaining<UInt32>.self,
    ]
    let modules = manager(complaining)
    onDiagnostic(of: modules) { $0.trigger(.problem) }
    try modules.start()
    modules.trigger(.problem)
    // Each of the eight handlers throws, and the report of each error makes all eight throw again.
    // The reports are nested only four levels deep.
    let count = complaining.count
    #expect(problems[.handlerFailed].count == count * (1 + count * (1 + count * (1 + count))))
  }

  @Test func `a module that a diagnostics handler registers during sorting receives events`() throws {
    let modules = manager([Needed.self])
    modules.register(Needing.self, after: [recordName(of: Needed.self)])
    onDiagnostic(of: modules) { $0.register(AddedByDiagnostic.self) }
    try modules.start()
    modules.unregister(Needed.self)
    modules.trigger(.ping)
    #expect(problems[.unknownAfter].count == 1)
    #expect(modules.moduleNames == ["LifecycleTests.AddedByDiagnostic", "LifecycleTests.Needing"])
    modules.trigger(.ping)
    modules.trigger(.ping)
    #expect(trace.lines.filter { $0 == "ping" }.count >= 2)
  }

  @Test func `a module that registers itself in subscribe exists once`() throws {
    let modules = manager()
    try modules.start()
    RegistersInSubscribe.manager = modules
    #expect(!modules.register(RegistersInSubscribe.self).cancel())
    #expect(modules.moduleNames == [recordName(of: RegistersInSubscribe.self)])
    #expect(problems.diagnostics.map(\.code) == [.duplicate])
    modules.stop()
    let name = "RegistersInSubscribe"
    #expect(trace.lines == ["\(name) setUp", "\(name) initialize", "\(name) tearDown"])
  }

  @Test(arguments: [false, true])
  func `a handler that a module adds in its setup receives the next event`(isLate: Bool) throws {
    let modules = manager(isLate ? [] : [HandlesInSetUp.self])
    try modules.start()
    if isLate { modules.register(HandlesInSetUp.self) }
    #expect(trace.lines == ["pong"])
  }

  @Test func `a module that a replayed event's handler registers is set up immediately`() throws {
    let modules = manager()
    try modules.start()
    modules.register(RegistersInReplay.self, replaysMissedPhases: true)
    #expect(trace.lines == ["AddedByDiagnostic setUp", "AddedByDiagnostic initialize"])
  }

  @Test func `a start throws if a module that another one registered stops the manager`() throws {
    let modules = manager([Registers.self])
    #expect(throws: ModuleError.self) { try modules.start() }
    #expect(!modules.isStarted)
  }

  @Test func `late modules are initialized once, although one of them restarts the manager`() async throws {
    let modules = manager()
    try modules.start()
    (BringsTwo.manager, Restarts.manager) = (modules, modules)
    modules.register(BringsTwo.self)
    await modules.waitUntilIdle()
    let early = trace.lines.filter { $0.hasPrefix("Early") }
    #expect(early == ["Early setUp", "Early tearDown", "Early setUp", "Early initialize", "Early didFinishStarting"])
    #expect(trace.lines.filter { $0 == "BringsTwo didFinishStarting" }.count == 1)
    modules.stop()
    #expect(problems.diagnostics.filter { $0.code != .duplicate }.isEmpty)
  }

  @Test func `a late module that restarts the manager receives each phase once`() async throws {
    let modules = manager()
    try modules.start()
    modules.register(RestartsInReplay.self, replaysMissedPhases: true)
    await modules.waitUntilIdle()
    let name = "RestartsInReplay"
    #expect(
      trace.lines == [
        "\(name) setUp", "\(name) initialize", "\(name) tearDown", "\(name) setUp", "\(name) initialize", "event",
        "\(name) didFinishStarting",
      ])
  }
}
