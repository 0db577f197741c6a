/// How long modules may take in asynchronous phases, in seconds; see ``ModuleManager/run(launch:limits:)``.
///
/// Each module has that long for itself, from when it begins. `.infinity` is no limit; what is negative or not a number is none
/// at all: zero seconds.
public struct PhaseLimits: Sendable, Hashable {
  /// How long ``AsyncModule/becomeReady(_:)`` may take; 30 seconds by default.
  public var becomeReady: Double

  /// How long each step of a module's end may take; 10 seconds by default.
  ///
  /// The steps are: the end of a ``AsyncModule/becomeReady(_:)`` that was cancelled, ``AsyncModule/shutDown(_:)``, and the end of
  /// ``AsyncModule/run(_:)`` when that is cancelled.
  public var shutDown: Double

  public init(becomeReady: Double = 30, shutDown: Double = 10) {
    self.becomeReady = becomeReady
    self.shutDown = shutDown
  }

  /// Seconds in nanoseconds; nil if that is no limit: for ever, or beyond a hundred years.
  static func nanoseconds(_ seconds: Double) -> UInt64? {
    guard seconds > 0 else { return 0 }
    return seconds < 100 * 366 * 86_400 ? UInt64(seconds * 1e9) : nil
  }
}
