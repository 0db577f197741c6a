/// The state of a manager between its start and its stop.
enum LaunchState {
  /// Not running.
  case idle
  /// Setting up and initializing modules.
  case starting(ManagerRun)
  /// Running.
  case running(ManagerRun)
  /// Tearing down modules.
  case stopping

  /// The run that has begun and has not begun to stop, or nil.
  var run: ManagerRun? {
    switch self {
    case .starting(let run), .running(let run): run
    case .idle, .stopping: nil
    }
  }
}

/// A run of a manager, from its start to the following stop.
@MainActor final class ManagerRun {
  /// The announcements that are made once in each run, in their order.
  enum Milestone: Comparable {
    case began
    case didSetUp
    case didInitialize
    case didFinishStarting
  }

  /// The last milestone that the run has reached.
  var milestone = Milestone.began
  /// A Boolean value that indicates whether the tear-down was announced.
  ///
  /// It is separate from the milestones, because a run can end before it has finished starting.
  var hasAnnouncedTearDown = false
  /// The modules that have not finished starting, and whether they were added after the start and
  /// have missed the event.
  var unfinished: [(entry: ModuleEntry, instance: (any Module)?, isLate: Bool, replays: Bool)] = []
  /// The asynchronous phases, or nil if the manager was started without them.
  var phases: AsyncPhases?

  init(_ phases: AsyncPhases?) {
    self.phases = phases
  }
}
