public import Registry

/// Why a manager did not start.
public enum ModuleError: Error, Sendable, CustomStringConvertible {
  /// A module's initializer, set-up or initialisation threw; what had been set up was torn down again.
  case setUpFailed(module: String, image: LoadedImage?, phase: ModulePhase, underlying: any Error)
  /// Modules that must come after each other, the first again at the end.
  case cycle(path: [CycleStep])
  /// Modules or services that ``ModuleManager/expect(_:)`` lists are not there.
  case missing([Diagnostic])
  /// The manager was started before and not stopped since.
  case alreadyStarted
  /// Modules have asynchronous phases, which ``ModuleManager/start(launch:)`` has no time for. Nothing was set up.
  case needsRun([String])
  /// A module threw in an asynchronous phase; everything was stopped.
  case phaseFailed(module: String, image: LoadedImage?, phase: ModulePhase, underlying: any Error)
  /// A module took longer in an asynchronous phase than it may; everything was stopped.
  case timedOut(module: String, image: LoadedImage?, phase: ModulePhase, seconds: Double)
  /// The manager was asked to stop before it was started, or by a module in the course of it; what had been set up was torn
  /// down again.
  case stopped

  /// What happened and what to do about it.
  public var description: String {
    switch self {
    case .setUpFailed(let module, let image, let phase, let underlying):
      let place = image.map { " (\($0))" } ?? ""
      return "\(module.escapedForDisplay())\(place) threw in \(phase.rawValue): \(underlying)"
    case .phaseFailed(let module, let image, let phase, let underlying):
      let place = image.map { " (\($0))" } ?? ""
      return "\(module.escapedForDisplay())\(place) threw in \(phase.rawValue): \(underlying)"
    case .timedOut(let module, let image, let phase, let seconds):
      let place = image.map { " (\($0))" } ?? ""
      return
        "\(module.escapedForDisplay())\(place) took longer than \(seconds) s in \(phase.rawValue); PhaseLimits allows more"
    case .needsRun(let modules):
      let names = modules.map { $0.escapedForDisplay() }.joined(separator: ", ")
      return
        "start() has no time for asynchronous phases, which \(names) \(modules.count == 1 ? "has" : "have"): write try await run()"
    case .cycle(let path):
      return "modules wait for each other in `after`: " + path.spelledOut
        + "; take one of these names out"
    case .missing(let problems):
      return "what the app expects is not there: " + problems.map(\.description).joined(separator: "; ")
    case .alreadyStarted:
      return "the manager has been started: stop it before it is started again"
    case .stopped:
      return "the manager was asked to stop before it had started, by stop() or triggerGracefulShutdown()"
    }
  }
}

/// What a module is asked to do in the course of its life.
public enum ModulePhase: String, Sendable, Hashable {
  case initializer = "init"
  case setUp
  case initialize
  case didFinishStarting
  case tearDown
  case becomeReady
  case run
  case shutDown
}

extension Diagnostic.Code {
  /// `after` names a module that nobody has.
  public static let unknownAfter = Self(rawValue: "unknown-after")
  /// A basic module names a normal one in `after`; the level wins.
  public static let levelConflict = Self(rawValue: "level-conflict")
  /// A module made at launch names one in `after` that waits for its first event.
  public static let activationConflict = Self(rawValue: "activation-conflict")
  /// Something that ``ModuleManager/expect(_:)`` lists is not there.
  public static let missing = Self(rawValue: "missing")
  /// Modules that came late wait for each other in `after`.
  public static let cycle = Self(rawValue: "cycle")
  /// A module that came late could not be set up and was dropped.
  public static let setUpFailed = Self(rawValue: "set-up-failed")
  /// A module threw in didFinishStarting or tear-down, or in an asynchronous phase when everything was being stopped.
  public static let phaseFailed = Self(rawValue: "phase-failed")
  /// A module took longer in an asynchronous phase than it may.
  public static let timedOut = Self(rawValue: "timed-out")
  /// A module with asynchronous phases came late, and the manager was started by ``ModuleManager/start(launch:)``.
  public static let needsRun = Self(rawValue: "needs-run")
  /// A manager was asked to stop that was not started.
  public static let stoppedBeforeStart = Self(rawValue: "stopped-before-start")
  /// A handler threw; the others were called.
  public static let handlerFailed = Self(rawValue: "handler-failed")
  /// An event was triggered before the start and delivered to nobody.
  public static let notStarted = Self(rawValue: "not-started")
  /// One event id with two types of payload or outcome.
  public static let eventMismatch = Self(rawValue: "event-mismatch")
  /// Handlers trigger events that call handlers that trigger events, without an end in sight.
  public static let tooDeep = Self(rawValue: "too-deep")
}
