import Foundation
public import Lifecycle
public import Registry

/// A turn of the main actor that takes too long.
public struct Stall: Sendable, CustomStringConvertible {
  /// The blocking synchronous handlers and phases, outermost first; empty if none ran. If the stall
  /// outlasts them, the array contains only the last to end.
  public let intervals: [ObservedInterval]
  let nanoseconds: UInt64
  /// A Boolean value that indicates whether the stall is over.
  ///
  /// A stall is reported once while it lasts, if a check detects it, and once when it is over.
  public let isOver: Bool

  /// The duration so far, in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The modules that blocked the main actor, and the duration.
  public var description: String { text(of: intervals.last?.phrase) }

  /// Returns the description, with a phrase for the innermost handler or phase; nil if none ran.
  fileprivate func text(of innermost: String?) -> String {
    let verb = isOver ? "blocked" : "has been blocking"
    let path = intervals.dropLast().reversed().map { ", within \($0.phrase)" }.joined()
    let duration = String(format: "%.2f s", seconds)
    let innermost = innermost ?? "code outside of synchronous handlers and phases"
    return "\(innermost) \(verb) the main actor for \(duration)\(path)"
  }
}

/// A watchdog that reports what blocks the main actor, and which module if its handler or phase is
/// synchronous.
///
/// ```swift
/// let watchdog = StallWatchdog(threshold: 0.25) { stall in log.warning("\(stall)") }
/// watchdog.watch(.shared)
/// ```
///
/// The watchdog repeatedly enqueues work on the main actor and records the handlers and phases that
/// run in between, which adds two clock readings and two lock acquisitions to each. Checks take
/// place four times per threshold. The watchdog reports a stall while it lasts, and again when it
/// ends, this time also as a diagnostic of the manager (`stall`). Only code that blocks the main
/// actor counts: an `await` ends a turn, and time while the process is suspended doesn't count.
///
/// The checks need a free thread of Swift's concurrency pool, which has one thread on a machine
/// with one core. While other code blocks all threads of the pool, no check runs, and the time
/// without checks counts as at most half the threshold. A stall during that time can be reported as
/// too short, or not at all.
///
/// The watchdog watches until you call ``stop()`` or all its managers are released.
public final class StallWatchdog: Sendable {
  let state = Locked(State())
  private let seconds: Double
  private let time: TimeSource
  private let onStall: @Sendable (Stall) -> Void

  /// The threshold in nanoseconds. A threshold of zero would leave no pause between checks.
  private var threshold: UInt64 { max(TimeSource.nanoseconds(seconds), 1_000_000) }

  struct State {
    /// The current handlers and phases, outermost first.
    var running: [(interval: ObservedInterval, begin: UInt64)] = []
    /// The path to the innermost handler or phase that exceeded the threshold.
    var culprit: [ObservedInterval] = []
    /// The handler or phase that ended last since work was enqueued.
    var last: ObservedInterval?
    /// The time when work was enqueued or, if later, a stall ended; nil once the work has run.
    var asked: UInt64?
    var hasReported = false
    fileprivate var clock = WakingClock()
    var watched: [(manager: WeakManager, token: RegistrationToken)] = []
    var task: Task<Void, Never>?

    /// The current handlers and phases, or else the handler or phase that ended last.
    var suspects: [ObservedInterval] { running.isEmpty ? last.map { [$0] } ?? [] : running.map(\.interval) }
  }

  /// Creates a watchdog that watches no manager yet.
  ///
  /// - Parameters:
  ///   - threshold: The number of seconds that a turn must exceed to be a stall, at least 0.001.
  ///   - time: The clock.
  ///   - onStall: A closure that receives stalls, on any thread while a stall lasts and on the main
  ///     actor when the stall is over.
  public init(
    threshold: Double = 0.25, time: TimeSource = .system, onStall: @escaping @Sendable (Stall) -> Void = { _ in }
  ) {
    seconds = threshold
    self.time = time
    self.onStall = onStall
  }

  deinit {
    let state = state.withLock { $0 }
    state.task?.cancel()
    for (_, token) in state.watched { token.cancel() }
  }

  /// Watches the modules of a manager, which retains the watchdog until ``stop()``.
  ///
  /// A watchdog can watch several managers.
  @MainActor public func watch(_ manager: ModuleManager) {
    manager.context.log.remark(
      .stall, "StallWatchdog",
      seconds > 0
        ? seconds.problemOfLimit("the threshold", longest: 60)
        : "the threshold is \(seconds), which counts as 0.001")
    // Filter outside the lock, because that can release a manager, which runs user code.
    let watched = state.withLock { $0.watched }.filter { $0.manager.manager != nil }
    if watched.contains(where: { $0.manager.manager === manager }) { return }
    let token = manager.observeIntervals { [weak manager] interval in
      if !interval.isConcurrent { MainActor.assumeIsolated { self.record(interval, of: manager) } }
    }
    state.withLock { state in
      state.watched = watched + [(WeakManager(manager: manager), token)]
      guard state.task == nil else { return }
      let interval = threshold / 4
      let now = time.now()
      state.clock = WakingClock(lastCheck: now, base: now, longestGap: interval * 2)
      state.task = Task.detached(priority: .high) { [weak self, time] in
        while (try? await time.sleep(interval)) != nil { self?.checkTurn() }
      }
    }
  }

  /// Stops watching all managers. The end of a stall in progress is not reported.
  @MainActor public func stop() {
    let tokens = state.withLock { state in
      state.task?.cancel()
      defer { state = State() }
      return state.watched.map(\.token)
    }
    for token in tokens { token.cancel() }
  }

  /// Reports a turn that takes too long, and enqueues the next work on the main actor.
  private func checkTurn() {
    let reading = time.now()
    let (stall, asks): (Stall?, Bool) = state.withLock { state in
      guard state.task != nil else { return (nil, false) }
      let now = state.clock.check(reading)
      let asks = state.asked == nil
      // Handlers that began after the clock was read can have later times.
      let begin = min(now, state.asked ?? now, state.running.first?.begin ?? now)
      if asks { (state.asked, state.last) = (now, nil) }
      guard !state.hasReported, now - begin > threshold else { return (nil, asks) }
      state.hasReported = true
      return (Stall(intervals: state.suspects, nanoseconds: now - begin, isOver: false), asks)
    }
    if let stall { onStall(stall) }
    if asks { Task { @MainActor [weak self] in self?.answer() } }
  }

  /// Ends the turn. Called when the main actor is free.
  @MainActor private func answer() {
    let reading = time.now()
    guard let manager = state.withLock({ $0.watched }).lazy.compactMap(\.manager.manager).first else { return stop() }
    conclude(manager) { state in
      let now = state.clock.now(reading)
      defer {
        state.asked = nil
        state.last = nil
        state.hasReported = false
      }
      guard state.hasReported, let asked = state.asked else { return nil }
      return Stall(intervals: state.suspects, nanoseconds: now - asked, isOver: true)
    }
  }

  @MainActor private func record(_ interval: ObservedInterval, of manager: ModuleManager?) {
    let reading = time.now()
    guard interval.hasEnded else {
      return state.withLock { state in
        if state.task != nil { state.running.append((interval, state.clock.now(reading))) }
      }
    }
    conclude(manager) { state in
      let now = state.clock.now(reading)
      // The watchdog may have started during the handler.
      guard let begin = state.running.last?.begin else { return nil }
      let path = state.running.map(\.interval)
      state.running.removeLast()
      state.last = interval
      // Of the nested handlers that exceed the threshold, the innermost ends first.
      if now - begin > threshold, state.culprit.isEmpty { state.culprit = path }
      guard state.running.isEmpty, !state.culprit.isEmpty else { return nil }
      defer {
        state.culprit = []
        state.hasReported = false
        // The rest of the turn counts separately.
        if state.asked != nil { state.asked = now }
      }
      return Stall(intervals: state.culprit, nanoseconds: now - begin, isOver: true)
    }
  }

  @MainActor private func conclude(_ manager: ModuleManager?, _ end: (inout State) -> Stall?) {
    guard let stall = state.withLock({ end(&$0) }) else { return }
    onStall(stall)
    let innermost = stall.intervals.last
    manager?.report(
      Diagnostic(
        severity: .warning, code: .stall, subject: innermost?.name ?? "the main actor", image: innermost?.image,
        message: stall.text(of: innermost.map { "its \($0.words)" })))
  }
}

/// A clock that stops while the whole process is suspended.
///
/// No system clock does that: the monotonic clock continues while a shell, a debugger, or a
/// container suspends the process. But the watchdog's checks stop as well, so this clock counts at
/// most two check intervals from one check to the next. A blocked thread pool also delays checks,
/// which looks like a suspension to this clock.
private struct WakingClock {
  var lastCheck: UInt64 = 0
  /// The time of this clock at the last check.
  var base: UInt64 = 0
  var longestGap: UInt64 = 0

  /// Returns this clock's time for a reading of the system's clock. A reading from before the last
  /// check gets the time of that check.
  func now(_ reading: UInt64) -> UInt64 {
    reading > lastCheck ? base + min(reading - lastCheck, longestGap) : base
  }

  mutating func check(_ reading: UInt64) -> UInt64 {
    base = now(reading)
    lastCheck = max(lastCheck, reading)
    return base
  }
}

struct WeakManager: Sendable {
  weak let manager: ModuleManager?
}

extension ObservedInterval {
  fileprivate var words: String { kind == "event" ? "handler of '\(activity)'" : "'\(activity)'" }

  fileprivate var phrase: String { "\(kind == "event" ? "the " : "")\(words) in '\(name.escapedForDisplay())'" }
}

extension Diagnostic.Code {
  package static var stall: Self { "stall" }
}
