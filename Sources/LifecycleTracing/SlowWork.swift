public import Lifecycle
public import Registry

extension ModuleManager {
  /// Reports modules and handlers that take longer than a limit, each once.
  ///
  /// ```swift
  /// modules.reportSlow(module: 0.005, handler: 0.002)
  /// ```
  ///
  /// The diagnostic `slow-module` covers the total time of a module's `init`, `setUp`,
  /// `initialize`, and `didFinishStarting`, and `slow-handler` covers one call of a handler. Only
  /// time on the main actor counts, excluding nested handlers and phases, so each diagnostic
  /// points to the code that takes the time. Creating a service counts. Asynchronous work doesn't,
  /// because its time includes suspensions.
  ///
  /// Until you cancel the token, each phase and each handler call costs two more clock readings.
  ///
  /// - Parameters:
  ///   - module: The limit for the phases of a module, in seconds.
  ///   - handler: The limit for each handler call, in seconds.
  ///   - time: The clock.
  /// - Returns: A token that ends the reports.
  @discardableResult
  public func reportSlow(
    module: Double = .infinity, handler: Double = .infinity, time: TimeSource = .system
  ) -> RegistrationToken {
    context.log.remark(.slowModule, "reportSlow", module.problemOfLimit("the limit 'module'", longest: 1))
    context.log.remark(.slowHandler, "reportSlow", handler.problemOfLimit("the limit 'handler'", longest: 1))
    let work = Locked(SlowWork(module: TimeSource.nanoseconds(module), handler: TimeSource.nanoseconds(handler)))
    return observeIntervals { [weak self] interval in
      guard !interval.isConcurrent else { return }
      let now = time.now()
      guard let diagnostic = work.withLock({ $0.record(interval, at: now) }) else { return }
      MainActor.assumeIsolated { self?.report(diagnostic) }
    }
  }
}

/// The durations of a manager's work, compared with limits.
private struct SlowWork {
  let module: UInt64
  let handler: UInt64
  var running = RunningIntervals()
  /// The total time of each module's phases since its last `init`, in nanoseconds.
  var phases: [String: UInt64] = [:]
  var reported: Set<String> = []

  mutating func record(_ interval: ObservedInterval, at now: UInt64) -> Diagnostic? {
    guard let entry = running.record(interval, 0, at: now) else { return nil }
    let own = entry.duration - min(entry.nested, entry.duration)
    guard case .phase(let phase) = interval.work else {
      return report(
        interval, .slowHandler, own, handler, "\(interval)", "its handler of '\(interval.activity)'",
        "move the work off the main actor, or make the handler asynchronous")
    }
    phases[interval.name] = phase == "tearDown" ? nil : own + (phase == "init" ? 0 : phases[interval.name] ?? 0)
    guard let duration = phases[interval.name] else { return nil }
    return report(
      interval, .slowModule, duration, module, interval.name, "its phases up to '\(phase)'",
      "move work to 'becomeReady', or to a service that's created on its first use")
  }

  private mutating func report(
    _ interval: ObservedInterval, _ code: Diagnostic.Code, _ duration: UInt64, _ limit: UInt64,
    _ name: @autoclosure () -> String, _ work: @autoclosure () -> String, _ fix: String
  ) -> Diagnostic? {
    guard duration > limit, reported.insert("\(code) \(name())").inserted else { return nil }
    return Diagnostic(
      severity: .warning, code: code, subject: interval.name, image: interval.image,
      message: "\(work()) took \(duration.milliseconds) ms on the main actor, and the limit is"
        + " \(limit.milliseconds) ms; \(fix)")
  }
}

extension Diagnostic.Code {
  package static var slowModule: Self { "slow-module" }
  package static var slowHandler: Self { "slow-handler" }
}
