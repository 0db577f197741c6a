import Registry

// Modules that are set up after the start, because they were registered, their images were loaded,
// or their first event was triggered.
extension LaunchSequence {
  /// Sets up and initializes the modules that have been added since the last call, in order.
  ///
  /// - Returns: The names of the modules that were set up, in order.
  @discardableResult
  func setUpPending() -> [String] {
    if !isSettingUpPending { checkLateNeeds() }
    // Modules that are registered meanwhile are set up by the next round of the outermost call.
    guard registry.hasPending, !isSettingUpPending, acceptsModules else { return [] }
    isSettingUpPending = true
    defer { isSettingUpPending = false }
    var added: [ModuleEntry] = []
    while acceptsModules {
      let pending = registry.pendingInOrder(removesCycles: isRunning)
      // The modules of refused images stay pending.
      if pending.allSatisfy(isRefused) { break }
      var setUp: [(entry: ModuleEntry, instance: (any Module)?)] = []
      for entry in pending where acceptsModules && entry.state == .known {
        if isRefused(entry) || refuses(entry) { continue }
        if entry.attributes.activation == .onFirstEvent {
          deactivate(entry)
          continue
        }
        if setUpLate(entry, { entry throws(ModuleError) in try entry.setUp(self.context) }) {
          setUp.append((entry, entry.instance))
        }
      }
      // Initialize only the same instances, because modules may have been removed and the manager
      // restarted.
      for (entry, instance) in setUp where entry.instance === instance {
        if initializeLate(entry), !entry.isHandler { added.append(entry) }
      }
    }
    for entry in added {
      replay(.modulesDidSetUp, entry)
      replay(.modulesDidInitialize, entry)
    }
    finishStarting(added, areLate: true)
    phases?.add(added, areLate: true)
    return added.map(\.name)
  }

  /// Makes a module wait for its first event.
  func deactivate(_ entry: ModuleEntry) {
    entry.waitForFirstEvent()
    // The handler tables record which events activate modules.
    dispatcher.requireCollection()
  }

  /// Sets up and initializes inactive modules, in order, before an event is delivered.
  func activate(_ entries: [ModuleEntry]) {
    var activated: [ModuleEntry] = []
    for entry in sorted(entries) where canActivate(entry) {
      if setUpLate(entry, { entry throws(ModuleError) in try entry.setUp(self.context) }) { activated.append(entry) }
    }
    activated = activated.filter(initializeLate)
    guard let run = state.run else { return }
    // The events of phases activate modules before their milestones, so those receive the event with
    // the others.
    for entry in activated {
      if run.milestone >= .didSetUp { replay(.modulesDidSetUp, entry) }
      if run.milestone >= .didInitialize { replay(.modulesDidInitialize, entry) }
    }
    // A module that activates during the start finishes starting, and becomes ready, with the
    // others.
    guard case .running(let run) = state else { return }
    finishStarting(activated, areLate: true)
    run.phases?.add(activated, areLate: true)
  }

  /// Returns modules in order, each once.
  ///
  /// A module can have several handlers of an event, and those that run after the app come last.
  private func sorted(_ entries: [ModuleEntry]) -> [ModuleEntry] {
    // A single module, which is the usual case, needs no order of all modules.
    guard entries.count > 1 else { return entries }
    let wanted = Set(of: entries.map(ObjectIdentifier.init))
    return order().filter { wanted.contains(ObjectIdentifier($0)) }
  }

  /// Returns whether a module can still be activated.
  ///
  /// The set-up of another one may have stopped the manager, or have activated or removed this one.
  private func canActivate(_ entry: ModuleEntry) -> Bool {
    guard entry.state == .inactive else { return false }
    if case .starting = state { return true }
    return acceptsModules
  }

  /// Runs the set-up or initialization of a module that is added late, and removes the module if it
  /// throws.
  private func setUpLate(
    _ entry: ModuleEntry, _ phase: (ModuleEntry) throws(ModuleError) -> Bool
  ) -> Bool {
    do throws(ModuleError) {
      return try phase(entry)
    } catch {
      let problem = error.text(of: "the module")
      log.report(entry.diagnostic(.error, .setUpFailed, "\(problem); it was added after the start and is removed"))
      remove(entry)
      announceRemovals()
      return false
    }
  }

  /// Initializes a module that is added late, unless it is initialized in the next turn.
  ///
  /// - Returns: `true` if the module is still set up.
  private func initializeLate(_ entry: ModuleEntry) -> Bool {
    if entry.isInitializedLater { return true }
    return setUpLate(entry) { entry throws(ModuleError) in
      try entry.run(.initialize, self.context)
      return entry.state == .setUp
    }
  }

  /// Returns whether a module is in an image with a need that nothing satisfies.
  func isRefused(_ entry: ModuleEntry) -> Bool {
    !needs.refusedImages.isEmpty && entry.image.map { needs.refusedImages.contains($0.serial) } ?? false
  }

  /// Removes and reports a module with asynchronous phases if the manager was started without them.
  ///
  /// - Returns: `true` if the module was removed.
  private func refuses(_ entry: ModuleEntry) -> Bool {
    guard phases == nil, entry.hasAsyncPhases else { return false }
    log.report(
      entry.diagnostic(
        .error, .needsRun,
        "the module has asynchronous phases, but the manager was started by 'start()', which does not run them; call"
          + " 'try await run()' instead; the module is removed"), always: true)
    remove(entry)
    return true
  }

  // MARK: - The turn after the start

  /// Lets modules initialize, if they do that later, and finish starting in the next turn of the
  /// main actor.
  ///
  /// Modules that are added before ``Event/modulesDidFinishStarting`` receive it with the others.
  func finishStarting(_ entries: [ModuleEntry], areLate: Bool) {
    guard let run = state.run else { return }
    let replays = run.milestone >= .didFinishStarting
    let count = run.unfinished.count
    for entry in entries where entry.state == .setUp {
      run.unfinished.append((entry, entry.instance, areLate, replays))
    }
    if run.unfinished.count > count { dispatcher.deferred.inNextTurn { self.finishPending(run) } }
  }

  /// Performs the phases that modules still have to run before ``Event/modulesDidFinishStarting``.
  private func finishPending(_ run: ManagerRun) {
    let due = run.unfinished
    run.unfinished = []
    // Call only the same instances, because the manager may have been restarted.
    for (entry, instance, isLate, _) in due where entry.isInitializedLater && entry.instance === instance {
      let isInitialized = setUpLate(entry) { entry throws(ModuleError) in
        try entry.run(.initialize, self.context)
        return true
      }
      if isInitialized { replay(.modulesDidInitialize, entry, always: !isLate) }
    }
    for (entry, instance, _, replays) in due where entry.instance === instance {
      self.run(.didFinishStarting, entry)
      if replays { replay(.modulesDidFinishStarting, entry) }
    }
  }

  /// Announces in the next turn of the main actor that all modules have finished starting.
  func announceDidFinishStarting(_ run: ManagerRun) {
    // Without modules, the event has no handlers, and modules that are added later have missed it.
    guard !registry.entries.isEmpty else { return run.milestone = .didFinishStarting }
    // The manager may have been stopped, and restarted, by then.
    let isCurrent = { if case .running(let current) = self.state { current === run } else { false } }
    dispatcher.deferred.inNextTurn {
      // Modules that have been added, loaded, or activated receive the event with the others, after
      // their own phases.
      let finish = {
        guard isCurrent() else { return }
        self.scanAndSetUp()
        while isCurrent(), !run.unfinished.isEmpty {
          self.finishPending(run)
          self.scanAndSetUp()
        }
      }
      finish()
      guard isCurrent() else { return }
      self.dispatcher.activateModules(for: .modulesDidFinishStarting, finish: finish)
      guard isCurrent() else { return }
      run.milestone = .didFinishStarting
      self.dispatcher.trigger(.modulesDidFinishStarting, ())
    }
  }

  /// Calls a module's handlers of a phase event that it missed, if its attributes request that.
  private func replay(_ event: Event<Void, Void>, _ entry: ModuleEntry, always: Bool = false) {
    guard always || entry.attributes.replaysMissedPhases, entry.state == .setUp else { return }
    // Compare texts, because the literals of one identifier in several modules have several
    // addresses.
    let handlers = entry.handlers.filter {
      "\($0.id)" == "\(event.id)" && $0.payload == Void.self && $0.outcome == Void.self
    }
    guard !handlers.isEmpty else { return }
    // The innermost of nested handlers may have registered the module.
    guard dispatcher.depth < DispatchStack.depthLimit else { return dispatcher.reportDepth(event.id) }
    let own = EventHandlers(id: event.id, payload: Void.self, outcome: Void.self)
    own.collected = handlers.map { BoundHandler(subscriber: entry, handler: $0) }
    _ = own.publish()
    var payload: Void = ()
    var outcome = EventOutcome(event)
    dispatcher.deliver(own.table, to: &payload, &outcome)
    // Keep the table until here, because the delivery points to it.
    withExtendedLifetime(own) {}
  }
}
