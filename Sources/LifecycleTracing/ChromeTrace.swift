public import Foundation
import Lifecycle
import Registry

extension LifecycleTimeline {
  /// Returns the entries as a Chrome trace, which Perfetto can open.
  ///
  /// The format is Google's Trace Event Format, which <https://ui.perfetto.dev> reads. Synchronous
  /// entries are complete events (`"ph":"X"`) on one track, with nested entries beneath outer ones.
  /// Each concurrent entry is a pair of asynchronous events (`"ph":"b"` and `"ph":"e"`) on its own
  /// track. Times are in microseconds since the first entry, with nanoseconds as decimals.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries.
  /// - Throws: Any error from `JSONEncoder`.
  public func chromeTrace() throws -> Data {
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    // Take a snapshot, because other threads can add entries during the call.
    let entries = entries
    let begin = entries.map(\.begin).min() ?? 0
    let sorted = entries.sorted { $0.begin == $1.begin ? $0.depth < $1.depth : $0.begin < $1.begin }
    func track(_ kind: String, _ name: String) -> ChromeTrace.Event {
      ChromeTrace.Event(name: kind, ph: "M", pid: process, args: ["name": name])
    }
    var events = [track("process_name", ProcessInfo.processInfo.processName), track("thread_name", "main actor")]
    for (number, entry) in sorted.enumerated() {
      let interval = entry.interval
      var event = ChromeTrace.Event(
        name: interval.name, ph: "X", pid: process, args: [interval.kind: interval.activity], cat: interval.kind,
        ts: (entry.begin - begin).microseconds, dur: entry.duration.microseconds)
      event.args["image"] = interval.image?.name
      if interval.isConcurrent {
        (event.id, event.dur, event.ph) = (number, nil, "b")
        events.append(event)
        (event.ph, event.ts) = ("e", (entry.begin + entry.duration - begin).microseconds)
      }
      events.append(event)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ChromeTrace(traceEvents: events, dropped: dropped))
  }
}

/// A trace with the members that this package writes, named as in the format.
private struct ChromeTrace: Encodable {
  /// An event, or the name of the process or a track (`"ph":"M"`). The encoder omits nil members.
  struct Event: Encodable {
    let name: String
    var ph: String
    let pid: Int
    var tid = 1
    var args: [String: String]
    var cat: String?
    var ts: Double?
    var dur: Double?
    /// The number that the two events of a concurrent entry share.
    var id: Int?
  }

  let traceEvents: [Event]
  var displayTimeUnit = "ms"
  let dropped: Int
}

extension UInt64 {
  /// The nanoseconds as microseconds, rounded up if truncation would lose a nanosecond.
  ///
  /// Perfetto multiplies by 1,000 and truncates, and it drops an entry that ends a nanosecond after
  /// the entry that contains it.
  fileprivate var microseconds: Double {
    let value = Double(self) / 1000
    return UInt64(value * 1000) < self ? value.nextUp : value
  }
}
