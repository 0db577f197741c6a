public import Registry

/// An error that a manager throws when it starts or runs.
///
/// ```swift
/// do {
///   try modules.start()
/// } catch where error.code == "set-up-failed" {
///   show(error.underlying)
/// }
/// ```
public struct ModuleError: Error, Sendable, CustomStringConvertible {
  /// The code of the problem, such as `set-up-failed`, which diagnostics about the same problem
  /// share. See `Documentation/Diagnostics.md`.
  public private(set) var code: Diagnostic.Code

  /// The modules that the error is about: the module that failed, the modules that need
  /// ``ModuleManager/run(launch:limits:)``, or a cycle of modules that ends with its first module;
  /// empty for other errors, such as one about missing modules.
  public private(set) var modules: [String] = []

  /// The module's method that failed, such as `setUp`, or `init` for an initializer; nil for other
  /// errors.
  public private(set) var phase: String?

  /// The error that the module threw, or nil.
  public private(set) var underlying: (any Error)?

  /// The diagnostics about missing modules and services or unmet needs; empty for other errors.
  public private(set) var diagnostics: [Diagnostic] = []

  /// The image of the module that failed.
  private(set) var image: LoadedImage?

  /// The problem and its fix. If a phase failed, the text follows the module's name.
  private var problem: String

  /// A description of the problem and its fix, with the code.
  public var description: String {
    #if DEBUG
    // After the start, a module that fails is only removed, so its diagnostic lacks this fix.
    if code == .setUpFailed, !(underlying is ServiceError) {
      return "\(text()); if the app can run without the module, catch the error in it [\(code)]"
    }
    #endif
    return "\(text()) [\(code)]"
  }

  /// - Parameter subject: The words that refer to the failed module; nil for its name and image.
  package func text(of subject: String? = nil) -> String {
    if phase == nil { return problem }
    let name = modules.joined().escapedForDisplay()
    return "\(subject ?? "module '\(name)'\(image.map { " (\($0))" } ?? "")") \(problem)"
  }

  /// A phase that threw an error.
  ///
  /// - Parameter others: The names of the modules that were becoming ready at the same time.
  static func failed(
    _ code: Diagnostic.Code, _ module: Subscriber?, _ phase: ModulePhase, _ underlying: any Error, others: [String] = []
  ) -> ModuleError {
    let phase = phase.rawValue
    let isEarly =
      ["setUp", "initialize", "becomeReady"].contains(phase) && (underlying as? ServiceError)?.code == .noService
    var problem = "threw an error in '\(phase)': \(underlying)"
    if isEarly { problem += "; if a module registers the service in its '\(phase)', name that module in 'after'" }
    #if DEBUG
    if !isEarly, !others.isEmpty {
      let names = others.ordered(by: <).quotedList("and", limit: 3)
      problem += "; not ready at that time: \(names); if the module needs one of these, name it in 'after'"
    }
    #endif
    return ModuleError(
      code: code, modules: [module?.name ?? ""], phase: phase, underlying: underlying, image: module?.image,
      problem: problem)
  }

  /// The error of a phase that stops the manager.
  var stoppingAll: ModuleError {
    var error = self
    if code == .phaseFailed, phase == ModulePhase.run.rawValue {
      error.problem += "; all modules are stopped; catch the error, or set 'failureTerminationBehavior' to '.continues'"
    }
    return error
  }

  /// An asynchronous phase that exceeded its time limit.
  static func timedOut(_ module: Subscriber?, _ phase: ModulePhase, _ seconds: Double) -> ModuleError {
    // Only a module that ignores cancellation exceeds the limit of 'run'.
    let wait = phase == .shutDown ? "end what it waits for, or " : "move work that does not end to 'run', or "
    let fix = phase == .run ? "return when the task is canceled" : "\(wait)extend the limit with 'PhaseLimits'"
    return ModuleError(
      code: .timedOut, modules: [module?.name ?? ""], phase: phase.rawValue, image: module?.image,
      problem: "exceeded the time limit of \(seconds) s in '\(phase.rawValue)'; \(fix)")
  }

  /// Modules with asynchronous phases, which `start()` doesn't run. Nothing was set up.
  static func needsRun(_ modules: [String]) -> ModuleError {
    let (noun, verb) = modules.count == 1 ? ("module", "has") : ("modules", "have")
    return ModuleError(
      code: .needsRun, modules: modules,
      problem: "\(noun) \(modules.quotedList("and")) \(verb) asynchronous phases, which 'start()' does not run; call"
        + " 'try await run()' instead")
  }

  /// Modules that wait for each other, with the first module repeated at the end.
  package static func cycle(_ path: [(name: String, image: LoadedImage?)]) -> ModuleError {
    let steps = path.spelledOut { $0.name.quotedForDisplay() + ($0.image.map { " (\($0))" } ?? "") }
    return ModuleError(
      code: .cycle, modules: path.map(\.name),
      problem: "modules wait for each other in 'after': \(steps); remove one of these names from 'after', or"
        + " 'afterNeeds: true' from one of these modules")
  }

  /// Required modules and services that are missing, or required needs that are unmet.
  ///
  /// - Parameter precedeSetUp: A Boolean value that indicates whether the needs were checked before
  ///   modules could satisfy them.
  static func missing(_ problems: [Diagnostic], areNeeds: Bool = false, precedeSetUp: Bool = false) -> ModuleError {
    // A diagnostic with an image is about an existing record, unless it's about a need.
    var reasons = areNeeds || problems.contains { $0.image == nil } ? "; \(reasonsForMissingRecords)" : ""
    #if DEBUG
    if precedeSetUp {
      reasons = "; if a module registers what is missing, call 'requireAllNeeds(afterInitialize: true)'\(reasons)"
    }
    #endif
    return ModuleError(
      code: areNeeds ? .unmetNeed : .missing, diagnostics: problems,
      problem: (areNeeds ? "nothing satisfies these needs: " : "expected modules or services are missing: ")
        + problems.map(\.textInMessage).joined(separator: "; ") + reasons)
  }

  /// An attempt to start a manager that's already started.
  package static var alreadyStarted: ModuleError {
    ModuleError(
      code: .alreadyStarted,
      problem: "the manager is already started; call only one of 'start()', 'run()', and 'ProcessHost', or 'stop()'"
        + " before the next; give each test its own 'ModuleManager(modules:)'")
  }

  /// A stop before or during the start. The manager has torn everything down.
  static var stopped: ModuleError {
    ModuleError(
      code: .stopped,
      problem: "the manager was stopped by 'stop()' or 'triggerGracefulShutdown()' before its start was complete")
  }

  /// The possible reasons why a record is missing from the loaded images. The error states them
  /// once, after all diagnostics.
  private static var reasonsForMissingRecords: String {
    """
    a record is missing if its target is not a dependency of this product, or only of an image that is not open yet; \
    if its object file is an unreferenced member of a static archive (link it with '-force_load' on Apple systems, \
    with '--whole-archive' elsewhere); if it was compiled out or removed as dead code (a handwritten record without \
    'used'); or if its image was opened by another copy of this library; 'report()' of 'RegistryReports' lists the \
    records that were found
    """
  }
}

extension Diagnostic.Code {
  package static var unknownAfter: Self { "unknown-after" }
  package static var levelConflict: Self { "level-conflict" }
  package static var activationConflict: Self { "activation-conflict" }
  package static var missing: Self { "missing" }
  package static var cycle: Self { "cycle" }
  package static var setUpFailed: Self { "set-up-failed" }
  package static var phaseFailed: Self { "phase-failed" }
  package static var timedOut: Self { "timed-out" }
  package static var needsRun: Self { "needs-run" }
  package static var alreadyStarted: Self { "already-started" }
  package static var stopped: Self { "stopped" }
  package static var stoppedBeforeStart: Self { "stopped-before-start" }
  package static var handlerFailed: Self { "handler-failed" }
  package static var notStarted: Self { "not-started" }
  package static var eventMismatch: Self { "event-mismatch" }
  package static var tooDeep: Self { "too-deep" }
  package static var nothingToStart: Self { "nothing-to-start" }
  package static var notStopped: Self { "not-stopped" }
  package static var sharedServices: Self { "shared-services" }
  package static var duplicateEvent: Self { "duplicate-event" }
}
