internal import Registry

/// The time limits of asynchronous phases, in seconds.
///
/// Each limit except ``totalShutdown`` applies to each module separately. `.infinity` means no
/// limit. Negative values and NaN mean zero.
public struct PhaseLimits: Sendable, Hashable {
  /// The time limit for ``AsyncModule/becomeReady(_:)``, 30 by default.
  public var becomeReady: Double

  /// The time limit of each step of a module's shutdown, 10 by default.
  ///
  /// The limit applies to ``AsyncModule/shutDown(_:)``, and to the time that a canceled
  /// ``AsyncModule/becomeReady(_:)`` or ``AsyncModule/run(_:)`` takes to return.
  public var shutDown: Double

  /// The time that ``AsyncModule/run(_:)`` has to return after the module's shutdown; nil by
  /// default.
  ///
  /// The period starts when ``AsyncModule/shutDown(_:)`` ends or times out. When it's over, the
  /// task of `run` is canceled. If the property is nil, a `run` that observes the shutdown through
  /// its context has ten seconds. Any other `run` is canceled immediately, because it usually waits
  /// for the cancellation. There is no grace period if the task that runs the manager is canceled.
  public var gracePeriod: Double?

  /// The time limit for stopping all modules, `.infinity` by default.
  ///
  /// The clock starts with the stop. When time runs out, all phases in progress are canceled and no
  /// longer awaited. Modules that haven't shut down are reported and torn down. By default, Docker
  /// kills a container ten seconds after SIGTERM, so a limit of eight leaves time for the teardown.
  public var totalShutdown: Double

  /// Creates time limits, in seconds.
  public init(
    becomeReady: Double = 30, shutDown: Double = 10, gracePeriod: Double? = nil, totalShutdown: Double = .infinity
  ) {
    self.becomeReady = becomeReady
    self.shutDown = shutDown
    self.gracePeriod = gracePeriod
    self.totalShutdown = totalShutdown
  }

  static let defaultGracePeriod = 10.0
}

extension PhaseLimits {
  /// Reports limits that are probably mistakes.
  func report(to log: DiagnosticLog) {
    let all = [
      ("becomeReady", becomeReady), ("shutDown", shutDown), ("gracePeriod", gracePeriod ?? 0),
      ("totalShutdown", totalShutdown),
    ]
    for (name, seconds) in all {
      log.remark(.timedOut, "PhaseLimits", seconds.problemOfLimit("the limit '\(name)'", longest: 3_600))
    }
  }
}

extension Double {
  /// Returns the reason why a limit with a name is probably a mistake, or nil.
  package func problemOfLimit(_ name: String, longest: Double) -> String? {
    if isNaN || self < 0 { return "\(name) is \(self), which counts as zero; write '.infinity' for no limit" }
    guard self > longest, self < .infinity else { return nil }
    return "\(name) is \(self) s, longer than \(longest) s; limits are in seconds, so write '\(self / 1_000)' for"
      + " \(self) ms, or '.infinity' for no limit"
  }
}
