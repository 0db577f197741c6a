package import Foundation
import Registry

/// A trace from `LifecycleTracing`, in the form that budgets and charts use.
package struct LaunchTrace: Sendable {
  /// A handler, a phase, or other work, with its time in nanoseconds.
  package struct Entry: Sendable, Hashable {
    /// The category, such as `phase` or `event`.
    package var kind: String
    /// The module, implementation, or route.
    package var name: String
    /// The phase or the identifier of the event.
    package var activity: String
    package var begin: Int
    package var duration: Int
    /// The duration without nested entries.
    package var own: Int
    package var isConcurrent: Bool
    /// The process and the thread.
    let track: [Int?]
    /// The number of entries on the same track that were open when this one began.
    fileprivate(set) var depth = 0

    package var end: Int { begin + duration }
  }

  /// A reason why a file is not a trace.
  package struct Damage: Error, CustomStringConvertible {
    package let problem: RegistrySnapshot.Problem

    fileprivate init(_ file: String, _ message: String) {
      problem = RegistrySnapshot.Problem(
        severity: "error", code: "\(Diagnostic.Code.malformedTrace)", image: file,
        message: "not a trace of modules: \(message)")
    }

    package var description: String { problem.line }
  }

  package let file: String
  /// The entries in the order in which they began.
  package let entries: [Entry]
  /// The number of entries that the timeline did not record.
  package let dropped: Int

  /// Reads a trace, and ignores the events of other programs in it.
  package init(json: Data, file: String) throws(Damage) {
    func notATrace(_ reason: String) -> Damage {
      Damage(file, "\(reason); write it with 'LifecycleTimeline.chromeTrace()'")
    }
    guard let contents = try? JSONSerialization.jsonObject(with: json) else { throw notATrace("it isn't JSON") }
    guard let members = contents as? [String: Any] else { throw notATrace("it isn't an object") }
    guard let list = members["traceEvents"] else { throw notATrace("it has no member 'traceEvents'") }
    guard let events = list as? [[String: Any]] else { throw notATrace("'traceEvents' has the wrong type") }
    var entries: [Entry] = []
    var begun: [String: Int] = [:]
    for (number, event) in events.enumerated() {
      guard let kind = event["cat"] as? String, Self.kinds.contains(kind),
        let phase = event["ph"] as? String, "Xbe".contains(phase)
      else { continue }
      func damaged(_ member: String) -> Damage {
        Damage(file, "'traceEvents[\(number)]' has no valid '\(member)'; record the trace again")
      }
      guard let name = event["name"] as? String else { throw damaged("name") }
      guard let begin = Self.nanoseconds(event["ts"]) else { throw damaged("ts") }
      let arguments = event["args"] as? [String: Any]
      var entry = Entry(
        kind: kind, name: name, activity: arguments?[kind] as? String ?? kind, begin: begin, duration: -1, own: 0,
        isConcurrent: phase != "X", track: [event["pid"] as? Int, event["tid"] as? Int])
      if phase == "X" {
        guard let duration = Self.nanoseconds(event["dur"]), duration <= Self.longest else { throw damaged("dur") }
        (entry.duration, entry.own) = (duration, duration)
        entries.append(entry)
        continue
      }
      guard let id = (event["id"] as? Int).map(String.init) ?? event["id"] as? String else { throw damaged("id") }
      let key = "\(event["pid"] as? Int ?? 0) \(kind) \(id)"
      if phase == "b" {
        begun[key] = entries.count
        entries.append(entry)
      } else {
        guard let index = begun.removeValue(forKey: key), begin >= entries[index].begin else { throw damaged("id") }
        let duration = begin - entries[index].begin
        (entries[index].duration, entries[index].own) = (duration, duration)
      }
    }
    // The trace can end during asynchronous work.
    entries.removeAll { $0.duration < 0 }
    guard !entries.isEmpty else {
      throw Damage(
        file, "it has no phases, handlers, services, or routes; call 'observe(_:)' of the timeline before 'start()'")
    }
    (self.file, self.entries, dropped) = (file, Self.nested(entries), members["dropped"] as? Int ?? 0)
  }

  /// Returns the entries in the order in which they began. Their own time excludes nested entries.
  private static func nested(_ entries: [Entry]) -> [Entry] {
    var entries = entries.sorted { ($0.begin, $1.duration) < ($1.begin, $0.duration) }
    // The indices of the entries that are open on each track, outermost first.
    var open: [[Int?]: [Int]] = [:]
    for (index, entry) in entries.enumerated() where !entry.isConcurrent {
      var outer = open[entry.track] ?? []
      while let last = outer.last, entries[last].end <= entry.begin { outer.removeLast() }
      if let last = outer.last { entries[last].own = max(0, entries[last].own - entry.duration) }
      entries[index].depth = outer.count
      open[entry.track] = outer + [index]
    }
    return entries
  }

  private static let kinds: Set<String> = ["phase", "event", "service", "contribution", "route"]

  /// The longest duration, eleven days. The sum of a module's phases stays far below the limit of
  /// `Int`.
  private static let longest = 1_000_000_000_000_000

  /// Returns whole nanoseconds, or nil for a time that is negative or beyond a hundred years.
  private static func nanoseconds(_ microseconds: Any?) -> Int? {
    guard let microseconds = microseconds as? Double, (0..<4e15).contains(microseconds) else { return nil }
    return Int((microseconds * 1000).rounded())
  }
}
