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
  package enum Reason: Sendable {
    /// A failed initializer, setup, or initialization, after which everything was torn down.
    case setUpFailed(module: String, image: LoadedImage?, phase: ModulePhase, underlying: any Error)
    /// A cycle of modules that wait for each other, with the first one repeated at the end.
    case cycle(path: [CycleStep])
    /// The expected modules and services that are missing.
    case missing([Diagnostic])
    /// The unmet needs of a manager that requires all needs.
    case unmetNeeds([Diagnostic])
    /// A start of a manager that was already started.
    case alreadyStarted
    /// The modules whose asynchronous phases a start cannot run. Nothing was set up.
    case needsRun([String])
    /// A failed asynchronous phase, after which the manager stopped everything.
    case phaseFailed(module: String, image: LoadedImage?, phase: ModulePhase, underlying: any Error)
    /// An asynchronous phase that exceeded its time limit, after which everything was stopped.
    case timedOut(module: String, image: LoadedImage?, phase: ModulePhase, seconds: Double)
    /// A stop before or during the start, after which the manager tore everything down.
    case stopped
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// The modules that the error is about: the module that failed, the modules that need
  /// ``ModuleManager/run(launch:limits:)``, or a cycle of modules that ends with its first module;
  /// empty for other errors, such as one about missing modules.
  public var modules: [String] {
    switch reason {
    case .setUpFailed(let module, _, _, _), .phaseFailed(let module, _, _, _), .timedOut(let module, _, _, _): [module]
    case .cycle(let path): path.map(\.subject)
    case .needsRun(let modules): modules
    case .missing, .unmetNeeds, .alreadyStarted, .stopped: []
    }
  }

  /// The module's method that failed, such as `setUp`, or `init` for an initializer; nil for other
  /// errors.
  public var phase: String? {
    switch reason {
    case .setUpFailed(_, _, let phase, _), .phaseFailed(_, _, let phase, _), .timedOut(_, _, let phase, _):
      phase.rawValue
    default: nil
    }
  }

  /// The error that the module threw, or nil.
  public var underlying: (any Error)? {
    switch reason {
    case .setUpFailed(_, _, _, let error), .phaseFailed(_, _, _, let error): error
    default: nil
    }
  }

  /// The diagnostics about what's missing, each with its subject and image; empty for other errors.
  public var diagnostics: [Diagnostic] {
    switch reason {
    case .missing(let diagnostics), .unmetNeeds(let diagnostics): diagnostics
    default: []
    }
  }

  /// A description of the problem and of its fix, with the code.
  public var description: String { "\(text()) [\(code)]" }

  /// The code of the problem, such as `set-up-failed`, which diagnostics about the same problem
  /// share. See `Documentation/Diagnostics.md`.
  public var code: Diagnostic.Code {
    switch reason {
    case .setUpFailed: .setUpFailed
    case .cycle: .cycle
    case .missing: .missing
    case .unmetNeeds: .unmetNeed
    case .alreadyStarted: .alreadyStarted
    case .needsRun: .needsRun
    case .phaseFailed: .phaseFailed
    case .timedOut: .timedOut
    case .stopped: .stopped
    }
  }

  /// - Parameter subject: The words for the module of the error, or nil for its name and image.
  package func text(of subject: String? = nil) -> String {
    func words(_ module: String, _ image: LoadedImage?) -> String {
      subject ?? "module '\(module.escapedForDisplay())'\(image.map { " (\($0))" } ?? "")"
    }
    switch reason {
    case .setUpFailed(let module, let image, let phase, let underlying),
      .phaseFailed(let module, let image, let phase, let underlying):
      let isEarly =
        (phase == .setUp || phase == .initialize || phase == .becomeReady)
        && (underlying as? ServiceError)?.code == .noService
      return "\(words(module, image)) threw an error in '\(phase.rawValue)': \(underlying)"
        + (isEarly ? "; if a module registers the service in its '\(phase.rawValue)', name that module in 'after'" : "")
    case .timedOut(let module, let image, let phase, let seconds):
      let limit = "the time limit of \(seconds) s in '\(phase.rawValue)'"
      // Only a module that ignores the cancellation of its task exceeds the limit of 'run'.
      let fix = phase == .run ? "return when the task is canceled" : "extend the limit with 'PhaseLimits'"
      return "\(words(module, image)) exceeded \(limit); \(fix)"
    case .needsRun(let modules):
      let (noun, verb) = modules.count == 1 ? ("module", "has") : ("modules", "have")
      return "\(noun) \(modules.quotedList("and")) \(verb) asynchronous phases, which 'start()' does not run; call"
        + " 'try await run()' instead"
    case .cycle(let path):
      return
        "modules wait for each other in 'after': \(path.spelledOut); remove one of these names from 'after', or 'afterNeeds: true' from one of these modules"
    case .missing(let problems), .unmetNeeds(let problems):
      let areNeeds = code == .unmetNeed
      // A diagnostic with an image is about an existing record, unless it's about a need.
      let reasons = areNeeds || problems.contains { $0.image == nil } ? "; \(Self.reasonsForMissingRecords)" : ""
      return (areNeeds ? "nothing satisfies these needs: " : "expected modules or services are missing: ")
        + problems.map(\.textInMessage).joined(separator: "; ") + reasons
    case .alreadyStarted:
      return
        "the manager is already started; remove one of the calls that start it, such as 'start()' before 'run()' or"
        + " 'ProcessHost', or call 'stop()' before you start it again"
    case .stopped:
      return "the manager was stopped by 'stop()' or 'triggerGracefulShutdown()' before its start was complete"
    }
  }

  /// The possible reasons why a record in the source code is missing from the binary. The error
  /// states them once, after all diagnostics.
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
