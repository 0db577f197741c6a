#if DEBUG

/// The lookups that could have used the overrides of a scope, which debug builds record.
///
/// A test whose overrides nothing looks up is correct. An unused override is a mistake if another
/// manager served the service instead, or if no implementation has its name and lookups used
/// another one.
struct OverrideUse {
  private struct Lookup: Hashable {
    let key: GroupKey
    let name: String?
  }

  private let overrides: [ServiceOverride]
  private let firstLaterManager: Int
  private var used: Set<Lookup> = []
  private var live: [(lookup: Lookup, core: Unmanaged<ServiceCore>?, entry: ServiceEntry)] = []

  init(_ overrides: [ServiceOverride]) {
    self.overrides = overrides.filter { $0.key.point == nil }
    firstLaterManager = ManagerCount.current
  }

  var isEmpty: Bool { overrides.isEmpty }

  /// Records that a lookup reached the manager of the scope. A nil name stands for all names.
  mutating func reached(_ key: GroupKey, named name: String??) {
    for override in overrides where override.key == key && (name ?? override.entry.name) == override.entry.name {
      used.insert(Lookup(key: key, name: override.entry.name))
    }
  }

  /// Records an implementation that a lookup used instead of an override.
  mutating func served(
    _ key: GroupKey, named name: String?, by entry: ServiceEntry, of core: ServiceCore, isElsewhere: Bool
  ) {
    // A test can create a manager of its own, with other implementations.
    guard live.count < 100, !isElsewhere || core.number < firstLaterManager,
      overrides.contains(where: { $0.key == key })
    else { return }
    live.append((Lookup(key: key, name: name), isElsewhere ? .passUnretained(core) : nil, entry))
  }

  func problems(in core: ServiceCore) -> [Diagnostic] {
    overrides.compactMap { override in
      let lookup = Lookup(key: override.key, name: override.entry.name)
      guard !used.contains(lookup) else { return nil }
      let problem: String
      if let other = live.first(where: { $0.core != nil && $0.lookup == lookup }) {
        problem =
          "lookups in another manager used \(other.entry.label) instead; override the service in that manager, as in"
          + " 'modules.context.services', or pass this one to the code"
      } else if !core.state.withLock({ $0.groups[lookup.key]?.implements(lookup.name) ?? false }),
        let other = live.first(where: { $0.core == nil && $0.lookup.key == lookup.key })
      {
        problem =
          "no implementation has \(Self.spell(lookup.name)), and a lookup with \(Self.spell(other.lookup.name)) used"
          + " \(other.entry.label); correct 'named:'"
      } else {
        return nil
      }
      return Diagnostic(
        severity: .warning, code: .liveService, subject: lookup.key.text, image: nil,
        message: "no lookup used \(override.entry.label), and \(problem)")
    }
  }

  private static func spell(_ name: String?) -> String { name.map { "the name \($0.quotedForDisplay())" } ?? "no name" }
}

extension TaskScope {
  /// Records a lookup in all scopes of this task.
  static func record(_ key: GroupKey, named name: String??, in core: ServiceCore, servedBy entry: ServiceEntry? = nil) {
    let original = core.original ?? core
    var next = current
    while let scope = next {
      scope.record(key, named: name, in: original, servedBy: entry)
      next = scope.outer
    }
  }
}

extension ServiceCore {
  /// Records a lookup in this manager, and the implementation if no override served it.
  func recordLookup(_ key: GroupKey, named name: String?) {
    if TaskScope.current == nil { return }
    let entry = change { claimedGroup(key, &$0).preferred(named: name) }
    TaskScope.record(key, named: name, in: self, servedBy: entry?.standing == .live ? entry : nil)
  }

  /// Reports a removal that removes nothing, if a similar one would remove something.
  func reportNothingRemoved(_ key: GroupKey, named name: String?) {
    let parent = lineage.dropFirst().contains { core in
      core.current.state.withLock { $0.groups[key]?.implements(name) ?? false }
    }
    let names = state.withLock { $0.groups[key]?.names } ?? []
    // Names such as 'session-1' and 'session-2' differ on purpose.
    let similar = name.flatMap { $0.utf8.count < 3 || $0.contains(where: \.isNumber) ? nil : $0.nearest(in: names) }
    if !parent, similar == nil { return }
    let reason =
      parent
      ? "a parent manager has it, which lookups still use; call 'unregister' of that manager"
      : "did you mean \(similar?.quotedForDisplay() ?? "")?"
    log.report(
      Diagnostic(
        severity: .warning, code: .noService, subject: key.text, image: nil,
        message: "'unregister' removed nothing, because this manager has no implementation"
          + "\(name.map { " named \($0.quotedForDisplay())" } ?? ""); \(reason)"))
  }

  /// Reports a cache to reset that no service has, if a similar name exists.
  func reportUnknownCache(_ cache: String) {
    let own = current.state.withLock { state in
      let all = state.groups.values.flatMap { $0.entries + $0.conditional } + state.unclaimed.values.joined()
      return Set(all.compactMap { if case .cached(let name) = $0.scope { name } else { nil } })
    }
    let similar = own.contains(cache) ? "" : cache.suggestion(in: own)
    if similar.isEmpty { return }
    log.report(
      Diagnostic(
        severity: .warning, code: .noService, subject: cache, image: nil,
        message: "'resetCache' released nothing, because no service of this manager has the scope"
          + " '.cached(\"\(cache.escapedForDisplay())\")'\(similar)"))
  }

  private struct ServiceOfManager: Hashable {
    let manager: Int
    let key: GroupKey
    let name: String?

    init(_ manager: ServiceCore, _ key: GroupKey, _ name: String?) {
      (self.manager, self.key, self.name) = ((manager.original ?? manager).number, key, name)
    }
  }

  private struct WeakEntry {
    weak var entry: ServiceEntry?
  }

  /// Some services that code has registered in the children of managers, with the implementation.
  private static let inChildren = Locked<[ServiceOfManager: WeakEntry]>([:])

  /// Records in the parents that code has registered a service in this manager.
  func recordInParents(_ key: GroupKey, _ entry: ServiceEntry) {
    Self.inChildren.withLock { services in
      if services.count > 1_000 { services = [:] }
      for core in lineage.dropFirst() { services[ServiceOfManager(core, key, entry.name)] = WeakEntry(entry: entry) }
    }
  }

  /// Returns the error for a failed lookup of a service that code registered in a child, or nil.
  func errorWithChild(_ error: ServiceError, _ key: GroupKey) -> ServiceError? {
    guard case .notFound(let service, let named, let available, _, _) = error.reason, available.isEmpty,
      let label = Self.inChildren.withLock({ $0[ServiceOfManager(self, key, named)]?.entry })?.label
    else { return nil }
    return ServiceError(
      .excluded(
        service: service,
        problem: "no implementation of \(ServiceError.spell(service, named)) was found in this manager, but code"
          + " registered \(label) in a child of it; register it in this manager, or look it up in the child"))
  }

  /// Returns the error for a failed lookup of a service that code registered in the shared manager,
  /// or nil.
  func errorWithSharedManager(_ error: ServiceError, _ key: GroupKey) -> ServiceError? {
    guard case .notFound(let service, let named, let available, _?, _) = error.reason, available.isEmpty else {
      return nil
    }
    let shared = ServiceCore.shared
    if lineage.contains(where: { $0 === shared }) { return nil }
    let entry = shared.state.withLock { $0.groups[key]?.entries(named: named).first { $0.isUsable } }
    guard let entry, entry.location != nil else { return nil }
    return ServiceError(
      .excluded(
        service: service,
        problem: "no implementation of \(ServiceError.spell(service, named)) was found in this manager, but"
          + " 'ServiceManager.shared' has \(entry.label); use that manager, or pass it as the 'parent:' of this one"))
  }
}

extension ServiceGroup {
  fileprivate func implements(_ name: String?) -> Bool {
    !entries(named: name).isEmpty || conditional.contains { $0.name == name }
  }
}

/// The number of managers that were created, without the copies of test scopes.
enum ManagerCount {
  private static let state = Locked(0)

  static var current: Int { state.withLock { $0 } }

  static func next() -> Int {
    state.withLock { count in
      count += 1
      return count - 1
    }
  }
}

#endif
