public import Lifecycle
public import Registry

/// The time that each module takes for each event and phase, including nested ones.
///
/// ```swift
/// let timeline = LifecycleTimeline()
/// modules.observers.append(timeline)
/// try modules.start()
/// print(timeline.table)
/// ```
///
/// To record the creation of services and the opening of routes as well, call ``observe(_:)``.
///
/// For each handler, the timeline reads the clock twice and adds an entry of about a hundred bytes.
@MainActor public final class LifecycleTimeline: LifecycleObserver {
  /// The time of a handler, a phase, or another interval.
  public struct Entry: Sendable {
    public let activity: LifecycleActivity
    /// A Boolean value that indicates whether the entry can overlap others.
    ///
    /// The value is true for asynchronous work, whose duration includes its suspensions, and for
    /// work off the main actor. Such an entry neither contains others nor is nested in one.
    public let isConcurrent: Bool
    /// The start, in nanoseconds of the timeline's clock.
    public let begin: UInt64
    /// The duration in nanoseconds, including nested entries.
    public let duration: UInt64
    /// The duration of the nested entries, in nanoseconds.
    public let nested: UInt64
    /// The number of entries of this timeline that contain this one.
    package let depth: Int
  }

  /// The contents, which work off the main actor changes as well.
  private struct State {
    var entries: [Entry] = []
    var dropped = 0
    /// The beginnings of the concurrent intervals that have not ended.
    var concurrent: [ConcurrentID: UInt64] = [:]
    var sourceCount = 0
    /// The tokens that end the observations of sources.
    var tokens: [RegistrationToken] = []
  }

  /// The identity of a concurrent interval. The source of modules has the number zero.
  private struct ConcurrentID: Hashable {
    var source = 0
    let number: UInt64
  }

  /// The entries in the order in which they ended, so a nested entry precedes its outer one.
  public var entries: [Entry] { state.withLock { $0.entries } }
  /// The number of entries that exceeded the limit of the timeline and were not recorded.
  public var dropped: Int { state.withLock { $0.dropped } }
  /// The maximum number of entries.
  let limit: Int

  private let time: TimeSource
  private let state = Locked(State())
  /// The nested activities of the main actor, outermost first.
  // Unchecked: all accesses are on the main actor, and no other code runs during one. The checks
  // would take a tenth of the time of an observed handler.
  @exclusivity(unchecked) private var running: [(begin: UInt64, nested: UInt64)] = []

  /// Creates a timeline, which several managers can share.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of entries. Later ones are counted in ``dropped``.
  ///   - time: The clock.
  public init(limit: Int = 100_000, time: TimeSource = .system) {
    self.limit = limit
    self.time = time
  }

  deinit {
    for token in state.withLock({ $0.tokens }) { token.cancel() }
  }

  public func willBegin(_ activity: LifecycleActivity) {
    let now = time.now()
    running.append((now, 0))
  }

  public func didEnd(_ activity: LifecycleActivity) {
    // The most recent one ends first. There is none if the handler that ends here added the
    // observer.
    guard let (begin, nested) = running.popLast() else { return }
    let duration = time.now() - begin
    if !running.isEmpty { running[running.count - 1].nested += duration }
    let depth = running.count
    state.withLock { state in
      add(
        Entry(
          activity: activity, isConcurrent: false, begin: begin, duration: duration, nested: nested, depth: depth),
        to: &state)
    }
  }

  public nonisolated func willBeginAsync(_ activity: LifecycleActivity, id: UInt64) {
    begin(ConcurrentID(number: id))
  }

  public nonisolated func didEndAsync(_ activity: LifecycleActivity, id: UInt64) {
    end(ConcurrentID(number: id), activity)
  }

  /// Records the intervals of a source, such as a service manager or a router.
  ///
  /// ```swift
  /// timeline.observe(modules.context.services)
  /// timeline.observe(Router.shared)
  /// ```
  ///
  /// The creation of a service on the main actor is nested in the handler, phase, or service that
  /// causes it.
  ///
  /// - Returns: A token that ends the recording. It also ends when the timeline is deallocated.
  @discardableResult
  public func observe(_ source: some IntervalSource) -> RegistrationToken {
    let number = state.withLock { state in
      state.sourceCount += 1
      return state.sourceCount
    }
    let token = source.observeIntervals { [weak self] interval in self?.record(interval, from: number) }
    state.withLock { $0.tokens.append(token) }
    return token
  }

  private nonisolated func record(_ interval: ObservedInterval, from source: Int) {
    let activity = LifecycleActivity(interval)
    if !interval.isAsync, MainActor.shared.isCurrent {
      return MainActor.assumeIsolated {
        switch interval.phase {
        case .began: willBegin(activity)
        case .ended: didEnd(activity)
        }
      }
    }
    let id = ConcurrentID(source: source, number: UInt64(truncatingIfNeeded: interval.number))
    switch interval.phase {
    case .began: begin(id)
    case .ended: end(id, activity)
    }
  }

  private nonisolated func begin(_ id: ConcurrentID) {
    let now = time.now()
    state.withLock { $0.concurrent[id] = now }
  }

  private nonisolated func end(_ id: ConcurrentID, _ activity: LifecycleActivity) {
    let now = time.now()
    state.withLock { state in
      guard let begin = state.concurrent.removeValue(forKey: id) else { return }
      add(
        Entry(activity: activity, isConcurrent: true, begin: begin, duration: now - begin, nested: 0, depth: 0),
        to: &state)
    }
  }

  private nonisolated func add(_ entry: Entry, to state: inout State) {
    guard state.entries.count < limit else {
      state.dropped += 1
      return
    }
    state.entries.append(entry)
  }

  /// Removes all entries and keeps their memory.
  public func clear() {
    state.withLock { state in
      state.entries.removeAll(keepingCapacity: true)
      state.dropped = 0
    }
  }

  /// The number and duration of all entries, in milliseconds, by activity and module.
  ///
  /// A line lists the total time, the time without nested entries, and the longest time. Lines of
  /// one activity follow its total; the longest come first. Concurrent entries have lines of their
  /// own, which are marked, because their times can overlap.
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
