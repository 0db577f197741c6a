#if DEBUG

/// The lookups of an override's service, which debug builds record to find mistakes.
///
/// An override that no lookup uses isn't a mistake by itself. It's reported if a lookup used
/// another manager's implementation instead, if a property returned an instance that it cached
/// outside the scope, or if no implementation has the override's name and a lookup asked for an
/// implementation with a different name.
struct OverrideUse {
  fileprivate var isUsed = false
  /// The implementation of another manager that a lookup used.
  fileprivate var elsewhere: ServiceEntry?
  /// The implementation with another name that a lookup asked for.
  fileprivate var other: (name: String?, entry: ServiceEntry)?
  /// A Boolean value that indicates whether a property cached its instance in the scope; nil if no
  /// property caches one.
  fileprivate var isCached: Bool?
}

extension TaskScope {
  /// Changes the uses of a service's overrides in each of this task's scopes.
  private static func change(_ key: GroupKey, _ body: (TaskScope, ServiceEntry, inout OverrideUse) -> Void) {
    guard let current else { return }
    for scope in sequence(first: current, next: \.outer) {
      for override in scope.given where override.key == key {
        override.use.withLock { body(scope, override.entry, &$0) }
      }
    }
  }

  /// Records the use of a property's cached instance.
  static func recordCache(of key: GroupKey, isNew: Bool) {
    change(key) { _, _, use in use.isCached = isNew || use.isCached == true }
  }

  /// Records a lookup, and the implementation that it used. The outer nil of `name` stands for all
  /// names.
  static func record(_ key: GroupKey, named name: String??, in core: ServiceCore, servedBy entry: ServiceEntry? = nil) {
    let original = core.original ?? core
    change(key) { scope, override, use in
      let hasName = (name ?? override.name) == override.name
      if original !== scope.core {
        // Ignore managers created after the scope: a test's own manager can have other
        // implementations.
        if hasName, name != nil, original.number < scope.firstLaterManager { use.elsewhere = use.elsewhere ?? entry }
      } else if hasName {
        use.isUsed = true
      } else if let entry, let name {
        use.other = use.other ?? (name, entry)
      }
    }
  }

  /// The diagnostics about overrides that code probably meant to use.
  var problems: [Diagnostic] {
    given.compactMap { override in
      let use = override.use.withLock { $0 }
      let (key, name, label) = (override.key, override.entry.name, override.entry.label)
      let problem: String
      if use.isUsed {
        return nil
      } else if let other = use.elsewhere {
        problem =
          "lookups in another manager used \(other.label) instead; override the service in that manager, as in"
          + " 'modules.context.services', or pass this one to the code"
      } else if name == nil, use.isCached == false {
        // The cache doesn't know the name of its property, so only overrides without a name count.
        problem =
          "a property with 'cached: true' kept an instance from outside the scope; create its object in the scope"
      } else if let other = use.other, !core.state.withLock({ $0.groups[key]?.implements(name) ?? false }) {
        // The lookup may have failed, because a strict scope withholds the implementation.
        let unknown = name.map { "no implementation has the name \($0.quotedForDisplay())" }
        problem =
          "\(unknown ?? "every implementation has a name"), and a lookup asked for \(other.entry.label), which has"
          + " \(other.name.map { "the name \($0.quotedForDisplay())" } ?? "no name"); correct 'named:'"
      } else {
        return nil
      }
      return Diagnostic(
        severity: .warning, code: .liveService, subject: key.text, image: nil,
        message: "no lookup used \(label), and \(problem)")
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
