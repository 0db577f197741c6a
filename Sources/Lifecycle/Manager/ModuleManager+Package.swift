package import Registry

// The parts of a manager that other targets of this package use.
extension ModuleManager {
  /// A Boolean value that indicates whether a start has begun and was not undone.
  package var isStarted: Bool { !launch.isIdle }

  /// A Boolean value that indicates whether all modules have finished starting and are not stopped.
  package var hasFinishedStarting: Bool {
    if case .running(let run) = launch.state { run.milestone >= .didFinishStarting } else { false }
  }

  /// Waits until no module is becoming ready or shutting down.
  ///
  /// - Returns: `true` if there was something to wait for.
  package func waitUntilReady() async -> Bool { await launch.phases?.waitUntilIdle() == true }

  /// Stops the modules like the cancellation of the task that runs them, without grace periods.
  package func cancelRun() { launch.phases?.stop(.cancelled) }

  /// The clock that measures time limits.
  package var time: TimeSource { launch.time }

  /// The identifiers of all events that modules and handlers handle, after a scan for new images.
  package var subscribedEvents: Set<String> {
    launch.scan()
    return registry.handledEventIDs
  }

  /// The names of all modules, whether or not they are set up, after a scan for new images.
  package var knownModules: [String] {
    launch.scan()
    return Array(registry.entries.names)
  }

  /// Reports a diagnostic, even if the same one has been reported before.
  package func report(_ diagnostic: Diagnostic) { context.report(diagnostic) }
}
