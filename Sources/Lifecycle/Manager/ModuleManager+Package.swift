package import Registry

// The parts of a manager that other targets of this package use.
extension ModuleManager {
  /// A Boolean value that indicates whether a start has begun and was not undone.
  package var isStarted: Bool { !launch.isIdle }

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
