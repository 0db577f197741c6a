import Lifecycle
import LifecycleTracing
import Registry
import TestSupport
import Testing

/// A module whose phases advance the test's clock.
@MainActor private protocol Timed: Module {}

extension Timed {
  func setUp(_ context: Context) throws { context.configuration[.clock]?.advance(by: 1_000_000) }
  func tearDown(_ context: Context) throws { context.configuration[.clock]?.advance(by: 2_000_000) }
}

extension ContextKey where Value == ManualTime? {
  fileprivate static var clock: Self { .init("test.clock") }
}

private final class Whole: Timed {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<Whole>) {
    events.on(.userDidLogIn) { _, _, context in
      context.configuration[.clock]?.advance(by: 3_000_000)
      manager?.trigger(.ping)
      context.configuration[.clock]?.advance(by: 4_000_000)
    }
  }
}

private final class Inmost: Timed {
  static func subscribe(_ events: Subscriptions<Inmost>) {
    events.on(.ping) { _, context in context.configuration[.clock]?.advance(by: 5_000_000) }
    events.on(.userDidLogIn, .afterApp) { _, _, context in
      context.configuration[.clock]?.advance(by: 500_000)
      throw Broken()
    }
  }
}

/// A module that changes the manager's observers during an event.
private final class Switch: Module {
  static var change: (ModuleManager) -> Void = { _ in }
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static func subscribe(_ events: Subscriptions<Switch>) {
    events.on(.ping) { _, _ in if let manager { change(manager) } }
  }
}

@Suite(.serialized) @MainActor struct TimelineTests {
  let problems = DiagnosticCollector()
  let time = ManualTime()

  private func manager() -> ModuleManager {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.context.configuration[.clock] = time
    manager.register(Whole.self)
    manager.register(Inmost.self, priority: -1)
    Whole.manager = manager
    Switch.manager = manager
    return manager
  }

  @Test func `each phase and each handler has its own time, without that of nested events`() throws {
    let manager = manager()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    try manager.start()
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    manager.stop()
    let entries = timeline.entries.map {
      "\($0.interval) \($0.duration / 1_000_000) \($0.nested / 1_000_000) \($0.depth)"
    }
    let names = { (text: String) in "LifecycleTracingTests.\(text)" }
    #expect(
      entries
        == [
          "Whole: init 0 0 0", "Whole: setUp 1 0 0", "Inmost: init 0 0 0", "Inmost: setUp 1 0 0",
          "Whole: initialize 0 0 0", "Inmost: initialize 0 0 0", "Inmost: test.ping 5 0 1",
          "Whole: test.userDidLogIn 12 5 0",
          "Inmost: test.userDidLogIn 0 0 0", "Inmost: tearDown 2 0 0", "Whole: tearDown 2 0 0",
        ].map(names))
    #expect(timeline.entries[0].begin == 1_000_000_000)
    #expect(timeline.entries[7].begin == 1_002_000_000)
    #expect(timeline.entries[6].begin == 1_005_000_000)
    #expect(problems.codes == [.handlerFailed])
  }

  @Test func `the table contains sums, the longest first`() throws {
    let manager = manager()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    try manager.start()
    for _ in 0..<2 { manager.trigger(.userDidLogIn, User(name: "Ada")) }
    #expect(
      timeline.table == """
        activity           module, service, or route     calls  total ms  self ms  max ms
        test.userDidLogIn  LifecycleTracingTests.Whole       2    24.000   14.000  12.000
        test.userDidLogIn  LifecycleTracingTests.Inmost      2     1.000    1.000   0.500
        test.ping          LifecycleTracingTests.Inmost      2    10.000   10.000   5.000
        setUp              LifecycleTracingTests.Inmost      1     1.000    1.000   1.000
        setUp              LifecycleTracingTests.Whole       1     1.000    1.000   1.000
        init               LifecycleTracingTests.Inmost      1     0.000    0.000   0.000
        init               LifecycleTracingTests.Whole       1     0.000    0.000   0.000
        initialize         LifecycleTracingTests.Inmost      1     0.000    0.000   0.000
        initialize         LifecycleTracingTests.Whole       1     0.000    0.000   0.000
        """)
    timeline.clear()
    #expect(timeline.table == "nothing was recorded")
  }

  @Test func `the table escapes names`() throws {
    let manager = ModuleManager()
    manager.register(named: "a\nb\u{1b}") { Inmost() }
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    try manager.start()
    #expect(timeline.table.contains("  a\\u{a}b\\u{1b}  "))
  }

  @Test func `the table rounds nanoseconds to the nearest microsecond`() throws {
    for (nanoseconds, text) in [(1_499, "0.001"), (1_500, "0.002"), (12_345_678, "12.346"), (60_999_500, "61.000")]
      as [(UInt64, Substring)]
    {
      let timeline = LifecycleTimeline(time: time.source)
      let manager = ModuleManager()
      let time = time
      manager.on(.ping, fileID: "M", line: 1, column: 1) { _ in time.advance(by: nanoseconds) }
      try manager.start()
      timeline.observe(manager)
      manager.trigger(.ping)
      #expect(timeline.table.split(separator: " ").suffix(4) == ["1", text, text, text])
    }
  }

  @Test func `an entry takes about a hundred bytes`() {
    #expect(MemoryLayout<LifecycleTimeline.Entry>.stride <= 104)
  }

  @Test func `a timeline records nothing while it is off, and no more than its limit`() throws {
    let manager = manager()
    let timeline = LifecycleTimeline(limit: 3, time: time.source)
    try manager.start()
    manager.trigger(.ping)
    #expect(timeline.entries.isEmpty)
    let token = timeline.observe(manager)
    for _ in 0..<5 { manager.trigger(.ping) }
    #expect(timeline.entries.count == 3 && timeline.dropped == 2)
    #expect(timeline.table.hasSuffix("2 more entries were not recorded; the limit is 3"))
    #expect(token.cancel() && !token.cancel())
    manager.trigger(.ping)
    #expect(timeline.dropped == 2)
  }

  @Test func `a timeline continues when another one ends`() throws {
    let manager = manager()
    let (first, second) = (LifecycleTimeline(time: time.source), LifecycleTimeline(time: time.source))
    let token = first.observe(manager)
    second.observe(manager)
    try manager.start()
    #expect(token.cancel())
    second.clear()
    manager.trigger(.ping)
    #expect(second.entries.map(\.interval.activity) == ["test.ping"])
  }

  @Test func `a timeline can be turned on and off during an event, and each handler is called once`() throws {
    let manager = manager()
    manager.register(Switch.self)
    try manager.start()
    let timeline = LifecycleTimeline(time: time.source)
    var token: RegistrationToken?
    Switch.change = { token = timeline.observe($0) }
    manager.trigger(.ping)
    #expect(timeline.entries.isEmpty)
    Switch.change = { _ in token?.cancel() }
    manager.trigger(.ping)
    #expect(timeline.entries.map(\.interval.activity) == ["test.ping"])
    Switch.change = { $0.unregister(Inmost.self) }
    timeline.observe(manager)
    timeline.clear()
    let before = time.now
    manager.trigger(.ping)
    // Inmost follows this module in order and has been removed, so only its tear-down took time.
    #expect(time.now - before == 2_000_000)
    #expect(timeline.entries.map(\.interval.activity) == ["tearDown", "test.ping"])
  }

  @Test func `a timeline changes neither the order nor the outcome of an event with a host`() throws {
    let manager = manager()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    try manager.start()
    var hosts = 0
    manager.trigger(.userDidLogIn, User(name: "Ada")) { _ in
      hosts += 1
      #expect(problems.codes.isEmpty)
    }
    #expect(hosts == 1 && problems.codes == [.handlerFailed])
    withExtendedLifetime(timeline) {}
  }
}
