import Registry

// Modules that are set up after the start, because they were registered, their images were loaded,
// or their first event was triggered.
extension ModuleRunner {
  /// Sets up modules added since the last call, and returns the names of modules that succeeded.
  @discardableResult
  func setUpPending() -> [String] {
    // If a setup registers modules, the outermost call sets them up in its next pass. If the setup
    // is an activation, the preparation of the event that caused it does.
    if isSettingUpPending { return [] }
    checkLateNeeds()
    guard !registry.pending.isEmpty, acceptsModules else { return [] }
    var added: [ModuleEntry] = []
    while acceptsModules {
      let pending = registry.pendingInOrder()
      // A setup in the previous pass can have opened an image.
      if !needs.newImages.isEmpty { checkLateNeeds() }
      if pending.allSatisfy(isRefused) { break }
      added += setUpLate(pending, from: .known)
    }
    added.removeAll(where: \.isHandler)
    if !added.isEmpty, !isTest { state.run?.logOfRelease = log }
    join(added)
    return added.map(\.name)
  }

  /// Sets up modules in the given order, initializes them unless that happens later, and returns
  /// the modules that succeeded. A module may stop the manager, or set up or remove another module.
  private func setUpLate(_ entries: [ModuleEntry], from state: ModuleEntry.State) -> [ModuleEntry] {
    let isNested = isSettingUpPending
    isSettingUpPending = true
    defer { isSettingUpPending = isNested }
    var setUp: [(entry: ModuleEntry, instance: (any Module)?)] = []
    for entry in entries where entry.state == state && canSetUp(entry) {
      if run(.setUp, entry) { setUp.append((entry, entry.instance)) }
    }
    var added: [ModuleEntry] = []
    // Skip instances that no longer exist: a setup may have removed modules or restarted the
    // manager.
    for (entry, instance) in setUp where entry.instance === instance {
      if entry.isInitializedLater || run(.initialize, entry) { added.append(entry) }
    }
    return added
  }

  /// Returns whether a module can be set up now. If not, the method may deactivate or remove it.
  private func canSetUp(_ entry: ModuleEntry) -> Bool {
    // An inactive module isn't new, so it receives events even while everything shuts down, unless
    // it would have to become ready.
    if entry.state == .inactive { return state.run != nil && !(entry.hasAsyncPhases && phases?.isStopping == true) }
    guard acceptsModules else { return false }
    if isRefused(entry) || refuses(entry) { return false }
    if entry.attributes.activation == .atLaunch { return true }
    deactivate(entry)
    return false
  }

  /// Runs the later phases of modules that were set up late.
  private func join(_ entries: [ModuleEntry]) {
    guard let run = state.run else { return }
    // Modules that one of these events activates are set up before the event's milestone, so they
    // receive the event with the other modules.
    for entry in entries {
      if run.milestone >= .didSetUp, !entry.progress.hasJoined { replay(.modulesDidSetUp, entry) }
      if run.milestone >= .didInitialize, !entry.progress.hasJoined { replay(.modulesDidInitialize, entry) }
    }
    // A module that activates during the start finishes starting, and becomes ready, with the
    // others.
    guard isRunning else { return }
    finishStarting(entries, areLate: true)
    phases?.add(entries, areLate: true)
  }

  func deactivate(_ entry: ModuleEntry) {
    entry.move(to: .inactive)
    for handler in entry.handlers { dispatcher.index.byID["\(handler.id)"]?.table.pointee.activatesModules = true }
  }

  func isRefused(_ entry: ModuleEntry) -> Bool {
    entry.image.map(needs.isRefused) ?? false
  }

  /// Removes and reports a module with asynchronous phases if `start()` started the manager.
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

  /// Makes modules finish starting in the next turn of the main actor, and initializes them first
  /// if necessary.
  ///
  /// Modules that are added before ``Event/modulesDidFinishStarting`` receive it with the others.
  func finishStarting(_ entries: [ModuleEntry], areLate: Bool) {
    guard let run = state.run else { return }
    let replays = run.milestone >= .didFinishStarting
    let count = run.unfinished.count
    for entry in entries where entry.state == .setUp && !entry.progress.hasJoined {
      entry.progress.hasJoined = true
      run.unfinished.append((entry, entry.instance, areLate, replays))
    }
    if run.unfinished.count > count { context.deferred.inNextTurn { self.finishPending(run) } }
  }

  /// Performs the remaining phases of the modules that have not finished starting.
  private func finishPending(_ run: ManagerRun) {
    let due = run.unfinished
    run.unfinished = []
    // Skip instances that no longer exist, because the manager may have been restarted.
    for (entry, instance, isLate, _) in due where entry.isInitializedLater && entry.instance === instance {
      if self.run(.initialize, entry) { replay(.modulesDidInitialize, entry, always: !isLate) }
    }
    for (entry, instance, _, replays) in due where entry.instance === instance {
      self.run(.didFinishStarting, entry)
      if replays { replay(.modulesDidFinishStarting, entry) }
    }
  }

  func announceDidFinishStarting(_ run: ManagerRun) {
    // Until the event, only a manager without modules and handlers can be released.
    if registry.entries.isEmpty { return context.deferred.inNextTurn { [weak self] in self?.finishStart(run) } }
    context.deferred.inNextTurn { self.finishStart(run) }
  }

  private func finishStart(_ run: ManagerRun) {
    // Modules that were added, loaded, or activated receive the event with the others, after their
    // own phases. Any of them may stop or restart the manager.
    repeat {
      guard state.running === run else { return }
      scanAndSetUp()
      while state.running === run, !run.unfinished.isEmpty {
        finishPending(run)
        scanAndSetUp()
      }
    } while state.running === run && dispatcher.activateModules(for: .modulesDidFinishStarting)
    guard state.running === run else { return }
    run.milestone = .didFinishStarting
    dispatcher.trigger(.modulesDidFinishStarting, ())
  }

  /// Replays a missed phase event to a module if the module's attributes or the caller request it.
  private func replay(_ event: Event<Void, Void>, _ entry: ModuleEntry, always: Bool = false) {
    guard always || entry.attributes.replaysMissedPhases, entry.state == .setUp else {
      #if DEBUG
      for handler in entry.handlers where "\(handler.id)" == "\(event.id)" { recordIfLate(handler.id, entry.name) }
      #endif
      return
    }
    // Compare strings, because the literals of one identifier can have different addresses in
    // different modules.
    let handlers = entry.handlers.filter {
      "\($0.id)" == "\(event.id)" && $0.payload == Void.self && $0.outcome == Void.self
    }
    guard !handlers.isEmpty else { return }
    // A replay nests like any event, and a deeply nested handler may have registered the module.
    guard dispatcher.depth < EventDepth.limit else { return dispatcher.reportDepth(event.id) }
    let own = EventHandlers(id: event.id, payload: Void.self, outcome: Void.self)
    own.collected = handlers.map { (entry, $0) }
    _ = own.publish()
    var (payload, outcome): (Void, Void) = ((), ())
    dispatcher.deliver(own.table, &payload, &outcome)
    withExtendedLifetime(own) {}
  }

  /// Reads the records of loaded images, and removes the modules of unloaded images.
  ///
  /// The cost is tens of nanoseconds if no image was loaded or unloaded.
  func scan() { feed.source.follow(log, isCurrent: feed.isCurrent(at:)) { take($0) } }

  private func take(_ scan: RecordScan) {
    let changes = feed.update(scan)
    let generation = feed.currentGeneration
    dispatcher.setGeneration(generation)
    guard let (added, removed) = changes else { return }
    // A service manager that reads images reports malformed sections itself.
    let reportsProblems = !context.permanentServices.readsImages
    // Teardowns can use the services of their image, but handlers of the removal can't.
    removeModules(ofImages: removed)
    context.permanentServices.refresh()
    // An `@Service` property without `in:` uses the shared service manager, whose services can
    // affect the module order.
    if added.contains(where: { $0.records.contains { $0.kind == .need } }) { ServiceManager.shared.refresh() }
    if !removed.isEmpty { announceRemovals() }
    log.report(needs.add(added))
    // A diagnostic handler that triggers an event must not set up only some of these modules.
    let isNested = isSettingUpPending
    isSettingUpPending = true
    defer { isSettingUpPending = isNested }
    registry.retryLeftOut()
    registry.add(added, reportsProblems: reportsProblems)
    // A teardown or a diagnostic handler may have closed a new image.
    if feed.currentGeneration == generation { return }
    let present = Set(of: feed.images.map(\.image.serial))
    removeModules(ofImages: added.map(\.image.serial).filter { !present.contains($0) })
  }

  private func removeModules(ofImages serials: [UInt64]) {
    guard !serials.isEmpty else { return }
    let serials = Set(of: serials)
    needs.remove(ofImages: serials)
    let isUnloaded = { (entry: ModuleEntry) in entry.image.map { serials.contains($0.serial) } ?? false }
    registry.leftOut.removeAll(where: isUnloaded)
    let unloaded = registry.entries.all.filter(isUnloaded)
    // Most plug-ins contain one module, so usually no order is needed.
    if unloaded.count > 1 { for entry in order().reversed() where isUnloaded(entry) { remove(entry) } }
    // The order omits modules in a cycle, which aren't set up.
    for entry in unloaded where registry.entries.contains(entry) { remove(entry) }
  }

  /// Scans images and sets up pending modules if the manager is running. Returns the names of these
  /// modules in setup order.
  @discardableResult
  func scanAndSetUp() -> [String] {
    guard isRunning else { return [] }
    scan()
    return setUpPending()
  }

  // MARK: - Events

  var deliversEvents: Bool { !isIdle }

  var isSettingUp: Bool { state.run?.milestone == .began }

  var hasPendingModules: Bool { isRunning && !registry.pending.isEmpty }

  func prepareForEvent() {
    guard isRunning else { return }
    scanAndSetUp()
    reportEmptyRun()
  }

  func subscribersInOrder(all: Bool) -> (subscribers: [Subscriber], areAll: Bool) {
    let modules = order()
    let isOrdered = registry.isOrdered
    let added = all || !isOrdered ? nil : registry.known.uncollected
    registry.known.uncollected = isOrdered ? [] : nil
    // Collect again at the next event if the modules form a cycle, or if a handler of diagnostics
    // changed them while their order was computed.
    registry.isCollectionRequired = !isOrdered
    Subscriber.steps += (added ?? modules).count
    return (added ?? modules, added == nil)
  }

  var isCollectionRequired: Bool { registry.isCollectionRequired }

  func activateModules(for handlers: EventHandlers) -> Bool {
    // Every subscriber of this manager is an entry of its registry. The handlers aren't in module
    // order, because handlers that run after the app come last.
    var waiting: [ModuleEntry] = []
    for case (let entry as ModuleEntry, _) in handlers.list?.handlers ?? [] where entry.isInactive {
      waiting.append(entry)
    }
    // The setup of one module can trigger the event, which then activates the others.
    if waiting.count > 1 { handlers.table.pointee.activatesModules = true }
    join(setUpLate(waiting.ordered { $0.position < $1.position }, from: .inactive))
    for entry in waiting where !entry.isInactive { return true }
    return false
  }
}
