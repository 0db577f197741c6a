import Registry

enum RunnerState {
  case idle
  /// Starting or running.
  ///
  /// No other case has a payload. Otherwise, bits of the pointer would distinguish the cases, and
  /// LeakSanitizer would report a live manager's run as a leak.
  case active(ManagerRun)
  case stopping

  var run: ManagerRun? { if case .active(let run) = self { run } else { nil } }
  @MainActor var running: ManagerRun? { run?.isStarting == false ? run : nil }
}

@MainActor final class ManagerRun {
  /// The points that a run passes once, in this order.
  enum Milestone: Comparable {
    case began
    case didSetUp
    case didInitialize
    /// The end of the start, which can fail even after the initialization.
    case didStart
    case didFinishStarting
  }

  var milestone = Milestone.began
  /// The scope of the code that started the run. Other code can request the stop.
  let scope = OverrideScope.current
  /// A Boolean value that indicates whether modules are being set up and initialized.
  var isStarting: Bool { milestone < .didStart }
  /// A Boolean value that indicates whether the teardown was announced. This isn't a milestone,
  /// because a run can end before it finishes starting.
  var hasAnnouncedTearDown = false
  /// A Boolean value that indicates whether `reportEmptyRun` has checked the run.
  var hasCheckedEmptiness = false
  /// The modules that have not finished starting. `isLate` means that a module was set up after the
  /// start, and `replays` that it missed ``Event/modulesDidFinishStarting``.
  var unfinished: [(entry: ModuleEntry, instance: (any Module)?, isLate: Bool, replays: Bool)] = []
  /// The asynchronous phases, or nil if the manager was started without them.
  var phases: AsyncPhases?

  /// The log to report to if the manager is released while its modules are set up, or nil.
  // Unsafe: `deinit` reads it, and nothing else runs then. All other uses are on the main actor.
  nonisolated(unsafe) var logOfRelease: DiagnosticLog?

  init(_ phases: AsyncPhases?) {
    self.phases = phases
  }

  deinit {
    guard let logOfRelease else { return }
    // Diagnostic handlers expect the main actor, but any thread can release the manager.
    Task { @MainActor in
      logOfRelease.report(
        .warning, .notStopped, "ModuleManager",
        "the manager was released while it was running, so its modules are not torn down; retain it, and call 'stop()'"
          + " before you release it")
    }
  }
}
