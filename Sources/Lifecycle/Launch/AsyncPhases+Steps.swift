import Registry

extension AsyncPhases {
  // MARK: - Up

  /// Lets a module become ready: all that it waits for are.
  func ascend(_ node: PhaseNode) {
    guard let module = node.module else { return isNowReady(node) }
    node.state = .becomingReady
    perform(.becomeReady, node, limits.becomeReady) { [context = manager.context] in
      try await module.becomeReady(context)
    } ended: { failure in
      self.didBegin(node, failure)
    } isLate: {
      self.cancelBeginning(node)
    }
  }

  /// Whether a module becomes ready indeed, now that its task has its turn: it may have been taken out since that was made, or
  /// something may have come that it waits for.
  private func begins(_ node: PhaseNode) -> Bool {
    guard node.isGoing || node.unready > 0 else {
      node.hasBegun = true
      return true
    }
    node.disarm()
    node.phase = nil
    node.state = .waiting
    advance(node)
    return false
  }

  private func didBegin(_ node: PhaseNode, _ failure: (any Error)?) {
    node.state = .begun
    if node.isGoing {
      // It was cancelled, or somebody is to shut down first.
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
    node.phase?.cancel()
    guard !node.isGoing else { return }
    let error = timeOut(.becomeReady, node, limits.becomeReady)
    let rest = node.isLate ? "it came late and is dropped, the others go on" : "everything is stopped"
    reportTimeOut(error, node, rest)
    fail(node, error)
  }

  private func run(_ node: PhaseNode) {
    guard let module = node.module else { return }
    node.running = Task { [context = manager.context] in
      var failure: (any Error)?
      do { try await module.run(context) } catch { failure = error }
      self.runEnded(node, failure)
    }
  }

  private func runEnded(_ node: PhaseNode, _ failure: (any Error)?) {
    // Unless it was given up.
    guard node.running != nil else { return }
    node.running = nil
    if node.state == .endingRun {
      if let failure, !(failure is CancellationError) { report(.run, node, failure) }
      close(node)
      advance()
    } else if let failure {
      let error = error(.run, node, failure)
      if node.isGoing { report(.run, node, failure) } else { stopFailed(node, error) }
    }
  }

  // MARK: - Down

  /// Takes a module a step further towards its end: all that wait for it are down, as far as they go.
  func descend(_ node: PhaseNode) {
    switch node.state {
    case .waiting: close(node)
    case .becomingReady:
      node.state = .givingUp
      node.phase?.cancel()
      arm(node, limits.shutDown) {
        // Its end is of no interest any more.
        node.steps += 1
        node.state = .begun
        let error = self.timeOut(.becomeReady, node, self.limits.shutDown)
        self.reportTimeOut(error, node, "it had been cancelled, and is shut down all the same")
        self.advance(node)
      }
    case .begun: if node.hasBegun { shutDown(node) } else { close(node) }
    case .givingUp, .shuttingDown, .endingRun, .down: break
    }
  }

  private func shutDown(_ node: PhaseNode) {
    guard let module = node.module else { return }
    node.state = .shuttingDown
    perform(.shutDown, node, limits.shutDown) { [context = manager.context] in
      try await module.shutDown(context)
    } ended: { failure in
      if let failure { self.report(.shutDown, node, failure) }
      self.endRun(node)
    } isLate: {
      node.steps += 1
      node.phase?.cancel()
      let error = self.timeOut(.shutDown, node, self.limits.shutDown)
      self.reportTimeOut(error, node, "its task is cancelled and not waited for, the others go on")
      self.endRun(node)
    }
  }

  private func endRun(_ node: PhaseNode) {
    if let running = node.running {
      node.state = .endingRun
      running.cancel()
      arm(node, limits.shutDown) {
        node.running = nil
        let error = self.timeOut(.run, node, self.limits.shutDown)
        self.reportTimeOut(error, node, "it had been cancelled, and is not waited for")
        self.close(node)
        self.advance()
      }
    } else {
      close(node)
    }
    advance()
  }

  // MARK: - Tasks and timers

  /// Does something in a task of its own, which the caller's cancellation does not reach.
  ///
  /// - Parameters:
  ///   - ended: Is told when it is over, unless it was given up.
  ///   - isLate: Is called once if it takes longer than it may.
  private func perform(
    _ phase: ModulePhase, _ node: PhaseNode, _ seconds: Double, _ work: @escaping @MainActor () async throws -> Void,
    ended: @escaping @MainActor ((any Error)?) -> Void, isLate: @escaping @MainActor () -> Void
  ) {
    node.steps += 1
    let step = node.steps
    node.phase = Task {
      // It may have been given up before it had its turn.
      guard node.steps == step, phase != .becomeReady || self.begins(node) else { return }
      var failure: (any Error)?
      do { try await work() } catch { failure = error }
      guard node.steps == step else { return }
      node.disarm()
      node.phase = nil
      ended(failure)
    }
    arm(node, seconds, isLate)
  }

  private func arm(_ node: PhaseNode, _ seconds: Double, _ expired: @escaping @MainActor () -> Void) {
    node.disarm()
    guard let nanoseconds = PhaseLimits.nanoseconds(seconds) else { return }
    let sleep = manager.time.sleep
    node.timer = Task {
      do { try await sleep(nanoseconds) } catch { return }
      // Cancelled on this actor, so it is seen here.
      guard !Task.isCancelled else { return }
      node.timer = nil
      expired()
    }
  }

  // MARK: - Failures

  /// What a failure to become ready leads to.
  private func fail(_ node: PhaseNode, _ error: ModuleError) {
    guard node.isLate, let entry = node.entry else { return stopFailed(node, error) }
    if case .phaseFailed = error {
      manager.log.report(
        entry.diagnostic(.error, .setUpFailed, "\(error); it came late and is dropped, the others go on"), always: true)
    }
    manager.remove(entry)
  }

  private func stopFailed(_ node: PhaseNode, _ error: ModuleError) {
    if isStopping {
      manager.log.report(diagnostic(node, .phaseFailed, "\(error)"), always: true)
    } else {
      stop(.failed(error))
    }
  }

  private func report(_ phase: ModulePhase, _ node: PhaseNode, _ failure: any Error) {
    manager.log.report(diagnostic(node, .phaseFailed, "\(error(phase, node, failure)); the others go on"), always: true)
  }

  private func reportTimeOut(_ error: ModuleError, _ node: PhaseNode, _ rest: String) {
    manager.log.report(diagnostic(node, .timedOut, "\(error); \(rest)"), always: true)
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
  /// Takes back what was to happen if the phase under way takes too long.
  func disarm() {
    timer?.cancel()
    timer = nil
  }
}
