import Lifecycle
import LifecycleTracing
import Registry
import TestSupport
import TestWaits
import Testing

extension AsyncEvent where Payload == Void, Outcome == Void {
  fileprivate static var fetch: Self { .init("test.slow.fetch") }
}

/// A module whose phases and handlers advance the test's clock.
private final class Slow: Module {
  static nonisolated(unsafe) var time = ManualTime()
  static nonisolated(unsafe) weak var manager: ModuleManager?

  init() { Self.time.advance(by: 2_000_000) }
  func setUp(_ context: Context) throws {
    Self.time.advance(by: 2_000_000)
    Self.manager?.trigger(.userDidLogIn, User(name: "Ada"))
  }
  func initialize(_ context: Context) throws { Self.time.advance(by: 1_500_000) }
  func didFinishStarting(_ context: Context) throws { Self.time.advance(by: 9_000_000) }
  func tearDown(_ context: Context) throws { Self.time.advance(by: 50_000_000) }

  static func subscribe(_ events: Subscriptions<Slow>) {
    events.on(.ping) { _, _ in
      time.advance(by: 1_000_000)
      manager?.trigger(.userDidLogIn, User(name: "Ada"))
      time.advance(by: 1_000_000)
    }
    events.on(.fetch) { _, _ in time.advance(by: 60_000_000) }
  }
}

private final class Quick: Module {
  static func subscribe(_ events: Subscriptions<Quick>) {
    events.on(.userDidLogIn) { _, _, _ in Slow.time.advance(by: 3_000_000) }
  }
}

/// A module with two slow handlers and a slow tear-down.
private final class Twice: Module {
  static func subscribe(_ events: Subscriptions<Twice>) {
    events.on(.ping) { _, _ in Slow.time.advance(by: 2_000_000) }
    events.on(.userDidLogIn) { _, _, _ in Slow.time.advance(by: 2_000_000) }
  }
  func tearDown(_ context: Context) throws { Slow.time.advance(by: 50_000_000) }
}

private final class Refused: Module {
  func setUp(_ context: Context) throws {
    Slow.time.advance(by: 2_000_000)
    throw Broken()
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct SlowWorkTests {
  let problems = DiagnosticCollector()
  let time = ManualTime()

  private func manager() -> ModuleManager {
    let manager = ModuleManager(modules: [Quick.self, Slow.self], onDiagnostic: problems.handler)
    (Slow.manager, Slow.time) = (manager, time)
    return manager
  }

  private var lines: [String] {
    problems.diagnostics.map { "\($0)" }
  }

  @Test func `a module and a handler that exceed a limit are reported once, without nested work`() async throws {
    let manager = manager()
    manager.reportSlow(module: 0.005, handler: 0.0025, time: time.source)
    try manager.start()
    await manager.waitUntilIdle()
    for _ in 0..<2 { manager.trigger(.ping) }
    await manager.trigger(.fetch, timeLimit: .infinity)
    #expect(
      lines.filter { $0.contains("[slow-") } == [
        "warning: LifecycleTracingTests.Quick: its handler of 'test.userDidLogIn' took 3.000 ms on the main actor, and"
          + " the limit is 2.500 ms; move the work off the main actor, or make the handler asynchronous [slow-handler]",
        "warning: LifecycleTracingTests.Slow: its phases up to 'initialize' took 5.500 ms on the main actor, and the"
          + " limit is 5.000 ms; move work to 'becomeReady', or to a service that's created on its first use"
          + " [slow-module]",
      ])
    manager.stop()
  }

  @Test func `each handler of a module is reported, and its tear-down is not`() async throws {
    let manager = ModuleManager(modules: [Twice.self], onDiagnostic: problems.handler)
    Slow.time = time
    manager.reportSlow(module: 0.005, handler: 0.001, time: time.source)
    try manager.start()
    await manager.waitUntilIdle()
    manager.trigger(.ping)
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    manager.stop()
    #expect(problems.codes == [.slowHandler, .slowHandler])
  }

  @Test func `the time of a set-up that failed does not count for the next one`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    Slow.time = time
    modules.reportSlow(module: 0.005, time: time.source)
    try modules.start()
    for _ in 0..<4 { modules.register(Refused.self) }
    #expect(!problems[.setUpFailed].isEmpty && problems[.slowModule].isEmpty)
    modules.stop()
  }

  @Test func `nothing is reported at the limit, without a limit, or after the token is cancelled`() async throws {
    let manager = manager()
    let tokens = [
      manager.reportSlow(module: 0.0145, handler: 0.003, time: time.source), manager.reportSlow(time: time.source),
    ]
    try manager.start()
    await manager.waitUntilIdle()
    manager.trigger(.ping)
    #expect(problems.codes.allSatisfy { $0 != .slowModule && $0 != .slowHandler })
    for token in tokens { #expect(token.cancel()) }
    let late = manager.reportSlow(handler: 0.001, time: time.source)
    #expect(late.cancel())
    manager.trigger(.ping)
    #expect(problems.codes.allSatisfy { $0 != .slowModule && $0 != .slowHandler })
    manager.stop()
  }

  @Test func `the limits do not keep the manager`() {
    weak var released: ModuleManager?
    do {
      let modules = ModuleManager(onDiagnostic: problems.handler)
      modules.reportSlow(module: 1, handler: 1)
      released = modules
    }
    #expect(released == nil)
  }

  #if DEBUG
  @Test func `limits in milliseconds are told`() {
    let problems = DiagnosticCollector()
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.reportSlow(module: 5, handler: 2)
    modules.reportSlow(module: 1, handler: 0.002)
    for threshold in [0, 250, 0.25] {
      let watchdog = StallWatchdog(threshold: threshold)
      watchdog.watch(modules)
      watchdog.stop()
    }
    #expect(problems.diagnostics.map(\.code) == ["slow-module", "slow-handler", "stall", "stall"])
    #expect(
      problems[.stall].map(\.message) == [
        "the threshold is 0.0, which counts as 0.001",
        "the threshold is 250.0 s, longer than 60.0 s; limits are in seconds, so write '0.25' for 250.0 ms, or"
          + " '.infinity' for no limit",
      ])
  }
  #endif
}
