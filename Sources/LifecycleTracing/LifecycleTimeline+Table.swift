import Lifecycle

extension LifecycleTimeline {
  /// The number and duration of all entries, in milliseconds, by activity and module.
  ///
  /// A line lists the total time, the time without nested entries, and the longest time. Lines of
  /// one activity follow its total; the longest come first. Concurrent entries have lines of their
  /// own, which are marked: their time is not only that of the main actor, and can overlap.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries.
  public var table: String {
    let rows = rows
    guard !rows.isEmpty else { return "nothing was recorded" }
    let heads = ["activity", "module, service, or route", "calls", "total ms", "self ms", "max ms"]
    let cells = [heads] + rows.map(\.cells)
    let widths = heads.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column < 2 ? text + padding : padding + text
      }.joined(separator: "  ")
    }
    if dropped > 0 {
      lines.append("\(dropped) more \(dropped == 1 ? "entry was" : "entries were") not recorded; the limit is \(limit)")
    }
    return lines.joined(separator: "\n")
  }

  /// The entries of one activity and module.
  private struct Row {
    let name: String
    let module: String
    let entries: [Entry]
    let total: UInt64

    var cells: [String] {
      let own = entries.reduce(0) { $0 + $1.duration - min($1.nested, $1.duration) }
      let most = entries.reduce(0) { max($0, $1.duration) }
      // Nothing is nested in a concurrent entry, but other work can run during its suspensions.
      let ownText = entries[0].isConcurrent ? "-" : own.milliseconds
      return [name, module, "\(entries.count)", total.milliseconds, ownText, most.milliseconds]
    }
  }

  private var rows: [Row] {
    let groups = Dictionary(grouping: entries) { entry in
      let name = entry.activity.name
      return [entry.isConcurrent ? "\(name) (concurrent)" : name, entry.activity.module]
    }
    var sums: [String: UInt64] = [:]
    let rows = groups.map { names, entries in
      let total = entries.reduce(0) { $0 + $1.duration }
      sums[names[0], default: 0] += total
      return Row(name: names[0], module: names[1], entries: entries, total: total)
    }
    return rows.sorted { a, b in
      let sumA = sums[a.name] ?? 0
      let sumB = sums[b.name] ?? 0
      if a.name != b.name { return sumA == sumB ? a.name < b.name : sumA > sumB }
      return a.total == b.total ? a.module < b.module : a.total > b.total
    }
  }
}

extension UInt64 {
  /// The number of nanoseconds as milliseconds with three decimals.
  fileprivate var milliseconds: String {
    let micro = (self + 500) / 1000
    let rest = String(micro % 1000)
    return "\(micro / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
