internal import RegistryC

/// A clock for modules and managers. Tests can replace it to avoid waiting.
///
/// ```swift
/// let time = TimeSource(now: { clock.now }, sleep: { try await clock.sleep($0) })
/// let modules = ModuleManager(time: time)
/// ```
public struct TimeSource: Sendable {
  package let now: @Sendable () -> UInt64

  package let sleep: @Sendable (UInt64) async throws -> Void

  /// Creates a time source.
  ///
  /// - Parameters:
  ///   - now: A closure that returns the nanoseconds since a fixed point in the past. The result
  ///     must never decrease. Any thread can call the closure.
  ///   - sleep: A closure that waits for a number of nanoseconds. It must throw soon after its task
  ///     is canceled. Any task can call the closure.
  public init(now: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (UInt64) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// The time source that reads the system's monotonic clock and suspends tasks.
  public static let system = TimeSource(
    now: { registry_now() }, sleep: { nanoseconds in try await Task.sleep(nanoseconds: nanoseconds) })

  /// Converts seconds to nanoseconds, limited to 285 years. Negative numbers and NaN become zero.
  package static func nanoseconds(_ seconds: Double) -> UInt64 {
    guard seconds > 0 else { return 0 }
    // `Task.sleep` adds the result to the current time, and the sum must not overflow.
    return seconds < 9e9 ? UInt64(seconds * 1e9) : 9_000_000_000_000_000_000
  }

  /// Calls a closure on the main actor when a time limit passes, or when the sleep fails.
  ///
  /// - Returns: The task to cancel when the limit no longer applies, or nil if the limit is
  ///   infinite.
  @MainActor func limit(_ seconds: Double, _ expire: @escaping @MainActor () -> Void) -> Task<Void, Never>? {
    // Don't start a timer that never fires: the system would keep it even after a cancellation.
    if seconds == .infinity { return nil }
    return ModuleWork.task { [sleep] in
      try? await sleep(Self.nanoseconds(seconds))
      // Only code on the main actor cancels the task, so a cancellation is visible here.
      if !Task.isCancelled { expire() }
    }
  }
}
