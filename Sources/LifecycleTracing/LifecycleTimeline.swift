public import Lifecycle

/// The time that each module takes for each event and phase, including nested ones.
///
/// ```swift
/// let timeline = LifecycleTimeline()
/// modules.observers.append(timeline)
/// try modules.start()
/// print(timeline.table)
/// ```
///
/// The manager writes to it on the main actor. For each handler, it reads the clock twice and adds
/// an entry of about a hundred bytes.
@MainActor public final class LifecycleTimeline: LifecycleObserver {
  /// The time of a handler or a phase.
  public struct Entry: Sendable {
    public let activity: LifecycleActivity
    /// The start, in nanoseconds of the timeline's clock.
    public let begin: UInt64
    /// The duration in nanoseconds, including nested entries.
    public let duration: UInt64
    /// The duration of the nested entries, in nanoseconds.
    public let nested: UInt64
    /// The number of entries of this timeline that contain this one.
    package let depth: Int
  }

  /// The entries in the order in which they ended, so a nested entry precedes its outer one.
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
    // The most recent one ends first. There is none if the handler that ends here added the
    // observer.
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

  /// Removes all entries and keeps their memory.
  public func clear() {
    entries.removeAll(keepingCapacity: true)
    dropped = 0
  }
}
