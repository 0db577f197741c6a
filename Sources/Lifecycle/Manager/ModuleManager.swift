public import Registry

/// Sets modules up in order and tells them what happens.
///
/// ```swift
/// let modules = ModuleManager.shared
/// try modules.start()
/// modules.trigger(.userDidLogIn, user)
/// ```
///
/// The order is the same for every event and however a module was registered: basic modules, then normal
/// ones; within a level, again and again, of the modules whose `after` are placed the one of highest priority,
/// then of smallest name. Tear-down goes in reverse.
@MainActor public final class ModuleManager {
  /// The manager of every module that this process' images export.
  public static let shared = ModuleManager(services: .shared, records: .loadedImages)

  enum State {
    case idle
    case starting
    case running
    case stopping
  }

  /// What the modules of this manager share.
  public let context: Context

  /// Where time limits are measured.
  public let time: TimeSource

  let log: DiagnosticLog
  var state = State.idle {
    didSet { dispatch.state.pointee.isReady = false }
  }
  /// All modules and handlers.
  var entries = ModuleTable()
  /// Modules in order, made anew when one came or went; nil until then.
  var ordered: [ModuleEntry]?
  let slots = EventSlots()
  let dispatch = Dispatch()
  /// How many events are under way, each within the one before.
  var depth: Int { dispatch.state.pointee.depth }
  /// False once a module came or went: the handlers are collected anew before the next event.
  var hasCollected = false
  /// Whether there may be modules that are not set up though the manager is started.
  var hasNewcomers = false
  /// Modules that came since newcomers were last set up, and others that wait still.
  var newcomers: [ModuleEntry] = []
  /// How many modules name one in `after`, by its name.
  private(set) var awaited: [String: Int] = [:]
  /// Whether the modules were found to be without a circle, and no other came that could close one.
  var hasNoCircle = true
  /// For how many unknown names in `after` messages still say which was meant.
  private var hints = 100
  /// How often a module came or went.
  private var changes = 0
  /// What was subscribed to as of so many changes.
  private var subscribed: (changes: Int, ids: Set<String>)?
  /// How often it was started.
  var life = 0
  /// In which life modules were told last that they will be torn down.
  var lifeToldOfTearDown = 0
  /// Whether modules were told since the start that all are set up, and that all are initialised.
  var (hasSaidSetUp, hasSaidInitialized) = (false, false)
  /// Whether modules have finished starting since the start.
  var hasFinishedStarting = false
  /// Whether some module wants to hear who was taken out.
  var announcesUnmounts = false
  /// Modules that were taken out, and nobody was told yet.
  var unmounted: [String] = []
  /// Whether newcomers are being set up at this moment.
  var isBringingUp = false
  /// Modules of images that could not be used, because of what other images had or lacked: for another try when images
  /// come or go.
  private var leftOut: [ModuleEntry] = []
  var activityObservers: [any LifecycleObserver] = []
  /// What must be there at the start.
  var expectations: [Expectation] = []
  /// Whether an event that was triggered too deep is being reported at this moment.
  var isReportingRefused = false
  /// Asks this manager to stop, from any thread: to be handed on to whatever hears of the end first.
  public nonisolated let stopper = ModuleStopper()
  /// The asynchronous phases, from the beginning of ``run(launch:limits:)`` to its end.
  var phases: AsyncPhases?
  /// Whether it was ever started.
  var wasStarted = false
  /// Whether it was stopped in the course of its start.
  var isStopDue = false
  /// What an event under way may still need.
  var parked: [AnyObject] = []
  private var feed: RecordFeed

  /// Makes a manager of one's own; nothing needs ``shared``.
  ///
  /// - Parameters:
  ///   - modules: Modules it has from the beginning, of level normal and priority zero.
  ///   - services: What ``Context/services`` is.
  ///   - records: Where it takes exported modules from; from nowhere unless told.
  ///   - environment: What ``Context/environment`` is at first.
  ///   - appKey: What ``Context/appKey`` is at first.
  ///   - configuration: What ``Context/configuration`` is at first.
  ///   - time: Where time limits are measured; tests have one that they advance themselves.
  ///   - onDiagnostic: Is told what is wrong, on the main actor. Writes a line to standard error unless told
  ///     otherwise.
  public init(
    modules: [any Module.Type] = [], services: ServiceManager = ServiceManager(), records: RecordSource = .none,
    environment: Context.Environment = .production, appKey: String = "", configuration: ContextValues = ContextValues(),
    time: TimeSource = .system, onDiagnostic: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.toStandardError
  ) {
    self.time = time
    log = DiagnosticLog(handler: onDiagnostic)
    context = Context(
      environment: environment, appKey: appKey, configuration: configuration, services: services, dispatch: dispatch,
      log: log)
    feed = RecordFeed(records)
    context.manager = self
    context.notices.manager = self
    for module in modules { register(module) }
    stopper.listen { [weak self] in
      Task { @MainActor in self?.stopWasRequested() }
    }
  }

  /// The names of the modules that are set up, in order. A name is in it once for each module that
  /// has it.
  public var modules: [String] { order().filter { $0.state == .setUp && !$0.isHandler }.map(\.name) }

  /// Returns the image that exports a module; nil if none does.
  ///
  /// - Parameter module: The name in the module's record, or the runtime's name of its type. Of
  ///   several modules that share the name, those that images export are all in one image.
  public func image(of module: String) -> LoadedImage? {
    for entry in entries.all(named: module) { if let image = entry.image { return image } }
    return nil
  }

  /// Is told what is wrong. What was reported before is in ``report()``.
  public var onDiagnostic: @Sendable (Diagnostic) -> Void {
    get { log.handler }
    set { log.handler = newValue }
  }

  /// Every record in the manager's images and every problem so far, those of ``Context/services`` included.
  ///
  /// Looks for images opened meanwhile and for the classes that C records name; sets nothing up.
  public func report() -> RegistryReport {
    look()
    _ = order()
    let services = context.services.report()
    let records = feed.images.flatMap(\.records)
    let own = Set(records.map(\.address))
    // The service manager has reported its own images that cannot be read yet.
    let unread = context.services.readsImages ? [] : feed.unreadImages
    return RegistryReport(
      records: records + services.records.filter { !own.contains($0.address) },
      diagnostics: services.diagnostics + log.diagnostics + unread)
  }

  // MARK: - Modules

  /// Looks for images. Tens of nanoseconds if none came or went.
  func look() {
    guard !feed.isCurrent(at: feed.source.generation) else { return }
    let scan = feed.source.scan()
    if let problem = scan.problem { log.report(problem) }
    let changes = feed.update(scan)
    dispatch.state.pointee.generation = feed.currentGeneration
    guard let (added, removed) = changes else { return }
    // What is wrong with the bytes is the service manager's to say, if it reads images as well.
    let saysProblems = !context.services.readsImages
    context.services.refresh()
    if !removed.isEmpty { withdraw(removed) }
    retryLeftOut()
    reserve(for: added)
    for cataloged in added {
      if saysProblems { log.report(cataloged.problems) }
      for record in cataloged.records where hasEntry(record) {
        if let entry = record.kind == .module ? entry(record) : handlerEntry(record) { insertOrLeaveOut(entry) }
      }
    }
  }

  private func hasEntry(_ record: ExportedRecord) -> Bool { record.kind == .module || record.kind == .handler }

  /// Makes room at once for what the first images bring, as a rule most of all.
  private func reserve(for images: [CatalogedImage]) {
    guard entries.isEmpty else { return }
    var count = 0
    for cataloged in images { for record in cataloged.records where hasEntry(record) { count += 1 } }
    entries.reserveCapacity(count)
    newcomers.reserveCapacity(count)
  }

  /// Takes out the modules of images that went, the last in order first.
  private func withdraw(_ serials: [UInt64]) {
    let serials = Set(serials)
    let isGone = { (entry: ModuleEntry) in entry.image.map { serials.contains($0.serial) } ?? false }
    leftOut.removeAll(where: isGone)
    let gone = entries.all.filter(isGone)
    // One, as from most plug-ins, needs no order.
    defer { announceUnmounts() }
    guard gone.count > 1 else { return gone.forEach { remove($0) } }
    let ordered = order().filter(isGone)
    let placed = Set(ordered.map(ObjectIdentifier.init))
    for entry in gone where !placed.contains(ObjectIdentifier(entry)) { remove(entry) }
    for entry in ordered.reversed() { remove(entry) }
  }

  private func insertOrLeaveOut(_ entry: ModuleEntry) {
    if !insert(entry) { leftOut.append(entry) }
  }

  /// The image of a module that cannot be used, or that came second.
  func imageLeavingOut(_ name: String) -> LoadedImage? { leftOut.first { $0.name == name }?.image }

  /// Tries those again whose name was taken by an image that may have gone, or whose class may have come.
  private func retryLeftOut() {
    let entries = leftOut
    leftOut = []
    for entry in entries { insertOrLeaveOut(entry) }
  }

  private func entry(_ record: ExportedRecord) -> ModuleEntry? {
    do throws(JSONError) {
      let source: ModuleEntry.Source = if let accessor = record.accessor { .accessor(accessor) } else { .named }
      return ModuleEntry(attributes: try ModuleAttributes(of: record), image: record.image, source: source)
    } catch {
      reportMalformed(record, "\(error)")
      return nil
    }
  }

  /// Reports a record that cannot be used for what it says.
  func reportMalformed(_ record: ExportedRecord, _ problem: String) {
    log.report(
      Diagnostic(
        severity: .error, code: .malformedRecord, subject: record.place, image: record.image,
        message: "\(problem): \(record.attributes.escapedForDisplay()); it is left out"))
  }

  /// The ids of the events that somebody subscribed to, handlers without a module and modules that wait included; before the
  /// start, too.
  ///
  /// Looks for images opened meanwhile; made anew when a module came or went.
  package var subscribedEvents: Set<String> {
    look()
    if let subscribed, subscribed.changes == changes { return subscribed.ids }
    var ids: Set<String> = []
    for entry in entries.all { for handler in entry.handlers { ids.insert("\(handler.id)") } }
    subscribed = (changes, ids)
    return ids
  }

  /// Adds a module; false, and reported, if it is there already or cannot be used.
  func insert(_ entry: ModuleEntry) -> Bool {
    // A name without a type is a duplicate of any module of that name, before its class is looked
    // up.
    if entry.isNamed, reportDuplicate(entry) { return false }
    let before = changes
    if let problem = entry.resolve() {
      log.report(problem)
      return false
    }
    if reportDuplicate(entry) { return false }
    entry.subscribe()
    // The type ran its own code, which can have registered it.
    if changes != before, reportDuplicate(entry) { return false }
    if !entries.insert(entry) {
      for other in entries.all(named: entry.name) where other.name == entry.name { other.sharesName = true }
    }
    newcomers.append(entry)
    if !entry.attributes.after.isEmpty { noteAfter(of: entry) }
    if !announcesUnmounts { announcesUnmounts = entry.hearsUnmounts }
    hasNewcomers = true
    forgetOrder()
    return true
  }

  /// Takes note of whom a module waits for.
  private func noteAfter(of entry: ModuleEntry) {
    let names = Set(entry.attributes.after)
    for name in names { awaited[name, default: 0] += 1 }
    if isAwaited(entry), names.contains(where: { entries.any(named: $0) != nil }) { hasNoCircle = false }
  }

  /// Returns whether a module names this one in `after`.
  func isAwaited(_ entry: ModuleEntry) -> Bool {
    awaited[entry.name] != nil || entry.alias.map { awaited[$0] != nil } ?? false
  }

  /// Returns the module that a new one duplicates.
  private func duplicated(by entry: ModuleEntry) -> ModuleEntry? {
    for other in entries.all(named: entry.name) where entry.isSame(as: other) { return other }
    guard let alias = entry.alias else { return nil }
    for other in entries.all(named: alias) where entry.isSame(as: other) { return other }
    return nil
  }

  /// Returns whether a module is there already, which is reported.
  private func reportDuplicate(_ entry: ModuleEntry) -> Bool {
    guard let other = duplicated(by: entry) else { return false }
    let place = other.image.map { "in \($0)" } ?? "registered at run time"
    let words =
      other.name == entry.name
      ? "there is a module of that name already" : "its class is a module already, by the name \(other.name)"
    log.report(entry.diagnostic(.warning, .duplicate, "\(words), \(place); this one is left out"))
    return true
  }

  /// Takes a module out: nothing reaches it from now on, events under way included.
  func remove(_ entry: ModuleEntry) {
    if phases?.leave(entry) != true { tearDownLate(entry) }
    // Its tear-down or its set-up, if that failed, may have taken it out and put another in its place.
    if entries.remove(entry) {
      forgetNewcomer(entry)
      for name in Set(entry.attributes.after) {
        if let count = awaited[name] { awaited[name] = count > 1 ? count - 1 : nil }
      }
    }
    forgetOrder()
  }

  /// Those that go before they were set up came last, as a rule.
  private func forgetNewcomer(_ entry: ModuleEntry) {
    var place = newcomers.count
    while place > 0 {
      place -= 1
      if newcomers[place] === entry {
        newcomers.remove(at: place)
        return
      }
    }
  }

  /// Tears down a module that was taken out, and lets go of it.
  func tearDownLate(_ entry: ModuleEntry) {
    let wasSetUp = entry.state == .setUp || entry.state == .leaving
    tearDown(entry)
    if let instance = entry.drop(.gone) { park(instance) }
    if wasSetUp, announcesUnmounts, !entry.isHandler { unmounted.append(entry.name) }
  }

  func tearDown(_ entry: ModuleEntry) {
    run(.tearDown, entry)
  }

  /// Runs a phase in which one module's failure is its own.
  func run(_ phase: ModulePhase, _ entry: ModuleEntry) {
    do throws(ModuleError) {
      try entry.run(phase, context)
    } catch {
      log.report(entry.diagnostic(.error, .phaseFailed, "\(error); the others go on"), always: true)
    }
  }

  func forgetOrder() {
    changes += 1
    ordered = nil
    hasCollected = false
    dispatch.state.pointee.isReady = false
  }

  /// Modules in order. Made when it is asked for after a change, so that a thousand registrations sort once.
  func order() -> [ModuleEntry] {
    while true {
      if let ordered { return ordered }
      let order = newOrder()
      guard let cycle = order.cycle else { return order.modules }
      let newcomers = cycle.dropLast().filter { $0.state == .known }
      let message = "\(ModuleError.cycle(path: cycle.map(\.step))); it is not set up"
      for entry in newcomers { log.report(entry.diagnostic(.error, .cycle, message)) }
      // Before the start that is what start() throws. Later, modules that are at work go on without those
      // that came and closed the circle.
      guard state == .running, !newcomers.isEmpty else { return order.modules }
      for entry in newcomers { remove(entry) }
    }
  }

  /// Orders all modules, and keeps the order if there is no circle in it.
  func newOrder() -> ModuleOrder {
    let order = ModuleOrder(entries, hints: hints)
    hints = order.hints
    if order.cycle == nil {
      ordered = order.modules
      hasNoCircle = true
    }
    log.report(order.diagnostics)
    return order
  }

  /// Modules to be set up, in order.
  ///
  /// A single one, as from `register`, has its place among those that are set up already without all of them being put in
  /// order anew.
  func newcomersInOrder() -> [ModuleEntry] {
    var waiting: [ModuleEntry] = []
    for entry in newcomers where entry.state == .known { waiting.append(entry) }
    newcomers = waiting
    if hasNoCircle, newcomers.isEmpty { return [] }
    guard hasNoCircle, newcomers.count == 1, let only = newcomers.first else {
      return order().filter { $0.state == .known }
    }
    let order = ModuleOrder(only: only, of: entries, hints: hints)
    hints = order.hints
    log.report(order.diagnostics)
    return order.modules
  }

  // MARK: - Deferred work

  /// How many handlers had the name of another, by that name.
  var handlerNames: [String: Int] = [:]
  /// Deferred work, and handlers that run in tasks, by number.
  var tasks: [Int: Task<Void, Never>] = [:]
  var taskCount = 0

  /// Runs work in a later turn of the main loop.
  func inNextTurn(_ work: @escaping @MainActor () -> Void) {
    taskCount += 1
    let number = taskCount
    tasks[number] = Task { @MainActor in
      work()
      self.tasks[number] = nil
    }
  }

  /// Waits until `didFinishStarting` and other deferred work has been done, also such as that work deferred, and handlers have ended
  /// that run in tasks.
  ///
  /// During ``run(launch:limits:)`` it waits as well until every module that came is ready, and every one that was taken out or
  /// dropped has shut down and is torn down. So not for a module's own asynchronous phases.
  public func waitUntilIdle() async {
    repeat {
      while let task = tasks.first?.value { await task.value }
    } while await phases?.waitUntilIdle() == true
  }
}

extension ModuleManager: CustomReflectable {
  /// Nothing: test libraries and debuggers that look into values are not led through everything that is registered.
  nonisolated public var customMirror: Mirror { Mirror(self, children: [:]) }
}
