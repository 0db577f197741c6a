import Foundation
public import Lifecycle
package import Registry

/// A host that runs the modules of a server or tool on Linux and macOS, from start to end.
///
/// ```swift
/// @main struct Server {
///   static func main() async throws {
///     let modules = ModuleManager(records: .loadedImages)
///     modules.context.configuration = try settings()
///     await ProcessHost(modules, reload: { try settings() }).runAndExit()
///   }
/// }
/// ```
///
/// The host handles these signals:
///
/// - SIGTERM, SIGINT: Trigger ``/Lifecycle/Event/willTerminate``, stop
///   ``/Lifecycle/ModuleManager/run(launch:limits:)``, and end the process with the same signal. A
///   second signal ends the process immediately. Signals within 100 ms of the first count as one
///   request, however, because some programs send several.
/// - SIGHUP: Reloads the configuration. Without `reload`, it has the effect of SIGTERM, because
///   closing a terminal sends it.
/// - SIGTSTP: Triggers `willResignActive` and `didEnterBackground`, and suspends the process. When
///   the process continues, the host triggers `willEnterForeground` and `didBecomeActive`. In an
///   orphaned process group, which no shell could continue, the process continues immediately.
/// - SIGUSR1, SIGUSR2, SIGQUIT, unless ``Options`` selects them: Trigger `didReceiveUserSignal1`,
///   `didReceiveUserSignal2`, and `didReceiveQuitSignal`, if the event has a handler when the run
///   begins.
/// - SIGPIPE, unless ``Options`` selects it: Has no effect, so writing to a closed connection fails
///   with an error.
///
/// A process that was started with one of these signals ignored, for example by `nohup`, continues
/// to ignore it, except for SIGHUP with `reload`. The host handles signals even if they were
/// blocked. Forked and spawned processes don't inherit the host's handling.
///
/// After the cleanup, the process raises the signal again, with the default action, so shells,
/// supervisors, and parent processes observe the expected status. In a shell, the status is 128
/// plus the number of the signal, and SIGINT ends a script, too. The host replaces the actions of
/// these signals, so only one host can run. ``Options`` selects the signals that end the process.
@MainActor public final class ProcessHost {
  /// The reason that a run ended.
  @nonexhaustive public enum Termination: Sendable, Hashable {
    /// A stop by the app or a module.
    ///
    /// The cause is ``/Lifecycle/ModuleManager/triggerGracefulShutdown()``,
    /// ``/Lifecycle/ModuleManager/stop()``, or a module that ends the run when its `run` returns.
    case stopped
    /// A signal with its number.
    case signal(Int32)

    /// Ends the process with the signal or a status.
    ///
    /// - Parameter status: The exit status if no signal ends the process.
    public func exit(status: Int32 = 0) -> Never {
      // A reader of standard output that has ended must not change the status.
      Foundation.signal(SIGPIPE, SIG_IGN)
      switch self {
      case .stopped: Foundation.exit(status)
      case .signal(let number): ProcessSignals.end(by: number)
      }
    }
  }

  /// An error that the host throws when it cannot handle the signals of the process.
  package struct SignalHandlingError: Error, Sendable, CustomStringConvertible {
    /// The `errno` of the system call.
    let number: Int32
    /// The number of a signal that no program can handle; nil if the signals are valid.
    var signal: Int32?

    package var description: String { "\(text) [\(Diagnostic.Code.signalsNotHandled)]" }

    var text: String {
      if let signal {
        let name = signal == SIGKILL ? " (SIGKILL)" : signal == SIGSTOP ? " (SIGSTOP)" : ""
        return "the signal \(signal)\(name) cannot be handled; remove it from 'stopSignals' and 'cancelSignals' of the"
          + " host's options"
      }
      return number == EBUSY
        ? "another 'ProcessHost' is running, and a process can have only one; run all modules in one manager, or wait"
          + " until it ends"
        : "the signals of the process cannot be handled: \(String(cString: strerror(number)))"
    }
  }

  let modules: ModuleManager
  let options: Options
  /// A Boolean value that indicates whether a signal has begun to end the current run.
  private var isEnding = false
  let reload: (@MainActor () throws -> ContextValues)?

  /// Creates a host that has no effect until it runs.
  ///
  /// - Parameters:
  ///   - modules: The manager of the modules to run.
  ///   - options: The signals that end the process, and other optional behavior.
  ///   - reload: A closure that returns the new ``/Lifecycle/Context/configuration`` after SIGHUP.
  ///     The start doesn't call it. If it throws, the host reports the error (`reload-failed`) and
  ///     keeps the configuration.
  public init(
    _ modules: ModuleManager = .shared, options: Options = Options(),
    reload: (@MainActor () throws -> ContextValues)? = nil
  ) {
    self.modules = modules
    self.options = options
    self.reload = reload
  }

  /// Runs the modules until a signal or a stop ends the run, and returns the reason.
  ///
  /// A signal that requests a stop ends the process one second after
  /// ``/Lifecycle/PhaseLimits/totalShutdown`` at the latest, even if the main actor is blocked.
  ///
  /// - Parameters:
  ///   - launch: The value of ``/Lifecycle/Context/launch``. The host adds
  ///     ``Lifecycle/ContextKey/arguments`` if it's missing.
  ///   - limits: The time limits of the phases.
  /// - Throws: The error from ``/Lifecycle/ModuleManager/run(launch:limits:)``, unless a signal
  ///   ended the run; an error if another host is running in the process, or if ``Options`` has a
  ///   number that is not a signal or cannot be handled.
  public func run(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async throws
    -> Termination
  {
    var launch = launch
    if !launch.contains(.arguments) { launch[.arguments] = CommandLine.arguments }
    let reaper = options.reapsOrphans ? OrphanReaper(delay: options.reapDelay) : nil
    let signals: ProcessSignals
    do {
      signals = try ProcessSignals(
        signalActions(), nanosecondsToEnd: Self.nanosecondsToEnd(limits), reaper: reaper
      ) { [modules] in modules.workingModules }
    } catch {
      #if DEBUG
      // With 'async let', the error is thrown only after the other host has ended.
      report(.error, .signalsNotHandled, error.text)
      #endif
      throw error
    }
    isEnding = false
    let listening = Task { for await signal in signals.stream { receive(signal, signals) } }
    var failure: (any Error)?
    do { try await modules.run(launch: launch, limits: limits) } catch { failure = error }
    listening.cancel()
    // This reads the signals that have arrived, so that none is lost.
    signals.stop()
    guard let signal = signals.ending else {
      if let failure { throw failure }
      return .stopped
    }
    // If a signal cancels the run, the run throws a `CancellationError`.
    if let failure, !(failure is CancellationError) {
      report(.error, .endedWithFailure, "the run failed while a signal ended the process: \(failure)")
    }
    return .signal(signal)
  }

  /// Returns the time after which a signal ends the process even if the modules hang, or nil if
  /// there's no limit. The time is a second longer than the limit for the shutdown.
  static func nanosecondsToEnd(_ limits: PhaseLimits) -> UInt64? {
    limits.totalShutdown == .infinity ? nil : TimeSource.nanoseconds(limits.totalShutdown) + 1_000_000_000
  }

  /// Runs the modules and ends the process.
  ///
  /// The status is 0 after a stop. If the run throws, the status is 1, and the error is written to
  /// standard error. If a signal stopped the modules, that signal ends the process; if it would
  /// only suspend the process, the status is 128 plus its number.
  public func runAndExit(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async -> Never {
    do {
      try await run(launch: launch, limits: limits).exit()
    } catch {
      // A reader of standard error that has ended must not change the status.
      signal(SIGPIPE, SIG_IGN)
      "error: \(error)".logLine()
      exit(EXIT_FAILURE)
    }
  }

  func receive(_ signal: ProcessSignals.Received, _ signals: ProcessSignals) {
    // The modules may have ended since the signal was read. A request to stop would then end their
    // next run. Nor may a signal of an earlier run, whose task is canceled, end this one.
    guard modules.isStarted, !Task.isCancelled else {
      if signal.action == .suspend { signals.suspend() }
      return
    }
    switch signal.action {
    case .stop, .cancel:
      #if DEBUG
      if signal.number == SIGHUP, signal.action == .stop, reload == nil, !isEnding {
        report(.warning, .reloadFailed, "SIGHUP stops it, because the host has no 'reload'; pass one to reload instead")
      }
      #endif
      // A second signal can cancel what the first signal stops, so trigger the event only once.
      if !isEnding { modules.trigger(.willTerminate) }
      isEnding = true
      // A handler may have stopped the modules.
      guard modules.isStarted else { return }
      // During a start, only this request has an effect, because there is no run to cancel.
      modules.triggerGracefulShutdown()
      if signal.action == .cancel { modules.cancelRun() }
    case .reload:
      do {
        if let reload { modules.context.configuration = try reload() }
      } catch {
        report(.error, .reloadFailed, "the configuration could not be reloaded and keeps its values: \(error)")
      }
    case .event:
      if let event = Self.signalEvents[signal.number] { modules.trigger(event) }
    case .suspend:
      // If a handler stops the modules, the suspension still takes effect, but without events.
      trigger(.willResignActive, .didEnterBackground)
      signals.suspend()
      trigger(.willEnterForeground, .didBecomeActive)
    case .resume, .reap: break
    }
  }

  private func trigger(_ events: Event<Void, Void>...) {
    for event in events where modules.isStarted { modules.trigger(event) }
  }

  private func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) {
    modules.context.log.report(severity, code, "the process", message)
  }

  /// The signals that end a process, and other optional behavior of its host.
  ///
  /// ```swift
  /// let host = ProcessHost(.shared, options: .init(cancelSignals: [SIGQUIT], reapsOrphans: true))
  /// ```
  public struct Options: Sendable, Hashable {
    /// The signals that stop the modules gracefully.
    ///
    /// By default, they are SIGTERM, SIGINT, and SIGHUP. A host with `reload` reloads its
    /// configuration on SIGHUP.
    public var stopSignals: Set<Int32>

    /// The signals that stop the modules without grace periods. By default, the set is empty.
    ///
    /// Modules still shut down in reverse order. A cancel signal that follows a stop signal ends
    /// the grace periods. A further signal of either kind ends the process immediately.
    public var cancelSignals: Set<Int32>

    /// A Boolean value that indicates whether the host reaps processes that its process adopted.
    ///
    /// The first process of a container adopts processes whose parents have ended. When an adopted
    /// process ends, it remains as a zombie until its new parent waits for it. The host reaps a
    /// process that has been a zombie for five seconds, so libraries can wait for the processes
    /// that they started. The option has an effect only on Linux, in the first process and in
    /// subreapers. There, SIGCHLD starts the search for zombies and doesn't stop the modules, even
    /// if ``stopSignals`` or ``cancelSignals`` contains it.
    public var reapsOrphans: Bool

    /// The number of seconds that the host waits before it reaps a zombie.
    package var reapDelay = 5.0

    /// Creates options.
    ///
    /// - Parameters:
    ///   - stopSignals: The signals that stop the modules gracefully, or nil for the default.
    ///   - cancelSignals: The signals that stop the modules without grace periods.
    ///   - reapsOrphans: A Boolean value that indicates whether the host reaps adopted processes.
    public init(stopSignals: Set<Int32>? = nil, cancelSignals: Set<Int32> = [], reapsOrphans: Bool = false) {
      self.stopSignals = stopSignals ?? [SIGTERM, SIGINT, SIGHUP]
      self.cancelSignals = cancelSignals
      self.reapsOrphans = reapsOrphans
    }
  }

  func signalActions() -> [Int32: ProcessSignals.Action] {
    var actions: [Int32: ProcessSignals.Action] = [SIGTSTP: .suspend, SIGCONT: .resume]
    let subscribed = modules.subscribedEvents
    for (number, event) in Self.signalEvents where subscribed.contains("\(event.id)") { actions[number] = .event }
    for number in options.stopSignals { actions[number] = .stop }
    for number in options.cancelSignals { actions[number] = .cancel }
    if reload != nil { actions[SIGHUP] = .reload }
    return actions
  }

  static var signalEvents: [Int32: Event<Void, Void>] {
    [SIGUSR1: .didReceiveUserSignal1, SIGUSR2: .didReceiveUserSignal2, SIGQUIT: .didReceiveQuitSignal]
  }
}

extension ContextKey where Value == [String] {
  /// The arguments of the process, starting with its name, in ``/Lifecycle/Context/launch``.
  public static var arguments: Self { .init("process.arguments", default: []) }
}

extension Diagnostic.Code {
  package static var signalsNotHandled: Self { "signals-not-handled" }
  package static var reloadFailed: Self { "reload-failed" }
  package static var endedWithFailure: Self { "ended-with-failure" }
}

extension Event where Payload == Void, Outcome == Void {
  /// An event that is triggered by SIGUSR1, for example to make the process reopen its log.
  ///
  /// A ``ProcessHost/ProcessHost`` triggers it if the event has a handler when the run begins,
  /// unless the host's options select the signal. By default, the signal ends the process.
  public static var didReceiveUserSignal1: Self { .init("process.didReceiveUserSignal1") }

  /// An event that is triggered by SIGUSR2.
  ///
  /// See ``didReceiveUserSignal1``.
  public static var didReceiveUserSignal2: Self { .init("process.didReceiveUserSignal2") }

  /// An event that is triggered by SIGQUIT, for example to request a report of the state.
  ///
  /// See ``didReceiveUserSignal1``.
  public static var didReceiveQuitSignal: Self { .init("process.didReceiveQuitSignal") }
}
