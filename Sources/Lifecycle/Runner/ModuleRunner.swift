import Registry

/// The part of a manager that sets up, removes, and tears down modules.
///
/// The runner is a state machine; see ``RunnerState``. It drives the modules of a registry from a
/// start to the next stop, and prepares the events of a dispatcher.
@MainActor final class ModuleRunner: EventPreparation {
  /// Modules by the numbers of their nodes in ``AsyncPhases``.
  // A structure, because to create a dictionary's metadata, the runtime searches all conformances.
  struct WorkingModules {
    var byNumber: [Int: ModuleEntry] = [:]
  }

  let registry: ModuleRegistry
  let dispatcher: EventDispatcher
  let context: Context
  var feed: RecordFeed
  var state = RunnerState.idle {
    didSet { dispatcher.requirePreparation() }
  }
  private(set) var wasStarted = false
  /// A Boolean value that indicates whether modules are being added from images, or set up after
  /// the start. This isn't part of the state, because a setup can stop and start the manager.
  var isSettingUpPending = false
  /// The names of removed modules that have not been announced.
  var removedNames: [String] = []
  /// The one-time handlers that were removed, but may still answer events, and what they
  /// registered.
  private(set) var removedHandlers: OwnedRegistrations?
  var expectedModules: [String] = []
  /// Closures that return the diagnostics of missing services.
  var expectedServices: [() -> Diagnostic?] = []
  let needs = NeedChecks()
  /// A Boolean value that indicates whether the process runs tests. Tests can release or stop a
  /// manager at any time, which is not reported.
  var isTest = ProcessConditions.includeTest
  /// The modules whose asynchronous phases have not ended, for a thread that ends the process while
  /// the main actor is blocked.
  nonisolated let workingModules = Locked(WorkingModules())

  init(
    registry: ModuleRegistry, dispatcher: EventDispatcher, context: Context, records: RecordSource
  ) {
    self.registry = registry
    self.dispatcher = dispatcher
    self.context = context
    feed = RecordFeed(records)
    registry.dispatcher = dispatcher
    registry.providers = { [weak self] in self?.providersOfNeeds($0) ?? { _ in [] } }
    #if DEBUG
    registry.unknownNames.exclusion = { [weak self] name in
      self?.feed.exclusion("the module") { $0.kind == .module && $0.group != nil && $0.typeName?.recordForm == name }
    }
    #endif
    dispatcher.preparation = self
    context.observers.didChange = { [weak self] change in
      guard let self, self.deliversEvents else { return }
      self.dispatcher.trigger(.configurationDidChange, change)
    }
    observeRequests()
  }

  var log: DiagnosticLog { registry.log }
  var phases: AsyncPhases? { state.run?.phases }

  var isRunning: Bool { state.running != nil }
  var isIdle: Bool { if case .idle = state { true } else { false } }

  var acceptsModules: Bool {
    if let run = state.running { run.phases?.isStopping != true } else { false }
  }

  // MARK: - Starting

  func run(_ launch: ContextValues, _ limits: PhaseLimits) async throws {
    guard isIdle else { throw ModuleError.alreadyStarted }
    try Task.checkCancellation()
    if context.shutdownRequest.hasBegun {
      discardRequest()
      return reportStopBeforeStart("a stop was requested before 'run()', which returns without setting modules up")
    }
    let phases = AsyncPhases(self, limits)
    do {
      try start(launch, phases: phases)
    } catch {
      if error.code == .stopped { return }
      throw error
    }
    await withTaskCancellationHandler {
      await phases.ended()
    } onCancel: {
      ModuleWork.task { self.state.run?.scope.run { phases.stop(CancellationError()) } }
    }
    if let failure = phases.failure { throw failure }
  }

  /// - Parameter owner: The object to retain until all modules have stopped.
  func runInBackground(
    _ launch: ContextValues, _ limits: PhaseLimits, retaining owner: AnyObject,
    _ onFailure: @escaping @MainActor (any Error) -> Void
  ) throws(ModuleError) {
    let phases = AsyncPhases(self, limits)
    try start(launch, phases: phases)
    ModuleWork.task {
      await phases.ended()
      if let failure = phases.failure, !(failure is CancellationError) { onFailure(failure) }
      withExtendedLifetime(owner) {}
    }
  }

  /// - Parameter phases: The asynchronous phases, or nil if the start doesn't run them.
  func start(_ launch: ContextValues, phases: AsyncPhases? = nil) throws(ModuleError) {
    guard isIdle else { throw ModuleError.alreadyStarted }
    let run = ManagerRun(phases)
    state = .active(run)
    wasStarted = true
    context.launch = launch
    for handlers in dispatcher.index.byID.values { handlers.startAgain() }
    scan()
    do throws(ModuleError) {
      try checkBeforeSetUp()
      let order = registry.computeOrder()
      if let cycle = order.cycle { throw ModuleError.cycle(cycle.map { ($0.name, $0.image) }) }
      let modules = needs.refusedImages.isEmpty ? order.modules : order.modules.filter { !isRefused($0) }
      let refused = phases == nil ? modules.filter(\.hasAsyncPhases) : []
      if !refused.isEmpty { throw ModuleError.needsRun(refused.map(\.name)) }
      for module in modules {
        try checkForStop()
        if module.attributes.activation == .onFirstEvent { deactivate(module) } else { _ = try module.setUp(context) }
      }
      try checkForStop()
      while dispatcher.activateModules(for: .modulesDidSetUp) {}
      run.milestone = .didSetUp
      dispatcher.trigger(.modulesDidSetUp, ())
      for module in modules where !module.isInitializedLater {
        try checkForStop()
        try module.run(.initialize, context)
      }
      try checkForStop()
      while dispatcher.activateModules(for: .modulesDidInitialize) {}
      run.milestone = .didInitialize
      dispatcher.trigger(.modulesDidInitialize, ())
      try checkForStop()
      try checkAfterInitialize()
      try checkForStop()
    } catch {
      tearDownAll()
      throw error
    }
    run.milestone = .didStart
    if !modulesSetUp.isEmpty, !isTest { run.logOfRelease = log }
    // Now that the manager is running, the next event must scan for images first.
    dispatcher.requirePreparation()
    finishStarting(order(), areLate: false)
    announceDidFinishStarting(run)
    run.phases?.add(order(), areLate: false)
    // Set up the modules that were registered, or whose images were loaded, during the start.
    scanAndSetUp()
    // One of them may have stopped the manager.
    if isIdle { throw .stopped }
  }

  private func checkForStop() throws(ModuleError) {
    if context.shutdownRequest.hasBegun { throw .stopped }
  }

  // MARK: - Stopping

  func stop() {
    switch state {
    case .idle: if !wasStarted { reportStopBeforeStart("'stop()' has no effect before the manager is started") }
    case .active(let run) where run.isStarting: context.triggerGracefulShutdown()
    case .active(let run): if let phases = run.phases { phases.stop() } else { stopAtOnce() }
    case .stopping: break
    }
  }

  /// Stops the modules when a shutdown is requested. The start itself checks for earlier requests.
  private func observeRequests() {
    _ = context.shutdownRequest.add { [weak self] in
      ModuleWork.task {
        guard let self, let run = self.state.running, self.context.shutdownRequest.hasBegun else { return }
        run.scope.run { self.stop() }
      }
    }
  }

  private func discardRequest() {
    guard context.shutdownRequest.hasBegun else { return }
    context.shutdownRequest.reset()
    observeRequests()
  }

  func endRun() {
    // Keep the phases until after the announcement, so that modules added during it wait for the
    // next start.
    let run = state.run
    stopAtOnce()
    run?.phases = nil
  }

  private func stopAtOnce() {
    guard let run = state.running else { return }
    reportEmptyRun()
    #if DEBUG
    if !isTest { reportDroppedWork(run) }
    #endif
    context.shutdown.begin()
    // A handler of this event can call `stop` again, which must not trigger the event twice.
    if !run.hasAnnouncedTearDown {
      run.hasAnnouncedTearDown = true
      dispatcher.trigger(.modulesWillTearDown, ())
    }
    // A handler may even have restarted the manager.
    guard state.running === run else { return }
    tearDownAll()
  }

  private func tearDownAll() {
    state.run?.logOfRelease = nil
    state = .stopping
    context.shutdown.begin()
    var ordered = order()
    let pending = registry.entries.all.filter { $0.state == .known }
    // Modules that are not set up can form a cycle, which has no order.
    if !pending.isEmpty { ordered = registry.orderOfSetUp() }
    // A one-time handler that a teardown calls has already been removed.
    for module in pending + ordered.reversed() where registry.entries.contains(module) {
      run(.tearDown, module)
      if let instance = module.drop(.known) { dispatcher.retain(instance) }
    }
    removedHandlers?.end()
    removedHandlers = nil
    discardRequest()
    context.shutdown.reset()
    state = .idle
  }

  /// Reports a run without records or registered modules.
  ///
  /// The check takes place in the next turn of the main actor, or earlier, at the first event or
  /// the stop. Until then, code can register modules.
  func reportEmptyRun() {
    guard let run = state.run, !run.hasCheckedEmptiness else { return }
    run.hasCheckedEmptiness = true
    guard registry.changeCount == 0, !feed.images.contains(where: { !$0.records.isEmpty }) else { return }
    let reason =
      feed.source.isEmpty
      ? "the manager reads no records; pass 'records: .loadedImages' or 'modules:', or use 'ModuleManager.shared'"
      : feed.problem
        ?? "no loaded image exports anything; link the targets of the features, and static archives with '-force_load'"
        + " on Apple systems or '--whole-archive' elsewhere"
    log.report(.warning, .nothingToStart, "ModuleManager", "nothing to start: \(reason)", always: false)
  }

  #if DEBUG
  /// Records a handler that was added after its event, if the event occurs only once in a run or
  /// was triggered during the setup in progress.
  func recordIfLate(_ event: StaticString, _ name: String) {
    guard let run = state.run else { return }
    let id = "\(event)"
    let isPast =
      id == "\(Event.modulesDidSetUp.id)" && run.milestone >= .didSetUp
      || id == "\(Event.modulesDidInitialize.id)" && run.milestone >= .didInitialize
      || id == "\(Event.modulesDidFinishStarting.id)" && run.milestone >= .didFinishStarting
    dispatcher.index.byID[id]?.recordLate(name, isSettingUp: isSettingUp, isPast: isPast)
  }

  /// Reports work that the stop drops because it was scheduled for the main actor's next turn.
  private func reportDroppedWork(_ run: ManagerRun) {
    var work = run.unfinished.filter { $0.entry.isInitializedLater && $0.entry.state == .setUp }
      .map { "'initialize' of \($0.entry.name.quotedForDisplay())" }
    if run.milestone < .didFinishStarting, registry.handledEventIDs.contains("\(Event.modulesDidFinishStarting.id)") {
      work.append("the handlers of 'modulesDidFinishStarting'")
    }
    let active = Set(of: registry.entries.all.filter { $0.state == .setUp }.map(\.name))
    for (event, name) in context.deferred.handlers where active.contains(name) {
      work.append("the handler of \(event.quotedForDisplay()) in \(name.quotedForDisplay())")
    }
    if work.isEmpty { return }
    reportStopBeforeStart(
      "'stop()' drops work for the next turn of the main actor: \(work.prefix(8).joined(separator: ", "));"
        + " call 'await modules.waitUntilIdle()' first"
        + (run.phases == nil ? ", or run the modules with 'try await run()'" : ""))
  }
  #endif

  private func reportStopBeforeStart(_ message: String) {
    log.report(.warning, .stoppedBeforeStart, "ModuleManager", message)
  }

  // MARK: - Modules

  /// Returns the modules in module order.
  ///
  /// Before the start, a cycle is an error that the start throws. Later, modules that are set up or
  /// inactive stay, and the other modules in the cycle are removed.
  func order() -> [ModuleEntry] { registry.order(removesCycles: isRunning) }

  var modulesSetUp: [ModuleEntry] { order().filter { $0.state == .setUp && !$0.isHandler } }

  /// Runs a phase, reports its error, and removes a module that throws in its late setup or
  /// initialization. Returns whether the module is set up.
  @discardableResult func run(_ phase: ModulePhase, _ entry: ModuleEntry) -> Bool {
    do throws(ModuleError) {
      if phase == .setUp { return try entry.setUp(context) }
      try entry.run(phase, context)
      return entry.state == .setUp
    } catch {
      let problem = error.text(of: "the module")
      guard phase == .setUp || phase == .initialize else {
        log.report(entry.diagnostic(.error, .phaseFailed, "\(problem); the other modules continue"), always: true)
        return false
      }
      log.report(entry.diagnostic(.error, .setUpFailed, "\(problem); it is removed, and the other modules continue"))
      remove(entry)
      announceRemovals()
      return false
    }
  }

  /// Removes a module. Even events in progress no longer reach it. A module with asynchronous
  /// phases is torn down after its shutdown.
  func remove(_ entry: ModuleEntry) {
    // It may already have been removed.
    guard entry.state != .shuttingDown else { return }
    if phases?.remove(entry) == true { return }
    // A module that removes itself in its teardown keeps its registrations until the teardown ends.
    if entry.state != .removed { tearDownRemoved(entry) }
    registry.remove(entry)
  }

  /// Removes a module because code asks for it. A copy in another image takes the module's place
  /// only if the module's image is closed.
  func unregister(_ entry: ModuleEntry) {
    registry.leftOut.removeAll { registry.original(of: $0) === entry }
    remove(entry)
  }

  func tearDownRemoved(_ entry: ModuleEntry) {
    let wasSetUp = entry.state == .setUp || entry.state == .shuttingDown
    run(.tearDown, entry)
    if let instance = entry.drop(.removed) { dispatcher.retain(instance) }
    if wasSetUp, registry.observesRemovals, !entry.isHandler { removedNames.append(entry.name) }
  }

  /// Announces removed modules together. An event after each removal would require another sort.
  func announceRemovals() {
    guard !removedNames.isEmpty else { return }
    let names = removedNames
    removedNames = []
    for name in names where isRunning { dispatcher.trigger(.moduleDidUnregister, name) }
  }

  func consume(_ entry: ModuleEntry) {
    guard entry.consume() else { return }
    remove(entry)
    _ = context.permanentServices.collecting(&removedHandlers)
    removedHandlers?.add(entry, token(for: entry))
    // The handler is about to run. What it registers belongs to its owner or lasts until the stop.
    entry.registrations = entry.owner ?? removedHandlers
  }

  /// Returns a token that removes a module or handler, and withdraws the answers of a handler that
  /// was already removed.
  func token(for entry: ModuleEntry) -> RegistrationToken {
    .onMainActor { [weak self, weak entry] in
      guard let self, let entry else { return false }
      if registry.entries.contains(entry) {
        if entry.isHandler { remove(entry) } else { unregister(entry) }
        // A removal of several modules announces them together, but their teardowns can remove
        // handlers.
        if !entry.isHandler { announceRemovals() }
        return true
      }
      defer { entry.withdrawAnswers() }
      return !entry.pendingAnswers.isEmpty
    }
  }
}
