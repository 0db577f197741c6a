import LifecycleTracing
import Foundation
import Lifecycle
import TestSupport
import Testing

private final class Loud: Module {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  static nonisolated(unsafe) var time: ManualTime?
  static func subscribe(_ events: Subscriptions<Loud>) {
    events.on(Event<Void, Void>("trace.outer")) { _, _ in
      time?.advance(by: 1_500)
      manager?.trigger(Event<Void, Void>("trace.\"inner\"\n"))
    }
    events.on(Event<Void, Void>("trace.\"inner\"\n")) { _, _ in time?.advance(by: 2_000) }
  }
}

/// The times in a trace. `JSONSerialization` would round them.
private struct Times: Decodable {
  struct Event: Decodable {
    var ts, dur: Double?
    var args: [String: String]
  }
  var traceEvents: [Event]
}

@Suite(.serialized) @MainActor struct ChromeTraceTests {
  @Test func `a trace contains a timeline, with nested events below the events that triggered them`() throws {
    let time = ManualTime()
    let manager = ModuleManager(modules: [Loud.self])
    (Loud.manager, Loud.time) = (manager, time)
    let timeline = LifecycleTimeline(limit: 7, time: time.source)
    timeline.observe(manager)
    try manager.start()
    for _ in 0..<2 { manager.trigger(Event<Void, Void>("trace.outer")) }
    manager.stop()

    let trace = try #require(try JSONSerialization.jsonObject(with: timeline.chromeTrace()) as? [String: Any])
    #expect(trace["dropped"] as? Int == 1)
    let all = try #require(trace["traceEvents"] as? [[String: Any]])
    #expect(all.filter { $0["ph"] as? String == "M" }.count == 2)
    let events = all.filter { $0["ph"] as? String == "X" }
    let lines = events.map { event in
      let args = event["args"] as? [String: Any]
      let what = args?["event"] as? String ?? args?["phase"] as? String ?? ""
      return "\(event["name"] ?? "") \(what) \(event["ts"] as? Double ?? -1) \(event["dur"] as? Double ?? -1)"
    }
    #expect(
      lines == [
        "LifecycleTracingTests.Loud init 0.0 0.0", "LifecycleTracingTests.Loud setUp 0.0 0.0",
        "LifecycleTracingTests.Loud initialize 0.0 0.0",
        "LifecycleTracingTests.Loud trace.outer 0.0 3.5", "LifecycleTracingTests.Loud trace.\"inner\"\n 1.5 2.0",
        "LifecycleTracingTests.Loud trace.outer 3.5 3.5", "LifecycleTracingTests.Loud trace.\"inner\"\n 5.0 2.0",
      ])
    #expect(all.allSatisfy { $0["pid"] as? Int == Int(getpid()) && $0["tid"] as? Int == 1 })
  }

  /// Perfetto multiplies microseconds by 1,000 and truncates, and drops overlapping entries.
  @Test func `times are exact when a reader truncates them to nanoseconds`() throws {
    let time = ManualTime(now: 0)
    let manager = ModuleManager()
    manager.on(Event<Void, Void>("trace.step"), fileID: "M", line: 1, column: 1) { _ in time.advance(by: 1) }
    try manager.start()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    for _ in 0..<2_000 { manager.trigger(Event<Void, Void>("trace.step")) }
    let events = try JSONDecoder().decode(Times.self, from: timeline.chromeTrace()).traceEvents.dropFirst(2)
    #expect(events.count == 2_000)
    // One value for each difference, because a list of all times would be illegible.
    #expect(Set(events.enumerated().map { Int(($1.ts ?? -1) * 1000) - $0 }) == [0])
    #expect(Set(events.map { Int(($0.dur ?? -1) * 1000) }) == [1])
    #expect(Set(events.map { $0.args.keys.sorted() }) == [["event"]])
  }

  @Test func `an outer event precedes a nested one that begins at the same time`() throws {
    let (time, manager) = (ManualTime(), ModuleManager())
    let (outer, inner) = (Event<Void, Void>("trace.a"), Event<Void, Void>("trace.b"))
    manager.on(inner, fileID: "Inner", line: 1, column: 1) { _ in time.advance(by: 1_000) }
    manager.on(outer, fileID: "Outer", line: 1, column: 1) { [unowned manager] _ in manager.trigger(inner) }
    try manager.start()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    manager.trigger(outer)
    let events = try JSONDecoder().decode(Times.self, from: timeline.chromeTrace()).traceEvents.dropFirst(2)
    #expect(events.map(\.args) == [["event": "trace.a"], ["event": "trace.b"]])
    #expect(events.map(\.ts) == [0, 0])
  }

  @Test func `an empty timeline is a trace without events`() throws {
    let trace = try JSONSerialization.jsonObject(with: LifecycleTimeline().chromeTrace()) as? [String: Any]
    #expect((trace?["traceEvents"] as? [Any])?.count == 2)
  }
}
