import Foundation
public import Lifecycle
public import Registry

/// A record of the time that handlers, phases, and other intervals take.
///
/// ```swift
/// let timeline = LifecycleTimeline()
/// timeline.observe(modules)
/// try modules.start()
/// print(timeline.table)
/// ```
///
/// You can read a timeline on any thread. Recording an interval takes two clock readings, two lock
/// acquisitions, and about a hundred bytes.
public final class LifecycleTimeline: Sendable {
  /// The time of a handler, a phase, or another interval.
  public struct Entry: Sendable {
    /// The interval, as observed when it ended.
    ///
    /// An entry whose interval can overlap others isn't nested and contains no other entries.
    public let interval: ObservedInterval
    /// The start, in nanoseconds of the timeline's clock.
    public let begin: UInt64
    /// The duration in nanoseconds, including nested entries.
    public let duration: UInt64
    /// The duration of the nested entries, in nanoseconds.
    public let nested: UInt64
    /// The number of this timeline's entries that contain this one.
    package let depth: Int
  }

  private struct State {
    let limit: Int
    var entries: [Entry] = []
    var dropped = 0
    var running = RunningIntervals()
    var sourceCount = 0
    /// The tokens of the sources that are being observed, by the number of the source.
    var tokens: [Int: RegistrationToken] = [:]

    mutating func record(_ interval: ObservedInterval, _ source: Int, at now: UInt64) {
      guard let entry = running.record(interval, source, at: now) else { return }
      if entries.count < limit { entries.append(entry) } else { dropped += 1 }
    }
  }

  /// The entries in the order they ended, so a nested entry precedes the entry that contains it.
  public var entries: [Entry] { state.withLock { $0.entries } }
  /// The number of entries that were not recorded because the timeline was full.
  public var dropped: Int { state.withLock { $0.dropped } }

  private let time: TimeSource
  private let state: Locked<State>

  /// Creates a timeline, which several sources can share.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of entries. Later entries are only counted, in ``dropped``.
  ///   - time: The clock.
  public init(limit: Int = 100_000, time: TimeSource = .system) {
    state = Locked(State(limit: limit))
    self.time = time
  }

  deinit {
    for token in state.withLock({ $0.tokens.values }) { token.cancel() }
  }

  /// Records the intervals of a module manager, a service manager, a router, or another source.
  ///
  /// ```swift
  /// timeline.observe(modules)
  /// timeline.observe(modules.context.services)
  /// timeline.observe(Router.shared)
  /// ```
  ///
  /// A service that is created on the main actor counts as nested in the service or the
  /// synchronous handler or phase that requests it.
  ///
  /// - Returns: A token that ends the recording. Deallocating the timeline ends it, too.
  @discardableResult
  @MainActor public func observe(_ source: some IntervalSource) -> RegistrationToken {
    let number = state.withLock { state in
      state.sourceCount += 1
      return state.sourceCount
    }
    let token = source.observeIntervals { [weak self] interval in
      guard let self else { return }
      let now = time.now()
      state.withLock { $0.record(interval, number, at: now) }
    }
    state.withLock { $0.tokens[number] = token }
    return RegistrationToken { [weak self] in
      // The result releases the token outside the lock, because that can run user code.
      _ = self?.state.withLock { $0.tokens.removeValue(forKey: number) }
      return token.cancel()
    }
  }

  /// Removes all entries, keeping their memory for new ones, and sets ``dropped`` to zero.
  public func clear() {
    state.withLock { state in
      state.entries.removeAll(keepingCapacity: true)
      state.dropped = 0
    }
  }

  /// A table of the entries by activity and name, with times in milliseconds.
  ///
  /// Each line lists the number of entries, the total time, the self time without nested entries,
  /// and the longest time. Activities are ordered by total time, longest first, as are the names in
  /// an activity. Concurrent entries can overlap, so their lines are marked and have no self time.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries.
  public var table: String {
    let rows = rows
    guard !rows.isEmpty else {
      return "nothing was recorded"
        + (state.withLock { $0.sourceCount } == 0 ? "; call 'observe(_:)' with a manager before its start" : "")
    }
    let heads = ["activity", "module, service, or route", "calls", "total ms", "self ms", "max ms"]
    let cells = [heads] + rows
    let widths = heads.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column < 2 ? text + padding : padding + text
      }.joined(separator: "  ")
    }
    if dropped > 0 {
      let limit = state.withLock { $0.limit }
      lines.append("\(dropped) more \(dropped == 1 ? "entry was" : "entries were") not recorded; the limit is \(limit)")
    }
    return lines.joined(separator: "\n")
  }

  /// The cells of the table, without its headings.
  private var rows: [[String]] {
    let groups = Dictionary(grouping: entries) { entry in
      let activity = entry.interval.activity
      return [entry.interval.isConcurrent ? "\(activity) (concurrent)" : activity, entry.interval.name]
    }
    var sums: [String: UInt64] = [:]
    let rows = groups.map { names, entries in
      let total = entries.reduce(0) { $0 + $1.duration }
      sums[names[0], default: 0] += total
      let own = entries.reduce(0) { $0 + $1.duration - min($1.nested, $1.duration) }
      let most = entries.reduce(0) { max($0, $1.duration) }
      // Nothing is nested in a concurrent entry, but other work can run during its suspensions.
      let ownText = entries[0].interval.isConcurrent ? "-" : own.milliseconds
      let name = names[1].escapedForDisplay()
      let cells = [names[0], name, "\(entries.count)", total.milliseconds, ownText, most.milliseconds]
      return (name: names[0], module: names[1], total: total, cells: cells)
    }
    return rows.sorted { a, b in
      (sums[b.name] ?? 0, a.name, b.total, a.module) < (sums[a.name] ?? 0, b.name, a.total, b.module)
    }.map(\.cells)
  }
}

extension UInt64 {
  /// The time in milliseconds, with three decimals.
  var milliseconds: String { String(format: "%.3f", Double((self + 500) / 1000) / 1000) }
}

/// The intervals that have begun but not ended.
struct RunningIntervals {
  private struct ID: Hashable {
    let source: Int
    let number: Int
  }

  /// The nested intervals, outermost first.
  private var nested: [(id: ID, begin: UInt64, nested: UInt64)] = []
  /// The start times of concurrent intervals.
  private var concurrent: [ID: UInt64] = [:]

  /// Records a beginning or an end, and returns the entry of an interval that ends.
  mutating func record(_ interval: ObservedInterval, _ source: Int, at now: UInt64) -> LifecycleTimeline.Entry? {
    let id = ID(source: source, number: interval.id)
    if !interval.hasEnded {
      if interval.isConcurrent { concurrent[id] = now } else { nested.append((id, now, 0)) }
    } else if interval.isConcurrent {
      return concurrent.removeValue(forKey: id).map {
        LifecycleTimeline.Entry(interval: interval, begin: $0, duration: now - $0, nested: 0, depth: 0)
      }
    } else if let index = nested.lastIndex(where: { $0.id == id }) {
      let (_, begin, inner) = nested.remove(at: index)
      if index > 0 { nested[index - 1].nested += now - begin }
      return LifecycleTimeline.Entry(
        interval: interval, begin: begin, duration: now - begin, nested: inner, depth: index)
    }
    return nil
  }
}
