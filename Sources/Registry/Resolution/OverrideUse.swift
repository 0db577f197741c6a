#if DEBUG

/// The lookups that debug builds record to find mistakes in the overrides of a scope.
///
/// An override that no lookup uses isn't a mistake by itself. It's reported if a lookup used
/// another manager's implementation instead, or if the only lookups of the service use a different
/// name and no implementation has the override's name.
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

  /// Records a lookup in the scope's manager. The outer nil of `name` stands for all names.
  mutating func reached(_ key: GroupKey, named name: String??) {
    for override in overrides where override.key == key && (name ?? override.entry.name) == override.entry.name {
      used.insert(Lookup(key: key, name: override.entry.name))
    }
  }

  /// Records an implementation that a lookup used instead of an override.
  mutating func served(
    _ key: GroupKey, named name: String?, by entry: ServiceEntry, of core: ServiceCore, isElsewhere: Bool
  ) {
    // Ignore managers created after the scope: a test's own manager can have other implementations.
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
  /// Adds a lookup to the records of all scopes of this task.
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
  /// Records a lookup in this manager, with the implementation unless the test provides it.
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
