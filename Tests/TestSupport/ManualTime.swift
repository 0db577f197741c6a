public import Lifecycle
import Registry

/// Time that stands still until a test advances it.
///
/// ```swift
/// let time = ManualTime()
/// let modules = ModuleManager(time: time.source)
/// …
/// try await time.sleepers(1)  // until somebody sleeps; in TestWaits
/// time.advance(seconds: 25)   // and wakes
/// ```
public final class ManualTime: Sendable {
  private typealias Waking = CheckedContinuation<Void, any Error>

  private struct Sleeper {
    let id: Int
    let due: UInt64
    let waking: Waking
  }

  private struct State {
    var now: UInt64
    var ids = 0
    /// In the order in which they are due, and of those that are due at once, in the order in which they came.
    var sleepers: [Sleeper] = []
    /// Cancelled before they slept.
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  /// - Parameter now: What time it is, in nanoseconds.
  public init(now: UInt64 = 1_000_000_000) {
    state = Locked(State(now: now))
  }

  /// What to give a manager as its `time`.
  public var source: TimeSource {
    TimeSource(now: { self.now }, sleep: { nanoseconds in try await self.sleep(nanoseconds) })
  }

  public var now: UInt64 { state.withLock { $0.now } }

  /// How many sleep at this moment.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Lets time pass. Who is due wakes, who is due first first.
  public func advance(by nanoseconds: UInt64) {
    let due = state.withLock { state in
      state.now += nanoseconds
      let count = state.sleepers.prefix { $0.due <= state.now }.count
      let due = state.sleepers.prefix(count).map(\.waking)
      state.sleepers.removeFirst(count)
      return due
    }
    for waking in due { waking.resume() }
  }

  /// Lets seconds pass.
  public func advance(seconds: Double) {
    advance(by: UInt64(seconds * 1e9))
  }

  private func sleep(_ nanoseconds: UInt64) async throws {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waking: Waking) in begin(id, nanoseconds, waking) }
    } onCancel: {
      cancel(id)
    }
  }

  private func begin(_ id: Int, _ nanoseconds: UInt64, _ waking: Waking) {
    enum Next {
      case cancelled
      case awake
      case asleep
    }
    let next: Next = state.withLock { state in
      if state.cancelled.contains(id) { return .cancelled }
      if nanoseconds == 0 { return .awake }
      let (due, isTooFar) = state.now.addingReportingOverflow(nanoseconds)
      let sleeper = Sleeper(id: id, due: isTooFar ? .max : due, waking: waking)
      let place = state.sleepers.firstIndex { $0.due > sleeper.due } ?? state.sleepers.count
      state.sleepers.insert(sleeper, at: place)
      return .asleep
    }
    switch next {
    case .cancelled: waking.resume(throwing: CancellationError())
    case .awake: waking.resume()
    case .asleep: break
    }
  }

  private func cancel(_ id: Int) {
    let waking: Waking? = state.withLock { state in
      guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: place).waking
    }
    waking?.resume(throwing: CancellationError())
  }
}
