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
  /// - Throws: The error of `JSONSerialization`.
  public func chromeTrace() throws -> Data {
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    // Other threads can add entries meanwhile.
    let entries = entries
    let begin = entries.map(\.begin).min() ?? 0
    let sorted = entries.sorted { $0.begin == $1.begin ? $0.depth < $1.depth : $0.begin < $1.begin }
    var events: [[String: Any]] = [
      [
        "name": "process_name", "ph": "M", "pid": process, "tid": 1,
        "args": ["name": ProcessInfo.processInfo.processName],
      ],
      ["name": "thread_name", "ph": "M", "pid": process, "tid": 1, "args": ["name": "main actor"]],
    ]
    for (number, entry) in sorted.enumerated() {
      let activity = entry.activity
      let category = activity.phase != nil ? "phase" : activity.event != nil ? "event" : activity.name
      var event: [String: Any] = [
        "name": activity.module, "cat": category, "ph": "X", "pid": process, "tid": 1,
        "ts": Double(entry.begin - begin) / 1000, "dur": Double(entry.duration) / 1000,
        "args": [category: activity.name, "image": activity.image.map { $0.name as Any } ?? NSNull()],
      ]
      if entry.isConcurrent {
        // Both events have the number of the entry, and neither has a duration.
        event["id"] = number
        event["dur"] = nil
        event["ph"] = "b"
        events.append(event)
        event["ph"] = "e"
        event["ts"] = Double(entry.begin + entry.duration - begin) / 1000
      }
      events.append(event)
    }
    return try JSONSerialization.data(
      withJSONObject: ["traceEvents": events, "displayTimeUnit": "ms", "dropped": dropped],
      options: [.sortedKeys, .withoutEscapingSlashes])
  }

  /// Writes ``chromeTrace()`` to a file.
  ///
  /// - Throws: The error of writing the file.
  public func writeChromeTrace(to url: URL) throws {
    try chromeTrace().write(to: url, options: .atomic)
  }
}
