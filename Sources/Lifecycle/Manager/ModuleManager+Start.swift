import Registry

extension ModuleManager {
  /// Sets up every module in order, then initialises every module in order, and calls their `didFinishStarting` in the next
  /// turn of the main loop.
  ///
  /// Modules subscribe before the first of them is made. An event triggered meanwhile reaches the modules
  /// that are set up by then.
  ///
  /// - Parameter launch: What the host was started with, for ``Context/launch``.
  /// - Throws: ``ModuleError``. If a module throws, what was set up is torn down in reverse and the manager
  ///   can be started again. Modules with asynchronous phases are refused by name before anything is set up: they take
  ///   ``run(launch:limits:)``. A ``stop()`` in the course of it, and a ``triggerGracefulShutdown()`` before it, make it throw
  ///   ``ModuleError/stopped``.
  public func start(launch: ContextValues = ContextValues()) throws(ModuleError) {
    guard state == .idle else { throw .alreadyStarted }
    try startUp(launch)
  }

  /// Does what ``start(launch:)`` and ``run(launch:limits:)`` have in common.
  func startUp(_ launch: ContextValues) throws(ModuleError) {
    state = .starting
    life += 1
    (hasSaidSetUp, hasSaidInitialized, hasFinishedStarting) = (false, false, false)
    wasStarted = true
    context.launch = launch
    look()
    do throws(ModuleError) {
      try check(.beforeSetUp)
      let modules = try startingOrder()
      try refuseAsyncModules(modules)
      for module in modules {
        try checkForStop()
        if module.attributes.activation == .onFirstEvent { lieDormant(module) } else { _ = try module.setUp(context) }
      }
      hasSaidSetUp = true
      trigger(.modulesDidSetUp)
      for module in modules where !module.isInitializedLater {
        try checkForStop()
        try module.run(.initialize, context)
      }
      hasSaidInitialized = true
      trigger(.modulesDidInitialize)
      try check(.afterInitialize)
      try checkForStop()
    } catch {
      abandon()
      throw error
    }
    state = .running
    initializeInNextTurn(order().filter(\.isInitializedLater))
    finishStarting(order())
    announceFinishedStarting()
    phases?.add(order(), areLate: false)
    // Modules that were registered, or whose images were opened, while these were set up.
    scanImages()
  }

  private func startingOrder() throws(ModuleError) -> [ModuleEntry] {
    let order = newOrder()
    if let cycle = order.cycle { throw .cycle(path: cycle.map(\.step)) }
    return order.modules
  }

  /// Tears down in reverse what was set up.
  private func abandon() {
    state = .stopping
    let ordered = order()
    // What a circle that came up meanwhile keeps out of the order was set up all the same.
    let placed = Set(ordered.map(ObjectIdentifier.init))
    let others = entries.all.filter { !placed.contains(ObjectIdentifier($0)) }.sorted { $0.name < $1.name }
    for module in others + ordered.reversed() {
      tearDown(module)
      if let instance = module.drop(.known) { park(instance) }
    }
    forgetStop()
    state = .idle
  }

  /// Tears every module down, in reverse order, and lets go of them. The manager can be started again, with new instances.
  ///
  /// - In the course of a start, which a module may stop: the start ends before the next module, tears down what was set up and
  ///   throws ``ModuleError/stopped``; ``run(launch:limits:)`` returns.
  /// - During ``run(launch:limits:)``: the same as ``triggerGracefulShutdown()``, at once.
  /// - Before the first start: does nothing, which is reported.
  /// - When it was stopped already: does nothing.
  public func stop() {
    switch state {
    case .idle: if !wasStarted { reportStopBeforeStart("stop() does nothing before the manager is started") }
    case .starting: isStopDue = true
    case .running: if let phases { phases.stop(.requested) } else { stopAtOnce() }
    case .stopping: break
    }
  }

  func stopAtOnce(_ whenTold: () -> Void = {}) {
    guard state == .running else { return whenTold() }
    let life = life
    // One of its handlers may do so itself: that tells nobody a second time.
    if lifeToldOfTearDown != life {
      lifeToldOfTearDown = life
      trigger(.modulesWillTearDown)
    }
    whenTold()
    // And may have started it again.
    guard state == .running, self.life == life else { return }
    abandon()
  }

  // MARK: - Latecomers

  /// Sets up the modules of images that were opened since the last look, in order among themselves.
  ///
  /// ``trigger(_:_:)`` does so by itself, before the event is delivered. A module that throws is dropped and
  /// reported. Does nothing unless started.
  ///
  /// - Returns: The names of the modules that came, in order.
  @discardableResult
  public func scanImages() -> [String] {
    guard state == .running else { return [] }
    look()
    return bringUpNewcomers()
  }

  @discardableResult
  func bringUpNewcomers() -> [String] {
    // What is registered in the course of it waits for the next round of the outermost call.
    guard hasNewcomers, !isBringingUp, takesNewcomers else { return [] }
    isBringingUp = true
    defer { isBringingUp = false }
    var came: [ModuleEntry] = []
    while takesNewcomers {
      hasNewcomers = false
      let newcomers = newcomersInOrder()
      if newcomers.isEmpty { break }
      var setUp: [(entry: ModuleEntry, instance: (any Module)?)] = []
      for entry in newcomers where takesNewcomers && entry.state == .known {
        if refuses(entry) { continue }
        if entry.attributes.activation == .onFirstEvent {
          lieDormant(entry)
          continue
        }
        if bringUp(entry, { entry throws(ModuleError) in try entry.setUp(self.context) }) {
          setUp.append((entry, entry.instance))
        }
      }
      // Only these instances: modules may have been removed, and the manager may have restarted.
      for (entry, instance) in setUp where entry.instance === instance {
        if initializeLate(entry), !entry.isHandler { came.append(entry) }
      }
    }
    for entry in came {
      catchUp(.modulesDidSetUp, entry)
      catchUp(.modulesDidInitialize, entry)
    }
    finishStarting(came)
    phases?.add(came, areLate: true)
    return came.map(\.name)
  }

  func bringUp(_ entry: ModuleEntry, _ phase: (ModuleEntry) throws(ModuleError) -> Bool) -> Bool {
    do throws(ModuleError) {
      return try phase(entry)
    } catch {
      log.report(entry.diagnostic(.error, .setUpFailed, "\(error); it came late and is dropped, the others go on"))
      remove(entry)
      announceUnmounts()
      return false
    }
  }

  func finishStarting(_ modules: [ModuleEntry], missed: Bool? = nil) {
    // These instances only: by then the manager may have been stopped and started.
    var due: [(entry: ModuleEntry, instance: (any Module)?)] = []
    for entry in modules where entry.state == .setUp { due.append((entry, entry.instance)) }
    guard !due.isEmpty else { return }
    // Those that come before that is said hear it with the others.
    let missed = missed ?? hasFinishedStarting
    inNextTurn {
      for (entry, instance) in due where entry.instance === instance {
        self.run(.didFinishStarting, entry)
        if missed { self.catchUp(.modulesDidFinishStarting, entry) }
      }
    }
  }

  // MARK: - Run time

  /// Adds a module at run time. Once the manager is started it is set up and initialised at once; what it
  /// throws is reported and it is dropped.
  ///
  /// - Parameters:
  ///   - module: A module that no image exports; its name is the type's.
  ///   - level: As in ``ExportModule(level:priority:after:activation:initialization:replaysMissedPhases:)``, and so are the others. With
  ///     `replaysMissedPhases` it hears which phases it missed.
  /// - Returns: Whether it was added, and set up if the manager is started. In another latecomer's set-up it is set up
  ///   after that one.
  @discardableResult
  public func register(
    _ module: any Module.Type, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false
  ) -> Bool {
    var attributes = ModuleAttributes(module: recordName(of: module), level: level, priority: priority, after: after)
    attributes.activation = activation
    attributes.initialization = initialization
    attributes.replaysMissedPhases = replaysMissedPhases
    let entry = ModuleEntry(attributes: attributes, image: nil, source: .type(module))
    guard insert(entry) else { return false }
    guard takesNewcomers else { return true }
    bringUpNewcomers()
    return isBringingUp || entry.state == .setUp || entry.state == .dormant
  }

  /// Takes a module out and tears it down. Events under way do not reach it any more.
  ///
  /// The module is found by its type, under whichever name it was exported or registered.
  ///
  /// - Returns: Whether there was such a module.
  @discardableResult
  public func unregister(_ module: any Module.Type) -> Bool {
    let isRemoved = remove(recordName(of: module)) { $0.identity.map { isSameType($0, module) } ?? true }
    if isRemoved { announceUnmounts() }
    return isRemoved
  }

  /// Takes a module out by the name in its record, `"Cart.CartModule"`, and tears it down.
  ///
  /// The runtime's name of the type is accepted as well. Of private types that share a name, all
  /// are taken out; ``unregister(_:)`` takes out one.
  ///
  /// - Returns: Whether there was such a module.
  @discardableResult
  public func unregister(named name: String) -> Bool {
    let isRemoved = remove(name) { _ in true }
    if isRemoved { announceUnmounts() }
    return isRemoved
  }

  private func remove(_ name: String, where isMeant: (ModuleEntry) -> Bool) -> Bool {
    var isRemoved = false
    // Check each of them again, because the tear-down of one can remove another.
    for entry in entries.all(named: name) where isMeant(entry) && entries.contains(entry) {
      remove(entry)
      isRemoved = true
    }
    return isRemoved
  }
}
