/// The time limits of asynchronous phases, in seconds.
///
/// Each limit applies to each module separately, from the beginning of its phase. `.infinity` means
/// no limit. Negative values and NaN mean zero.
public struct PhaseLimits: Sendable, Hashable {
  /// The time limit for becoming ready, 30 by default.
  ///
  /// See ``AsyncModule/becomeReady(_:)``.
  public var becomeReady: Double

  /// The time limit of each step of a module's shutdown, 10 by default.
  ///
  /// The steps are the end of a ``AsyncModule/becomeReady(_:)`` that was canceled,
  /// ``AsyncModule/shutDown(_:)``, and the end of ``AsyncModule/run(_:)`` after its cancellation.
  public var shutDown: Double

  /// Creates time limits, in seconds.
  public init(becomeReady: Double = 30, shutDown: Double = 10) {
    self.becomeReady = becomeReady
    self.shutDown = shutDown
  }

  /// Returns seconds in nanoseconds, or nil for no limit.
  ///
  /// Limits beyond a hundred years count as no limit.
  static func nanoseconds(_ seconds: Double) -> UInt64? {
    guard seconds > 0 else { return 0 }
    return seconds < 100 * 366 * 86_400 ? UInt64(seconds * 1e9) : nil
  }
}
