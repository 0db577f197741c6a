import Registry

extension ModuleManager {
  /// Starts the modules, lets those with asynchronous phases become ready and work, and waits until everything is stopped.
  ///
  /// ```swift
  /// @main struct Server {
  ///   static func main() async throws { try await ModuleManager.shared.run() }
  /// }
  /// ```
  ///
  /// What it promises; ``AsyncModule`` has a module's view of it:
  ///
  /// - First all that ``start(launch:)`` does; if that throws, so does this, and no asynchronous phase has begun.
  /// - Then modules become ready in dependency order, independent ones side by side, and each works from then on.
  /// - It waits until somebody calls ``triggerGracefulShutdown()`` or ``stop()``, the task that called it is cancelled, or a module fails. That all
  ///   modules have returned from their work does not end it.
  /// - Everything is stopped in reverse: who became ready, or began to, shuts down when all that wait for it have; who did not begin
  ///   does not. When all have, modules are torn down as by ``stop()``. It returns, or throws, after all of that.
  /// - No module can hold it up: each phase has a limit. Who exceeds it is reported by name, its task is cancelled, and it is not waited
  ///   for longer than one more limit.
  /// - The first failure is thrown; later ones, and those in the course of the stop, are reported.
  ///
  /// A module that comes meanwhile becomes ready in the background, when it is set up and initialised, after the modules that it waits
  /// for. If it fails to it is reported and dropped, alone. A module that is taken out, or whose plug-in is closed, is out of reach of
  /// events at once, shuts down in the background and is torn down after that; modules that wait for it and stay are not waited for,
  /// and one of the same name that comes meanwhile becomes ready after that. ``waitUntilIdle()`` waits for both. What comes while everything
  /// is being stopped waits for the next start.
  ///
  /// - Important: A ``triggerGracefulShutdown()`` before makes it return at once, without setting anything up, and is reported.
  /// - Parameters:
  ///   - launch: What the host was started with, for ``Context/launch``.
  ///   - limits: How long modules may take.
  /// - Throws: ``ModuleError``, or `CancellationError` if the task that called it was cancelled. Nothing on a graceful stop.
  public func run(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async throws {
    guard state == .idle else { throw ModuleError.alreadyStarted }
    try Task.checkCancellation()
    if stopper.isRequested {
      forgetStop()
      return reportStopBeforeStart("it was requested before run(), which returns without setting anything up")
    }
    let phases = AsyncPhases(self, limits)
    self.phases = phases
    do {
      try startUp(launch)
    } catch {
      self.phases = nil
      if case .stopped = error { return }
      throw error
    }
    await withTaskCancellationHandler {
      await phases.ended()
    } onCancel: {
      Task { @MainActor in phases.stop(.cancelled) }
    }
    switch phases.reason {
    case .cancelled: throw CancellationError()
    case .failed(let error): throw error
    case .requested, nil: break
    }
  }

  /// Asks for a graceful stop, from any thread, and returns at once. Asking again changes nothing.
  ///
  /// ``run(launch:limits:)`` stops everything and returns; a manager that was started by ``start(launch:)`` is stopped in a turn of
  /// the main actor soon. If nothing is under way the next `run` returns at once, or the next `start` throws
  /// ``ModuleError/stopped``. ``stopper`` does the same without keeping the manager alive.
  public nonisolated func triggerGracefulShutdown() {
    stopper.triggerGracefulShutdown()
  }

  /// Follows a request, unless what it was for has ended by itself. Before the start it waits.
  func stopWasRequested() {
    if state == .running, stopper.isRequested { stop() }
  }

  /// Ends a run all of whose modules are down.
  func endRun() {
    // As long as there are phases, those that come wait for the next start.
    stopAtOnce { self.phases = nil }
  }

  // MARK: - The start

  /// A Boolean value that indicates whether a start has begun and was not undone.
  package var isStarted: Bool { state != .idle }

  /// Whether modules that come are set up at once.
  var takesNewcomers: Bool { state == .running && phases?.isStopping != true }

  func checkForStop() throws(ModuleError) {
    if isStopDue || stopper.isRequested { throw .stopped }
  }

  func forgetStop() {
    isStopDue = false
    stopper.take()
  }

  func reportStopBeforeStart(_ message: String) {
    log.report(
      Diagnostic(
        severity: .warning, code: .stoppedBeforeStart, subject: "ModuleManager", image: nil, message: message),
      always: true)
  }

  /// Refuses modules that a start has no time for.
  func refuseAsyncModules(_ modules: [ModuleEntry]) throws(ModuleError) {
    guard phases == nil else { return }
    var names: [String] = []
    for module in modules where module.hasAsyncPhases { names.append(module.name) }
    if !names.isEmpty { throw .needsRun(names) }
  }

  /// Whether a module that came late is dropped for having asynchronous phases, which is reported.
  func refuses(_ entry: ModuleEntry) -> Bool {
    guard phases == nil, entry.hasAsyncPhases else { return false }
    log.report(
      entry.diagnostic(
        .error, .needsRun,
        "it has asynchronous phases, and the manager was started by start(), which has no time for them: write try await"
          + " run(); it is dropped"), always: true)
    remove(entry)
    return true
  }
}
