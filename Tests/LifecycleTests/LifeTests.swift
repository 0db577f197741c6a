@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class First: Traced {}
private final class Second: Traced {}
private final class Third: Traced {}
private final class FailsInSetUp: Traced {
  func setUp(_ context: Context) throws { throw Broken() }
}
private final class FailsInInitialize: Traced {
  func initialize(_ context: Context) throws { throw Broken() }
}
private final class FailsInInit: Module {
  init() throws { throw Broken() }
}
private final class FailsInTearDown: Traced {
  func tearDown(_ context: Context) throws { throw Broken() }
}
private final class RegistersInSetUp: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws { Self.manager?.register(Third.self) }
}

private final class LeavesInSetUp: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws { Self.manager?.unregister(LeavesInSetUp.self) }
  func tearDown(_ context: Context) throws {
    context.configuration[.trace].add("LeavesInSetUp tearDown")
    throw Broken()
  }
}
private final class StopsInSetUp: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws {
    Self.manager?.stop()
    try Self.manager?.start()
  }
}

private final class RegistersLate: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add("RegistersLate setUp")
    Self.manager?.register(Third.self, priority: 9)
  }
}

private final class StopsLate: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) throws { Self.manager?.stop() }
}

private final class LeavesInTearDown: Traced {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func tearDown(_ context: Context) throws {
    context.configuration[.trace].add("LeavesInTearDown tearDown")
    Self.manager?.unregister(LeavesInTearDown.self)
    Self.manager?.stop()
  }
}

/// A module that answers an event with its own letter.
///
/// The modules are in alphabetical order, and the second one triggers the event in its set-up.
@MainActor private protocol Answers: Module {}
final class AnswerA: Answers {
  static func subscribe(_ events: Subscriptions<AnswerA>) { events.on(.list) { _, _ in ["a"] } }
}
final class AnswerB: Answers {
  static weak var manager: ModuleManager?
  static var heard: [String] = []
  static func subscribe(_ events: Subscriptions<AnswerB>) { events.on(.list) { _, _ in ["b"] } }
  func setUp(_ context: Context) throws { Self.heard = Self.manager?.trigger(.list) ?? [] }
}
final class AnswerC: Answers {
  static func subscribe(_ events: Subscriptions<AnswerC>) { events.on(.list) { _, _ in ["c"] } }
}

/// A module that performs an action in its set-up, and records its tear-down.
private final class Scripted: Module {
  private let name: String
  private let lines: Trace?
  private let action: () throws -> Void

  init() { (name, lines, action) = ("", nil, {}) }
  init(_ name: String, _ lines: Trace, _ action: @escaping () throws -> Void) {
    (self.name, self.lines, self.action) = (name, lines, action)
  }

  func setUp(_ context: Context) throws { try action() }
  func tearDown(_ context: Context) { lines?.add(name) }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct LifeTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager(_ modules: [any Module.Type] = []) -> ModuleManager {
    ModuleManager(
      modules: modules, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  @Test func `start sets all modules up, initializes them, and finishes; stop goes in reverse`()
    async throws
  {
    let modules = manager([Second.self, First.self])
    try modules.start()
    #expect(trace.lines == ["First setUp", "Second setUp", "First initialize", "Second initialize"])
    await modules.waitUntilIdle()
    #expect(trace.lines.suffix(2) == ["First didFinishStarting", "Second didFinishStarting"])
    modules.stop()
    #expect(trace.lines.suffix(2) == ["Second tearDown", "First tearDown"])
    #expect(modules.moduleNames.isEmpty)
    modules.stop()
    #expect(trace.lines.count == 8)
  }

  @Test func `a manager can be started again after a stop, and not before`() throws {
    let modules = manager([First.self])
    try modules.start()
    #expect(throws: ModuleError.self) { try modules.start() }
    modules.stop()
    try modules.start()
    #expect(trace.lines.filter { $0 == "First setUp" }.count == 2)
  }

  @Test(arguments: ["setUp", "initialize", "init"])
  func `an error in the start names the module, and tears the others down in reverse`(phase: String) throws {
    let failing: any Module.Type =
      ["setUp": FailsInSetUp.self, "initialize": FailsInInitialize.self, "init": FailsInInit.self][phase]!
    let modules = manager([First.self, Second.self])
    modules.register(failing, after: modules.runner.order().map(\.name))
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .setUpFailed && error?.modules.first?.hasPrefix("LifecycleTests.FailsIn") == true)
    #expect(error?.phase == phase && error?.underlying is Broken)
    #expect(trace.lines.suffix(2) == ["Second tearDown", "First tearDown"])
    modules.unregister(failing)
    try modules.start()
  }

  @Test func `a late module that throws is dropped alone and reported`() throws {
    let modules = manager([First.self])
    try modules.start()
    #expect(!modules.adds { $0.register(FailsInSetUp.self) })
    #expect(problems[.setUpFailed].first?.subject == "LifecycleTests.FailsInSetUp")
    #expect(modules.moduleNames == ["LifecycleTests.First"])
    #expect(modules.adds { $0.register(Second.self) })
    #expect(trace.lines.suffix(2) == ["Second setUp", "Second initialize"])
  }

  @Test func `a module that throws in tear-down does not stop the others`() throws {
    let modules = manager([First.self])
    modules.register(FailsInTearDown.self, after: ["LifecycleTests.First"])
    try modules.start()
    modules.stop()
    #expect(trace.lines.last == "First tearDown")
    #expect(problems[.phaseFailed].first?.subject == "LifecycleTests.FailsInTearDown")
  }

  @Test func `an event during the start reaches the modules that are already set up`() throws {
    let modules = manager([AnswerC.self, AnswerB.self, AnswerA.self])
    AnswerB.manager = modules
    try modules.start()
    #expect(AnswerB.heard == ["a"])
    #expect(modules.trigger(.list) == ["a", "b", "c"])
  }

  @Test func `a module can register modules during its set-up`() throws {
    let modules = manager([RegistersInSetUp.self])
    RegistersInSetUp.manager = modules
    try modules.start()
    #expect(modules.moduleNames.contains("LifecycleTests.Third"))
    #expect(trace.lines.contains("Third initialize"))
  }

  @Test func `a module that unregisters itself in its set-up is torn down and removed`() throws {
    let modules = manager([First.self, LeavesInSetUp.self])
    LeavesInSetUp.manager = modules
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.First"])
    #expect(trace.lines == ["First setUp", "LeavesInSetUp tearDown", "First initialize"])
    modules.register(LeavesInSetUp.self)
    #expect(problems.codes == [.phaseFailed, .phaseFailed], "an error in the tear-down has no further effect")
  }

  @Test(arguments: [true, false])
  func `a module that unregisters itself in its tear-down is torn down once`(stops: Bool) throws {
    let modules = manager([First.self, LeavesInTearDown.self])
    LeavesInTearDown.manager = modules
    try modules.start()
    if stops { modules.stop() } else { modules.unregister(LeavesInTearDown.self) }
    #expect(trace.lines.filter { $0 == "LeavesInTearDown tearDown" }.count == 1)
    #expect(trace.lines.filter { $0 == "First tearDown" }.count == 1)
    #expect(!modules.unregister(LeavesInTearDown.self))
  }

  @Test func `a late module that stops the manager in its set-up is torn down with the others`() throws {
    let modules = manager([First.self])
    StopsLate.manager = modules
    try modules.start()
    #expect(!modules.adds { $0.register(StopsLate.self) })
    #expect(modules.moduleNames.isEmpty)
    #expect(trace.lines.suffix(2) == ["First tearDown", "StopsLate tearDown"])
  }

  @Test(arguments: [true, false])
  func `a module that registers another in its set-up has each phase once`(isLate: Bool) async throws {
    let modules = manager(isLate ? [] : [RegistersLate.self])
    RegistersLate.manager = modules
    try modules.start()
    if isLate { #expect(modules.adds { $0.register(RegistersLate.self) }) }
    await modules.waitUntilIdle()
    for name in ["RegistersLate", "Third"] {
      for phase in ["setUp", "initialize", "didFinishStarting"] {
        #expect(trace.lines.filter { $0 == "\(name) \(phase)" }.count == 1)
      }
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a didFinishStarting that was due before a stop does not reach the next start`() async throws {
    let modules = manager([First.self])
    try modules.start()
    modules.stop()
    try modules.start()
    await modules.waitUntilIdle()
    #expect(trace.lines.filter { $0 == "First didFinishStarting" }.count == 1)
  }

  @Test func `a start during a start is rejected`() throws {
    let modules = manager([First.self, StopsInSetUp.self])
    StopsInSetUp.manager = modules
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .setUpFailed && error?.phase == "setUp" && error?.underlying is ModuleError)
    #expect(trace.lines == ["First setUp", "First tearDown"])
  }

  @Test func `unregistering tears a module down, and a second registration of a type is rejected`() throws {
    let modules = manager([First.self])
    try modules.start()
    #expect(!modules.adds { $0.register(First.self) })
    #expect(problems[.duplicate].count == 1)
    #expect(modules.unregister(First.self))
    #expect(!modules.unregister(First.self))
    #expect(trace.lines.last == "First tearDown")
    #expect(modules.adds { $0.register(First.self) })
  }

  @Test func `the context carries environment, configuration, services and launch values`() throws {
    let services = ServiceManager()
    let modules = ModuleManager(services: services, environment: .test)
    modules.context.configuration[.trace] = trace
    let launch = ContextKey<Int?>("launch")
    try modules.start(launch: ContextValues { $0[launch] = 7 })
    let context = modules.context
    #expect(context.environment == .test && context.launch[launch] == 7 && context.launch.contains(launch))
    #expect(context.configuration[.trace] === trace)
    #expect(context.configuration[ContextKey("absent", default: 3)] == 3)
    #expect(context.configuration[ContextKey<String?>("launch")] == nil)
    context.configuration.remove(.trace)
    #expect(!context.configuration.contains(ContextKey.trace))
    services.register(Int.self) { 5 }
    #expect(try context.services.createService(for: Int.self) == 5)
    #expect(context.event == nil)
  }

  @Test(arguments: [ModuleLevel.basic, .normal])
  func `a start that fails tears modules down in reverse, although a module that is not set up completes a cycle`(
    level: ModuleLevel
  ) throws {
    let lines = Trace()
    let modules = ModuleManager(onDiagnostic: problems.handler)
    func add(_ name: String, _ level: ModuleLevel, after: [String], setUp: @escaping () throws -> Void = {}) {
      modules.register(named: name, level: level, after: after) { Scripted(name, lines, setUp) }
    }
    let addThird = { [weak modules] in
      _ = modules?.register(named: "third", level: level, after: ["first"]) { Scripted("third", lines) {} }
    }
    // The order of names is not the order of the set-up.
    add("second", level, after: ["third"])
    add("first", level, after: ["second"], setUp: addThird)
    add("user", .normal, after: [])
    add("z", .normal, after: ["user"]) { throw Broken() }
    #expect(throws: ModuleError.self) { try modules.start() }
    #expect(lines.lines == ["user", "first", "second"])
    #expect(modules.moduleNames.isEmpty)
  }

  @Test func `the modules of a class that is unregistered are torn down in reverse order`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.register(named: "third", after: ["second"]) { [trace] in Scripted("third", trace) {} }
    modules.register(named: "first") { [trace] in Scripted("first", trace) {} }
    modules.register(named: "second", after: ["first"]) { [trace] in Scripted("second", trace) {} }
    try modules.start()
    modules.register(named: "fourth", after: ["third"]) { [trace] in Scripted("fourth", trace) {} }
    modules.register(named: "fifth", after: ["fourth"]) { [trace] in Scripted("fifth", trace) {} }
    #expect(modules.unregister(Scripted.self))
    #expect(trace.lines == ["fifth", "fourth", "third", "second", "first"])
  }

  @Test func `unregistering a class before the start reports nothing about modules that follow`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    for name in ["first", "second"] {
      modules.register(named: name, after: ["later"]) { [trace] in Scripted(name, trace) {} }
    }
    #expect(modules.unregister(Scripted.self))
    #expect(problems.codes.isEmpty)
  }

  @Test func `a handler that follows an empty start receives the end of the start`() async throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    try modules.start()
    let token = modules.on(.modulesDidFinishStarting) { [trace] _, _ in trace.add("finished") }
    await modules.waitUntilIdle()
    #expect(trace.lines == ["finished"])
    token.cancel()
  }

  @Test func `a module that completes a cycle during the start hides no module from events`() throws {
    final class Hears: Module {
      static func subscribe(_ events: Subscriptions<Hears>) {
        events.on(.modulesDidSetUp) { _, context in context.configuration[.trace].add("heard") }
      }
    }
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.context.configuration[.trace] = trace
    modules.register(Hears.self, after: ["last"])
    modules.register(named: "adds") { [weak modules, trace] in
      Scripted("adds", trace) {
        _ = modules?.register(named: "last", after: [recordName(of: Hears.self)]) { Scripted("last", trace) {} }
      }
    }
    try modules.start()
    #expect(trace.lines.contains("heard"))
    #expect(problems[.cycle].map(\.subject) == ["last"])
  }

  @Test func `values under keys are printed by name, one on each line`() {
    let values = ContextValues {
      $0[ContextKey("b", default: 0)] = 2
      $0[ContextKey<String?>("a")] = "x"
    }
    #expect(ContextValues().description.isEmpty)
    #expect(values.description.split(separator: "\n").map { $0.prefix(4) } == ["a = ", "b = "])
    #expect(values.description.hasSuffix("\nb = 2") && values.description.contains("x"))
  }

  @Test func `the diagnostics handler can be changed, and a mirror of a manager has no children`() {
    let (modules, others) = (manager([First.self]), DiagnosticCollector())
    modules.register(First.self)
    #expect(problems[.duplicate].count == 1)
    let before = modules.onDiagnostic
    modules.onDiagnostic = {
      before($0)
      others.handler($0)
    }
    modules.register(Second.self)
    modules.register(Second.self)
    #expect(problems[.duplicate].count == 2 && others[.duplicate].count == 1)
    #expect(Mirror(reflecting: modules).children.isEmpty && Mirror(reflecting: ServiceManager()).children.isEmpty)
  }
}
