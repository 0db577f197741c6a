import Registry

extension AsyncPhases {
  // MARK: - Becoming ready

  func beginBecomingReady(_ node: PhaseNode) {
    guard node.module != nil else { return isNowReady(node) }
    node.state = .becomingReady
    perform(.becomeReady, node, limits.becomeReady) { failure in
      self.didBegin(node, failure)
    } isLate: {
      node.tasks.phase?.cancel()
      guard !node.isShuttingDown else { return }
      let error = ModuleError.timedOut(node.entry, .becomeReady, self.limits.becomeReady)
      if self.removal(of: node) == nil { self.report(error, node, "all modules are stopped") }
      self.fail(node, error, as: .timedOut)
    }
  }

  /// Returns whether a module can still become ready when its task begins. Otherwise, the module is
  /// shutting down or must wait for a new module, and goes back to waiting.
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

  private func didBegin(_ node: PhaseNode, _ failure: ModuleError?) {
    node.state = .begun
    if node.isShuttingDown {
      // The module is shutting down, so don't start its work.
      if let failure, !(failure.underlying is CancellationError) { report(failure, node) }
      advance(node)
    } else if let failure {
      fail(node, failure, as: .setUpFailed)
    } else {
      node.tasks.work = ModuleWork.task { self.runEnded(node, await self.failure(of: .run, node)) }
      isNowReady(node)
      advance()
    }
  }

  private func runEnded(_ node: PhaseNode, _ failure: ModuleError?) {
    // `work` is nil if a time limit passed before the work ended.
    guard node.tasks.work != nil else { return }
    node.tasks.work = nil
    // Work that ends because of the shutdown can throw a cancellation error.
    if let failure, !(node.isShuttingDown && failure.underlying is CancellationError) {
      // A removed module's error concerns only that module.
      if node.isRemoved || continues(node) { report(failure, node) } else { stopFailed(node, failure) }
    }
    if node.state == .endingRun {
      close(node)
      advance()
    } else if failure == nil, !node.isShuttingDown, let module = node.module,
      type(of: module).successTerminationBehavior == .stopsManager
    {
      stop()
    }
  }

  // MARK: - Shutting down

  /// Performs a module's next shutdown step. Dependents that are shutting down must have finished.
  func continueShutdown(_ node: PhaseNode) {
    if node.tasks.shutdown?.hasBegun == false { node.tasks.shutdown?.begin() }
    switch node.state {
    case .becomingReady:
      node.state = .givingUp
      node.tasks.phase?.cancel()
      setTimer(node, limits.shutDown) {
        node.tasks.phaseCount += 1
        node.state = .begun
        self.report(
          .timedOut(node.entry, .becomeReady, self.limits.shutDown), node,
          "the phase was already canceled, and the module is shut down anyway")
        self.advance(node)
      }
    case .waiting, .begun: if node.tasks.needShutDown { shutDown(node) } else { close(node) }
    case .givingUp, .shuttingDown, .endingRun, .down: break
    }
  }

  private func shutDown(_ node: PhaseNode) {
    node.state = .shuttingDown
    perform(.shutDown, node, limits.shutDown) { failure in
      if let failure { self.report(failure, node) }
      self.endWork(node)
    } isLate: {
      node.tasks.phaseCount += 1
      node.tasks.phase?.cancel()
      let error = ModuleError.timedOut(node.entry, .shutDown, self.limits.shutDown)
      self.report(error, node, "its task is canceled, and the other modules continue")
      self.endWork(node)
    }
  }

  private func endWork(_ node: PhaseNode) {
    let usual = node.tasks.shutdown?.isObserved == true ? PhaseLimits.defaultGracePeriod : 0
    let gracePeriod = limits.gracePeriod ?? usual
    if node.tasks.work == nil {
      close(node)
    } else if gracePeriod > 0 {
      node.state = .endingRun
      setTimer(node, gracePeriod) {
        #if DEBUG
        self.report(
          node, .warning, .timedOut,
          "'run' has not returned \(gracePeriod) s after the shutdown and is canceled; return when the context is shutting"
            + " down, or set 'gracePeriod' to 0")
        #endif
        self.cancelWork(node)
      }
    } else {
      cancelWork(node)
    }
    advance()
  }

  /// Cancels a module's work unless it's already canceled, and limits the time until the work ends.
  func cancelWork(_ node: PhaseNode) {
    node.state = .endingRun
    guard let work = node.tasks.work, !work.isCancelled else { return }
    work.cancel()
    setTimer(node, limits.shutDown) {
      node.tasks.work = nil
      let error = ModuleError.timedOut(node.entry, .run, self.limits.shutDown)
      self.report(error, node, "the phase was already canceled, and the other modules continue")
      self.close(node)
      self.advance()
    }
  }

  /// Cancels everything that a module does, because the whole shutdown exceeded its time limit.
  func abandon(_ node: PhaseNode) {
    node.tasks.phaseCount += 1
    // A 'run' that waits for its shutdown ends now, too.
    node.tasks.shutdown?.begin()
    node.tasks.phase?.cancel()
    node.tasks.work?.cancel()
    node.tasks.work = nil
    guard node.tasks.needShutDown else { return }
    let state =
      switch node.state {
      case .shuttingDown: "'shutDown' has not returned"
      case .endingRun: "'run' has not returned"
      default: "its 'shutDown' was not called"
      }
    report(
      node, .error, .timedOut,
      "the shutdown of all modules exceeded its time limit of \(limits.totalShutdown) s: \(state); the module is torn"
        + " down")
  }

  // MARK: - Tasks and timers

  /// Performs a phase in a task that is independent of the caller's cancellation.
  ///
  /// - Parameters:
  ///   - ended: A closure to call when the phase ends, unless it was abandoned or never began.
  ///   - isLate: A closure that is called once if the phase exceeds its time limit.
  private func perform(
    _ phase: ModulePhase, _ node: PhaseNode, _ seconds: Double, ended: @escaping @MainActor (ModuleError?) -> Void,
    isLate: @escaping @MainActor () -> Void
  ) {
    node.tasks.phaseCount += 1
    let number = node.tasks.phaseCount
    node.tasks.phase = ModuleWork.task {
      // The phase may have been abandoned before its task began.
      guard node.tasks.phaseCount == number, phase != .becomeReady || self.begins(node) else { return }
      let failure = await self.failure(of: phase, node)
      guard node.tasks.phaseCount == number else { return }
      node.cancelTimer()
      node.tasks.phase = nil
      ended(failure)
    }
    setTimer(node, seconds, isLate)
  }

  private func failure(of phase: ModulePhase, _ node: PhaseNode) async -> ModuleError? {
    guard let entry = node.entry, let module = node.module else { return nil }
    let context = runner.context
    do {
      try await entry.perform(.phase(phase.rawValue), context, shutdown: phase == .run ? node.tasks.shutdown : nil) {
        switch phase {
        case .becomeReady: try await module.becomeReady(context)
        case .run: try await module.run(context)
        default: try await module.shutDown(context)
        }
      }
      return nil
    } catch {
      #if DEBUG
      let others = nodes.values.filter { phase == .becomeReady && $0.state == .becomingReady && $0 !== node }
      return .failed(.phaseFailed, entry, phase, error, others: others.map { $0.entry?.name ?? "" })
      #else
      return .failed(.phaseFailed, entry, phase, error)
      #endif
    }
  }

  private func setTimer(_ node: PhaseNode, _ seconds: Double, _ expire: @escaping @MainActor () -> Void) {
    node.cancelTimer()
    node.tasks.timer = runner.context.time.limit(seconds) {
      node.tasks.timer = nil
      expire()
    }
  }

  // MARK: - Failures

  private func continues(_ node: PhaseNode) -> Bool {
    node.module.map { type(of: $0).failureTerminationBehavior == .continues } ?? false
  }

  /// Returns the message about removing a module that failed, or nil if the manager must stop.
  private func removal(of node: PhaseNode) -> String? {
    node.tasks.isLate || continues(node) ? "it is removed, and the other modules continue" : nil
  }

  /// - Parameter code: The diagnostic's code if the module is removed.
  private func fail(_ node: PhaseNode, _ error: ModuleError, as code: Diagnostic.Code) {
    guard let removal = removal(of: node), let entry = node.entry else { return stopFailed(node, error) }
    report(error, node, removal, as: code)
    runner.remove(entry)
  }

  private func stopFailed(_ node: PhaseNode, _ error: ModuleError) {
    if failure == nil { stop(error.stoppingAll) } else { report(error, node, as: .phaseFailed) }
  }

  private func report(
    _ error: ModuleError, _ node: PhaseNode, _ rest: String = "the other modules continue",
    as code: Diagnostic.Code? = nil
  ) {
    report(node, .error, code ?? error.code, "\(error.text(of: "the module")); \(rest)")
  }

  private func report(
    _ node: PhaseNode, _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String
  ) {
    if let entry = node.entry { runner.log.report(entry.diagnostic(severity, code, message), always: true) }
  }
}
