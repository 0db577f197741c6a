/// What holds for a task and the tasks it makes: overrides, or copies of managers.
///
/// A scope is immutable and reached through a task-local value, so tests that run side by side do not see
/// each other's. Tasks that were made in it keep it, and are served by it, as long as they last.
final class TaskScope: Sendable {
  @TaskLocal static var current: TaskScope?

  private let outer: TaskScope?
  /// The manager that `overrides` are for.
  private let core: ServiceCore
  /// Empty in an isolated scope, whose copies have them.
  private let overrides: [ServiceOverride]
  /// Types whose live services may be used even if a scope is strict.
  private let allowed: Set<ObjectIdentifier>
  /// In an isolated scope, the manager and those above it, each with its copy.
  private let copies: [(original: ServiceCore, copy: ServiceCore)]

  /// A scope of overrides, in the one that holds now.
  init(overriding core: ServiceCore, _ overrides: [ServiceOverride], allowing allowed: Set<ObjectIdentifier>) {
    outer = Self.current
    self.core = core
    self.overrides = overrides
    self.allowed = allowed
    copies = []
    core.countOverrides(self.overrides.map(\.key), 1)
  }

  /// An isolated scope, in the one that holds now: with its overrides, but with instances of its own.
  init(
    isolating core: ServiceCore, _ overrides: [ServiceOverride], allowing allowed: Set<ObjectIdentifier>,
    rules: TestScopeRules
  ) {
    outer = Self.current
    self.core = core
    self.overrides = []
    self.allowed = allowed
    copies = core.lineage.map { original in
      let inForce = Self.walk(from: Self.current, in: original)
      let source = inForce.isolated ?? original
      let own = original === core ? overrides : []
      return (original, source.isolatedCopy(rules, overrides: inForce.overrides.reversed() + own))
    }
    for original in core.lineage { original.countIsolation(1) }
  }

  deinit {
    if copies.isEmpty {
      core.countOverrides(overrides.map(\.key), -1)
    } else {
      for (original, _) in copies { original.countIsolation(-1) }
    }
  }

  // MARK: - Lookup

  /// The effects of this task's scopes on the lookup of a service.
  struct Effects {
    /// The innermost override of each name.
    var overrides: [ServiceEntry] = []
    /// The copy that resolves everything else, in a test scope.
    var isolated: ServiceCore?
    /// A Boolean value that indicates whether a strict scope allows the live service.
    var isAllowed = false
  }

  static func effects<Service>(for type: Service.Type, in core: ServiceCore) -> Effects {
    guard let current else { return Effects() }
    let key = typeKey(type)
    let inForce = walk(from: current, in: core)
    var effects = Effects(isolated: inForce.isolated)
    for override in inForce.overrides where override.key == key {
      if !effects.overrides.contains(where: { $0.name == override.entry.name }) {
        effects.overrides.append(override.entry)
      }
    }
    effects.isAllowed = sequence(first: current) { $0.outer }.contains { $0.allowed.contains(ObjectIdentifier(type)) }
    return effects
  }

  /// The copy that stands for a manager in this task; nil if the task is not isolated from it.
  static func isolated(_ core: ServiceCore) -> ServiceCore? {
    current.flatMap { walk(from: $0, in: core).isolated }
  }

  /// The overrides of a manager, innermost first, out to the copy of it that has those further out.
  private static func walk(
    from innermost: TaskScope?, in core: ServiceCore
  ) -> (overrides: [ServiceOverride], isolated: ServiceCore?) {
    var overrides: [ServiceOverride] = []
    var next = innermost
    while let scope = next {
      if let copy = scope.copies.first(where: { $0.original === core })?.copy { return (overrides, copy) }
      if scope.core === core { overrides += scope.overrides.reversed() }
      next = scope.outer
    }
    return (overrides, nil)
  }
}

/// An implementation that takes precedence over all others in a scope.
struct ServiceOverride: @unchecked Sendable {
  // Unchecked: `key` is the address of metadata, which is constant and never freed.
  let key: TypeKey
  /// Only its scope knows the entry, so no other candidates surround it.
  let entry: ServiceEntry
}

extension ServiceCore {
  /// What stands for this manager in this task: itself, or its copy in an isolated scope.
  var current: ServiceCore { TaskScope.isolated(self) ?? self }
}
