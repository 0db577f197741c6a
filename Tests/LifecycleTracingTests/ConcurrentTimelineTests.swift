import Foundation
import Lifecycle
@testable import LifecycleTracing
import Registry
import TestSupport
import TestWaits
import Testing

extension AsyncEvent where Payload == Void, Outcome == Void {
  fileprivate static var fetch: Self { .init("test.fetch") }
}

/// A module whose asynchronous handler and phases take time.
private final class Patient: AsyncModule {
  static nonisolated(unsafe) var time = ManualTime()
  static nonisolated(unsafe) weak var manager: ModuleManager?

  static func subscribe(_ events: Subscriptions<Patient>) {
    events.on(.fetch) { _, _ in try await time.source.sleep(10_000_000) }
    events.inNextTurn(.userDidLogIn) { _, _, _ in
      time.advance(by: 1_000_000)
      manager?.trigger(.ping)
    }
    events.on(.ping) { _, _ in time.advance(by: 2_000_000) }
  }

  func becomeReady(_ context: Context) async throws {
    Self.time.advance(by: 3_000_000)
    await Task.yield()
    Self.time.advance(by: 4_000_000)
  }
  func run(_ context: Context) async throws { throw Broken() }
  func shutDown(_ context: Context) async throws { Self.time.advance(by: 5_000_000) }
}

/// A module without asynchronous phases and with the same handlers.
private final class Waiting: Module {
  static func subscribe(_ events: Subscriptions<Waiting>) {
    events.on(.fetch) { _, _ in try await Patient.time.source.sleep(10_000_000) }
    events.inNextTurn(.userDidLogIn) { _, _, _ in
      Patient.time.advance(by: 1_000_000)
      Patient.manager?.trigger(.ping)
    }
    events.on(.ping) { _, _ in Patient.time.advance(by: 2_000_000) }
  }
}

private protocol Part: Sendable {}
private struct Wheel: Part {}
private protocol Car: Sendable {}
private struct Cab: Car {}

/// A source that reports what a test makes it report.
private final class TestSource: IntervalSource {
  let observer = Locked<(@Sendable (ObservedInterval) -> Void)?>(nil)

  func observeIntervals(_ observer: @escaping @Sendable (ObservedInterval) -> Void) -> RegistrationToken {
    self.observer.withLock { $0 = observer }
    return RegistrationToken {
      self.observer.withLock { $0 = nil }
      return true
    }
  }

  func report(_ number: Int, _ name: String, hasEnded: Bool, isConcurrent: Bool = true) {
    let observer = observer.withLock { $0 }
    observer?(ObservedInterval(id: number, kind: "route", name: name, isConcurrent: isConcurrent, hasEnded: hasEnded))
  }
}

/// Asynchronous work, and work off the main actor, in timelines.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ConcurrentTimelineTests {
  let problems = DiagnosticCollector()
  let time = ManualTime()
  let timeline: LifecycleTimeline

  init() {
    timeline = LifecycleTimeline(time: time.source)
    Patient.time = time
  }

  private func manager(_ module: any Module.Type) -> ModuleManager {
    let manager = ModuleManager(modules: [module], onDiagnostic: problems.handler)
    Patient.manager = manager
    return manager
  }

  private var lines: [String] {
    timeline.entries.map {
      "\($0.interval.activity) \($0.duration / 1_000_000) \($0.nested / 1_000_000) \($0.interval.isConcurrent ? "concurrent" : "main")"
    }
  }

  @Test func `a timeline keeps nothing of a source whose observation was canceled`() {
    weak var released: TestSource?
    do {
      let source = TestSource()
      released = source
      #expect(timeline.observe(source).cancel())
    }
    #expect(released == nil)
  }

  @Test func `the entry of an asynchronous handler lasts until the handler has returned`() async throws {
    let manager = manager(Waiting.self)
    try manager.start()
    await manager.waitUntilIdle()
    timeline.observe(manager)
    let answer = Task { await manager.trigger(.fetch, timeLimit: .infinity) }
    try await time.sleepers(1)
    manager.trigger(.ping)
    time.advance(by: 8_000_000)
    await answer.value
    #expect(
      timeline.table == """
        activity                 module, service, or route      calls  total ms  self ms  max ms
        test.fetch (concurrent)  LifecycleTracingTests.Waiting      1    10.000        -  10.000
        test.ping                LifecycleTracingTests.Waiting      1     2.000    2.000   2.000
        """)
    #expect(lines == ["test.ping 2 0 main", "test.fetch 10 0 concurrent"])
    #expect(timeline.entries[1].begin == 1_000_000_000)
    #expect(problems.codes.isEmpty)
  }

  @Test func `work in the next turn is recorded when it runs, with the events that it triggers`() async throws {
    let manager = manager(Waiting.self)
    try manager.start()
    await manager.waitUntilIdle()
    timeline.observe(manager)
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(timeline.entries.isEmpty)
    await manager.waitUntilIdle()
    #expect(lines == ["test.ping 2 0 main", "test.userDidLogIn 3 2 main"])
    #expect(timeline.entries.map(\.depth) == [1, 0])
  }

  @Test func `a handler that runs off the main actor is recorded with the time of its task`() async throws {
    let manager = manager(Waiting.self)
    let time = time
    manager.on(.userDidLogIn, once: true, taskPriority: .high) { user in
      #expect(!MainActor.shared.isCurrent)
      time.advance(by: 6_000_000)
      throw Broken()
    }
    try manager.start()
    await manager.waitUntilIdle()
    timeline.observe(manager)
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    await manager.waitUntilIdle()
    let concurrent = timeline.entries.filter(\.interval.isConcurrent)
    #expect(concurrent.map(\.interval.activity) == ["test.userDidLogIn"] && timeline.entries.count == 3)
    #expect(concurrent[0].duration >= 6_000_000)
    #expect(concurrent[0].interval.name.hasPrefix("LifecycleTracingTests/ConcurrentTimelineTests.swift:"))
    #expect(problems.codes == [.handlerFailed])
  }

  @Test func `asynchronous phases are recorded, including those that throw`() async throws {
    let manager = manager(Patient.self)
    timeline.observe(manager)
    await #expect(throws: ModuleError.self) { try await manager.run() }
    #expect(
      lines.filter { $0.hasSuffix("concurrent") } == [
        "becomeReady 7 0 concurrent", "run 0 0 concurrent", "shutDown 5 0 concurrent",
      ])
  }

  @Test func `an observer that is added during asynchronous work does not receive its end`() async throws {
    let manager = manager(Waiting.self)
    try manager.start()
    await manager.waitUntilIdle()
    let answer = Task { await manager.trigger(.fetch, timeLimit: .infinity) }
    try await time.sleepers(1)
    timeline.observe(manager)
    time.advance(by: 10_000_000)
    await answer.value
    #expect(timeline.entries.isEmpty)
  }

  @Test func `the creation of a service is nested in the handler or service that causes it`() async throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let time = time
    services.register(Part.self, scope: .shared, fileID: "Parts/Wheel.swift", line: 1) {
      time.advance(by: 3_000_000)
      return Wheel()
    }
    // The manager and the closure keep each other alive until the registration ends.
    defer { services.unregister(Car.self) }
    services.register(Car.self, fileID: "Cars/Cab.swift", line: 1) {
      _ = try services.createService(for: Part.self)
      time.advance(by: 1_000_000)
      return Cab()
    }
    let manager = ModuleManager(services: services, onDiagnostic: problems.handler)
    manager.on(.ping, fileID: "Test/Ping.swift", line: 1, column: 1) { _ in
      for _ in 0..<2 { _ = try services.createService(for: Car.self) }
    }
    try manager.start()
    await manager.waitUntilIdle()
    timeline.observe(manager)
    let token = timeline.observe(services)
    manager.trigger(.ping)
    #expect(
      timeline.table == """
        activity   module, service, or route           calls  total ms  self ms  max ms
        service    the factory at Cars/Cab.swift:1         2     5.000    2.000   4.000
        service    the factory at Parts/Wheel.swift:1      1     3.000    3.000   3.000
        test.ping  Test/Ping.swift:1:1                     1     5.000    0.000   5.000
        """)
    #expect(timeline.entries.map(\.depth) == [2, 1, 1, 0])
    timeline.clear()
    await Task.detached { _ = try? services.createService(for: Car.self) }.value
    #expect(lines == ["service 1 0 concurrent"])
    #expect(token.cancel() && !token.cancel())
    manager.trigger(.ping)
    #expect(timeline.entries.count == 2)
    #expect(problems.codes.isEmpty)
  }

  @Test func `intervals of several sources are recorded under the names that they have at the end`() throws {
    let (first, second) = (TestSource(), TestSource())
    let tokens = [timeline.observe(first), timeline.observe(second)]
    first.report(1, "", hasEnded: false)
    time.advance(by: 1_000_000)
    second.report(1, "", hasEnded: false)
    // Intervals in progress remain.
    timeline.clear()
    time.advance(by: 1_000_000)
    first.report(1, "shop.home", hasEnded: true)
    second.report(1, "shop.cart", hasEnded: true)
    // The first of these did not begin, and the second has already ended.
    second.report(2, "shop.lost", hasEnded: true)
    first.report(1, "shop.home", hasEnded: true)
    #expect(
      timeline.table == """
        activity            module, service, or route  calls  total ms  self ms  max ms
        route (concurrent)  shop.home                      1     2.000        -   2.000
        route (concurrent)  shop.cart                      1     1.000        -   1.000
        """)
    #expect(timeline.entries.allSatisfy { $0.interval.kind == "route" && $0.interval.activity == "route" })
    let trace = try #require(try JSONSerialization.jsonObject(with: timeline.chromeTrace()) as? [String: Any])
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    let lines = events.filter { $0["ph"] as? String != "M" }.map { event in
      "\(event["ph"] ?? "") \(event["id"] ?? "") \(event["cat"] ?? "") \(event["name"] ?? "")"
        + " \(event["ts"] as? Double ?? -1) \(event["dur"] ?? "")"
    }
    #expect(
      lines == [
        "b 0 route shop.home 0.0 ", "e 0 route shop.home 2000.0 ", "b 1 route shop.cart 1000.0 ",
        "e 1 route shop.cart 2000.0 ",
      ])
    for token in tokens { token.cancel() }
    #expect(first.observer.withLock { $0 == nil } && second.observer.withLock { $0 == nil })
  }

  @Test func `a timeline that is deallocated ends its observations`() {
    let source = TestSource()
    let token: RegistrationToken
    do {
      let timeline = LifecycleTimeline()
      token = timeline.observe(source)
      #expect(source.observer.withLock { $0 != nil })
    }
    #expect(source.observer.withLock { $0 == nil })
    withExtendedLifetime(token) {}
  }

  @Test func `a concurrent entry beyond the limit is counted`() {
    let timeline = LifecycleTimeline(limit: 1, time: time.source)
    let source = TestSource()
    timeline.observe(source)
    for number in 0..<3 {
      source.report(number, "", hasEnded: false)
      source.report(number, "shop.home", hasEnded: true)
    }
    #expect(timeline.entries.count == 1 && timeline.dropped == 2)
    timeline.clear()
    for number in 3..<5 {
      source.report(number, "", hasEnded: false)
      source.report(number, "shop.home", hasEnded: true)
    }
    #expect(timeline.table.hasSuffix("\n1 more entry was not recorded; the limit is 1"))
    #expect(LifecycleTimeline().table.hasSuffix("; call 'observe(_:)' with a manager before its start"))
  }

  @Test func `the trace names the image of an entry`() throws {
    let (source, image) = (TestSource(), LoadedImage(path: "/opt/libShop.so", serial: 1, batch: 0))
    timeline.observe(source)
    let observer = try #require(source.observer.withLock { $0 })
    for hasEnded in [false, true] {
      observer(
        ObservedInterval(id: 1, kind: "route", name: "a", image: image, isConcurrent: true, hasEnded: hasEnded))
    }
    let trace = String(decoding: try timeline.chromeTrace(), as: UTF8.self)
    #expect(trace.contains(#""image":"libShop.so""#), "\(trace)")
  }

  @Test func `a suspended handler is not a stall`() async throws {
    let manager = manager(Waiting.self)
    try manager.start()
    let clock = ManualTime()
    let stalls = Trace()
    let watchdog = StallWatchdog(threshold: 1, time: clock.source) { stalls.add("\($0)") }
    watchdog.watch(manager)
    try await clock.sleepers(1)
    let answer = Task { await manager.trigger(.fetch, timeLimit: .infinity) }
    try await time.sleepers(1)
    for _ in 0..<8 {
      clock.advance(seconds: 0.25)
      try await clock.sleepers(1)
      // Let the watchdog's work run on the main actor.
      for _ in 0..<10 { await Task.yield() }
    }
    time.advance(by: 10_000_000)
    await answer.value
    #expect(stalls.lines.isEmpty && problems.codes.isEmpty)
    watchdog.stop()
  }
}
