@testable import Lifecycle
import Registry
import TestSupport
import Testing

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var there: Self { .init("fault.there") }
  fileprivate static var back: Self { .init("fault.back") }
}

// C records in images that the tests open export these modules.

final class FaultBase: Traced {
  static func subscribe(_ events: Subscriptions<FaultBase>) {
    events.on(.ping) { _, context in context.configuration[.trace].add("FaultBase ping") }
  }
}

final class FaultThrower: Traced {
  static func subscribe(_ events: Subscriptions<FaultThrower>) {
    events.on(.ping) { _, _ in throw Broken() }
  }
}

/// A module that throws in the phase that a test sets.
final class FaultInPhase: Module {
  static var phase = ModulePhase.setUp
  init() throws { if Self.phase == .initializer { throw Broken() } }
  func setUp(_ context: Context) throws { if Self.phase == .setUp { throw Broken() } }
  func initialize(_ context: Context) throws { if Self.phase == .initialize { throw Broken() } }
  func didFinishStarting(_ context: Context) throws { if Self.phase == .didFinishStarting { throw Broken() } }
  func tearDown(_ context: Context) throws { if Self.phase == .tearDown { throw Broken() } }
}

/// A module whose handler triggers the event of the other module, which does the same in return.
final class FaultThere: Module {
  static weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<FaultThere>) {
    events.on(.there) { _, _ in manager?.trigger(.back) }
  }
}

final class FaultBack: Module {
  static func subscribe(_ events: Subscriptions<FaultBack>) {
    events.on(.back) { _, _ in FaultThere.manager?.trigger(.there) }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct FaultTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager(_ object: SharedObject) -> ModuleManager {
    let path = object.path
    return ModuleManager(
      records: .images { $0.path == path }, configuration: ContextValues { $0[.trace] = trace },
      onDiagnostic: problems.handler)
  }

  private func exporting(_ records: String, _ name: String) throws -> SharedObject {
    let object = try SharedObject("#include \"registry_export.h\"\n" + records, name: name)
    try object.open()
    return object
  }

  @Test(arguments: [ModulePhase.initializer, .setUp, .initialize])
  func `a start that fails midway names module, phase, and image, and is undone`(
    phase: ModulePhase
  ) throws {
    let object = try exporting(
      """
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultBase, priority(2))
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultInPhase, priority(1))
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultThrower)
      """, "fails_in_\(phase.rawValue)")
    let modules = manager(object)
    FaultInPhase.phase = phase
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let image = try #require(error?.image)
    #expect(error?.code == .setUpFailed && error?.phase == phase.rawValue)
    #expect(error?.underlying is Broken && image.path == object.path)
    #expect(
      error!.description.hasPrefix(
        "module 'LifecycleTests.FaultInPhase' (\(image)) threw an error in '\(phase.rawValue)': "))
    let wasReached = phase == .initialize
    #expect(
      trace.lines == ["FaultBase setUp"] + (wasReached ? ["FaultThrower setUp", "FaultBase initialize"] : [])
        + (wasReached ? ["FaultThrower tearDown"] : []) + ["FaultBase tearDown"])
    // The manager can be started again.
    FaultInPhase.phase = .didFinishStarting
    try modules.start()
    #expect(modules.moduleNames.count == 3)
    modules.stop()
  }

  @Test func `errors of didFinishStarting, handlers, and tear-down are reported with module and image`()
    async throws
  {
    let object = try exporting(
      """
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultThrower, priority(2))
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultInPhase, priority(1))
      REGISTRY_EXPORT_MODULE(LifecycleTests.FaultBase)
      """, "fails_later")
    let modules = manager(object)
    FaultInPhase.phase = .didFinishStarting
    try modules.start()
    await modules.waitUntilIdle()
    modules.trigger(.ping)
    FaultInPhase.phase = .tearDown
    modules.stop()
    #expect(problems.diagnostics.map(\.code) == [.phaseFailed, .handlerFailed, .phaseFailed])
    #expect(problems.diagnostics.allSatisfy { $0.image?.path == object.path })
    #expect(
      problems.diagnostics.map(\.subject)
        == ["LifecycleTests.FaultInPhase", "LifecycleTests.FaultThrower", "LifecycleTests.FaultInPhase"])
    #expect(problems.diagnostics[0].message.contains("threw an error in 'didFinishStarting'"))
    #expect(problems.diagnostics[1].message.contains("test.ping"))
    #expect(problems.diagnostics[2].message.contains("threw an error in 'tearDown'"))
    #expect(trace.lines.contains("FaultBase ping") && trace.lines.last == "FaultThrower tearDown")
  }

  @Test func `an error names the module, the image, the phase, and the fix`() {
    let image = LoadedImage(path: "/opt/libShop.so", serial: 1, batch: 0)
    let exported = Subscriber(name: "A.B", image: image)
    let registered = Subscriber(name: "A.B", image: nil)
    #if DEBUG
    let fix = "; if the app can run without the module, catch the error in it"
    #else
    let fix = ""
    #endif
    let errors: [(ModuleError, String)] = [
      (
        .failed(.setUpFailed, exported, .initializer, Broken()),
        "module 'A.B' (\(image)) threw an error in 'init': Broken()\(fix) [set-up-failed]"
      ),
      (
        .failed(.setUpFailed, registered, .setUp, Broken()),
        "module 'A.B' threw an error in 'setUp': Broken()\(fix) [set-up-failed]"
      ),
      (
        .failed(.phaseFailed, exported, .becomeReady, Broken()),
        "module 'A.B' (\(image)) threw an error in 'becomeReady': Broken() [phase-failed]"
      ),
      (
        .failed(.phaseFailed, registered, .run, Broken()),
        "module 'A.B' threw an error in 'run': Broken() [phase-failed]"
      ),
      (
        .failed(.phaseFailed, registered, .run, Broken()).stoppingAll,
        "module 'A.B' threw an error in 'run': Broken(); all modules are stopped; catch the error, or set"
          + " 'failureTerminationBehavior' to '.continues' [phase-failed]"
      ),
      (
        .timedOut(exported, .shutDown, 2),
        "module 'A.B' (\(image)) exceeded the time limit of 2.0 s in 'shutDown'; end what it waits for, or extend the"
          + " limit with 'PhaseLimits' [timed-out]"
      ),
      (
        .timedOut(registered, .becomeReady, 2),
        "module 'A.B' exceeded the time limit of 2.0 s in 'becomeReady'; move work that does not end to 'run', or extend"
          + " the limit with 'PhaseLimits' [timed-out]"
      ),
      (
        .timedOut(registered, .run, 0.5),
        "module 'A.B' exceeded the time limit of 0.5 s in 'run'; return when the task is canceled [timed-out]"
      ),
      (
        .needsRun(["A.B"]),
        "module 'A.B' has asynchronous phases, which 'start()' does not run; call 'try await run()' instead [needs-run]"
      ),
      (
        .needsRun(["A.B", "A.C"]),
        "modules 'A.B' and 'A.C' have asynchronous phases, which 'start()' does not run; call 'try await run()' instead"
          + " [needs-run]"
      ),
      (
        .alreadyStarted,
        "the manager is already started; call only one of 'start()', 'run()', and 'ProcessHost', or 'stop()' before the"
          + " next; give each test its own 'ModuleManager(modules:)' [already-started]"
      ),
      (
        .stopped,
        "the manager was stopped by 'stop()' or 'triggerGracefulShutdown()' before its start was complete [stopped]"
      ),
    ]
    for (error, text) in errors { #expect("\(error)" == text) }
  }

  @Test func `an error has the modules, the phase, the underlying error, and the diagnostics`() {
    let module = Subscriber(name: "A.B", image: nil)
    let failed = ModuleError.failed(.setUpFailed, module, .initializer, Broken())
    #expect(failed.code == "set-up-failed" && failed.modules == ["A.B"] && failed.phase == "init")
    #expect(failed.underlying is Broken && failed.diagnostics.isEmpty)
    let late = ModuleError.timedOut(module, .run, 1)
    #expect(late.modules == ["A.B"] && late.phase == "run" && late.underlying == nil)
    let path = ["A", "B", "A"].map { (name: $0, image: nil as LoadedImage?) }
    #expect(ModuleError.cycle(path).modules == ["A", "B", "A"])
    #expect(ModuleError.needsRun(["A"]).modules == ["A"] && ModuleError.stopped.modules.isEmpty)
    let missing = Diagnostic(severity: .error, code: .missing, subject: "A", image: nil, message: "it is missing")
    #expect(ModuleError.missing([missing]).diagnostics.map(\.subject) == ["A"])
    #expect(ModuleError.missing([missing], areNeeds: true).diagnostics.count == 1)
  }

  @Test func `two modules that trigger each other endlessly are stopped, and the last one is named`() throws {
    let object = try exporting(
      "REGISTRY_EXPORT_MODULE(LifecycleTests.FaultThere)\nREGISTRY_EXPORT_MODULE(LifecycleTests.FaultBack)", "ping_pong"
    )
    let modules = manager(object)
    FaultThere.manager = modules
    try modules.start()
    modules.trigger(.there)
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1 && problem.code == .tooDeep)
    #expect(problem.subject == "LifecycleTests.FaultBack" && problem.image?.path == object.path)
    #expect(problem.message.contains("'fault.back' triggered 'fault.there'"))
    #expect(modules.context.event == nil)
  }

  @Test func `an accessor of a module that serves nothing, or another type than announced, is reported`() throws {
    let object = try SharedObject(
      SharedObject.badAccessors(kind: 0x6d6f_6475) + #"""

        RECORD(first, nothing, "{\"module\":\"Odd.Nothing\"}")
        RECORD(astray, (registry_accessor)(uintptr_t)16, "{\"module\":\"Odd.Astray\"}")
        RECORD(second, liar, "{\"module\":\"Odd.Liar\"}")
        RECORD(good, 0, "{\"module\":\"LifecycleTests.FaultBase\"}")
        """#, name: "odd_modules")
    try object.open()
    let modules = manager(object)
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.FaultBase"])
    #expect(problems[.unavailable].map(\.subject) == ["Odd.Nothing"])
    #expect(problems[.accessorRefused].map(\.subject) == ["Odd.Liar"])
    #expect(problems[.malformedRecord].count == 1)
    #expect(
      problems.diagnostics.count == 3 && problems.diagnostics.allSatisfy { $0.image?.name == "libodd_modules.so" })
  }

  @Test func `hostile module names are printed escaped, and the names that they misspell are found`() throws {
    let hostile = #"\\u001b[2J\\u202eFaultBase\\u2028"#
    let object = try exporting(
      """
      REGISTRY_RECORD_(REGISTRY_KIND_MODULE, "__reg_modules", "{\\"module\\":\\"\(hostile)\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_MODULE, "__reg_modules", "{\\"module\\":\\"LifecycleTests.FaultBase\\",\\"after\\":[\\"\(hostile)\\"]}")
      REGISTRY_RECORD_(REGISTRY_KIND_MODULE, "__reg_modules", "{\\"module\\":\\"LifecycleTests.FaultThrower\\",\\"level\\":\\"\(hostile)\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_MODULE, "__reg_modules", "{\\"module\\":\\"13LifecycleTests9FaultBackC\\"}")
      """, "hostile_modules")
    let modules = manager(object)
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.FaultBase"])
    #expect(
      problems[.unknownClass].count == 2 && problems[.malformedRecord].count == 1 && problems[.unknownAfter].count == 1)
    for problem in problems.diagnostics {
      #expect(!problem.description.contains("\u{1b}") && !problem.description.contains("\u{202e}"))
    }
    #expect(problems.diagnostics.filter { $0.description.contains("\\u{202e}FaultBase") }.count == 3)
  }
}
