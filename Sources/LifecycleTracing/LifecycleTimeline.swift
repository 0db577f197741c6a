public import Lifecycle

/// How long each module took for each event and phase, nested ones included.
///
/// ```swift
/// let timeline = LifecycleTimeline()
/// modules.observers.append(timeline)
/// try modules.start()
/// print(timeline.table)
/// ```
///
/// Written to by the manager on the main actor. Two readings of the clock and one entry of some hundred bytes for each handler.
@MainActor public final class LifecycleTimeline: LifecycleObserver {
  /// One handler's or phase's time.
  public struct Entry: Sendable {
    public let activity: LifecycleActivity
    /// When it began, in nanoseconds of the timeline's clock.
    public let begin: UInt64
    /// How long it took, in nanoseconds; what it triggered is in it.
    public let duration: UInt64
    /// How long what it triggered took, in nanoseconds.
    public let nested: UInt64
    /// The number of entries of this timeline that contain this one.
    package let depth: Int
  }

  /// In the order in which they ended; what was triggered within another ends before it.
  public private(set) var entries: [Entry] = []
  /// The number of entries that exceeded the limit of the timeline and were not recorded.
  public private(set) var dropped = 0
  /// The maximum number of entries.
  let limit: Int

  private let time: TimeSource
  private var running: [(begin: UInt64, nested: UInt64)] = []

  /// Creates a timeline, which several managers can share.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of entries. Later ones are counted in ``dropped``.
  ///   - time: The clock.
  public init(limit: Int = 100_000, time: TimeSource = .system) {
    self.limit = limit
    self.time = time
  }

  public func willBegin(_ activity: LifecycleActivity) {
    running.append((time.now(), 0))
  }

  public func didEnd(_ activity: LifecycleActivity) {
    // Last in, first out; nothing if it was given to the manager by what ends here.
    guard let (begin, nested) = running.popLast() else { return }
    let duration = time.now() - begin
    if !running.isEmpty { running[running.count - 1].nested += duration }
    guard entries.count < limit else {
      dropped += 1
      return
    }
    entries.append(
      Entry(activity: activity, begin: begin, duration: duration, nested: nested, depth: running.count))
  }

  /// Forgets all entries, and keeps their memory for the next ones.
  public func clear() {
    entries.removeAll(keepingCapacity: true)
    dropped = 0
  }
}
