package import Foundation

/// The intervals of a Chrome trace in rows, of which none overlaps another in its row.
package struct LaunchChart: Sendable, Hashable, Encodable {
  package struct Bar: Sendable, Hashable, Encodable {
    package var name: String
    package var kind: String
    package var activity: String
    /// The beginning and the duration in microseconds.
    package var start: Double
    package var duration: Double
    /// The duration without nested intervals.
    package var own: Double
    package var row: Int
  }

  package private(set) var bars: [Bar] = []
  /// The number of rows for the main actor, which precede those of concurrent intervals.
  package private(set) var mainRows = 0
  package private(set) var rows = 0
  /// The number of intervals that exceeded the limit of the timeline.
  package private(set) var dropped: Int

  private struct Trace: Decodable {
    struct Event: Decodable {
      var name: String?
      var ph: String
      var cat: String?
      var ts: Double?
      var dur: Double?
      var id: Int?
      var args: [String: String?]?
    }

    var traceEvents: [Event]
    var dropped: Int?
  }

  /// Reads a trace.
  ///
  /// - Throws: The error of `JSONDecoder`.
  package init(trace: Data) throws {
    let trace = try JSONDecoder().decode(Trace.self, from: trace)
    dropped = trace.dropped ?? 0
    var main: [Bar] = []
    var concurrent: [Bar] = []
    var begun: [Int: Int] = [:]
    for event in trace.traceEvents {
      guard let name = event.name, let start = event.ts, start.isFinite else { continue }
      let kind = event.cat ?? ""
      let activity = (event.args?[kind] ?? nil) ?? kind
      let duration = max(0, event.dur ?? 0)
      let bar = Bar(name: name, kind: kind, activity: activity, start: start, duration: duration, own: duration, row: 0)
      switch (event.ph, event.id) {
      case ("X", _): main.append(bar)
      case ("b", let id?):
        begun[id] = concurrent.count
        concurrent.append(bar)
      case ("e", let id?):
        guard let index = begun.removeValue(forKey: id) else { continue }
        concurrent[index].duration = max(0, start - concurrent[index].start)
        concurrent[index].own = concurrent[index].duration
      default: break
      }
    }
    func isEarlier(_ a: Bar, _ b: Bar) -> Bool { (a.start, -a.duration) < (b.start, -b.duration) }
    main.sort(by: isEarlier)
    concurrent.sort(by: isEarlier)

    // The timeline rounds to nanoseconds, and a number in microseconds can be off by one of them.
    var open: [Int] = []
    for index in main.indices {
      while let last = open.last, main[last].start + main[last].duration <= main[index].start + 0.001 {
        open.removeLast()
      }
      if let last = open.last { main[last].own = max(0, main[last].own - main[index].duration) }
      main[index].row = open.count
      open.append(index)
      mainRows = max(mainRows, open.count)
    }
    var ends: [Double] = []
    for index in concurrent.indices {
      let row = ends.firstIndex { $0 <= concurrent[index].start } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = concurrent[index].start + concurrent[index].duration
      concurrent[index].row = mainRows + row
    }
    bars = main + concurrent
    rows = mainRows + ends.count
  }
}
