internal import RegistryC

/// The implementations of one service, or the contributions to one point, in order of preference.
///
/// The name of a contribution is its key; all contributions without keys are used. The manager's
/// lock guards the group.
package final class ServiceGroup {
  package let key: GroupKey
  /// The implementations without a name. Most groups have only these, so `named` is separate.
  private var unnamed: Candidates
  private var named: [String: Candidates]
  private var sortedNames: [String]?
  var pending: [ServiceEntry]
  /// The implementations whose condition doesn't hold or hasn't been evaluated.
  package private(set) var conditional: [ServiceEntry]
  private var hasUnevaluated: Bool
  /// A Boolean value that indicates whether code has used the service or point. No conditions are
  /// evaluated before the first use.
  package internal(set) var isClaimed: Bool
  #if DEBUG
  var isEmpty: Bool { unnamed.list.isEmpty && named.isEmpty }

  package private(set) var failedNames: Set<String?> = []

  /// Remembers up to 20 names, because code can look up any number of them.
  func lookupFailed(_ name: String?) { if failedNames.count < 20 { failedNames.insert(name) } }
  #endif
  private(set) var visits: Int
  var overrides: Int {
    didSet { updateSlot() }
  }
  private var slot: TableSlot

  private struct Candidates {
    private(set) var list: [ServiceEntry] = []
    /// A Boolean value that indicates whether replacements, not only ranks, determine the order.
    private(set) var hasReplacements = false
    /// The `rank.order` of the first implementation at the last report of conflicts. Don't store
    /// the entry, because releasing it could then run a deinitializer under the lock.
    var reportedOrder: Int?

    func preferred(_ visits: inout Int, _ passes: (ServiceEntry) -> Bool) -> ServiceEntry? {
      list.first { entry in
        visits += 1
        return entry.isUsable && passes(entry)
      }
    }

    /// Returns the index of the implementation with the given rank, or the index to insert it at.
    private func index(of rank: Rank) -> Int {
      if hasReplacements {
        // A moved implementation directly precedes its target, so insert after an unmoved one.
        return list.firstIndex { $0.rank == rank }
          ?? 1 + (list.lastIndex { $0.rank < rank && $0.options?.isMoved != true } ?? -1)
      }
      // A new entry usually belongs at the end.
      if let last = list.last, last.rank < rank { return list.count }
      return list.firstIndex(after: { $0.rank < rank })
    }

    func entry(of rank: Rank) -> ServiceEntry? {
      let index = index(of: rank)
      return index < list.count && list[index].rank == rank ? list[index] : nil
    }

    /// Adds implementations. If any implementation is a replacement, returns the new order of all.
    mutating func add(_ added: [ServiceEntry]) -> ReplacementOrder? {
      if isOrder(changedBy: added) { return sort(list + added) }
      for entry in added { list.insert(entry, at: index(of: entry.rank)) }
      return nil
    }

    mutating func remove(_ removed: [ServiceEntry]) {
      if isOrder(changedBy: removed) {
        // A replacement whose target was removed returns to the position of its own rank.
        _ = sort(list.filter(\.isRegistered))
      } else {
        for entry in removed {
          list.remove(at: index(of: entry.rank))
        }
      }
    }

    /// Returns whether a change must sort all implementations, because it can affect replacements.
    private func isOrder(changedBy entries: [ServiceEntry]) -> Bool {
      if entries.contains(where: { $0.options?.replaces != nil }) { return true }
      // A sort is faster than many insertions.
      guard hasReplacements, let entry = entries.first, entries.count == 1 else { return hasReplacements }
      return list.contains { $0.options?.replaces(entry.implementation, identity: entry.identity) == true }
    }

    private mutating func sort(_ entries: [ServiceEntry]) -> ReplacementOrder {
      let order = ReplacementOrder(entries)
      hasReplacements = entries.contains { $0.options?.replaces != nil }
      list = order.entries
      return order
    }
  }

  init(key: GroupKey, cell: UnsafeMutablePointer<registry_cell>) {
    self.key = key
    slot = TableSlot(cell)
    // The compiler would emit a function for each initial value at a declaration.
    (unnamed, named, pending, conditional) = (Candidates(), [:], [], [])
    (hasUnevaluated, isClaimed, visits, overrides) = (false, false, 0, 0)
  }

  deinit {
    slot.destroy()
  }

  convenience init(
    copying other: ServiceGroup, cell: UnsafeMutablePointer<registry_cell>, _ holders: inout InstanceHolders
  ) {
    self.init(key: other.key, cell: cell)
    let copies = (other.all + other.conditional).map { ServiceEntry(copying: $0, &holders) }
    // A test scope can change the conditions, so evaluate each implementation's condition again.
    conditional = copies.filter { $0.options?.condition != nil }
    hasUnevaluated = !conditional.isEmpty
    // The copied group already reported the conflicts.
    _ = add(copies.filter { $0.options?.condition == nil })
  }

  private var all: [ServiceEntry] {
    var all = unnamed.list
    for candidates in named.values { all += candidates.list }
    return all
  }

  package var entries: [ServiceEntry] {
    visits += unnamed.list.count + named.count
    if named.isEmpty { return unnamed.list }
    let isInOrder = !unnamed.hasReplacements && !named.values.contains(where: \.hasReplacements)
    return isInOrder ? all.ordered { $0.rank < $1.rank } : ReplacementOrder(all).entries
  }

  var names: [String] {
    if let sortedNames { return sortedNames }
    visits += named.count
    let sorted = named.keys.ordered(by: <)
    sortedNames = sorted
    return sorted
  }

  private func candidates(_ name: String?) -> Candidates { name.map { named[$0] ?? Candidates() } ?? unnamed }

  private func change<Result>(_ name: String?, _ body: (inout Candidates) -> Result) -> Result {
    guard let name else { return body(&unnamed) }
    sortedNames = nil
    defer { if named[name]!.list.isEmpty { named[name] = nil } }
    return body(&named[name, default: Candidates()])
  }

  func entries(named name: String?) -> [ServiceEntry] { candidates(name).list }

  func preferred(named name: String?, where passes: (ServiceEntry) -> Bool = { _ in true }) -> ServiceEntry? {
    guard let name else { return unnamed.preferred(&visits, passes) }
    return named[name]?.preferred(&visits, passes)
  }

  /// Adds exported implementations, setting aside any with a condition until code uses the service.
  func add(exported: [ServiceEntry], _ conditions: () -> Set<ServiceCondition>) -> [Diagnostic] {
    var added = exported
    if exported.count == 1, exported[0].options == nil, !hasUnevaluated { return add(added) }
    if added.contains(where: { $0.options?.condition != nil }) {
      conditional += added.filter { $0.options?.condition != nil }
      added.discard { $0.options?.condition != nil }
      hasUnevaluated = true
    }
    if isClaimed, hasUnevaluated {
      hasUnevaluated = false
      let conditions = conditions()
      for case let options? in conditional.map(\.options) where options.isMet == nil {
        options.isMet = options.isMet(by: conditions)
      }
      added += conditional.filter { $0.options?.isMet == true }
      conditional.discard { $0.options?.isMet == true }
    }
    return added.isEmpty ? [] : add(added)
  }

  /// - Returns: Warnings about conflicts, replacement cycles, and a replaced instance in use.
  func add(_ added: [ServiceEntry]) -> [Diagnostic] {
    // Most services have one implementation.
    if unnamed.list.isEmpty, added.count == 1, added[0].name == nil, added[0].options == nil {
      _ = unnamed.add(added)
      updateSlot()
      return []
    }
    let byName = added.count == 1 ? [(added[0].name, added)] : Self.byName(added)
    var diagnostics: [Diagnostic] = []
    for (name, added) in byName {
      let inUse = key.isList ? nil : preferred(named: name)
      diagnostics += change(name) { $0.add(added) }?.diagnostics ?? []
      guard let inUse, inUse.hasKeptInstance, let first = preferred(named: name), first !== inUse else { continue }
      let fix = first.image == nil ? "register the replacement" : "open its image"
      diagnostics.append(
        Diagnostic(
          severity: .warning, code: .replacedInUse, subject: first.service, image: inUse.image,
          message: "\(first.label) replaces \(inUse.label), whose instance lookups have already returned, and code that"
            + " holds the instance keeps it; \(fix) before the first lookup"))
    }
    updateSlot()
    return diagnostics + byName.flatMap { conflicts(of: $1, named: $0) }
  }

  private static func byName(_ entries: [ServiceEntry]) -> [(name: String?, entries: [ServiceEntry])] {
    var unnamed: [ServiceEntry] = []
    var named: [String: [ServiceEntry]] = [:]
    for entry in entries {
      if let name = entry.name { named[name, default: []].append(entry) } else { unnamed.append(entry) }
    }
    return (unnamed.isEmpty ? [] : [(nil, unnamed)]) + named.map { ($0, $1) }
  }

  /// Removes implementations. The caller must release them outside the lock, because their
  /// deinitializers can run user code.
  func remove(where isRemoved: (ServiceEntry) -> Bool) -> [ServiceEntry] {
    let excluded = exclude(where: isRemoved)
    return take(all.filter(isRemoved)) + excluded
  }

  /// Removes implementations whose condition doesn't hold.
  private func exclude(where isRemoved: (ServiceEntry) -> Bool) -> [ServiceEntry] {
    let excluded = conditional.filter(isRemoved)
    for entry in excluded { entry.withdraw() }
    conditional.discard { !$0.isRegistered }
    return excluded
  }

  /// Removes the implementations with the given name, except the overrides of a test scope.
  func remove(named name: String?) -> [ServiceEntry] {
    _ = exclude { $0.name == name }
    return take(entries(named: name).filter { !$0.isOverride })
  }

  func remove(_ entry: ServiceEntry) -> [ServiceEntry] {
    guard let own = candidates(entry.name).entry(of: entry.rank), own === entry || own.original === entry else {
      return []
    }
    return take([own])
  }

  private func take(_ removed: [ServiceEntry]) -> [ServiceEntry] {
    guard !removed.isEmpty else { return [] }
    for entry in removed { entry.withdraw() }
    for (name, removed) in Self.byName(removed) { change(name) { $0.remove(removed) } }
    updateSlot()
    return removed
  }

  /// Updates the lookup table, which serves lookups without a name.
  func updateSlot() {
    if key.point != nil { return }
    slot.update(key.type, preferred(named: nil), isOverridden: overrides > 0)
  }

  /// Returns the conflicts between the first implementation, unless an override, and the others.
  ///
  /// Usually checks the added implementations. If the first implementation is new, also checks the
  /// implementations with the same batch and priority, which directly follow it, or, if there are
  /// replacements, all implementations.
  private func conflicts(of added: [ServiceEntry], named name: String?) -> [Diagnostic] {
    if key.isList { return [] }
    let candidates = candidates(name)
    guard candidates.list.count > 1, let first = candidates.list.first, !first.isOverride else { return [] }
    var reported = added
    if candidates.reportedOrder != first.rank.order {
      change(name) { $0.reportedOrder = first.rank.order }
      if candidates.hasReplacements {
        reported = candidates.list
      } else {
        reported.discard { $0.rank.ties(with: first.rank) }
        reported += candidates.list.dropFirst().prefix { $0.rank.ties(with: first.rank) }
      }
    }
    visits += reported.count
    return reported.compactMap { $0 === first ? nil : conflict(of: $0, with: first) }
  }

  private func conflict(of candidate: ServiceEntry, with first: ServiceEntry) -> Diagnostic? {
    guard let (first, candidate) = first.decisive(before: candidate) else { return nil }
    if candidate.rank.ties(with: first.rank) {
      if first.location != nil, first.location == candidate.location {
        return Diagnostic(
          severity: .warning, code: .tie, subject: first.service, image: nil,
          message: "\(first.label) is registered again; cancel its token first"
            + (self.key.point == nil ? ", or pass 'replacing: true'" : ""))
      }
      let key = key.isKeyed ? first.name.map { " and the key \($0.quotedForDisplay())" } : nil
      var message =
        first.rank.tieMessage(first.label, candidate.label, key: key)
        + (candidate.isExported || self.key.point != nil ? "" : ", or register the second with 'replacing: true'")
      #if DEBUG
      message += first.misspelled(candidate) + candidate.misspelled(first)
      #endif
      return Diagnostic(
        severity: .warning, code: .tie, subject: first.service, image: first.image, message: message)
    }
    // Don't report a first implementation that was registered later with 'replacing: true'.
    if candidate.rank.order > first.rank.order, candidate.rank.batch > first.rank.batch,
      candidate.rank.priority > first.rank.priority
    {
      return Diagnostic(
        severity: .warning, code: .takeover, subject: first.service, image: candidate.image,
        message: "\(candidate.label) was added after \(first.label) and does not replace it, although its priority is"
          + " higher"
          + (self.key.point != nil
            ? "" : "; to replace it, export it with 'replaces:', or register it in code with 'replacing: true'"))
    }
    return nil
  }
}

#if DEBUG
extension ServiceEntry {
  /// The end of a message if `replaces` has no effect, and probably misspells another entry.
  fileprivate func misspelled(_ other: ServiceEntry) -> String {
    guard options?.replaced == nil, let target = options?.replaces else { return "" }
    let suggestion = target.suggestion(in: [other.implementation])
    return suggestion.isEmpty ? "" : "; \(label) replaces \(target.quotedForDisplay())\(suggestion)"
  }
}
#endif

extension [ServiceEntry] {
  /// Returns the number of entries that satisfy a predicate. These entries must come first.
  func firstIndex(after precedes: (ServiceEntry) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
