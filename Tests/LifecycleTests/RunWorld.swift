@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

extension ContextKey where Value == RunWorld? {
  /// The world that the modules of a test use.
  static var runWorld: Self { .init("test.runWorld") }
}

extension Event where Payload == Void, Outcome == [String] {
  static var whoIsThere: Self { .init("run.whoIsThere", combining: .collect) }
}

/// The scripts of modules with asynchronous phases, and the trace of their calls.
///
/// The trace has a line for each call: `A setUp`, `A becomeReady`, and then `A becomeReady.` if the
/// phase returned, or `A becomeReady!` if it threw.
@MainActor final class RunWorld {
  private(set) var trace: [String] = []
  /// The scripts of the phases by module and phase.
  ///
  /// A key has the form `A becomeReady`. Without a script, `run` continues until it is cancelled,
  /// and other phases return immediately. A script is removed when it is called, because it can
  /// capture the context, which keeps the world.
  var scripts: [String: @MainActor () async throws -> Void] = [:]

  nonisolated init() {}

  func note(_ line: String) { trace.append(line) }

  /// Waits until the trace contains a line.
  func reach(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until("\"\(line)\" in \(trace)", sourceLocation: sourceLocation) { trace.contains(line) }
  }

  /// Returns the index of a line in the trace, or the largest integer if the line is missing.
  func place(_ line: String) -> Int { trace.firstIndex(of: line) ?? .max }

  /// Returns the names of the modules that reached a phase.
  func who(_ phase: String) -> [String] {
    trace.filter { $0.hasSuffix(" " + phase) }.map { String($0.dropLast(phase.count + 1)) }
  }

  func perform(_ name: String, _ phase: String) async throws {
    note("\(name) \(phase)")
    do {
      if let script = scripts.removeValue(forKey: "\(name) \(phase)") {
        try await script()
      } else if phase == "run" {
        try await untilCancelled()
      }
      note("\(name) \(phase).")
    } catch {
      note("\(name) \(phase)!")
      throw error
    }
  }
}

/// Waits until the task is cancelled, and then throws.
func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// A gate that blocks tasks until it is opened, even if they are cancelled.
@MainActor final class Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated init() {}

  func pass() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// The tags that distinguish the modules of one generic class.
enum Tag {
  enum A {}
  enum B {}
  enum C {}
  enum D {}
  enum E {}
}

/// A module with asynchronous phases, for each of the tags.
final class Worker<Name>: AsyncModule {
  static func subscribe(_ events: Subscriptions<Worker>) {
    events.on(.whoIsThere) { _, _ in ["\(Name.self)"] }
  }

  func setUp(_ context: Context) throws { context.world.note("\(Name.self) setUp") }
  func initialize(_ context: Context) throws { context.world.note("\(Name.self) initialize") }
  func becomeReady(_ context: Context) async throws { try await context.world.perform("\(Name.self)", "becomeReady") }
  func run(_ context: Context) async throws { try await context.world.perform("\(Name.self)", "run") }
  func shutDown(_ context: Context) async throws { try await context.world.perform("\(Name.self)", "shutDown") }
  func tearDown(_ context: Context) throws { context.world.note("\(Name.self) tearDown") }
}

/// A module without asynchronous phases.
final class Plain<Name>: Module {
  func setUp(_ context: Context) throws { context.world.note("\(Name.self) setUp") }
  func tearDown(_ context: Context) throws { context.world.note("\(Name.self) tearDown") }
}

extension Context {
  fileprivate var world: RunWorld { configuration[.runWorld]! }
}

/// A manager of a test and the state that its modules use.
@MainActor struct RunBench {
  let world = RunWorld()
  let problems = DiagnosticCollector()
  let time = ManualTime()
  let modules: ModuleManager

  init() {
    let world = world
    modules = ModuleManager(
      configuration: ContextValues { $0[.runWorld] = world }, time: time.source, onDiagnostic: problems.handler)
  }

  /// Runs the manager, and returns when all modules are ready.
  func begin() async throws -> Task<Void, any Error> {
    let running = run()
    try await until("the modules run") { modules.runner.phases != nil }
    await modules.waitUntilIdle()
    return running
  }

  func run(limits: PhaseLimits = PhaseLimits()) -> Task<Void, any Error> {
    Task { try await modules.run(limits: limits) }
  }

  /// Stops a run and waits for its end.
  func stop(_ running: Task<Void, any Error>) async throws {
    modules.triggerGracefulShutdown()
    try await running.value
  }

  @discardableResult
  func add(_ module: any Module.Type, _ level: ModuleLevel = .normal, after: (any Module.Type)...) -> Bool {
    modules.adds { $0.register(module, level: level, after: after.map { recordName(of: $0) }) }
  }
}
