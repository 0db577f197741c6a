public import Foundation
import Lifecycle
import Registry

extension LifecycleTimeline {
  /// Returns the entries in the format of Chrome traces, which Perfetto (<https://ui.perfetto.dev>)
  /// opens.
  ///
  /// The trace has one complete event (`"ph":"X"`) for each entry on the main actor, on a single
  /// track where nested entries lie beneath the outer one. A concurrent entry is a pair of
  /// asynchronous events (`"ph":"b"` and `"ph":"e"`) on a track of its own. Times are microseconds
  /// since the first entry. The format is the "Trace Event Format" of Google.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries.
  /// - Throws: The error of `JSONEncoder`.
  public func chromeTrace() throws -> Data {
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    // Other threads can add entries meanwhile.
    let entries = entries
    let begin = entries.map(\.begin).min() ?? 0
    let sorted = entries.sorted { $0.begin == $1.begin ? $0.depth < $1.depth : $0.begin < $1.begin }
    let events = sorted.enumerated().flatMap { number, entry in
      let activity = entry.activity
      let category = activity.phase != nil ? "phase" : activity.event != nil ? "event" : activity.name
      var event = ChromeTrace.Event(
        name: activity.module, cat: category, ph: "X", ts: Double(entry.begin - begin) / 1000,
        dur: Double(entry.duration) / 1000, pid: process, tid: 1,
        args: [category: activity.name, "image": activity.image?.name])
      guard entry.isConcurrent else { return [event] }
      event.id = number
      event.ph = "b"
      var end = event
      end.ph = "e"
      end.ts = Double(entry.begin + entry.duration - begin) / 1000
      (event.dur, end.dur) = (nil, nil)
      return [event, end]
    }
    let names = [
      ChromeTrace.Name(name: "process_name", pid: process, tid: 1, args: ["name": ProcessInfo.processInfo.processName]),
      ChromeTrace.Name(name: "thread_name", pid: process, tid: 1, args: ["name": "main actor"]),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(
      ChromeTrace(traceEvents: names.map { .name($0) } + events.map { .event($0) }, dropped: dropped))
  }

  /// Writes ``chromeTrace()`` to a file.
  ///
  /// - Throws: The error of writing the file.
  public func writeChromeTrace(to url: URL) throws {
    try chromeTrace().write(to: url, options: .atomic)
  }
}

/// The members of a trace that this package writes, with their names in the format.
private struct ChromeTrace: Encodable {
  struct Event: Encodable {
    let name: String
    let cat: String
    var ph: String
    var ts: Double
    var dur: Double?
    let pid: Int
    let tid: Int
    let args: [String: String?]
    /// The number that the two events of a concurrent entry share.
    var id: Int?
  }

  /// The name of a track.
  struct Name: Encodable {
    let name: String
    var ph = "M"
    let pid: Int
    let tid: Int
    let args: [String: String]
  }

  enum Item: Encodable {
    case event(Event)
    case name(Name)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .event(let event): try event.encode(to: encoder)
      case .name(let name): try name.encode(to: encoder)
      }
    }
  }

  let traceEvents: [Item]
  var displayTimeUnit = "ms"
  let dropped: Int
}
