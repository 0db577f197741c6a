#if DEBUG

// Debug builds report a removal, reset, or lookup that finds nothing although another manager or a
// similar name would have worked.

extension ServiceCore {
  /// If a parent or a similar name has an implementation, reports that a removal removed nothing.
  func reportNothingRemoved(_ key: GroupKey, named name: String?) {
    let parent = lineage.dropFirst().map(\.current).contains { core in
      core.refresh()
      return core.state.withLock { state in
        state.groups[key]?.implements(name) == true
          || state.unclaimed[key.typeName]?.contains { $0.name == name } == true
      }
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

  /// Reports a reset of a cache that no service uses, if a similar name exists.
  func reportUnknownCache(_ cache: String) {
    let own = current.state.withLock { state in
      let all = state.groups.all.flatMap { $0.entries + $0.conditional } + state.unclaimed.values.joined()
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

  /// Returns an implemented service that is easily confused with the given one: an overlapping
  /// composition, or a protocol that differs only in its module or its generic arguments.
  func relatedService(to service: String) -> String? {
    func protocols(_ text: String) -> [Substring] {
      let name = text.prefix { $0 != "<" }
      return (name.hasPrefix("any ") ? name.dropFirst(4) : name).split(separator: " & ")
    }
    let own = protocols(service)
    let names = state.withLock { state in
      state.groups.all.prefix(String.comparedNames).compactMap { group in
        group.key.point == nil && !group.isEmpty ? group.key.typeName : nil
      }
    }
    return names.ordered(by: <).first { name in
      name != service
        && protocols(name).contains { other in
          own.contains { own in
            let (parts, others) = (own.split(separator: "."), other.split(separator: "."))
            return parts == others || parts.count == 2 && others.count == 2 && parts[1] == others[1]
          }
        }
    }
  }

  /// An implementation that a lookup can miss.
  struct Missed {
    weak var entry: ServiceEntry?
    /// The reason why the implementation ended; nil if it exists.
    var end: String?
  }

  func recordElsewhere(_ key: GroupKey, _ entry: ServiceEntry, end: String? = nil) {
    (original ?? self).missed.withLock { services in
      if services.count > 1_000 || services[key, default: [:]].count > 1_000 { services = [:] }
      services[key, default: [:]][entry.name] = Missed(entry: entry, end: end)
    }
  }

  /// The services whose modules or handlers are ending.
  static let ending = Locked<Set<ObjectIdentifier>>([])

  /// Records that an implementation ended, and the module or handler that registered it if that
  /// ended, too, unless this is a scope's copy.
  func recordEnd(_ key: GroupKey, _ entry: ServiceEntry) {
    for parent in lineage.dropFirst() {
      parent.missed.withLock { if $0[key]?[entry.name]?.entry === entry { $0[key]?[entry.name] = nil } }
    }
    guard original == nil else { return }
    guard Self.ending.withLock({ $0.contains(ObjectIdentifier(entry)) }) else {
      // The end of an earlier implementation no longer explains failed lookups.
      missed.withLock { if $0[key]?[entry.name]?.end != nil { $0[key]?[entry.name] = nil } }
      return
    }
    recordElsewhere(
      key, entry,
      end: "\(entry.label) ended with the module or handler that registered it through 'context.services'; register the"
        + " service through 'context.permanentServices' to keep it")
  }

  /// Returns the reason why a lookup failed although a child or another task has the service, or
  /// this manager had it; or nil.
  func reasonWithEntryElsewhere(_ key: GroupKey, _ name: String?) -> String? {
    let known = (original ?? self).missed.withLock { $0[key]?[name] }
    if let end = known?.end { return end }
    guard let entry = known?.entry else { return nil }
    return entry.isOverride
      ? "\(entry.label) applies only to the task of its scope and the tasks created there; carry the scope to other"
        + " code with 'OverrideScope.current'"
      : "code registered \(entry.label) in a child of it; register it in this manager, or look it up in the child"
  }

  /// Returns the reason why a lookup failed although code registered the service in the shared
  /// manager or overrides it there in this test scope, or nil.
  func reasonWithSharedManager(_ key: GroupKey, _ name: String?) -> String? {
    let shared = ServiceCore.shared
    if lineage.contains(where: { $0 === shared }) { return nil }
    let entry = shared.current.state.withLock { $0.groups[key]?.entries(named: name).first { $0.isUsable } }
    guard let entry, entry.location != nil else { return nil }
    return "'ServiceManager.shared' has \(entry.label); use that manager, or pass it as the 'parent:' of this one"
  }
}

#endif
