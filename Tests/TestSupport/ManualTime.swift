public import Lifecycle
import Registry

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let time = ManualTime()
/// let modules = ModuleManager(time: time.source)
/// …
/// try await time.sleepers(1)  // Waits until a task sleeps. See TestWaits.
/// time.advance(seconds: 25)   // Resumes the task.
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
    /// The sleeping tasks by due time, and by arrival if they are due at the same time.
    var sleepers: [Sleeper] = []
    /// The identifiers of the tasks that were cancelled before they slept.
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  /// Creates a clock.
  ///
  /// - Parameter now: The initial time in nanoseconds.
  public init(now: UInt64 = 1_000_000_000) {
    state = Locked(State(now: now))
  }

  /// The time source to pass to a manager.
  public var source: TimeSource {
    TimeSource(now: { self.now }, sleep: { nanoseconds in try await self.sleep(nanoseconds) })
  }

  public var now: UInt64 { state.withLock { $0.now } }

  /// The number of tasks that are sleeping.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the time, and resumes the tasks that are due in the order of their due times.
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

  /// Advances the time by a number of seconds.
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

extension PhaseLimits {
  /// No limits, for runs with the system's clock, because other tests can occupy the main actor for
  /// minutes.
  public static let unlimited = PhaseLimits(becomeReady: .infinity, shutDown: .infinity)
}
