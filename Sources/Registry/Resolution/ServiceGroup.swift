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
  /// A Boolean value that indicates whether named implementations of the service have been added.
  var isClaimed = false
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
    for entry in other.entries { entries.append(ServiceEntry(copying: entry, &holders)) }
    isClaimed = other.isClaimed
    self.cell = cell
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

  /// Adds implementations.
  ///
  /// - Returns: The conflicts between the implementations and others.
  func add(_ added: [ServiceEntry]) -> [Diagnostic] {
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

  /// Adds an implementation that code registers.
  ///
  /// - Returns: The conflicts with others, also with an instance that lookups have returned.
  func add(registered entry: ServiceEntry) -> [Diagnostic] {
    let replaced = preferred(named: entry.name)
    let conflicts = add([entry])
    guard let replaced, replaced.hasKeptInstance, preferred(named: entry.name) === entry else { return conflicts }
    return conflicts + [
      Diagnostic(
        severity: .warning, code: .replacedInUse, subject: entry.service, image: replaced.image,
        message: "\(entry.label) replaces \(replaced.label), whose instance lookups have already returned, and code"
          + " that holds the instance keeps it; register the replacement before the first lookup")
    ]
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
  private static func drop(_ removed: [ServiceEntry], from entries: inout [ServiceEntry]) {
    guard removed.count == 1 else { return entries.removeAll { !$0.isRegistered } }
    // Ranks are unique.
    entries.remove(at: index(of: removed[0].rank, in: entries))
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
    take(entries.filter(isRemoved))
  }

  /// Removes the implementations with a name and returns them.
  ///
  /// Overrides stay, because they are neither exported nor registered. The copy of a test scope
  /// contains some.
  func remove(named name: String?) -> [ServiceEntry] { take(entries(named: name).filter { $0.standing != .override }) }

  private func take(_ removed: [ServiceEntry]) -> [ServiceEntry] {
    guard !removed.isEmpty else { return [] }
    for entry in removed { entry.withdraw() }
    Self.drop(removed, from: &entries)
    for (name, removed) in Self.byName(removed) {
      change(name) { candidates in
        Self.drop(removed, from: &candidates.entries)
        candidates.unusable = 0
        if candidates.entries.isEmpty { candidates = Candidates() }
      }
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
    if entry.isolationProblem != nil { return nil }
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
