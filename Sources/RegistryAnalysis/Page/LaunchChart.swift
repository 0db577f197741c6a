/// The intervals of a launch, arranged in rows whose intervals don't overlap.
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
  /// The number of rows for synchronous intervals. Rows for concurrent intervals follow.
  package private(set) var mainRows = 0
  package private(set) var rows = 0
  /// The number of intervals that the timeline didn't record.
  package private(set) var dropped: Int

  /// Creates a chart that begins with the first interval of a trace.
  package init(_ trace: LaunchTrace) {
    dropped = trace.dropped
    let launch = trace.entries.first?.begin ?? 0
    func microseconds(_ nanoseconds: Int) -> Double { Double(nanoseconds) / 1000 }
    func bar(_ entry: LaunchTrace.Entry, _ row: Int) -> Bar {
      Bar(
        name: entry.name, kind: entry.kind, activity: entry.activity, start: microseconds(entry.begin - launch),
        duration: microseconds(entry.duration), own: microseconds(entry.own), row: row)
    }
    // Each thread has its own rows.
    let main = trace.entries.filter { !$0.isConcurrent }
    let depths = Dictionary(main.map { ($0.track, $0.depth + 1) }, uniquingKeysWith: max)
    var first: [[Int?]: Int] = [:]
    for entry in main where first[entry.track] == nil {
      first[entry.track] = mainRows
      mainRows += depths[entry.track] ?? 0
    }
    bars = main.map { bar($0, (first[$0.track] ?? 0) + $0.depth) }

    var ends: [Int] = []
    for entry in trace.entries where entry.isConcurrent {
      let row = ends.firstIndex { $0 <= entry.begin } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = entry.end
      bars.append(bar(entry, mainRows + row))
    }
    rows = mainRows + ends.count
  }
}
