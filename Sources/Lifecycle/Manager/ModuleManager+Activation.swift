import Registry

extension ModuleManager {
  /// Lets a module wait for its first event.
  func lieDormant(_ entry: ModuleEntry) {
    entry.state = .dormant
    // Which events wake somebody is noted where handlers are collected.
    hasCollected = false
    dispatch.state.pointee.isReady = false
  }

  /// Sets up and initialises the modules that wait for an event, in order, before it is delivered.
  func wake(for slot: EventSlot) {
    guard slot.head.pointee.wakes else { return }
    slot.head.pointee.wakes = false
    // While one is set up the list may be collected anew.
    let dormant = slot.list?.handlers.map(\.entry).filter { $0.state == .dormant } ?? []
    var woken: [ModuleEntry] = []
    for entry in order(among: dormant) where canWake(entry) {
      if bringUp(entry, { entry throws(ModuleError) in try entry.setUp(self.context) }) { woken.append(entry) }
    }
    woken = woken.filter(initializeLate)
    // What it wakes for it hears with the others, as what is to come in the course of the start.
    let event = "\(slot.head.pointee.id)"
    for entry in woken {
      if hasSaidSetUp, event != "modules.didSetUp" { catchUp(.modulesDidSetUp, entry) }
      if hasSaidInitialized, event != "modules.didInitialize" { catchUp(.modulesDidInitialize, entry) }
    }
    // One that is woken in the course of the start finishes starting, and becomes ready, with the others.
    guard state == .running else { return }
    finishStarting(woken, missed: hasFinishedStarting && event != "modules.didFinishStarting")
    phases?.add(woken, areLate: true)
  }

  /// One module may have several handlers of an event, and those after the host stand last.
  private func order(among entries: [ModuleEntry]) -> [ModuleEntry] {
    // Usually there is one, which should not cost a look at all modules.
    guard entries.count > 1 else { return entries }
    let wanted = Set(entries.map(ObjectIdentifier.init))
    return order().filter { wanted.contains(ObjectIdentifier($0)) }
  }

  /// What another one's set-up may have changed: the manager was stopped, the module woken or taken out.
  private func canWake(_ entry: ModuleEntry) -> Bool {
    entry.state == .dormant && (takesNewcomers || state == .starting)
  }

  /// Initialises a module outside of the start, at once or in the next turn.
  ///
  /// - Returns: Whether it is there still.
  func initializeLate(_ entry: ModuleEntry) -> Bool {
    guard !entry.isInitializedLater else {
      initializeInNextTurn([entry])
      return true
    }
    return bringUp(entry) { entry throws(ModuleError) in
      try entry.run(.initialize, self.context)
      return entry.state == .setUp
    }
  }

  /// Initialises modules in the next turn of the main loop, before `didFinishStarting`.
  func initializeInNextTurn(_ modules: [ModuleEntry]) {
    // These instances only: by then the manager may have been stopped and started.
    let due = modules.filter { $0.state == .setUp }.map { (entry: $0, instance: $0.instance) }
    guard !due.isEmpty else { return }
    inNextTurn {
      for (entry, instance) in due where entry.instance === instance {
        _ = self.bringUp(entry) { entry throws(ModuleError) in
          try entry.run(.initialize, self.context)
          return true
        }
      }
    }
  }
}
