internal import RegistryC

/// The state of a manager, and the slow path of its lookups.
///
/// No user code runs while the lock is held: factories are called, and instances are released,
/// outside it.
@usableFromInline package final class ServiceCore: @unchecked Sendable {
  // Unchecked: only the initializer sets properties. The lookup table follows the rules in
  // registry_table.h, and locks guard the other state.

  static let shared = ServiceCore(
    parent: nil, source: .loadedImages, log: DiagnosticLog(handler: Diagnostic.toStandardError),
    cell: registry_shared())

  let cell: UnsafeMutablePointer<registry_cell>
  /// The manager that serves lookups of services that this manager lacks.
  ///
  /// The parent exists before this manager and never changes, so parents form no cycles.
  let parent: ServiceCore?
  /// The rules of the test scope that this copy belongs to; nil for other managers.
  let rules: TestScopeRules?
  package let original: ServiceCore?
  package let log: DiagnosticLog
  package let source: RecordSource
  package let state: Locked<State>
  #if DEBUG
  /// The number of managers created before this one, not counting copies; zero for a copy.
  private(set) var number = 0
  /// Some services that code overrode in scopes or registered in child managers, or that ended with
  /// a module or an image, by service and name.
  let missed = Locked<[GroupKey: [String?: Missed]]>([:])
  #endif
  let ownConditions = Locked(OwnConditions())
  package let attached = Locked<AnyObject?>(nil)

  // Noncopyable, because functions that copy this structure would add two kilobytes of code.
  package struct State: ~Copyable {
    package internal(set) var feed: RecordFeed
    package internal(set) var groups: ServiceGroups
    var unclaimedServices: UnclaimedServices
    /// The implementations, exported or registered by name, of unused services, keyed by service.
    package var unclaimed: [String: [ServiceEntry]] {
      mutating get { unclaimedServices.all }
      set { unclaimedServices.all = newValue }
    }
    var holders: InstanceHolders
    var names: TypeNames
    /// A Boolean value that indicates whether the class of an implementation was not found, and the
    /// generation of loaded images at the last refresh. A refresh at another generation lets
    /// lookups try these implementations again.
    var withoutClass: (exist: Bool, generation: UInt64)
    var knowledge: SIMD2<UInt64> { [UInt64(feed.scan.revision), withoutClass.generation] }
    var ranks: Ranks
    var isolations: Int
    /// The contribution records, which the next lookup of contributions reads.
    package internal(set) var contributions: ContributionRecords
    var observers: [IntervalObserver]
    var creations: Int
    var problems: [Diagnostic]

    // Initial values are set here: at a declaration, each one would add a function.
    init(feed: RecordFeed) {
      self.feed = feed
      groups = ServiceGroups()
      holders = InstanceHolders()
      unclaimedServices = UnclaimedServices()
      names = TypeNames()
      (withoutClass, ranks, isolations) = ((false, 0), Ranks(), 0)
      (contributions, observers, creations, problems) = (ContributionRecords(), [], 0, [])
    }
  }

  /// The conditions that code has set for the manager.
  ///
  /// Without this type, each process would create the type of the set at startup, and the runtime
  /// would search all images for the conformance of `ServiceCondition` to `Hashable`.
  struct OwnConditions {
    var set: Set<ServiceCondition>?
  }

  init(
    parent: ServiceCore?, source: RecordSource, log: DiagnosticLog, rules: TestScopeRules? = nil,
    original: ServiceCore? = nil, cell: UnsafeMutablePointer<registry_cell>? = registry_cell_create()
  ) {
    guard let cell else { fatalError("swift-section-registry: cannot allocate a manager") }
    self.cell = cell
    self.parent = parent
    self.rules = rules
    self.original = original
    self.log = log
    self.source = source
    state = Locked(State(feed: RecordFeed(source)))
    #if DEBUG
    if original == nil {
      number = managerCount.withLock { count in
        count += 1
        return count - 1
      }
    }
    #endif
  }

  deinit {
    // The shared core is never deallocated. Code that reads any other core's cell retains the core.
    registry_cell_destroy(cell)
    for listener in state.withLock({ $0.contributions.listeners }) { listener.continuation.finish() }
  }

  /// Returns the manager's router, creating it on the first call. The router must not keep the
  /// manager alive; see ``UnretainedManager``.
  package func attachment<Router: AnyObject>(_ create: () -> Router) -> Router {
    // Only `Routing` calls this function, always with one type, and `create` never returns nil.
    unsafeDowncast(attached.value(create)!, to: Router.self)
  }

  /// Changes the state, and reports the problems after releasing the lock.
  @inline(__always)
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, problems) = state.withLock { state in
      let result = body(&state)
      let problems = state.problems
      if !problems.isEmpty { state.problems = [] }
      return (result, problems)
    }
    if !problems.isEmpty { log.report(problems) }
    return result
  }

  // MARK: - Images

  func refresh() {
    let loaded = ImageCatalog.generation
    source.follow(log) { generation in
      state.withLock { state in
        // A class can be in any image, even in an image whose records the manager doesn't read.
        if state.withoutClass.generation != loaded {
          state.withoutClass.generation = loaded
          retryWithoutClass(&state)
        }
        return state.feed.isCurrent(at: generation)
      }
    } update: { scan in
      take(scan)
    }
  }

  private func take(_ scan: RecordScan) {
    // Release withdrawn entries outside the lock, because that can run deinitializers.
    let (withdrawn, points) = change { state -> ([ServiceEntry], [GroupKey]) in
      guard let (added, removed) = state.feed.update(scan) else { return ([], []) }
      let withdrawn = removed.isEmpty ? [] : withdraw(removed, &state)
      if !added.isEmpty { absorb(added, &state) }
      return (withdrawn, state.contributions.listeners.map(\.key))
    }
    withExtendedLifetime(withdrawn) {}
    notifyListeners(of: points)
  }

  private func withdraw(_ serials: [UInt64], _ state: inout State) -> [ServiceEntry] {
    let serials = Set(of: serials)
    let isRemoved = { (entry: ServiceEntry) in entry.image.map { serials.contains($0.serial) } ?? false }
    state.contributions.remove(ofImages: serials)
    var withdrawn = state.unclaimedServices.remove(ofImages: serials, where: isRemoved)
    #if DEBUG
    for group in state.groups.all {
      // Each image can have another name, and the records of names would use more and more memory.
      for entry in group.entries where entry.name == nil && isRemoved(entry) {
        recordElsewhere(group.key, entry, end: "the image of \(entry.label) was closed; keep it open")
      }
    }
    #endif
    for group in state.groups.all { withdrawn += group.remove(where: isRemoved) }
    return withdrawn
  }

  @inline(never)
  private func absorb(_ images: [CatalogedImage], _ state: inout State) {
    var groups: [ServiceGroup] = []
    for cataloged in images {
      state.problems += cataloged.problems
      state.ranks.add(cataloged.image)
      var hasTypes = false
      reserve(for: cataloged.records, &state)
      // Loop over indices to avoid retaining records of other kinds.
      let records = cataloged.records
      for index in records.indices {
        if records[index].kind == .contribution {
          state.contributions.add(records[index], order: state.ranks.nextOrder())
          continue
        }
        guard records[index].kind == .service else { continue }
        let record = records[index]
        do throws(JSONError) {
          var attributes = ServiceAttributes()
          try attributes.read(record)
          let order = state.ranks.nextOrder()
          let group: ServiceGroup
          var source = ServiceEntry.Source.named
          if let accessor = record.accessor {
            var type: TypeKey?
            guard accessor(&type, nil, 0), let type else {
              state.problems.append(
                ServiceEntry(record, attributes, .factory, order: order).diagnostic(
                  .warning, .unavailable,
                  "the type is marked as unavailable on this system; the implementation is ignored"))
              continue
            }
            source = .accessor(accessor, type)
            hasTypes = true
            checkOptional(type, image: record.image, &state)
            group = self.group(for: GroupKey(type), isExported: true, &state)
          } else if state.groups.hasClaimed, let claimed = state.groups.claimed(attributes.service.string) {
            group = claimed
          } else {
            state.unclaimedServices.add(record, service: attributes.service, order: order)
            continue
          }
          if group.pending.isEmpty { groups.append(group) }
          group.pending.append(ServiceEntry(record, attributes, source, order: order))
        } catch {
          state.problems.append(.malformed(record, "\(error)"))
        }
      }
      if hasTypes { state.names.imagesWithTypes += 1 }
    }
    for group in groups {
      let entries = group.pending
      group.pending = []
      state.problems += group.add(exported: entries) { conditions }
    }
    reportDuplicateNames(&state)
  }

  /// Reserves memory if an image exports more services than the manager already knows.
  private func reserve(for records: [ExportedRecord], _ state: inout State) {
    var (swift, named) = (0, 0)
    for index in records.indices where records[index].kind == .service {
      if records[index].hasAccessor { swift += 1 } else { named += 1 }
    }
    state.groups.reserveCapacity(forMore: swift)
    state.unclaimedServices.reserveCapacity(forMore: named)
  }

  /// Resets implementations whose class was not found, because a new image may contain it.
  private func retryWithoutClass(_ state: inout State) {
    guard state.withoutClass.exist else { return }
    state.withoutClass.exist = false
    let entries = state.groups.all.flatMap { $0.entries + $0.conditional } + state.unclaimedServices.created
    for entry in entries where entry.problem?.code == .unknownClass {
      entry.problem = nil
      // The entry names a class, so its group can be found by name once code uses the service.
      state.groups.claimed(entry.service)?.updateSlot()
    }
  }

  func group(for key: GroupKey, isExported: Bool = false, _ state: inout State) -> ServiceGroup {
    if let group = state.groups[key] { return group }
    let group = ServiceGroup(key: key, cell: cell)
    state.groups.add(group)
    state.names.add(key, isExported: isExported)
    return group
  }

  /// Reports types with the same name, and contribution points with the same identifier. Lookups of
  /// one don't find exports for the other.
  func reportDuplicateNames(_ state: inout State) {
    for (known, key) in state.names.duplicates() {
      func user(_ key: GroupKey) -> (label: String, image: LoadedImage?) {
        let entry = state.groups[key]?.entries.first
        return (entry?.label ?? "a closed image or code that looks it up or registers it", entry?.image)
      }
      let (first, second) = (user(known), user(key))
      let users = "used by \(first.label) and by \(second.label)"
      let problem =
        known.text == key.text && known.type != key.type
        ? "two types have this name, \(users), so what is exported for one is not found for the other; declare the type"
          + " in a dynamic library product that all images share"
        : "\(known.text.quotedForDisplay()) has the same identifier, \(users), so a contribution to one is not found at"
          + " the other; declare the point once, or give each point its own identifier"
      state.problems.append(
        Diagnostic(
          severity: .error, code: .twoTypes, subject: key.text, image: second.image ?? first.image,
          message: problem))
    }
  }

  private func checkOptional(_ key: TypeKey, image: LoadedImage?, _ state: inout State) {
    // Metadata begins with the kind of the type, which is part of the ABI: 0x202 is an optional.
    guard key.load(as: UInt.self) == 0x202 else { return }
    state.problems.append(
      Diagnostic(
        severity: .error, code: .optionalService, subject: recordName(of: serviceType(key)), image: image,
        message: "an optional is not a service, and lookups of the type that it wraps do not find its implementations;"
          + " use the type without 'Optional' or the question mark"))
  }

  /// Returns a group that code uses, adding implementations by name and evaluating conditions.
  func claimedGroup(_ key: GroupKey, _ state: inout State) -> ServiceGroup {
    let group = group(for: key, &state)
    if group.isClaimed { return group }
    group.isClaimed = true
    var named: [ServiceEntry] = []
    if key.point == nil {
      let name = key.typeName
      checkOptional(key.type, image: nil, &state)
      state.groups.claim(group, name)
      named = state.unclaimedServices.remove(name)
    }
    state.problems += group.add(exported: named) { conditions }
    reportDuplicateNames(&state)
    return group
  }

  /// The conditions that hold for this manager's services.
  ///
  /// The caller can hold the lock of the manager's state, because no user code runs and the other
  /// locks are held only to copy the values.
  package var conditions: Set<ServiceCondition> {
    for core in lineage {
      if let conditions = core.current.ownConditions.withLock({ $0.set }) { return conditions }
    }
    return ProcessConditions.current
  }

  @inline(never)
  func setConditions(_ conditions: Set<ServiceCondition>) {
    #if DEBUG
    for build in [ServiceCondition.debug, .release] where conditions.contains(build) {
      log.report(
        Diagnostic(
          severity: .warning, code: .lateCondition, subject: "conditions", image: nil,
          message: "setting '\(build)' has no effect, because the build of the exporting module decides; set a flag"
            + " instead, as in 'conditions.insert(.flag(\"name\"))'"))
    }
    #endif
    let conditions = conditions.without(Set(of: [.debug, .release]))
    ownConditions.withLock { $0.set = conditions }
    change { state in
      for group in state.groups.all {
        for entry in group.entries + group.conditional {
          guard let options = entry.options, let condition = options.condition, let isMet = options.isMet,
            options.isMet(by: conditions) != isMet
          else { continue }
          state.problems.append(
            entry.diagnostic(
              .warning, .lateCondition,
              "the condition \("\(condition)".quotedForDisplay()) was evaluated when"
                + " \(entry.service.quotedForDisplay()) was first used, so the implementation is still"
                + " \(isMet ? "used" : "ignored"); set the conditions before its first lookup or registration"))
        }
      }
    }
  }

  // MARK: - Registrations

  /// - Parameters:
  ///   - key: The service or the contribution point; nil for a class that is registered by name.
  ///   - implementation: The name of the class, or a description of the factory for messages.
  ///   - factory: The factory; nil for a class that is registered by name.
  func register(
    _ key: GroupKey?, service: String, implementation: String, scope: ServiceScope, named name: String?, priority: Int,
    replacing: Bool, location: String, factory: AnyServiceFactory?
  ) -> ServiceEntry {
    // Scan first, because implementations in images that are already loaded precede this one.
    refresh()
    let entry = change { state in
      let entry = ServiceEntry(
        service: service, name: name, scope: scope, origin: .code(implementation, location: location),
        source: factory == nil ? .named : .factory,
        rank: state.ranks.registered(inList: key?.isList ?? false, priority: priority, replacing: replacing),
        standing: rules == nil ? .live : .given)
      if let factory { entry.prepare(factory, type: nil, &state.holders) }
      if let group = key.map({ claimedGroup($0, &state) }) ?? state.groups.claimed(service) {
        state.problems += group.add([entry])
      } else {
        // Until code passes the service's type, only the name identifies the service.
        state.unclaimedServices.add(entry)
      }
      return entry
    }
    if let key { notifyListeners(of: [key]) }
    return entry
  }

  func reset(_ scope: ServiceScope) -> Bool {
    let inForce = TaskScope.inForce(for: self)
    // Release the instances outside the lock, because that can run user code's deinitializers.
    var released: [SharedInstance] = []
    (inForce.isolated ?? self).state.withLock { state in
      for override in inForce.overrides { released += override.entry.reset(scope) }
      for group in state.groups.all { for entry in group.entries { released += entry.reset(scope) } }
    }
    return !released.isEmpty
  }

  func unregister(_ entry: ServiceEntry, of key: GroupKey?) -> Bool {
    unregister(key) { state in
      // Don't evaluate conditions: outside a test scope, this isn't the manager that has the entry.
      let group = key.flatMap { state.groups[$0] } ?? state.groups.claimed(entry.service)
      if let group { return group.remove(entry) }
      return state.unclaimedServices.remove(entry)
    }
  }

  func unregister(_ key: GroupKey, named name: String?) -> Bool {
    let isRemoved = unregister(key) { claimedGroup(key, &$0).remove(named: name) }
    #if DEBUG
    if !isRemoved { reportNothingRemoved(key, named: name) }
    #endif
    return isRemoved
  }

  private func unregister(_ key: GroupKey?, _ remove: (inout State) -> [ServiceEntry]) -> Bool {
    refresh()
    // Release the factories outside the lock, because that can run user code's deinitializers. An
    // entry can outlive its removal, because readers may still use its instance.
    let (removed, factories) = change { state in
      let removed = remove(&state)
      #if DEBUG
      if let key { for entry in removed { recordEnd(key, entry) } }
      #endif
      let factories = removed.map(\.factory)
      for entry in removed { entry.factory = nil }
      return (removed, factories)
    }
    withExtendedLifetime(factories) {}
    if let key, !removed.isEmpty { notifyListeners(of: [key]) }
    return !removed.isEmpty
  }

  /// Changes the observers, and hides the lookup table while there are any.
  func changeObservers<Result>(_ change: (inout [IntervalObserver]) -> Result) -> Result {
    state.withLock { state in
      defer { updateVisibility(state) }
      return change(&state.observers)
    }
  }

  /// Shows the lookup table to readers, or hides it from them.
  ///
  /// Without the table, lookups take the slow path, which considers test scopes, notifies
  /// observers, and records lookups in debug builds.
  func updateVisibility(_ state: borrowing State) {
    registry_cell_hide(cell, state.isolations > 0 || !state.observers.isEmpty)
  }

  @inline(never)
  func observed<Service>(
    _ factory: AnyServiceFactory, _ entry: ServiceEntry, _ observers: [IntervalObserver]
  ) throws -> Service {
    let number = state.withLock { state in
      state.creations += 1
      return state.creations
    }
    let kind = entry.service.isContributionPoint ? "contribution" : "service"
    let observation = IntervalObservation(
      ObservedInterval(
        number, .other(kind: kind), entry.implementation, entry.image, isConcurrent: !MainActor.shared.isCurrent),
      observers)
    observation.begin()
    defer { observation.end() }
    return try ResolutionFrame.call(factory)
  }

  /// The manager that this task uses: this one, or its copy in a test scope.
  package var current: ServiceCore { TaskScope.isolated(self) ?? self }
}

extension Diagnostic.Code {
  package static var lateCondition: Self { "late-condition" }
}
