import Registry

/// The order of modules, which does not depend on the order of registration.
///
/// Basic modules precede normal ones. Within a level, the next module is the one with the highest
/// priority, and then with the smallest name, among those whose `after` names only earlier modules.
/// A name in `after` refers to all modules that have it, in their records or at run time. Modules
/// that share a name and a priority are ordered by the addresses of their types. Problems in
/// `after` are reported once, not for each order.
///
/// - Complexity: O(*n* log *n*) in the number of modules and names in `after`.
@MainActor struct ModuleOrder {
  private(set) var modules: [ModuleEntry] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// A cycle of modules that wait for each other, with the first one repeated at the end, or nil.
  /// `modules` lacks the modules of the cycle and those that wait for them.
  private(set) var cycle: [ModuleEntry]?
  /// The number of unknown names that are still compared with all other names, for a hint.
  private(set) var hints: Int

  /// The number of unknown names of one module that are reported individually.
  private static let unknownLimit = 8

  /// Orders the modules of a table.
  // This code uses loops instead of closures, because a closure that isolated code passes to the
  // standard library checks the executor at run time.
  init(_ table: ModuleTable, hints: Int = 0) {
    self.hints = hints
    let all = table.all
    modules.reserveCapacity(all.count)
    var basic: [Candidate] = []
    var normal: [Candidate] = []
    normal.reserveCapacity(all.count)
    for entry in all {
      let candidate = Candidate(entry)
      switch entry.attributes.level {
      case .basic: basic.append(candidate)
      case .normal: normal.append(candidate)
      }
    }
    basic.sort()
    normal.sort()
    append(basic, table)
    append(normal, table)
  }

  /// Orders a single module of a table that no other module waits for.
  init(only entry: ModuleEntry, of table: ModuleTable, hints: Int) {
    self.hints = hints
    modules = [entry]
    _ = predecessors(of: entry, table)
  }

  /// Appends the modules of a level, which are in the order that they have if none names another
  /// one.
  private mutating func append(_ candidates: [Candidate], _ table: ModuleTable) {
    for (position, candidate) in candidates.enumerated() { candidate.entry.position = position }
    // The number of modules that each module waits for, and the modules that wait for it, both by
    // position.
    var waiting = [Int](repeating: 0, count: candidates.count)
    var followers: [Int: [Int]] = [:]
    for (position, candidate) in candidates.enumerated() where !candidate.entry.attributes.after.isEmpty {
      let others = predecessors(of: candidate.entry, table)
      waiting[position] = others.count
      for other in others { followers[other.position, default: []].append(position) }
    }
    if followers.isEmpty {
      for candidate in candidates { modules.append(candidate.entry) }
      return
    }
    for position in ModuleSorting.order(&waiting, followers) { modules.append(candidates[position].entry) }
    guard cycle == nil else { return }
    var stuck: [String: [ModuleEntry]] = [:]
    for (position, candidate) in candidates.enumerated() where waiting[position] > 0 {
      stuck[candidate.entry.name, default: []].append(candidate.entry)
    }
    if !stuck.isEmpty { cycle = path(among: stuck, table) }
  }

  /// Returns the modules of the same level that a module waits for.
  private mutating func predecessors(of entry: ModuleEntry, _ table: ModuleTable) -> [ModuleEntry] {
    let after = entry.attributes.after
    var unknown: [String] = []
    var others: [ModuleEntry] = []
    for name in after.count == 1 ? after : Set(after).sorted() {
      guard let other = table.any(named: name) else {
        unknown.append(name)
        continue
      }
      others.append(other)
      others += table.others(named: name)
    }
    if !unknown.isEmpty { report(unknown, missedBy: entry, table) }
    var predecessors: [ModuleEntry] = []
    for other in others where isPredecessor(other, of: entry) { predecessors.append(other) }
    return predecessors
  }

  /// Reports the names that no module has.
  ///
  /// Only the first names are reported individually, because a record can contain any number.
  private mutating func report(_ names: [String], missedBy entry: ModuleEntry, _ table: ModuleTable) {
    let names = names.filter { entry.reportedProblems.insert(.unknown($0)).inserted }
    for name in names.prefix(Self.unknownLimit) {
      let hint = hints > 0 ? name.suggestion(in: table.names) : ""
      hints -= 1
      diagnostics.append(
        entry.diagnostic(
          .warning, .unknownAfter,
          "'after' names '\(name.escapedForDisplay())', but no loaded image exports a module with that name\(hint)"))
    }
    guard names.count > Self.unknownLimit else { return }
    diagnostics.append(
      entry.diagnostic(
        .warning, .unknownAfter,
        "'after' names \((names.count - Self.unknownLimit).counted("more module")) that no loaded image exports"))
  }

  /// Returns whether a module waits for another one that it names, and reports conflicts.
  private mutating func isPredecessor(_ other: ModuleEntry, of entry: ModuleEntry) -> Bool {
    if entry.attributes.activation == .atLaunch, other.attributes.activation == .onFirstEvent,
      entry.reportedProblems.insert(.activation(other.name)).inserted
    {
      diagnostics.append(
        entry.diagnostic(
          .warning, .activationConflict,
          "the module is created at launch, but 'after' names '\(other.name.escapedForDisplay())', which is created"
            + " on its first event and may not exist by then; use the same 'activation' for both"))
    }
    if other.attributes.level == entry.attributes.level { return true }
    if entry.attributes.level == .basic, entry.reportedProblems.insert(.level(other.name)).inserted {
      diagnostics.append(
        entry.diagnostic(
          .warning, .levelConflict,
          "the module is basic, but 'after' names the normal module '\(other.name.escapedForDisplay())'; basic modules"
            + " always start before normal ones"))
    }
    return false
  }

  /// Returns a cycle of modules that wait for each other, with the first one repeated at the end.
  ///
  /// - Parameter waiting: The modules that wait, by name. A cycle of names is also a cycle of
  ///   modules, because a module that waits for a name waits for all modules of that name.
  private func path(among waiting: [String: [ModuleEntry]], _ table: ModuleTable) -> [ModuleEntry] {
    var after: [String: [String]] = [:]
    /// The first module of a name that waits for another name.
    var waits: [Edge: ModuleEntry] = [:]
    for (name, entries) in waiting {
      for entry in entries {
        for given in entry.attributes.after {
          for other in table.all(named: given) where waiting[other.name] != nil {
            after[name, default: []].append(other.name)
            if waits[Edge(from: name, to: other.name)] == nil { waits[Edge(from: name, to: other.name)] = entry }
          }
        }
      }
    }
    let names = ModuleSorting.cycle(among: after)
    var path: [ModuleEntry] = []
    for (name, next) in zip(names, names.dropFirst()) { path.append(waits[Edge(from: name, to: next)]!) }
    return path + [path[0]]
  }

  private struct Edge: Hashable {
    let from: String
    let to: String
  }
}

/// A module with the values that order it if no module names another one.
private struct Candidate: Comparable {
  let rank: ModuleRank
  /// The tie-breaker between modules with the same name.
  let address: UInt
  let entry: ModuleEntry

  @MainActor init(_ entry: ModuleEntry) {
    rank = ModuleRank(
      priority: entry.attributes.priority, name: entry.isHandler ? entry.name.naturalOrderKey : entry.name)
    address = entry.sharesName ? entry.typeAddress : 0
    self.entry = entry
  }

  static func < (x: Self, y: Self) -> Bool {
    if x.rank < y.rank { return true }
    // Almost all addresses are zero, so most names are compared once and not twice.
    return x.address < y.address && x.rank == y.rank
  }

  static func == (x: Self, y: Self) -> Bool { x.entry === y.entry }
}
