/// The overrides, or copies of managers, that apply to a task and the tasks that it creates.
///
/// A scope is immutable and task-local, so parallel tests don't see each other's scopes. Tasks
/// created in the scope use it until they end.
final class TaskScope: Sendable {
  @TaskLocal static var current: TaskScope?

  let outer: TaskScope?
  let core: ServiceCore
  /// The overrides; empty in a test scope, whose copies contain them.
  private let overrides: [ServiceOverride]
  /// The services whose live implementations a strict scope allows; nil for all services that the
  /// scope doesn't provide.
  private let allowed: Set<GroupKey>?
  /// In a test scope, the manager and its parents, each with its copy.
  private let copies: [(original: ServiceCore, copy: ServiceCore)]
  #if DEBUG
  /// The overrides of services.
  let given: [ServiceOverride]
  let firstLaterManager = managerCount.withLock { $0 }
  #endif

  /// Creates a scope inside the current one.
  ///
  /// In a test scope, the copies of managers contain the overrides that are in effect, and create
  /// their own instances.
  ///
  /// - Parameter rules: The rules of a test scope; nil for a scope of overrides.
  init(
    in core: ServiceCore, _ overrides: [ServiceOverride], allowing allowed: Set<GroupKey>?, rules: TestScopeRules? = nil
  ) {
    outer = Self.current
    self.core = core
    self.allowed = allowed
    self.overrides = rules == nil ? overrides : []
    copies =
      rules.map { rules in
        core.lineage.map { original in
          let inForce = Self.inForce(for: original)
          let source = inForce.isolated ?? original
          let own = original === core ? overrides : []
          return (original, source.isolatedCopy(rules, overrides: inForce.overrides.reversed() + own))
        }
      } ?? []
    #if DEBUG
    // Several scopes can have the same overrides.
    given = overrides.filter { $0.key.point == nil }.map { ServiceOverride(key: $0.key, entry: $0.entry) }
    for override in overrides { core.recordElsewhere(override.key, override.entry) }
    #endif
    count(1)
  }

  deinit {
    count(-1)
    #if DEBUG
    core.log.report(problems)
    #endif
  }

  private func count(_ change: Int) {
    #if DEBUG
    // Hide the shared manager's lookup table, so that lookups there are recorded as well.
    if core !== ServiceCore.shared, !given.isEmpty { ServiceCore.shared.countIsolation(change) }
    #endif
    core.countOverrides(overrides.map(\.key), change)
    for (original, _) in copies { original.countIsolation(change) }
  }

  // MARK: - Lookup

  static func isolated(_ core: ServiceCore) -> ServiceCore? { inForce(for: core).isolated }

  static func allows(_ key: GroupKey) -> Bool { contains { $0.allowed?.contains(key) == true } }

  /// A Boolean value that indicates whether a strict test scope can withhold services of a manager.
  static var isStrict: Bool { contains { $0.copies.first?.copy.rules?.isStrict == true } }

  static var allowsAll: Bool { contains { $0.allowed == nil } }

  private static func contains(_ predicate: (TaskScope) -> Bool) -> Bool {
    var next = current
    while let scope = next, !predicate(scope) { next = scope.outer }
    return next != nil
  }

  /// Returns the rules of the innermost test scope of a manager, its children, or its parents.
  static func rules(around core: ServiceCore) -> TestScopeRules? {
    let lineage = core.lineage
    var next = current
    while let scope = next {
      let isRelated = scope.copies.contains { $0.original === core } || lineage.contains { $0 === scope.core }
      if isRelated, let copy = scope.copies.first?.copy { return copy.rules }
      next = scope.outer
    }
    return nil
  }

  /// Returns a manager's overrides, innermost first, and, in a test scope, its innermost copy,
  /// which serves lookups that no override serves. The copy contains the outer overrides, so only
  /// overrides inside the copy's scope are returned.
  @_optimize(speed)
  static func inForce(for core: ServiceCore) -> (overrides: [ServiceOverride], isolated: ServiceCore?) {
    var overrides: [ServiceOverride] = []
    var next = current
    while let scope = next {
      if let copy = scope.copies.first(where: { $0.original === core })?.copy { return (overrides, copy) }
      if scope.core === core { overrides += scope.overrides.reversed() }
      next = scope.outer
    }
    return (overrides, nil)
  }
}

final class ServiceOverride: Sendable {
  let key: GroupKey
  let entry: ServiceEntry
  #if DEBUG
  let use = Locked(OverrideUse())
  #endif

  init(key: GroupKey, entry: ServiceEntry) {
    self.key = key
    self.entry = entry
  }
}
