package import Foundation
import Registry

/// A trace from `LifecycleTracing`, in the form that budgets and the page use.
package struct LaunchTrace: Sendable, Encodable {
  /// A handler, a phase, or other work, with its time in nanoseconds.
  package struct Entry: Sendable, Hashable, Encodable {
    /// The category, such as `phase` or `event`.
    package var kind: String
    /// The module, implementation, or route.
    package var name: String
    /// The phase, or the identifier of the event; for other work, the category.
    package var activity: String
    /// The time since the beginning of the first entry.
    package var begin: Int
    package var duration: Int
    /// The duration without nested entries.
    package var own: Int
    package var isConcurrent: Bool
    /// The process and the thread.
    let track: [Int?]
    /// The row in a chart whose entries don't overlap.
    package fileprivate(set) var row = 0

    package var end: Int { begin + duration }

    private enum CodingKeys: CodingKey { case kind, name, activity, begin, duration, own, row }
  }

  package let file: String
  /// The completed entries, ordered by their beginnings.
  package private(set) var entries: [Entry] = []
  /// The number of rows for synchronous entries. Rows for concurrent entries follow.
  package private(set) var mainRows = 0
  package private(set) var rows = 0
  /// The number of entries that the timeline did not record.
  package let dropped: Int

  private enum CodingKeys: CodingKey { case entries, mainRows, rows, dropped }

  /// Reads a trace and ignores the events of other programs.
  package init(json: Data, file: String) throws(RegistrySnapshot.Problem) {
    func damage(_ message: String) -> RegistrySnapshot.Problem {
      RegistrySnapshot.Problem(
        severity: "error", code: "\(Diagnostic.Code.malformedTrace)", image: file,
        message: "not a trace of modules: \(message)")
    }
    let contents: Contents
    do {
      contents = try JSONDecoder().decode(Contents.self, from: json)
    } catch {
      var reason = "it has no array 'traceEvents' of objects, or 'dropped' isn't an integer"
      if case DecodingError.dataCorrupted = error { reason = "it isn't JSON" }
      throw damage("\(reason); write it with 'LifecycleTimeline.chromeTrace()'")
    }
    self.file = file
    dropped = contents.dropped ?? 0
    var begun: [String: Int] = [:]
    for (number, event) in contents.traceEvents.enumerated() {
      guard let kind = event.cat, Self.kinds.contains(kind), let phase = event.ph, ["X", "b", "e"].contains(phase)
      else { continue }
      func damaged(_ member: String) -> RegistrySnapshot.Problem {
        damage("'traceEvents[\(number)]' has no valid '\(member)'; record the trace again")
      }
      guard let name = event.name else { throw damaged("name") }
      guard let begin = event.ts.flatMap(Self.nanoseconds) else { throw damaged("ts") }
      var entry = Entry(
        kind: kind, name: name, activity: (event.args?[kind] ?? nil) ?? kind, begin: begin, duration: -1, own: 0,
        isConcurrent: phase != "X", track: [event.pid, event.tid])
      if phase == "X" {
        guard let duration = event.dur.flatMap(Self.nanoseconds), duration <= Self.longest else { throw damaged("dur") }
        (entry.duration, entry.own) = (duration, duration)
        entries.append(entry)
        continue
      }
      guard let id = event.id else { throw damaged("id") }
      let key = "\(event.pid ?? 0) \(kind) \(id)"
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
      throw damage(
        "it has no phases, handlers, services, or routes; call 'observe(_:)' of the timeline before 'start()'")
    }
    nest()
  }

  /// Orders the entries by their beginnings. Their own times exclude nested entries.
  private mutating func nest() {
    entries.sort { ($0.begin, $1.duration) < ($1.begin, $0.duration) }
    let first = entries[0].begin
    // The indices of the entries that are open on each track, outermost first.
    var open: [[Int?]: [Int]] = [:]
    for index in entries.indices {
      entries[index].begin -= first
      let entry = entries[index]
      if entry.isConcurrent { continue }
      var outer = open[entry.track] ?? []
      while let last = outer.last, entries[last].end <= entry.begin { outer.removeLast() }
      if let last = outer.last { entries[last].own = max(0, entries[last].own - entry.duration) }
      entries[index].row = outer.count
      open[entry.track] = outer + [index]
    }
  }

  /// Gives each track rows of its own, and each concurrent entry the first row that is free.
  package mutating func arrange() {
    let main = entries.indices.filter { !entries[$0].isConcurrent }
    let heights = Dictionary(main.map { (entries[$0].track, entries[$0].row + 1) }, uniquingKeysWith: max)
    var first: [[Int?]: Int] = [:]
    for index in main {
      let track = entries[index].track
      if first[track] == nil {
        first[track] = mainRows
        mainRows += heights[track]!
      }
      entries[index].row += first[track]!
    }
    var ends: [Int] = []
    for index in entries.indices where entries[index].isConcurrent {
      let row = ends.firstIndex { $0 <= entries[index].begin } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = entries[index].end
      entries[index].row = mainRows + row
    }
    rows = mainRows + ends.count
  }

  private static let kinds: Set<String> = ["phase", "event", "service", "contribution", "route"]

  /// The longest accepted duration, about eleven days. The limit keeps the sum of a module's
  /// phases far below the maximum `Int`.
  private static let longest = 1_000_000_000_000_000

  /// Returns whole nanoseconds, or nil for a time that is negative or beyond a hundred years.
  private static func nanoseconds(_ microseconds: Double) -> Int? {
    (0..<4e15).contains(microseconds) ? Int((microseconds * 1000).rounded()) : nil
  }

  /// The members to read. `JSONSerialization` would take five times the memory.
  private struct Contents: Decodable {
    let traceEvents: [Event]
    let dropped: Int?

    struct Event: Decodable {
      let name, ph, cat, id: String?
      let ts, dur: Double?
      let pid, tid: Int?
      let args: [String: String?]?

      enum CodingKeys: CodingKey { case name, ph, cat, id, ts, dur, pid, tid, args }

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // In the events of other programs, members can have other types.
        func member<T: Decodable>(_ key: CodingKeys) -> T? { try? values.decode(T.self, forKey: key) }
        (name, ph, cat) = (member(.name), member(.ph), member(.cat))
        id = (member(.id) as Int?).map(String.init) ?? member(.id)
        (ts, dur, pid, tid, args) = (member(.ts), member(.dur), member(.pid), member(.tid), member(.args))
      }
    }
  }
}
