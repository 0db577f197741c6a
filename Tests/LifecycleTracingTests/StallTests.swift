import Foundation
@testable import Lifecycle
@testable import LifecycleTracing
import Registry
import TestSupport
import TestWaits
import Testing

private final class Slow: Module {
  static nonisolated(unsafe) var work: @MainActor () -> Void = {}
  static func subscribe(_ events: Subscriptions<Slow>) { events.on(.ping) { _, _ in work() } }
}

private final class Triggers: Module {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static nonisolated(unsafe) var work: @MainActor () -> Void = {}
  static func subscribe(_ events: Subscriptions<Triggers>) {
    events.on(.userDidLogIn) { _, _, _ in
      work()
      manager?.trigger(.ping)
    }
  }
}

/// Stalls that are measured with the test's own clock.
///
/// A handler simulates work by advancing the clock.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct StallTests {
  let problems = DiagnosticCollector()
  let time = ManualTime()
  let stalls = Trace()

  private func watched(_ threshold: Double = 1) async throws -> (ModuleManager, StallWatchdog) {
    let manager = ModuleManager(modules: [Slow.self, Triggers.self], onDiagnostic: problems.handler)
    Triggers.manager = manager
    try manager.start()
    await manager.waitUntilIdle()
    let stalls = stalls
    let watchdog = StallWatchdog(threshold: threshold, time: time.source) { stalls.add("\($0)") }
    watchdog.watch(manager)
    try await time.sleepers(1)
    return (manager, watchdog)
  }

  /// Blocks the main actor, and with it this test, while the watchdog checks it.
  ///
  /// - Parameter checks: The number of checks in a second.
  private func spend(_ seconds: Double, checks: Double = 4) {
    var rest = seconds
    while rest > 0.000_1 {
      blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
      time.advance(seconds: min(rest, 1 / checks))
      rest -= 1 / checks
    }
    if rest > -0.000_1 { blockUntil("the watchdog has checked") { time.sleeperCount > 0 } }
  }

  /// Blocks the main actor, and with it this test, until the watchdog has reported a stall from its
  /// own thread.
  private func hold(for seconds: Double) {
    let count = stalls.lines.count
    spend(seconds)
    blockUntil("the watchdog tells of the stall") { stalls.lines.count > count }
  }

  @Test func `a slow handler is reported while it runs and when it ends`() async throws {
    let (manager, watchdog) = try await watched()
    Slow.work = { hold(for: 1.5) }
    manager.trigger(.ping)
    #expect(
      stalls.lines == [
        "the handler of 'test.ping' in 'LifecycleTracingTests.Slow' has been blocking the main actor for 1.25 s",
        "the handler of 'test.ping' in 'LifecycleTracingTests.Slow' blocked the main actor for 1.50 s",
      ])
    #expect(problems.codes == [.stall])
    #expect(problems.diagnostics[0].subject == "LifecycleTracingTests.Slow")
    watchdog.stop()
  }

  @Test(arguments: [(0.3, "0.30 s"), (1.05, "1.05 s"), (1.1, "1.10 s"), (59.996, "60.00 s"), (600, "600.00 s")])
  func `the duration is reported in hundredths of a second`(seconds: Double, text: String) {
    let stall = Stall(intervals: [], nanoseconds: UInt64(seconds * 1e9), isOver: true)
    #expect(stall.description == "code outside of synchronous handlers and phases blocked the main actor for \(text)")
  }

  @Test func `the handlers around the innermost one are named from the inside to the outside`() {
    let intervals = ["a", "b", "c"].map {
      ObservedInterval(id: 1, kind: "route", name: $0, isConcurrent: false, hasEnded: false)
    }
    let stall = Stall(intervals: intervals, nanoseconds: 1_000_000_000, isOver: true)
    #expect(stall.description.hasSuffix(" for 1.00 s, within 'route' in 'b', within 'route' in 'a'"), "\(stall)")
  }

  @Test func `two stalls in one turn are both reported`() async throws {
    let (manager, watchdog) = try await watched()
    for _ in 0..<2 {
      blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
      Slow.work = { hold(for: 1.5) }
      manager.trigger(.ping)
    }
    #expect(stalls.lines.filter { $0.contains("has been blocking") }.count == 2)
    #expect(stalls.lines.filter { $0.contains(" blocked ") }.count == 2)
    watchdog.stop()
  }

  @Test func `the innermost handler is named first, and then the handlers around it`() async throws {
    let (manager, watchdog) = try await watched()
    // A manager that is watched twice is watched once.
    watchdog.watch(manager)
    Slow.work = { spend(2) }
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(
      stalls.lines.last
        == "the handler of 'test.ping' in 'LifecycleTracingTests.Slow' blocked the main actor for 2.00 s, within the"
        + " handler of 'test.userDidLogIn' in 'LifecycleTracingTests.Triggers'"
    )
    #expect(problems.codes == [.stall] && problems.diagnostics[0].subject == "LifecycleTracingTests.Slow")
    watchdog.stop()
  }

  @Test func `a stall begins with the outermost handler, which is named if no inner one is slow`() async throws {
    let (manager, watchdog) = try await watched()
    defer { Triggers.work = {} }
    Triggers.work = {
      spend(0.75)
    }
    Slow.work = { hold(for: 0.5) }
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    let outer = "the handler of 'test.userDidLogIn' in 'LifecycleTracingTests.Triggers'"
    let inner = "the handler of 'test.ping' in 'LifecycleTracingTests.Slow'"
    #expect(
      stalls.lines == [
        "\(inner) has been blocking the main actor for 1.25 s, within \(outer)",
        "\(outer) blocked the main actor for 1.25 s",
      ])
    #expect(problems.diagnostics.map(\.subject) == ["LifecycleTracingTests.Triggers"])
    watchdog.stop()
  }

  @Test func `nothing is reported below the threshold or after the watchdog stops`() async throws {
    let (manager, watchdog) = try await watched()
    Slow.work = { spend(1) }
    manager.trigger(.ping)
    #expect(stalls.lines.isEmpty)
    #expect(!manager.context.workObservers.list.isEmpty)
    watchdog.stop()
    // Dispatch without observers is faster.
    #expect(manager.context.workObservers.list.isEmpty)
    Slow.work = { time.advance(seconds: 9) }
    manager.trigger(.ping)
    #expect(stalls.lines.isEmpty && problems.codes.isEmpty)
  }

  /// A handler that ended before the watchdog asked did not cause the stall.
  @Test(arguments: [false, true]) func `a stall that no module causes is reported`(handled: Bool) async throws {
    let (manager, watchdog) = try await watched()
    if handled { manager.trigger(.ping) }
    let others = DiagnosticCollector()
    let other = ModuleManager(onDiagnostic: others.handler)
    watchdog.watch(other)
    // The watchdog queries the main actor, which cannot answer while this test blocks it.
    time.advance(seconds: 0.3)
    blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
    hold(for: 5)
    let culprit = "code outside of synchronous handlers and phases"
    #expect(stalls.lines.first?.hasPrefix("\(culprit) has been blocking the main actor for 1.") == true)
    try await until("the watchdog tells that the stall is over") { stalls.lines.count >= 2 && !problems.codes.isEmpty }
    #expect(stalls.lines[1].hasPrefix("\(culprit) blocked the main actor for 5."))
    #expect(problems.codes == [.stall] && problems.diagnostics[0].subject == "the main actor")
    // The stall belongs to no manager and is reported once.
    #expect(others.diagnostics.isEmpty)
    watchdog.stop()
    withExtendedLifetime(manager) {}
  }

  @Test func `the rest of a turn is not part of the stall before it`() async throws {
    let (manager, watchdog) = try await watched()
    // The watchdog queries the main actor, which cannot answer while this test blocks it.
    time.advance(seconds: 0.3)
    blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
    Slow.work = { hold(for: 1.5) }
    manager.trigger(.ping)
    #expect(stalls.lines.count == 2)
    for _ in 0..<2 {
      blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
      time.advance(seconds: 0.3)
    }
    blockUntil("the watchdog sleeps") { time.sleeperCount > 0 }
    #expect(stalls.lines.count == 2)
    #expect(problems.codes == [.stall])
    watchdog.stop()
  }

  @Test func `the watchdog checks every quarter of its threshold, at most four times a millisecond`()
    async throws
  {
    for (threshold, nanoseconds) in [(1, "250000000"), (0, "250000")] {
      let waits = Trace()
      let waiting = TimeSource(
        now: { 0 },
        sleep: { nanoseconds in
          waits.add("\(nanoseconds)")
          throw Broken()
        })
      let watchdog = StallWatchdog(threshold: Double(threshold), time: waiting)
      watchdog.watch(ModuleManager())
      try await until("the watchdog waits") { !waits.lines.isEmpty }
      #expect(waits.lines == [nanoseconds])
    }
  }

  @Test func `a stall is a diagnostic also without a handler for stalls`() async throws {
    let manager = ModuleManager(modules: [Slow.self], onDiagnostic: problems.handler)
    try manager.start()
    let watchdog = StallWatchdog(time: time.source)
    watchdog.watch(manager)
    try await time.sleepers(1)
    Slow.work = { spend(0.3, checks: 16) }
    manager.trigger(.ping)
    #expect(problems.codes == [.stall])
    watchdog.stop()
  }

  @Test func `a watchdog watches until its manager is released`() async throws {
    var manager: ModuleManager? = ModuleManager(modules: [Slow.self])
    var watchdog: StallWatchdog? = StallWatchdog(time: time.source)
    weak let reference = watchdog
    if let manager { watchdog?.watch(manager) }
    try await time.sleepers(1)
    watchdog = nil
    #expect(reference != nil)
    manager = nil
    #expect(reference == nil)
    try await until("the watchdog no longer sleeps") { time.sleeperCount == 0 }
  }

  @Test func `a watchdog that code retains stops when its managers are released, and can watch another`() async throws {
    let watchdog = StallWatchdog(threshold: 1, time: time.source)
    for _ in 0..<2 {
      var manager: ModuleManager? = ModuleManager()
      watchdog.watch(try #require(manager))
      try await time.sleepers(1)
      manager = nil
      time.advance(seconds: 0.25)
      blockUntil("the watchdog has checked") { time.sleeperCount > 0 }
      try await until("the watchdog no longer sleeps") { time.sleeperCount == 0 }
    }
  }

  @Test func `a watchdog continues when its first manager is released`() async throws {
    let watchdog = StallWatchdog(threshold: 1, time: time.source)
    var first: ModuleManager? = ModuleManager()
    let second = ModuleManager()
    watchdog.watch(try #require(first))
    watchdog.watch(second)
    try await time.sleepers(1)
    first = nil
    time.advance(seconds: 0.25)
    blockUntil("the watchdog has checked") { time.sleeperCount > 0 }
    try await until("the main actor has answered") { watchdog.state.withLock { $0.asked == nil } }
    #expect(watchdog.state.withLock { $0.task != nil })
    watchdog.stop()
    withExtendedLifetime(second) {}
  }

  @Test func `a watchdog forgets managers that are released`() async throws {
    let (manager, watchdog) = try await watched()
    for _ in 0..<10 { watchdog.watch(ModuleManager()) }
    #expect(watchdog.state.withLock { $0.watched.count } == 2)
    watchdog.stop()
    withExtendedLifetime(manager) {}
  }

  @Test func `a late check ignores the events that began after the stall`() async throws {
    let manager = ModuleManager(modules: [Slow.self], onDiagnostic: problems.handler)
    try manager.start()
    await manager.waitUntilIdle()
    let clock = SlowClock()
    let watchdog = StallWatchdog(threshold: 1, time: clock.source)
    watchdog.watch(manager)
    // The test does not suspend from here on, so the main actor does not answer.
    clock.waitForLooks(3)
    clock.hold()
    Slow.work = { clock.set(seconds: 20) }
    manager.trigger(.ping)
    clock.set(seconds: 30)
    Slow.work = {
      clock.release()
      clock.waitForLooks(3)
    }
    manager.trigger(.ping)
    watchdog.stop()
    // The watchdog made no check meanwhile, as while the process is suspended.
    #expect(problems.codes.isEmpty)
  }

  @Test func `the time in which the process is suspended is no stall`() async throws {
    let (manager, watchdog) = try await watched()
    // While the process is suspended, the watchdog makes no checks, and the clock continues.
    Slow.work = { time.advance(seconds: 3_600) }
    manager.trigger(.ping)
    try await time.sleepers(1)
    #expect(stalls.lines.isEmpty && problems.codes.isEmpty)
    // Only the time in which the process runs counts: half a second at most for the suspension.
    Slow.work = {
      time.advance(seconds: 3_600)
      hold(for: 1.5)
    }
    manager.trigger(.ping)
    #expect(stalls.lines.count == 2)
    #expect(stalls.lines.allSatisfy { $0.hasSuffix("for 2.00 s") || $0.hasSuffix("for 1.25 s") }, "\(stalls.lines)")
    watchdog.stop()
  }
}

/// A clock that can stop the watchdog's thread between reading the time and using it.
private final class SlowClock: @unchecked Sendable {
  // Unchecked: The condition guards all mutable variables.
  private let condition = NSCondition()
  private var now: UInt64 = 10_000_000_000
  private var looks = 0
  private var holds = false
  /// The thread of the main actor, which does not need to be the first thread of the process.
  private let own = pthread_self()
  private var isHeld = false

  var source: TimeSource {
    TimeSource(now: { self.read() }, sleep: { _ in try await Task.sleep(nanoseconds: 1_000_000) })
  }

  private func read() -> UInt64 {
    condition.withLock {
      let value = now
      guard pthread_self() != own else { return value }
      looks += 1
      while holds {
        isHeld = true
        condition.broadcast()
        condition.wait()
      }
      isHeld = false
      condition.broadcast()
      return value
    }
  }

  func set(seconds: UInt64) { condition.withLock { now = seconds * 1_000_000_000 } }

  func waitForLooks(_ count: Int) {
    let end = condition.withLock { looks } + count
    blockUntil("the watchdog reads the time") { condition.withLock { looks >= end } }
  }

  /// Blocks until the watchdog has read the time and is stopped.
  func hold() {
    condition.withLock { holds = true }
    blockUntil("the watchdog reads the time, and goes no further") { condition.withLock { isHeld } }
  }

  func release() {
    condition.withLock {
      holds = false
      condition.broadcast()
    }
  }
}
