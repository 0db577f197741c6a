internal import RegistryC

/// The implementations of one service in the order of preference.
///
/// The manager's lock guards it.
final class ServiceGroup {
  let key: TypeKey
  private(set) var entries: [ServiceEntry] = []
  /// The implementations without a name. Most have none, so most groups need no dictionary.
  private var unnamed = Candidates()
  private var named: [String: Candidates] = [:]
  /// The implementations of the images that are being added.
  var pending: [ServiceEntry] = []
  /// The implementations whose condition does not hold, or was not evaluated yet.
  private(set) var conditional: [ServiceEntry] = []
  /// A Boolean value that indicates whether a condition was not evaluated yet.
  private(set) var hasUnevaluated = false
  /// A Boolean value that indicates whether the service is in use, so that its named
  /// implementations have been added and its conditions are evaluated.
  var isClaimed = false
  /// A Boolean value that indicates whether an implementation replaces others.
  private var hasReplacements = false
  /// The number of overrides of the service in all scopes.
  var overrides = 0 {
    didSet { updateSlot() }
  }

  private let cell: UnsafeMutablePointer<registry_cell>
  /// The implementation that a lookup without a name finds.
  private(set) var current: ServiceEntry?
  /// The only implementation whose instance or factory can be in the lookup table.
  ///
  /// Readers of the table acquire no lock, and may be about to retain the instance or to call the
  /// factory. So the manager keeps this implementation until the manager is released. To limit that
  /// to one implementation of each type, no other is added to the table after it; see
  /// Documentation/Design.md, "Lookups and reclamation".
  private var published: ServiceEntry?
  private var isPublished = false

  /// The implementations with one name in the order of preference.
  private struct Candidates {
    var entries: [ServiceEntry] = []
    /// The number of unusable implementations at the beginning, which lookups skip.
    var unusable = 0
    /// The registration order of the first implementation at the last report of conflicts.
    ///
    /// A reference could release an entry under the lock.
    var reportedOrder: Int?

    /// Returns the first usable implementation that a closure accepts.
    mutating func preferred(_ passes: (ServiceEntry) -> Bool) -> ServiceEntry? {
      while unusable < entries.count, !entries[unusable].isUsable { unusable += 1 }
      var index = unusable
      while index < entries.count {
        if entries[index].isUsable, passes(entries[index]) { return entries[index] }
        index += 1
      }
      return nil
    }
  }

  init(key: TypeKey, cell: UnsafeMutablePointer<registry_cell>) {
    self.key = key
    self.cell = cell
  }

  /// Creates a group with copies of the implementations, for the manager of a test scope.
  init(copying other: ServiceGroup, cell: UnsafeMutablePointer<registry_cell>, _ holders: inout InstanceHolders) {
    key = other.key
    for entry in other.entries + other.conditional {
      let copy = ServiceEntry(copying: entry, &holders)
      // The scope can have other conditions, so it evaluates them again.
      if copy.options?.condition == nil { entries.append(copy) } else { conditional.append(copy) }
    }
    hasUnevaluated = !conditional.isEmpty
    isClaimed = other.isClaimed
    hasReplacements = other.hasReplacements
    self.cell = cell
    if hasReplacements { sortReplacements() }
    for entry in entries { change(entry.name) { $0.entries.append(entry) } }
    unnamed.reportedOrder = other.unnamed.reportedOrder
    for name in named.keys { named[name]!.reportedOrder = other.named[name]?.reportedOrder }
  }

  /// Changes the candidates with a name.
  private func change(_ name: String?, _ body: (inout Candidates) -> Void) {
    if let name { body(&named[name, default: Candidates()]) } else { body(&unnamed) }
  }

  /// Returns the implementations with a name in the order of preference.
  func entries(named name: String?) -> [ServiceEntry] { name.map { named[$0]?.entries ?? [] } ?? unnamed.entries }

  /// Returns the first usable implementation with a name that a closure accepts.
  func preferred(named name: String?, where passes: (ServiceEntry) -> Bool = { _ in true }) -> ServiceEntry? {
    guard let name else { return unnamed.preferred(passes) }
    return named[name]?.preferred(passes)
  }

  /// Makes the next lookup consider the unusable implementations again.
  func forgetUnusable() {
    unnamed.unusable = 0
    for name in named.keys { named[name]!.unusable = 0 }
    updateSlot()
  }

  /// Adds exported implementations, and those whose condition holds once the service is in use.
  ///
  /// - Parameters:
  ///   - exported: The implementations.
  ///   - conditions: A function that returns the conditions that hold.
  /// - Returns: The conflicts between the implementations and others.
  func add(exported: [ServiceEntry], _ conditions: () -> Set<ServiceCondition>) -> [Diagnostic] {
    var added = exported
    if added.contains(where: { $0.options?.condition != nil }) {
      conditional += added.filter { $0.options?.condition != nil }
      added.removeAll { $0.options?.condition != nil }
      hasUnevaluated = true
    }
    if isClaimed, hasUnevaluated {
      hasUnevaluated = false
      let conditions = conditions()
      for case let options? in conditional.map(\.options) where options.isMet == nil {
        options.isMet = options.isMet(by: conditions)
      }
      added += conditional.filter { $0.options?.isMet == true }
      conditional.removeAll { $0.options?.isMet == true }
    }
    return added.isEmpty ? [] : add(added)
  }

  /// Adds implementations.
  ///
  /// - Returns: The conflicts between the implementations and others.
  func add(_ added: [ServiceEntry]) -> [Diagnostic] {
    if hasReplacements || added.contains(where: { $0.options?.replaces != nil }) { return addReplacing(added) }
    Self.insert(added, into: &entries)
    if added.count == 1 {
      let name = added[0].name
      add(added, named: name)
      updateSlot()
      return conflicts(of: added, named: name)
    }
    let byName = Self.byName(added)
    for (name, added) in byName { add(added, named: name) }
    updateSlot()
    return byName.flatMap { conflicts(of: $1, named: $0) }
  }

  /// Adds implementations to a group in which some replace others.
  ///
  /// - Returns: The conflicts between the implementations and others, also with instances that
  ///   lookups have returned.
  private func addReplacing(_ added: [ServiceEntry]) -> [Diagnostic] {
    hasReplacements = true
    let byName = Self.byName(added)
    let inUse = byName.map { preferred(named: $0.name) }.map { $0?.hasKeptInstance == true ? $0 : nil }
    entries += added
    let order = sortReplacements()
    for (name, _) in byName { sortByReplacements(name) }
    updateSlot()
    let replaced = zip(byName, inUse).compactMap { byName, inUse -> Diagnostic? in
      guard let inUse, let preferred = preferred(named: byName.name), preferred !== inUse, preferred.isExported else {
        return nil
      }
      return Self.replacedInUse(inUse, by: preferred, "open its image before the first lookup")
    }
    return order.diagnostics + replaced + byName.flatMap { conflicts(of: $1, named: $0) }
  }

  /// Sorts all implementations, so that those that replace others precede them.
  @discardableResult
  private func sortReplacements() -> ReplacementOrder {
    let order = ReplacementOrder(entries)
    entries = order.entries
    for entry in entries {
      entry.options?.replaced = order.replaced[ObjectIdentifier(entry)]
      entry.options?.isMoved = order.moved.contains(ObjectIdentifier(entry))
    }
    return order
  }

  /// Takes over the order of all implementations for those with a name.
  private func sortByReplacements(_ name: String?) {
    let sorted = entries.filter { $0.name == name }
    change(name) { candidates in
      candidates.entries = sorted
      candidates.unusable = 0
    }
  }

  private static func replacedInUse(_ replaced: ServiceEntry, by entry: ServiceEntry, _ fix: String) -> Diagnostic {
    Diagnostic(
      severity: .warning, code: .replacedInUse, subject: entry.service, image: replaced.image,
      message: "\(entry.label) replaces \(replaced.label), whose instance lookups have already returned, and code"
        + " that holds the instance keeps it; \(fix)")
  }

  /// Adds an implementation that code registers.
  ///
  /// - Returns: The conflicts with others, also with an instance that lookups have returned.
  func add(registered entry: ServiceEntry) -> [Diagnostic] {
    let replaced = preferred(named: entry.name)
    let conflicts = add([entry])
    guard let replaced, replaced.hasKeptInstance, preferred(named: entry.name) === entry else { return conflicts }
    return conflicts + [Self.replacedInUse(replaced, by: entry, "register the replacement before the first lookup")]
  }

  private func add(_ added: [ServiceEntry], named name: String?) {
    change(name) { candidates in
      Self.insert(added, into: &candidates.entries)
      candidates.unusable = 0
    }
  }

  private static func byName(_ entries: [ServiceEntry]) -> [(name: String?, entries: [ServiceEntry])] {
    var unnamed: [ServiceEntry] = []
    var named: [String: [ServiceEntry]] = [:]
    for entry in entries {
      if let name = entry.name { named[name, default: []].append(entry) } else { unnamed.append(entry) }
    }
    return (unnamed.isEmpty ? [] : [(nil, unnamed)]) + named.map { ($0, $1) }
  }

  /// Inserts implementations in order, and searches for the position of a single one.
  private static func insert(_ added: [ServiceEntry], into entries: inout [ServiceEntry]) {
    guard added.count == 1 else {
      if added.isEmpty { return }
      entries += added
      return entries.sort { $0.rank < $1.rank }
    }
    // Most services have one implementation. Its arrays then share their memory.
    if entries.isEmpty { return entries = added }
    entries.insert(added[0], at: index(of: added[0].rank, in: entries))
  }

  /// Removes the implementations that are no longer registered.
  private func drop(_ removed: [ServiceEntry], from entries: inout [ServiceEntry]) {
    guard removed.count == 1, !hasReplacements else { return entries.removeAll { !$0.isRegistered } }
    // The entries are in order of their ranks, which are unique.
    entries.remove(at: Self.index(of: removed[0].rank, in: entries))
  }

  /// Returns the index at which an entry of a rank is or would be inserted.
  private static func index(of rank: ServiceEntry.Rank, in entries: [ServiceEntry]) -> Int {
    var (low, high) = (0, entries.count)
    // Usually the entry that is added last belongs at the end.
    if let last = entries.last, last.rank < rank { low = high }
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].rank < rank { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes implementations and returns them.
  ///
  /// The caller must release them outside the lock, because that can run user code.
  func remove(where isRemoved: (ServiceEntry) -> Bool) -> [ServiceEntry] {
    let excluded = conditional.filter(isRemoved)
    if !excluded.isEmpty { conditional.removeAll(where: isRemoved) }
    for entry in excluded { entry.withdraw() }
    return take(entries.filter(isRemoved)) + excluded
  }

  /// Removes the implementations with a name and returns them.
  ///
  /// Overrides stay, because they are neither exported nor registered. The copy of a test scope
  /// contains some.
  func remove(named name: String?) -> [ServiceEntry] {
    conditional.removeAll { $0.name == name }
    return take(entries(named: name).filter { $0.standing != .override })
  }

  private func take(_ removed: [ServiceEntry]) -> [ServiceEntry] {
    guard !removed.isEmpty else { return [] }
    for entry in removed { entry.withdraw() }
    drop(removed, from: &entries)
    // An implementation that only a removed one connected with others has its own position again.
    if hasReplacements { sortReplacements() }
    for (name, removed) in Self.byName(removed) {
      change(name) { candidates in
        drop(removed, from: &candidates.entries)
        candidates.unusable = 0
        if candidates.entries.isEmpty { candidates = Candidates() }
      }
      if hasReplacements { sortByReplacements(name) }
      if let name, named[name]!.entries.isEmpty { named[name] = nil }
    }
    updateSlot()
    return removed
  }

  /// Updates the value in the lookup table, which serves lookups without a name.
  ///
  /// The value is a shared instance that exists, or the way to create a transient one.
  func updateSlot() {
    current = preferred(named: nil)
    let value = overrides == 0 ? current.flatMap(tableValue) : nil
    guard value != nil || isPublished else { return }
    // If memory for a larger table runs out, lookups of this service take the slow path.
    isPublished = registry_publish(cell, key, value) && value != nil
  }

  /// Returns the table's value for an implementation, or nil if its lookups take the slow path.
  private func tableValue(of entry: ServiceEntry) -> UnsafeRawPointer? {
    // Readers of the table do not check on which executor they run.
    if entry.hasIsolationProblem { return nil }
    let mayStay = published == nil || published === entry
    switch entry.scope {
    case .shared:
      guard mayStay, let instance = entry.shared?.pointer else { return nil }
      published = entry
      return instance
    case .transient:
      guard let factory = entry.factory, factory.isolation == nil else { return nil }
      guard mayStay, entry.isExported else { return TableValue.locked(self).pointer }
      published = entry
      if entry.maker == nil { entry.maker = .passRetained(factory) }
      return TableValue.maker(entry).pointer
    case .weak, .cached: return nil
    }
  }

  /// Returns the conflicts of implementations with the first one.
  ///
  /// If the first implementation is new, all others are checked, and otherwise only the added ones.
  private func conflicts(of added: [ServiceEntry], named name: String?) -> [Diagnostic] {
    let known = entries(named: name)
    guard known.count > 1 else { return [] }
    let first = known[0]
    var reported = added
    change(name) { candidates in
      if candidates.reportedOrder != first.rank.order { reported = Array(known.dropFirst()) }
      candidates.reportedOrder = first.rank.order
    }
    return reported.compactMap { conflict(of: $0, with: first) }
  }

  private func conflict(of candidate: ServiceEntry, with first: ServiceEntry) -> Diagnostic? {
    guard let (first, candidate) = first.decisive(before: candidate) else { return nil }
    if candidate.rank.batch == first.rank.batch, candidate.rank.priority == first.rank.priority {
      return Diagnostic(
        severity: .warning, code: .tie, subject: first.service, image: first.image,
        message: "\(first.label) and \(candidate.label) have the same priority, \(first.rank.priority), so the first in"
          + " load order is used; give one of them a higher priority, or give them names")
    }
    // An implementation that was registered to replace others does not conflict with earlier ones.
    if candidate.rank.order > first.rank.order, candidate.rank.batch > first.rank.batch,
      candidate.rank.priority > first.rank.priority
    {
      return Diagnostic(
        severity: .warning, code: .takeover, subject: first.service, image: candidate.image,
        message: "\(candidate.label) was added after \(first.label) and does not replace it, although its priority is"
          + " higher; to replace it, register an implementation with 'replacing: true'")
    }
    return nil
  }
}
