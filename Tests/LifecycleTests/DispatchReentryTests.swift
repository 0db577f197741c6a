import Lifecycle
import Registry
import TestSupport
import Testing

extension Event where Payload == Void, Outcome == [String] {
  fileprivate static var ask: Self { .init("dispatch.reentry.ask", combining: .collect) }
  fileprivate static var others: [Self] {
    [
      .init("other.1", combining: .collect), .init("other.2", combining: .collect),
      .init("other.3", combining: .collect), .init("other.4", combining: .collect),
      .init("other.5", combining: .collect), .init("other.6", combining: .collect),
    ]
  }
}

/// The actions of the manager and its modules.
///
/// Only one test at a time uses them.
@MainActor private enum Script {
  static weak var manager: ModuleManager?
  /// The action that a module performs once.
  static var once: (@MainActor (ModuleManager) -> Void)?
  static var atTheEnd: (@MainActor () -> Void)?

  static func run() {
    let action = once
    once = nil
    if let manager { action?(manager) }
  }
}

/// A module that performs the action in its initializer.
private final class ActsInInit: Module {
  static weak var last: ActsInInit?
  let text: String

  init() {
    text = "made"
    Script.run()
  }

  func setUp(_ context: Context) { _ = Script.manager?.trigger(.ask) }

  static func subscribe(_ events: Subscriptions<ActsInInit>) {
    events.on(.ask) { module, _ in
      last = module
      return [module.text]
    }
  }
}

/// A module that performs the action in its set-up, which then fails.
private final class FailsOuterSetUp: Module {
  static var tornDown = 0

  func setUp(_ context: Context) throws {
    guard Script.once != nil else { return }
    Script.run()
    throw Broken()
  }

  func tearDown(_ context: Context) { Self.tornDown += 1 }

  static func subscribe(_ events: Subscriptions<FailsOuterSetUp>) {
    events.on(.ask) { _, _ in ["inner"] }
  }
}

/// A module whose subscriptions own an object that performs an action when it is released.
private final class Goes: Module {
  final class Holder {
    deinit { MainActor.assumeIsolated { Script.atTheEnd?() } }
  }

  static func subscribe(_ events: Subscriptions<Goes>) {
    let holder = Holder()
    events.on(.ask) { _, _ in withExtendedLifetime(holder) { ["goes"] } }
  }
}

private final class Stays: Module {
  static func subscribe(_ events: Subscriptions<Stays>) {
    for event in Event<Void, [String]>.others + [.ask] { events.on(event) { _, _ in ["stays"] } }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct DispatchReentryTests {
  let problems = DiagnosticCollector()

  private func started(_ modules: [any Module.Type]) async throws -> ModuleManager {
    let manager = ModuleManager(modules: modules, onDiagnostic: problems.handler)
    Script.manager = manager
    try manager.start()
    await manager.waitUntilIdle()
    return manager
  }

  @Test func `an event that the release of old handlers triggers calls each handler exactly once`() async throws {
    let modules = try await started([Stays.self, Goes.self])
    let events = Event<Void, [String]>.others + [.ask]
    // The order in which the lists of handlers are replaced differs from round to round, so the
    // object is released at different times.
    for _ in 1...10 {
      #expect(modules.trigger(.ask) == ["goes", "stays"])
      var heard: [String] = []
      Script.atTheEnd = { for event in events { heard += modules.trigger(event) } }
      defer { Script.atTheEnd = nil }
      modules.unregister(Goes.self)
      for event in events { #expect(modules.trigger(event) == ["stays"]) }
      #expect(heard == events.map { _ in "stays" })
      modules.register(Goes.self)
      await modules.waitUntilIdle()
    }
  }

  @Test(arguments: ["stop and start", "unregister", "register anew"])
  func `a module whose initializer changes the manager receives events only if it stays`(change: String) async throws {
    let modules = try await started([Stays.self])
    Script.once = { manager in
      switch change {
      case "stop and start":
        manager.stop()
        try? manager.start()
      case "unregister": manager.unregister(ActsInInit.self)
      default:
        manager.unregister(ActsInInit.self)
        manager.register(ActsInInit.self)
      }
    }
    modules.register(ActsInInit.self)
    await modules.waitUntilIdle()
    let isThere = change != "unregister"
    #expect(modules.trigger(.ask).sorted() == (isThere ? ["made", "stays"] : ["stays"]))
    #expect((ActsInInit.last != nil) == isThere)
    modules.stop()
    #expect(modules.trigger(.ask).isEmpty)
    #expect(ActsInInit.last == nil)
  }

  @Test func `a set-up that fails after its manager is restarted tears down the modules of that start`() async throws {
    let modules = try await started([Stays.self])
    Script.once = { manager in
      manager.stop()
      try? manager.start()
    }
    FailsOuterSetUp.tornDown = 0
    #expect(!modules.adds { $0.register(FailsOuterSetUp.self) })
    // The manager tore down the module that the nested start set up.
    #expect(FailsOuterSetUp.tornDown == 1)
    #expect(modules.trigger(.ask) == ["stays"])
  }
}
