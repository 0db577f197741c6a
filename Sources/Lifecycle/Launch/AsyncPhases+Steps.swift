import Registry

extension AsyncPhases {
  // MARK: - Becoming ready

  /// Makes a module become ready, after all modules that it waits for.
  func beginBecomingReady(_ node: PhaseNode) {
    guard let module = node.module else { return isNowReady(node) }
    node.state = .becomingReady
    perform(.becomeReady, node, limits.becomeReady) { [context = launch.context] in
      try await module.becomeReady(context)
    } ended: { failure in
      self.didBegin(node, failure)
    } isLate: {
      self.cancelBeginning(node)
    }
  }

  /// Returns whether a module is still to become ready when its task begins.
  ///
  /// The module may have been removed since the task was created, or a module that it waits for may
  /// have been added.
  private func begins(_ node: PhaseNode) -> Bool {
    guard node.isShuttingDown || node.unreadyCount > 0 else {
      node.tasks.needShutDown = true
      return true
    }
    node.cancelTimer()
    node.tasks.phase = nil
    node.state = .waiting
    advance(node)
    return false
  }

  private func didBegin(_ node: PhaseNode, _ failure: (any Error)?) {
    node.state = .begun
    if node.isShuttingDown {
      // The phase was canceled, or another module has to shut down first.
      if let failure, !(failure is CancellationError) { report(.becomeReady, node, failure) }
      advance(node)
    } else if let failure {
      fail(node, error(.becomeReady, node, failure))
    } else {
      run(node)
      isNowReady(node)
      advance()
    }
  }

  private func cancelBeginning(_ node: PhaseNode) {
    node.tasks.phase?.cancel()
    guard !node.isShuttingDown else { return }
    let error = timeOut(.becomeReady, node, limits.becomeReady)
    reportTimeOut(error, node, removal(of: node) ?? "all modules are stopped")
    fail(node, error)
  }

  private func run(_ node: PhaseNode) {
    guard let module = node.module else { return }
    node.tasks.work = ModuleWork.outside {
      Task { [context = launch.context] in
        var failure: (any Error)?
        do {
          try await self.observing(.run, node) { try await module.run(context) }
        } catch { failure = error }
        self.runEnded(node, failure)
      }
    }
  }

  private func runEnded(_ node: PhaseNode, _ failure: (any Error)?) {
    // The module may have exceeded its time limit, so that nothing waits for its work.
    guard node.tasks.work != nil else { return }
    node.tasks.work = nil
    // Work that has to end can throw the error of a cancellation.
    if let failure, !(node.isShuttingDown && failure is CancellationError) {
      // The error of a removed module concerns that module only.
      if node.goal == .remove || continues(node) {
        report(.run, node, failure)
      } else {
        stopFailed(node, error(.run, node, failure))
      }
    }
    if node.state == .endingRun || node.state == .draining {
      close(node)
      advance()
    } else if failure == nil, !node.isShuttingDown, let module = node.module,
      type(of: module).successTermination == .stopsManager
    {
      stop(.requested)
    }
  }

  // MARK: - Shutting down

  /// Makes a module take the next step toward its end. All modules that wait for it and shut down
  /// are down.
  func continueShutdown(_ node: PhaseNode) {
    if node.shutdown?.hasBegun == false { node.shutdown?.begin() }
    switch node.state {
    case .waiting: close(node)
    case .becomingReady:
      node.state = .givingUp
      node.tasks.phase?.cancel()
      setTimer(node, limits.shutDown) {
        // Ignore the end of the phase.
        node.tasks.phaseCount += 1
        node.state = .begun
        let error = self.timeOut(.becomeReady, node, self.limits.shutDown)
        self.reportTimeOut(error, node, "the phase was already canceled, and the module is shut down anyway")
        self.advance(node)
      }
    case .begun: if node.tasks.needShutDown { shutDown(node) } else { close(node) }
    case .givingUp, .shuttingDown, .draining, .endingRun, .down: break
    }
  }

  private func shutDown(_ node: PhaseNode) {
    guard let module = node.module else { return }
    node.state = .shuttingDown
    perform(.shutDown, node, limits.shutDown) { [context = launch.context] in
      try await module.shutDown(context)
    } ended: { failure in
      if let failure { self.report(.shutDown, node, failure) }
      self.endWork(node)
    } isLate: {
      node.tasks.phaseCount += 1
      node.tasks.phase?.cancel()
      let error = self.timeOut(.shutDown, node, self.limits.shutDown)
      self.reportTimeOut(error, node, "its task is canceled, and the other modules continue")
      self.endWork(node)
    }
  }

  /// Waits for a module's work, whose shutdown has ended.
  private func endWork(_ node: PhaseNode) {
    let gracePeriod = gracePeriod(of: node)
    if node.tasks.work == nil {
      close(node)
    } else if gracePeriod > 0 {
      node.state = .draining
      setTimer(node, gracePeriod) { self.cancelWork(node) }
    } else {
      cancelWork(node)
    }
    advance()
  }

  /// Returns the seconds for which a module's work may continue.
  private func gracePeriod(of node: PhaseNode) -> Double {
    if isCanceled { return 0 }
    return limits.gracePeriod ?? (node.shutdown?.isObserved == true ? PhaseLimits.defaultGracePeriod : 0)
  }

  /// Cancels a module's work, and waits for its end.
  func cancelWork(_ node: PhaseNode) {
    node.state = .endingRun
    node.tasks.work?.cancel()
    setTimer(node, limits.shutDown) {
      node.tasks.work = nil
      let error = self.timeOut(.run, node, self.limits.shutDown)
      self.reportTimeOut(error, node, "the phase was already canceled, and the other modules continue")
      self.close(node)
      self.advance()
    }
  }

  /// Cancels everything that a module does, because the whole shutdown has exceeded its time limit.
  func abandon(_ node: PhaseNode) {
    node.tasks.phaseCount += 1
    node.tasks.phase?.cancel()
    node.tasks.work?.cancel()
    node.tasks.work = nil
    guard node.module != nil, node.tasks.needShutDown else { return }
    let state =
      switch node.state {
      case .shuttingDown: "'shutDown' has not returned"
      case .draining, .endingRun: "'run' has not returned"
      default: "its 'shutDown' was not called"
      }
    launch.log.report(
      diagnostic(
        node, .timedOut,
        "the shutdown of all modules exceeded its time limit of \(limits.wholeShutdown) s: \(state); the module is torn"
          + " down"), always: true)
  }

  // MARK: - Tasks and timers

  /// Performs a phase in a task that is independent of the caller's cancellation.
  ///
  /// - Parameters:
  ///   - ended: A closure that is called when the phase ends, unless it was abandoned.
  ///   - isLate: A closure that is called once if the phase exceeds its time limit.
  private func perform(
    _ phase: ModulePhase, _ node: PhaseNode, _ seconds: Double, _ work: @escaping @MainActor () async throws -> Void,
    ended: @escaping @MainActor ((any Error)?) -> Void, isLate: @escaping @MainActor () -> Void
  ) {
    node.tasks.phaseCount += 1
    let number = node.tasks.phaseCount
    node.tasks.phase = ModuleWork.outside {
      Task {
        // The phase may have been abandoned before its task began.
        guard node.tasks.phaseCount == number, phase != .becomeReady || self.begins(node) else { return }
        var failure: (any Error)?
        do { try await self.observing(phase, node, work) } catch { failure = error }
        guard node.tasks.phaseCount == number else { return }
        node.cancelTimer()
        node.tasks.phase = nil
        ended(failure)
      }
    }
    setTimer(node, seconds, isLate)
  }

  private func observing(
    _ phase: ModulePhase, _ node: PhaseNode, _ work: @MainActor () async throws -> Void
  ) async throws {
    guard let entry = node.entry else { return }
    let context = launch.context
    let own = ModuleWork(owner: entry, manager: context.shutdown, shutdown: phase == .run ? node.shutdown : nil)
    try await ModuleWork.$current.withValue(own) {
      try await context.activities.observingAsync(entry.activity(.phase(phase)), work)
    }
  }

  private func setTimer(_ node: PhaseNode, _ seconds: Double, _ expired: @escaping @MainActor () -> Void) {
    node.cancelTimer()
    guard let nanoseconds = PhaseLimits.nanoseconds(seconds) else { return }
    let sleep = launch.time.sleep
    node.tasks.timer = ModuleWork.outside {
      Task {
        do { try await sleep(nanoseconds) } catch { return }
        // The timer is canceled on this actor, so a cancellation is visible here.
        guard !Task.isCancelled else { return }
        node.tasks.timer = nil
        expired()
      }
    }
  }

  // MARK: - Failures

  /// Returns whether the other modules continue after a failure of a module.
  private func continues(_ node: PhaseNode) -> Bool {
    node.module.map { type(of: $0).failureTermination == .continues } ?? false
  }

  /// The reason why a module that does not become ready is removed, and the others continue.
  private func removal(of node: PhaseNode) -> String? {
    if node.isLate { return "it was added after the start and is removed" }
    return continues(node) ? "it is removed, and the other modules continue" : nil
  }

  /// Handles the failure of a module to become ready.
  private func fail(_ node: PhaseNode, _ error: ModuleError) {
    guard let removal = removal(of: node), let entry = node.entry else { return stopFailed(node, error) }
    if case .phaseFailed = error {
      let problem = error.text(of: "the module")
      launch.log.report(entry.diagnostic(.error, .setUpFailed, "\(problem); \(removal)"), always: true)
    }
    launch.remove(entry)
  }

  private func stopFailed(_ node: PhaseNode, _ error: ModuleError) {
    switch reason {
    case nil, .requested: stop(.failed(error))
    case .cancelled, .failed:
      let problem = error.text(of: "the module")
      launch.log.report(diagnostic(node, .phaseFailed, "\(problem); the other modules continue"), always: true)
    }
  }

  private func report(_ phase: ModulePhase, _ node: PhaseNode, _ failure: any Error) {
    let problem = error(phase, node, failure).text(of: "the module")
    launch.log.report(diagnostic(node, .phaseFailed, "\(problem); the other modules continue"), always: true)
  }

  private func reportTimeOut(_ error: ModuleError, _ node: PhaseNode, _ rest: String) {
    launch.log.report(diagnostic(node, .timedOut, "\(error.text(of: "the module")); \(rest)"), always: true)
  }

  private func diagnostic(_ node: PhaseNode, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(
      severity: .error, code: code, subject: node.entry?.name ?? "", image: node.entry?.image, message: message)
  }

  private func error(_ phase: ModulePhase, _ node: PhaseNode, _ failure: any Error) -> ModuleError {
    .phaseFailed(module: node.entry?.name ?? "", image: node.entry?.image, phase: phase, underlying: failure)
  }

  private func timeOut(_ phase: ModulePhase, _ node: PhaseNode, _ seconds: Double) -> ModuleError {
    .timedOut(module: node.entry?.name ?? "", image: node.entry?.image, phase: phase, seconds: seconds)
  }
}

extension PhaseNode {
  /// Cancels the time limit of the phase in progress.
  func cancelTimer() {
    tasks.timer?.cancel()
    tasks.timer = nil
  }
}
