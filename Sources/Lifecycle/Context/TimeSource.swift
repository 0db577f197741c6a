internal import RegistryC

/// Where time comes from: one's own in tests, which then need not wait.
///
/// ```swift
/// let modules = ModuleManager(time: TimeSource(now: { clock.now }, sleep: { try await clock.sleep($0) }))
/// ```
public struct TimeSource: Sendable {
  /// Nanoseconds since some moment in the past. Must not go back. Called from any thread.
  public let now: @Sendable () -> UInt64

  /// Waits so many nanoseconds. Must throw, and soon, when its task is cancelled. Called from any
  /// task.
  public let sleep: @Sendable (UInt64) async throws -> Void

  public init(now: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (UInt64) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's own: its monotonic clock, and `Task.sleep(nanoseconds:)`.
  public static let system = TimeSource(
    now: { registry_now() }, sleep: { nanoseconds in try await Task.sleep(nanoseconds: nanoseconds) })

  /// Seconds as nanoseconds: nothing if negative or not a number, and what fits if there are too
  /// many, half a millennium.
  package static func nanoseconds(_ seconds: Double) -> UInt64 {
    guard seconds > 0 else { return 0 }
    // Below what `Task.sleep` can add to the present without overflow.
    return seconds < 9e9 ? UInt64(seconds * 1e9) : 9_000_000_000_000_000_000
  }
}
