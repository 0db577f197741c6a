internal import RegistryC

/// A clock and a way to wait, which tests replace so that they need not wait.
///
/// ```swift
/// let modules = ModuleManager(time: TimeSource(now: { clock.now }, sleep: { try await clock.sleep($0) }))
/// ```
public struct TimeSource: Sendable {
  /// The nanoseconds since a fixed point in the past.
  package let now: @Sendable () -> UInt64

  /// The function that waits for a number of nanoseconds.
  package let sleep: @Sendable (UInt64) async throws -> Void

  /// Creates a time source.
  ///
  /// - Parameters:
  ///   - now: Returns the nanoseconds since a fixed point in the past. The value must never
  ///     decrease. Any thread may call it.
  ///   - sleep: Waits for a number of nanoseconds. It must throw soon after its task is canceled.
  ///     Any task may call it.
  public init(now: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (UInt64) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// The time source with the system's monotonic clock and `Task.sleep(nanoseconds:)`.
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
