package import Registry

/// The known part of a manager's module order.
struct KnownOrder {
  /// The modules in order; nil if the order of all modules must be computed.
  var modules: [ModuleEntry]?
  /// The modules to insert into the order.
  var added: [ModuleEntry] = []
  /// The modules whose handlers have not been collected; nil if all handlers must be collected.
  var uncollected: [ModuleEntry]?
}

/// The modules and independent handlers of a manager, and their order.
///
/// The registry reads records and keeps modules, but calls no phases. `ModuleRunner` sets modules
/// up and tears them down.
@MainActor package final class ModuleRegistry {
  // Unchecked, like the other properties that change for each module: only the main actor uses
  // them, and changing one runs no code that could use it.
  @exclusivity(unchecked) package private(set) var entries = ModuleTable()
  /// The dispatcher that collects the modules' handlers again after each change, or nil in tools.
  weak var dispatcher: EventDispatcher?
  /// A closure that returns the modules that provide what a module's feature needs.
  typealias Providers = @MainActor (_ module: String) -> [String]
  /// A closure that finds the providers among the named modules.
  var providers: @MainActor (_ names: Set<String>) -> Providers = { _ in { _ in [] } }
  let log: DiagnosticLog
  @exclusivity(unchecked) var known = KnownOrder()
  @exclusivity(unchecked) private(set) var pending: [ModuleEntry] = []
  /// The modules whose `after` contains a name, by that name; nil until the first query.
  @exclusivity(unchecked) private(set) var awaited: [String: [ObjectIdentifier: ModuleEntry]]?
  /// A Boolean value that indicates whether the last computed order of all modules had no cycle.
  private var hasNoCycle = true
  var unknownNames: UnknownNames
  @exclusivity(unchecked) private(set) var changeCount = 0
  @exclusivity(unchecked) private var handledEvents: Set<String>?
  /// The exported modules that were not added, such as duplicates, to retry when images change.
  var leftOut: [ModuleEntry] = []
  /// The last number appended to a handler's name, by source location, to make names unique.
  var handlerCounts: [String: Int] = [:]
  private(set) var observesRemovals = false
  /// A Boolean value that indicates whether the dispatcher has to collect the handlers again.
  @exclusivity(unchecked) var isCollectionRequired = true

  package init(log: DiagnosticLog, unknownNames: UnknownNames = UnknownNames()) {
    self.log = log
    self.unknownNames = unknownNames
  }

  var handledEventIDs: Set<String> {
    if let handledEvents { return handledEvents }
    var events: Set<String> = []
    for entry in entries.all { for handler in entry.handlers { events.add("\(handler.id)") } }
    handledEvents = events
    return events
  }

  // MARK: - Adding

  /// Adds a module. If it is unusable or a duplicate, reports that and returns false.
  package func insert(_ entry: ModuleEntry) -> Bool {
    // A module that is given only by name duplicates any module with that name.
    if entry.isNamed, reportDuplicate(entry) { return false }
    let count = changeCount
    if let problem = entry.resolve() {
      log.report(problem)
      return false
    }
    if reportDuplicate(entry) { return false }
    entry.subscribe()
    // `subscribe` ran the type's code, which may have registered the type.
    if changeCount != count, reportDuplicate(entry) { return false }
    // If an ordered module's `after` names the new module, the whole order can change, or the
    // modules' levels can conflict.
    if known.modules != nil, modules(naming: entry).allSatisfy({ $0.position < 0 }) {
      known.added.append(entry)
      known.uncollected?.append(entry)
      didChange()
    } else {
      invalidateOrder()
    }
    if !entries.insert(entry) {
      for other in entries.all(named: entry.name) where other.name == entry.name { other.sharesName = true }
    }
    entry.pendingIndex = pending.count
    pending.append(entry)
    addAwaited(by: entry)
    if !observesRemovals { observesRemovals = entry.observesRemovals }
    return true
  }

  func reserveCapacity(_ count: Int) {
    // Don't reserve for many small images: the table would grow by a few modules each time.
    guard count > entries.all.count else { return }
    entries.reserveCapacity(entries.all.count + count)
    pending.reserveCapacity(pending.count + count)
  }

  private func addAwaited(by entry: ModuleEntry) {
    if awaited == nil { return }
    for name in entry.attributes.after { awaited?[name, default: [:]][ObjectIdentifier(entry)] = entry }
  }

  /// Returns the modules of the same level that a module's `after` names. Between levels, `after`
  /// has no effect.
  func awaited(by entry: ModuleEntry) -> [ModuleEntry] {
    var awaited: [ModuleEntry] = []
    for name in entry.attributes.after {
      for other in entries.all(named: name)
      where other.attributes.level == entry.attributes.level && entry.refers(to: other, by: name) {
        awaited.append(other)
      }
    }
    return awaited
  }

  /// Returns the modules of the same level that wait for a module.
  func followers(of entry: ModuleEntry) -> [ModuleEntry] {
    var followers: [ModuleEntry] = []
    for other in modules(naming: entry) where other.attributes.level == entry.attributes.level {
      followers.append(other)
    }
    return followers
  }

  private func modules(naming entry: ModuleEntry) -> [ModuleEntry] {
    if awaited == nil {
      awaited = [:]
      for entry in entries.all where !entry.attributes.after.isEmpty { addAwaited(by: entry) }
    }
    var modules: [ModuleEntry] = []
    for case let name? in [entry.name, entry.alias] {
      for other in (awaited?[name] ?? [:]).values where other.refers(to: entry, by: name) { modules.append(other) }
    }
    return modules
  }

  private func reportDuplicate(_ entry: ModuleEntry) -> Bool {
    if entries.isNew(entry) { return false }
    guard let other = original(of: entry) else { return false }
    let origin = other.image.map { "exported by '\($0)'" } ?? "registered at run time"
    let problem =
      other.name == entry.name
      ? "a module with this name is already \(origin)"
      : "its class is already the module '\(other.name.escapedForDisplay())', which is \(origin)"
    #if DEBUG
    let location = other.image == nil ? nil : entry.location
    #else
    let location: String? = nil
    #endif
    let fix =
      location.map {
        "; remove its registration at \($0.quotedForDisplay()), and pass its attributes to '@ExportModule'"
      }
      ?? (otherImage(of: entry, other) == nil ? "" : "; \(Self.fixOfSharedTarget)")
    log.report(entry.diagnostic(.warning, .duplicate, "\(problem); this module is ignored\(fix)"))
    return true
  }

  /// The fix for a target that two images of a process contain.
  private nonisolated static let fixOfSharedTarget =
    "link its target into only one of the images, or into a dynamic library product that both use"

  package nonisolated static func sharedHandler(_ image: String) -> String {
    "this handler is already exported by '\(image)', so each event calls it twice; \(fixOfSharedTarget)"
  }

  /// Returns the image of the second entry, or nil if it's the first entry's image or unknown.
  func otherImage(of entry: ModuleEntry, _ other: ModuleEntry) -> LoadedImage? {
    guard let image = entry.image, let found = other.image, found.path != image.path else { return nil }
    return found
  }

  func original(of entry: ModuleEntry) -> ModuleEntry? {
    for other in entries.all(named: entry.name) where entry.isSame(as: other) { return other }
    // A module that a closure creates is not identified by its type.
    guard !entry.isCreated, let alias = entry.alias else { return nil }
    for other in entries.all(named: alias) where entry.isSame(as: other) { return other }
    return nil
  }

  // MARK: - Removing

  func remove(_ entry: ModuleEntry) {
    // The module's teardown or failed setup may already have removed the module.
    if entries.remove(entry) {
      removePending(entry)
      for name in entry.attributes.after {
        awaited?[name]?[ObjectIdentifier(entry)] = nil
        if awaited?[name]?.isEmpty == true { awaited?[name] = nil }
      }
    }
    invalidateOrder()
  }

  private func removePending(_ entry: ModuleEntry) {
    guard entry.pendingIndex < pending.count, pending[entry.pendingIndex] === entry else { return }
    let last = pending.removeLast()
    guard last !== entry else { return }
    pending[entry.pendingIndex] = last
    last.pendingIndex = entry.pendingIndex
  }

  // MARK: - Order

  private func invalidateOrder() {
    known = KnownOrder()
    didChange()
  }

  private func didChange() {
    changeCount += 1
    handledEvents = nil
    // Loading the weak reference for each of many modules would take longer than the rest.
    if isCollectionRequired { return }
    isCollectionRequired = true
    dispatcher?.requirePreparation()
  }

  var isOrdered: Bool { known.modules != nil && known.added.isEmpty }

  /// Returns the modules in module order. Computes the order on demand, so that many registrations
  /// cause a single sort.
  ///
  /// - Parameter removesCycles: A Boolean value that indicates whether to remove pending modules
  ///   that complete a cycle. The result omits remaining cycles and modules that wait for them.
  func order(removesCycles: Bool) -> [ModuleEntry] {
    while true {
      if !known.added.isEmpty { insertAdded() }
      if let modules = known.modules { return modules }
      let order = computeOrder()
      let pending = order.cycle?.dropLast().filter { $0.state == .known } ?? []
      let error = order.cycle.map { ModuleError.cycle($0.map { ($0.name, $0.image) }) }
      let message = error.map { "\($0.text()); the module is not set up" }
      for entry in pending { log.report(entry.diagnostic(.error, .cycle, message ?? "")) }
      guard removesCycles, !pending.isEmpty else {
        // A diagnostic handler may have added modules and triggered an event, which orders them.
        if known.added.isEmpty, let modules = known.modules { return modules }
        // A start sets modules up before those that complete a cycle with them are removed.
        return order.cycle != nil && entries.all.contains { $0.state == .setUp } ? orderOfSetUp() : order.modules
      }
      // A diagnostic handler may already have removed some of these modules.
      for entry in pending where entry.state == .known {
        _ = entry.drop(.removed)
        remove(entry)
      }
    }
  }

  func orderOfSetUp() -> [ModuleEntry] {
    ModuleOrder(entries, some: entries.all.filter { $0.state != .known }).modules
  }

  /// Inserts the new modules into the order. If they form a cycle, or ordering all modules is
  /// faster, discards the order instead.
  private func insertAdded() {
    guard let count = known.modules?.count, known.added.count < count / 16 else { return invalidateOrder() }
    let order = ModuleOrder(entries, unknownNames, some: known.added)
    if order.cycle != nil || known.modules?.insert(order.modules, of: self) == false { invalidateOrder() }
    known.added = []
    finish(order)
  }

  /// Reports the problems that were found while an order was computed.
  private func finish(_ order: ModuleOrder) {
    unknownNames = order.unknownNames
    log.report(order.diagnostics)
  }

  /// Computes the order of all modules.
  package func computeOrder() -> ModuleOrder {
    let order = ModuleOrder(entries, unknownNames)
    hasNoCycle = order.cycle == nil
    if hasNoCycle {
      (known.modules, known.added) = (order.modules, [])
      order.modules.number()
    }
    finish(order)
    return order
  }

  /// Returns the modules to set up, in module order, and removes modules that complete a cycle.
  func pendingInOrder() -> [ModuleEntry] {
    var waiting: [ModuleEntry] = []
    for entry in pending where entry.state == .known {
      entry.pendingIndex = waiting.count
      waiting.append(entry)
    }
    pending = waiting
    if hasNoCycle, pending.isEmpty { return [] }
    // A module can only close a cycle if it waits for a module and another one waits for it.
    if hasNoCycle, pending.count == 1, awaited(by: pending[0]).isEmpty || followers(of: pending[0]).isEmpty {
      let order = ModuleOrder(entries, unknownNames, some: pending)
      finish(order)
      return order.modules
    }
    let all = order(removesCycles: true)
    return (isOrdered ? pending.ordered { $0.position < $1.position } : all).filter { $0.state == .known }
  }
}

extension ModuleEntry {
  /// A Boolean value that indicates whether the module handles `moduleDidUnregister`.
  // Compare bytes, because each image can have its own literal, and strings would allocate memory.
  fileprivate var observesRemovals: Bool {
    let id = UnsafeRawBufferPointer(Event<String, Void>.moduleDidUnregister.id)
    return handlers.contains { $0.id.hasPointerRepresentation && UnsafeRawBufferPointer($0.id).isSame(as: id) }
  }
}
