import Lifecycle
import Registry
import TestSupport
import Testing

extension Event where Payload == Int, Outcome == [Int] {
  fileprivate static var count: Self { .init("dispatch.count", combining: .collect) }
  /// An event whose identifier is stored without a pointer, like every literal of one scalar.
  fileprivate static var short: Self { .init("#", combining: .collect) }
}

private final class Answers: Module {
  static func subscribe(_ events: Subscriptions<Answers>) {
    events.on(.count) { _, number, _ in [number] }
    events.on(.short) { _, number, _ in [-number] }
  }
}

/// A module whose handler calls a closure of the test and then reads the module's own state.
private final class Fragile: Module {
  static var inHandler: (ModuleManager) -> Void = { _ in }
  static weak var manager: ModuleManager?
  static weak var last: Fragile?
  let text = String(repeating: "still here ", count: 3)

  static func subscribe(_ events: Subscriptions<Fragile>) {
    events.on(.count) { module, number, _ in
      last = module
      if let manager { inHandler(manager) }
      return module.text.hasPrefix("still here") ? [number + 1] : []
    }
  }
}

/// A module that triggers an event when it is released.
private final class LastWords: Module {
  static var words: @MainActor () -> Void = {}
  static func subscribe(_ events: Subscriptions<LastWords>) {
    events.on(.count) { _, _, _ in
      Fragile.manager?.unregister(LastWords.self)
      return []
    }
  }
  deinit { MainActor.assumeIsolated { LastWords.words() } }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct DispatchTests {
  let problems = DiagnosticCollector()

  private func started(_ modules: [any Module.Type]) async throws -> ModuleManager {
    let manager = ModuleManager(modules: modules, onDiagnostic: problems.handler)
    Fragile.manager = manager
    try manager.start()
    // The didFinishStarting phase retains the modules until it ends.
    await manager.waitUntilIdle()
    return manager
  }

  @Test(arguments: ["unregister", "stop", "stop and start", "register another"])
  func `a module that its handler removes lives until the handler returns`(change: String) async throws {
    let modules = try await started([Fragile.self, Answers.self])
    var changes = 0
    Fragile.inHandler = { modules in
      changes += 1
      guard changes == 1 else { return }
      switch change {
      case "unregister": modules.unregister(Fragile.self)
      case "register another": modules.register(LastWords.self)
      default:
        modules.stop()
        if change == "stop and start" { try? modules.start() }
      }
      // The nested event creates new lists of handlers while the old one is in use.
      _ = modules.trigger(.short, 1)
    }
    defer { Fragile.inHandler = { _ in } }
    #expect(modules.trigger(.count, 1) == [1, 2])
    #expect((Fragile.last == nil) == (change != "register another"))
    #expect(modules.context.event == nil)
    let next = ["unregister": [1], "stop": [], "stop and start": [1, 2], "register another": [1, 2]]
    #expect(modules.trigger(.count, 1) == next[change])
  }

  @Test func `an object that is released at the end of an event can trigger events`() async throws {
    let modules = try await started([Answers.self, LastWords.self])
    var heard: [Int] = []
    LastWords.words = { heard = modules.trigger(.count, 7) }
    defer { LastWords.words = {} }
    #expect(modules.trigger(.count, 1) == [1])
    #expect(heard == [7])
  }

  @Test func `literals with one identifier are one event, with several addresses and without one`() async throws {
    let modules = try await started([Answers.self])
    for round in 1...3 {
      #expect(modules.trigger(.short, round) == [-round])
      #expect(modules.trigger(Event<Int, [Int]>("#", combining: .collect), round) == [-round])
      #expect(modules.trigger(Event<Int, [Int]>("dispatch.count", combining: .collect), round) == [round])
      #expect(modules.trigger(.count, round) == [round])
    }
    // This event has the address of a known identifier, but other types.
    #expect(modules.trigger(Event<String, [Int]>("dispatch.count", combining: .collect), "x").isEmpty)
    #expect(problems[.eventMismatch].count == 1)
    #expect(modules.trigger(.count, 4) == [4])
  }

  @Test func `a change between events applies to the next event`() async throws {
    let modules = try await started([Answers.self])
    #expect(modules.trigger(.count, 1) == [1])
    #expect(modules.adds { $0.register(Fragile.self) })
    #expect(modules.trigger(.count, 1) == [1, 2])
    #expect(modules.unregister(Answers.self))
    #expect(modules.trigger(.count, 1) == [2])
    modules.stop()
    #expect(modules.trigger(.count, 1).isEmpty && problems[.notStarted].count == 1)
    try modules.start()
    #expect(modules.trigger(.count, 1) == [2])
    #expect(modules.unregister(Fragile.self))
    #expect(modules.trigger(.count, 1).isEmpty)
  }
}
