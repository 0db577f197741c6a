import Foundation
public import Lifecycle
public import Registry

/// Runs the modules of a process without a user interface, from its start to its end: servers and tools on Linux and macOS.
///
/// ```swift
/// @main struct Server {
///   static func main() async {
///     await ProcessHost(.shared, reload: { try ContextValues(contentsOf: "/etc/shop.json") }).runAndExit()
///   }
/// }
/// ```
///
/// | signal | |
/// |-|-|
/// | SIGTERM, SIGINT | ``Lifecycle/Event/willTerminate``, then the stop of ``Lifecycle/ModuleManager/run(launch:limits:)``, then the process ends by that signal |
/// | a second of them | ends the process at once, whatever modules are doing |
/// | SIGHUP | the configuration is read anew; without `reload` the same as SIGTERM, as when a terminal closes, or nothing if the process was started to ignore it, as by `nohup` |
/// | SIGTSTP | `willResignActive` and `didEnterBackground`, then the process is suspended |
/// | SIGCONT | after that `willEnterForeground` and `didBecomeActive` |
///
/// A process that a signal was to end ends by that signal, after all is cleaned up: shells (status 128 and its number, and SIGINT
/// ends a script as well), supervisors and parents then see what they expect. It replaces what these signals did before, for the
/// process, so there is one of them.
@MainActor public final class ProcessHost {
  /// The reason why a process ends.
  public enum Termination: Sendable, Hashable {
    /// A call of ``Lifecycle/ModuleManager/triggerGracefulShutdown()``, or of
    /// ``Lifecycle/ModuleManager/stop()``.
    case stopped
    /// A signal with its number.
    case signal(Int32)

    /// Ends the process by the signal, or with a status.
    ///
    /// - Parameter status: The status if no signal was to end it.
    public func exit(status: Int32 = 0) -> Never {
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

    package var description: String {
      number == EBUSY
        ? "another ProcessHost runs, and there is one of them in a process: wait for it to end"
        : "the process' signals cannot be had: \(String(cString: strerror(number)))"
    }
  }

  private let modules: ModuleManager
  private let reload: (@MainActor () throws -> ContextValues)?
  private var isInBackground = false

  /// Makes a host; it does nothing yet.
  ///
  /// - Parameters:
  ///   - modules: What it runs.
  ///   - reload: Gives the configuration when SIGHUP asks for it; ``Lifecycle/Context/configuration`` is that from then on. If it throws,
  ///     that is reported (``Registry/Diagnostic/Code/reloadFailed``) and the configuration stays.
  public init(_ modules: ModuleManager = .shared, reload: (@MainActor () throws -> ContextValues)? = nil) {
    self.modules = modules
    self.reload = reload
  }

  /// Runs the modules until a signal or a stop ends it, and returns the reason.
  ///
  /// - Parameters:
  ///   - launch: What modules find in ``Lifecycle/Context/launch``, with ``Lifecycle/ContextKey/arguments`` added.
  ///   - limits: How long modules may take.
  /// - Throws: The error of ``Lifecycle/ModuleManager/run(launch:limits:)``, unless a signal ended
  ///   the run; an error if another host runs in the process.
  public func run(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async throws
    -> Termination
  {
    var launch = launch
    if !launch.contains(.arguments) { launch[.arguments] = CommandLine.arguments }
    let signals = try ProcessSignals(isReloading: reload != nil)
    let listening = Task { for await signal in signals.stream { receive(signal, signals) } }
    defer {
      listening.cancel()
      signals.stop()
    }
    do {
      try await modules.run(launch: launch, limits: limits)
    } catch {
      guard signals.ending != nil else { throw error }
      report(.error, .endedWithFailure, "\(error)")
    }
    return signals.ending.map { .signal($0) } ?? .stopped
  }

  /// Runs the modules and ends the process: status 0 when stopped, 1 with the error on standard error if modules fail, by the signal that
  /// was to end it otherwise.
  public func runAndExit(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async -> Never {
    do {
      try await run(launch: launch, limits: limits).exit()
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(EXIT_FAILURE)
    }
  }

  func receive(_ signal: ProcessSignals.Event, _ signals: ProcessSignals) {
    switch signal {
    case .end:
      // The modules may have ended by themselves since the signal was read. A request to stop
      // would then end their next run.
      guard modules.isStarted else { return }
      modules.trigger(.willTerminate)
      modules.triggerGracefulShutdown()
    case .reload:
      do {
        if let reload { modules.context.configuration = try reload() }
      } catch {
        report(.error, .reloadFailed, "\(error); the configuration stays as it is")
      }
    case .suspend:
      if !isInBackground {
        isInBackground = true
        modules.trigger(.willResignActive)
        modules.trigger(.didEnterBackground)
      }
      signals.suspend()
    case .resume:
      guard isInBackground else { return }
      isInBackground = false
      modules.trigger(.willEnterForeground)
      modules.trigger(.didBecomeActive)
    }
  }

  private func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) {
    modules.onDiagnostic(
      Diagnostic(severity: severity, code: code, subject: "the process", image: nil, message: message))
  }
}

extension ContextKey where Value == [String] {
  /// What the process was started with, its own name first; in ``Lifecycle/Context/launch``.
  public static var arguments: Self { .init("process.arguments", default: []) }
}

extension Diagnostic.Code {
  /// The configuration could not be read anew when SIGHUP asked for it.
  public static let reloadFailed = Self(rawValue: "reload-failed")
  /// Modules failed while a signal ended the process.
  public static let endedWithFailure = Self(rawValue: "ended-with-failure")
}
