internal import RegistryC

/// The result of searching a locked manager for a service. The next step runs without the lock.
///
/// An initializer can look up other services, whose initializers run inside it, so functions on
/// this path have small stack frames.
enum Finding {
  /// A value in a parent's lookup table.
  case published(UnsafeRawPointer)
  case instance(SharedInstance)
  /// A weak instance that still exists, and the actor of the entry's factory.
  case object(AnyObject, ServiceEntry, (any Actor)?)
  /// An instance created for another service of the type, and the actor of the entry's factory.
  case convert(SharedInstance, ServiceEntry, InstanceHolder, (any Actor)?)
  case make(ServiceEntry, AnyServiceFactory, [IntervalObserver])
  /// An implementation that isn't prepared yet.
  case prepare(ServiceEntry)
  /// No usable implementation. The error is nil unless implementations failed or the manager was
  /// released.
  case nothing(ServiceError?, Withheld?)
}

/// The requirements of a lookup.
struct LookupContext {
  /// A Boolean value that indicates whether the caller uses the result as a `Sendable` type.
  let mustBeSendable: Bool
  /// A Boolean value that indicates whether the caller ignores an error without an implementation.
  var isOptional = false
  /// The manager that performs the lookup, which the caller keeps alive.
  let asked: Unmanaged<ServiceCore>
}

struct Withheld {
  let rules: TestScopeRules
  let entry: ServiceEntry?
  var provided: [String?] = []

  /// Returns the error for a lookup, and reports it to the scope, unless this is only a check.
  func error(_ service: String, _ name: String?, isLookup: Bool = true) -> ServiceError {
    let error = ServiceError.liveService(service, name, live: entry, provided: provided)
    if isLookup { rules.report(error, service: service, named: name) }
    return error
  }
}

extension ServiceCore {
  package var lineage: [ServiceCore] {
    var lineage = [self]
    while let parent = lineage[lineage.count - 1].parent { lineage.append(parent) }
    return lineage
  }

  // MARK: - Lookups of one implementation

  /// Looks up a service without this manager's lookup table, and creates it if necessary.
  @_optimize(speed)
  func service<Service>(
    _ type: Service.Type, named name: String?, _ context: LookupContext
  ) throws(ServiceError) -> Service {
    let key = GroupKey(type)
    while true {
      let found = search(key, named: name)
      if case .nothing(let problem, let withheld) = found.finding {
        throw withheld?.error(key.typeName, name) ?? problem ?? notFound(key, name, isOptional: context.isOptional)
      }
      if let service: Service = try found.core.follow(found.finding, context) { return service }
    }
  }

  /// A finding and the manager that it belongs to, which can be a parent or a copy.
  private typealias Found = (core: ServiceCore, finding: Finding)

  @inline(never) @_optimize(speed)
  private func search(_ key: GroupKey, named name: String?, isAllowed: Bool = false) -> Found {
    var problem: ServiceError?
    var withheld: Withheld?
    var next: ServiceCore? = self
    while let core = next {
      next = core.parent
      // Reading is safe: a child keeps its parent alive. Don't cache the value, because it can
      // change in the parent. Overrides (the third bit) can need the caller's context.
      if core !== self, name == nil, let value = registry_find(core.cell, key.type),
        UInt(bitPattern: value) & 4 == 0 || TaskScope.current == nil
      {
        return (core, .published(value))
      }
      let found = core.searchOwn(key, named: name, isAllowed: isAllowed)
      guard case .nothing(let error, let own) = found.finding else { return found }
      problem = problem ?? error
      if withheld?.entry == nil { withheld = own ?? withheld }
    }
    if withheld != nil, TaskScope.allowsAll { return search(key, named: name, isAllowed: true) }
    return (self, .nothing(problem, withheld))
  }

  /// Returns the error for a lookup that neither this manager nor a parent can serve.
  @inline(never)
  private func notFound(
    _ key: GroupKey, _ name: String?, isLookup: Bool = true, isOptional: Bool = false
  ) -> ServiceError {
    let service = key.typeName
    let cores = lineage.map(\.current)
    let problem = "no implementation of \(ServiceError.spell(service, name)) was found"
    var (available, scans, nearest): ([String], [RecordScan], String?) = ([], [], nil)
    for core in cores {
      core.state.withLock { state in
        if let group = state.groups[key] {
          #if DEBUG
          if isLookup { group.lookupFailed(name) }
          #endif
          let names = group.names
          if available.isEmpty { available = names } else { available = Set(of: available + names).ordered(by: <) }
          if name != nil, group.preferred(named: nil, where: { $0.isUsableHere }) != nil { nearest = service }
        }
        if !core.source.isEmpty { scans.append(state.feed.scan) }
      }
    }
    // The rest visits all records, and an optional property can be read any number of times.
    if isOptional { return .excluded(service, problem) }
    if available.isEmpty, nearest == nil {
      // Check for unmet conditions first: a parent's condition explains more than a child's filter.
      for core in cores {
        let entry = core.state.withLock { $0.groups[key]?.conditional.first { $0.name == name } }
        guard let entry, let condition = entry.options?.condition.map({ "\($0)".quotedForDisplay() }) else { continue }
        let reason = "\(entry.label) exists only under the condition \(condition), which does not hold"
        return .excluded(service, "\(problem), because \(reason)")
      }
    }
    let readsNothing = !scans.isEmpty && scans.allSatisfy(\.isEmpty)
    for core in cores where nearest == nil {
      if available.isEmpty, let reason = core.exclusion(of: key, problem, readsNothing: readsNothing) {
        return .excluded(service, reason)
      }
      nearest = core.similarService(to: service)
    }
    #if DEBUG
    if available.isEmpty,
      let reason = (scans.isEmpty ? nil : reasonWithSharedManager(key, name)) ?? reasonWithEntryElsewhere(key, name)
    {
      return .excluded(service, "\(problem) in this manager, but \(reason)")
    }
    #endif
    return .notFound(
      service, name, available: available, scans: scans.isEmpty ? nil : scans, nearest: nearest)
  }

  @_optimize(speed)
  private func searchOwn(_ key: GroupKey, named name: String?, isAllowed: Bool) -> Found {
    // Scan now if the manager has never scanned. Otherwise, scan once if the lookup finds nothing.
    // Repeated scans might never end if the loader always reports a change.
    var canScan = state.withLock { $0.feed.hasScanned }
    if !canScan { refresh() }
    while true {
      let (finding, isScoped, knowledge) = change { state -> (Finding, Bool, SIMD2<UInt64>) in
        // A test scope uses its copy. Claiming the group here would evaluate its conditions for
        // good.
        if state.isolations > 0, TaskScope.isolated(self) != nil { return (.nothing(nil, nil), true, state.knowledge) }
        let group = claimedGroup(key, &state)
        let preferred = group.preferred(named: name) { shows($0, isAllowed) && $0.isUsableHere }
        let finding =
          preferred.map { found($0, state.observers) } ?? nothing(key, named: name, in: group, isAllowed: isAllowed)
        return (finding, group.overrides > 0 || state.isolations > 0, state.knowledge)
      }
      if isScoped {
        // Some scope affects the service, but perhaps not in this task.
        let scoped = TaskScope.inForce(for: self)
        if let override = scoped.overrides.first(where: { $0.key == key && $0.entry.name == name }) {
          #if DEBUG
          TaskScope.record(key, named: name, in: self)
          #endif
          let owner = scoped.isolated ?? self
          return (owner, owner.state.withLock { owner.found(override.entry, $0.observers) })
        }
        if let copy = scoped.isolated {
          return copy.searchOwn(key, named: name, isAllowed: isAllowed || TaskScope.allows(key))
        }
      }
      if canScan, case .nothing = finding {
        canScan = false
        refresh()
        if state.withLock({ $0.knowledge }) != knowledge { continue }
      }
      #if DEBUG
      recordLookup(key, named: name)
      #endif
      return (self, finding)
    }
  }

  /// Returns the finding when no implementation is usable. The manager must be locked.
  @inline(never)
  private func nothing(
    _ key: GroupKey, named name: String?, in group: ServiceGroup, isAllowed: Bool
  ) -> Finding {
    let candidates = group.entries(named: name)
    var withheld: Withheld?
    if isStrict(isAllowed), let rules {
      withheld = Withheld(rules: rules, entry: candidates.first)
      for entry in group.entries where entry.standing != .live { withheld?.provided.append(entry.name) }
    }
    let problems = candidates.compactMap { $0.problem ?? $0.isolationProblem }
    if source.isReleased { return .nothing(.released(key.typeName), nil) }
    if problems.isEmpty { return .nothing(nil, withheld) }
    return .nothing(.unusable(key.typeName, name, problems), withheld)
  }

  /// Returns a message about the reason why this manager omits a service, or nil.
  private func exclusion(of key: GroupKey, _ problem: String, readsNothing: Bool) -> String? {
    if let exports = exports(of: key) {
      return "\(key.typeName.quotedForDisplay()) is not a service, but \(exports); look up one of these services"
    }
    let feed = state.withLock { $0.feed }
    let reason =
      (readsNothing ? feed.problem : nil)
      ?? feed.exclusion("the implementation") { $0.kind == .service && $0.servedType.map(typeKey) == key.type }
    return reason.map { "\(problem), because \($0)" }
  }

  /// Returns a similar name among this manager's services, or nil.
  private func similarService(to service: String) -> String? {
    var unclaimed: [String] = []
    state.withLock { state in
      for name in state.unclaimed.keys where unclaimed.count < String.comparedNames { unclaimed.append(name) }
    }
    // Names in C records and manifests can be misspelled, because no compiler checks them.
    let nearest = service.nearest(in: unclaimed)
    #if DEBUG
    return nearest ?? relatedService(to: service)
    #else
    return nearest
    #endif
  }

  /// Returns a message about the exports of a concrete type and its subclasses, or nil.
  private func exports(of key: GroupKey) -> String? {
    // Metadata begins with the kind of the type, and the kinds are part of the ABI. These are the
    // kinds of `any P` and of `any P<T>`.
    let kind = key.type.load(as: UInt.self)
    if kind == 0x303 || kind == 0x307 { return nil }
    var exports: [ServiceEntry] = []
    state.withLock { state in
      for group in state.groups.all {
        for entry in group.entries {
          var type = entry.exportedType.map(serviceType)
          while let next = type, typeKey(next) != key.type { type = (next as? AnyClass).flatMap(_getSuperclass) }
          if type != nil { exports.append(entry) }
        }
      }
    }
    if exports.isEmpty { return nil }
    return exports.ordered { $0.rank < $1.rank }.prefix(8)
      .map { "\($0.label) is exported as \(ServiceError.spell($0.service, $0.name))" }.joined(separator: ", and ")
  }

  // MARK: - Lookups of all implementations

  func attemptAll<Service>(
    _ type: Service.Type, mustBeSendable: Bool
  ) throws(ServiceError) -> [(name: String?, service: Service)] {
    var services: [(name: String?, service: Service)] = []
    let context = LookupContext(mustBeSendable: mustBeSendable, asked: .passUnretained(self))
    for (core, entry) in try chosen(GroupKey(type)) {
      if let service = try core.service(type, of: entry, context) { services.append((entry.name, service)) }
    }
    return services
  }

  /// Returns a group's entries for this task in order of preference, each with its manager.
  func chosen(
    _ key: GroupKey, isAllowed: Bool = false
  ) throws(ServiceError) -> [(core: ServiceCore, entry: ServiceEntry)] {
    var chosen: [(core: ServiceCore, entry: ServiceEntry)] = []
    var overridden: Set<String?> = []
    var withheld: Withheld?
    if source.isReleased { throw .released(key.text) }
    for core in lineage {
      let scoped = TaskScope.inForce(for: core)
      let isAllowed = isAllowed || TaskScope.allows(key)
      #if DEBUG
      TaskScope.record(key, named: nil, in: core)
      #endif
      let source = scoped.isolated ?? core
      source.refresh()
      let entries = source.change { source.claimedGroup(key, &$0).entries }
      // Overrides inside a test scope precede those that the scope's copy contains, and only the
      // innermost override of each name applies. A list begins with the outermost of the overrides
      // that have the same priority.
      let outer = entries.filter(\.isOverride).map { (core: source, entry: $0) }
      let inner = scoped.overrides.filter { $0.key == key }.map { (core: source, entry: $0.entry) }
      let overrides =
        key.isList ? outer + inner.reversed() : (inner + outer).filter { overridden.add($0.entry.name) }
      chosen += overrides.ordered {
        key.isList ? $0.entry.rank.priority > $1.entry.rank.priority : ($0.entry.name ?? "") < ($1.entry.name ?? "")
      }
      if key.isList, !overrides.isEmpty { overridden.add(nil) }
      let others = entries.filter { !$0.isOverride && !overridden.contains($0.name) }
      for entry in others where source.shows(entry, isAllowed) { chosen.append((source, entry)) }
      if withheld?.entry == nil, source.isStrict(isAllowed), let rules = source.rules {
        withheld = Withheld(rules: rules, entry: others.first { $0.standing == .live })
      }
    }
    if chosen.isEmpty, let withheld {
      if TaskScope.allowsAll { return try self.chosen(key, isAllowed: true) }
      throw withheld.error(key.text, nil)
    }
    return chosen
  }

  // MARK: - Availability

  /// Returns whether a usable implementation exists, without creating an instance.
  func contains<Service>(_ type: Service.Type, named name: String?) -> Bool {
    for core in lineage {
      core.current.refresh()
      #if DEBUG
      // The code knows of the service, so it may use overrides with any name later.
      TaskScope.record(GroupKey(type), named: nil, in: core)
      #endif
    }
    while true {
      let found = search(GroupKey(type), named: name)
      switch found.finding {
      case .prepare(let entry): found.core.prepare(entry, as: type)
      case .nothing: return false
      default: return true
      }
    }
  }

  /// Returns the error for a lookup that finds no usable implementation, or nil. Creates no
  /// instance, and neither strict scopes nor reports count the check as a lookup.
  package func absence<Service>(of type: Service.Type, named name: String?) -> ServiceError? {
    let key = GroupKey(type)
    guard !contains(type, named: name), case .nothing(let problem, let withheld) = search(key, named: name).finding
    else { return nil }
    return withheld?.error(key.typeName, name, isLookup: false) ?? problem ?? notFound(key, name, isLookup: false)
  }

  // MARK: - Strict scopes

  private func isStrict(_ isAllowed: Bool) -> Bool { !isAllowed && rules?.isStrict == true }

  private func shows(_ entry: ServiceEntry, _ isAllowed: Bool) -> Bool {
    entry.standing != .live || !isStrict(isAllowed)
  }
}
