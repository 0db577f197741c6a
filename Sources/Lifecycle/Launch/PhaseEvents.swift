import Registry

extension Event where Payload == Void, Outcome == Void {
  /// Every module is set up; none is initialised. Triggered by ``ModuleManager/start(launch:)``.
  public static var modulesDidSetUp: Self { .init("modules.didSetUp") }
  /// Every module is initialised but those that are in the next turn. Triggered by ``ModuleManager/start(launch:)``.
  public static var modulesDidInitialize: Self { .init("modules.didInitialize") }
  /// Every module has finished starting, in the turn after the start.
  public static var modulesDidFinishStarting: Self { .init("modules.didFinishStarting") }
  /// Modules are about to be torn down. Triggered by ``ModuleManager/stop()`` while all are there still; not by a start that failed.
  public static var modulesWillTearDown: Self { .init("modules.willTearDown") }
}

extension Event where Payload == String, Outcome == Void {
  /// A module was taken out, by ``ModuleManager/unregister(_:)`` or with its image, and has been torn down. Its name as in its
  /// record. Triggered while the manager is started.
  public static var moduleDidUnmount: Self { .init("modules.didUnmount") }
}

extension ModuleEntry {
  /// Whether the module subscribed to ``Event/moduleDidUnmount``. By address, as asked of every module: that event has but one
  /// literal.
  var hearsUnmounts: Bool {
    let id = Event<String, Void>.moduleDidUnmount.id.utf8Start
    return handlers.contains { $0.id.hasPointerRepresentation && $0.id.utf8Start == id }
  }
}

extension ModuleManager {
  /// Tells who was taken out, if somebody wants to hear it: the order is made anew for it, once for all of an image.
  func announceUnmounts() {
    guard !unmounted.isEmpty else { return }
    let names = unmounted
    unmounted = []
    for name in names where state == .running { trigger(.moduleDidUnmount, name) }
  }

  /// Tells in the next turn, that all modules have finished starting.
  func announceFinishedStarting() {
    // Nobody to tell, and those that come missed it.
    guard !entries.isEmpty else { return hasFinishedStarting = true }
    let life = life
    inNextTurn {
      // By then the manager may have been stopped, and started.
      guard self.state == .running, self.life == life else { return }
      // Those that come by now hear it with the others.
      self.scanImages()
      self.hasFinishedStarting = true
      self.trigger(.modulesDidFinishStarting)
    }
  }

  /// Tells a module that came late which phases it missed, if it asked for that.
  func catchUp(_ event: Event<Void, Void>, _ entry: ModuleEntry) {
    guard entry.attributes.replaysMissedPhases, entry.state == .setUp else { return }
    // By text: another module's literal of the same id stands elsewhere.
    let handlers = entry.handlers.filter {
      "\($0.id)" == "\(event.id)" && $0.payload == Void.self && $0.outcome == Void.self
    }
    guard !handlers.isEmpty else { return }
    // A module may be registered by the innermost handler of all.
    guard depth < Dispatch.depthLimit else { return refuse(event.id) }
    let slot = EventSlot(id: event.id, payload: Void.self, outcome: Void.self)
    slot.handlers = handlers.map { BoundHandler(entry: entry, handler: $0) }
    _ = slot.publish()
    var payload: Void = ()
    var outcome = EventOutcome(event)
    deliver(slot.head, to: &payload, &outcome)
    // The event's frame pointed to its head.
    withExtendedLifetime(slot) {}
  }
}
