#if DEBUG

/// The lookups that debug builds record to find mistakes in a scope's overrides.
///
/// An override that no lookup uses isn't a mistake by itself. It's reported if a lookup used
/// another manager's implementation instead, if a property returned an instance that it cached
/// outside the scope, or if no implementation has the override's name and a lookup used an
/// implementation with a different name.
struct OverrideUse {
  let isEmpty: Bool
  private let firstLaterManager: Int
  private var unused: [ServiceOverride]
  private var live: [(key: GroupKey, name: String?, entry: ServiceEntry, isElsewhere: Bool)] = []
  /// The services of properties that cache them, and whether one cached its instance in the scope.
  fileprivate(set) var cached: [GroupKey: Bool] = [:]

  init(_ overrides: [ServiceOverride]) {
    unused = overrides.filter { $0.key.point == nil }
    isEmpty = unused.isEmpty
    firstLaterManager = managerCount.withLock { $0 }
  }

  /// Records a lookup in the scope's manager. The outer nil of `name` stands for all names.
  mutating func reached(_ key: GroupKey, named name: String??) {
    unused.discard { $0.key == key && (name ?? $0.entry.name) == $0.entry.name }
  }

  /// Records an implementation that a lookup used, if an override of its service is unused.
  mutating func served(
    _ key: GroupKey, named name: String?, by entry: ServiceEntry, of core: ServiceCore, isElsewhere: Bool
  ) {
    // Ignore managers created after the scope: a test's own manager can have other implementations.
    guard live.count < 100, !isElsewhere || core.number < firstLaterManager,
      unused.contains(where: { $0.key == key })
    else { return }
    live.append((key, name, entry, isElsewhere))
  }

  func problems(in core: ServiceCore) -> [Diagnostic] {
    unused.compactMap { override in
      let (key, name, label) = (override.key, override.entry.name, override.entry.label)
      let problem: String
      if let other = live.first(where: { $0.isElsewhere && $0.key == key && $0.name == name }) {
        problem =
          "lookups in another manager used \(other.entry.label) instead; override the service in that manager, as in"
          + " 'modules.context.services', or pass this one to the code"
      } else if name == nil, cached[key] == false {
        // The cache doesn't know the name of its property, so only overrides without a name count.
        problem =
          "a property with 'cached: true' kept an instance from outside the scope; create its object in the scope"
      } else if !core.state.withLock({ $0.groups[key]?.implements(name) ?? false }),
        let other = live.first(where: { !$0.isElsewhere && $0.key == key })
      {
        problem =
          "no implementation has \(Self.spell(name)), and a lookup with \(Self.spell(other.name)) used"
          + " \(other.entry.label); correct 'named:'"
      } else {
        return nil
      }
      return Diagnostic(
        severity: .warning, code: .liveService, subject: key.text, image: nil,
        message: "no lookup used \(label), and \(problem)")
    }
  }

  private static func spell(_ name: String?) -> String { name.map { "the name \($0.quotedForDisplay())" } ?? "no name" }
}

extension TaskScope {
  /// Records the use of a property's cached instance for each of this task's scopes.
  static func recordCache(of key: GroupKey, isNew: Bool) {
    guard let current else { return }
    for scope in sequence(first: current, next: \.outer) {
      scope.use.withLock { $0.cached[key] = isNew || $0.cached[key] == true }
    }
  }

  /// Records a lookup for each of this task's scopes.
  static func record(_ key: GroupKey, named name: String??, in core: ServiceCore, servedBy entry: ServiceEntry? = nil) {
    let original = core.original ?? core
    var next = current
    while let scope = next {
      scope.use.withLock { use in
        if original === scope.core { use.reached(key, named: name) }
        guard let entry, let name else { return }
        use.served(key, named: name, by: entry, of: original, isElsewhere: original !== scope.core)
      }
      next = scope.outer
    }
  }
}

extension ServiceCore {
  /// Records a lookup in this manager, and the implementation unless a scope provides it.
  func recordLookup(_ key: GroupKey, named name: String?) {
    if TaskScope.current == nil { return }
    let entry = change { claimedGroup(key, &$0).preferred(named: name) }
    TaskScope.record(key, named: name, in: self, servedBy: entry?.standing == .live ? entry : nil)
  }
}

extension ServiceGroup {
  /// Returns whether an implementation has the given name, even if its condition doesn't hold.
  func implements(_ name: String?) -> Bool {
    !entries(named: name).isEmpty || conditional.contains { $0.name == name }
  }
}

/// The number of managers that were created, not counting copies for test scopes.
let managerCount = Locked(0)

#endif
