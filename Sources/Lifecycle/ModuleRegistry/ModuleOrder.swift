import Registry

/// The order of modules: the same however they were registered.
///
/// Basic modules, then normal ones; within a level, again and again, of the modules whose `after`
/// are placed the one of highest priority, then of smallest name. O(n log n) in modules and edges.
/// What is wrong with a module's `after` is said once, not in each order that is made.
///
/// A name in `after` stands for all modules that have it, in their records or at run time. Modules
/// that share name and priority are ordered by where their types are in the image.
@MainActor struct ModuleOrder {
  private(set) var modules: [ModuleEntry] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Modules that wait for each other, the first again at the end; those that could not be placed
  /// because of it are left out of `modules`.
  private(set) var cycle: [ModuleEntry]?
  /// How many more unknown names may be compared with all others, to say which was meant.
  private(set) var hints: Int

  /// How many unknown names of one module are reported each by itself.
  private static let unknownLimit = 8

  /// Orders the modules of a table.
  // Loops here and not closures: each that is handed to the standard library asks at run time
  // whether it is on the main actor.
  init(_ table: ModuleTable, hints: Int = 0) {
    self.hints = hints
    let all = table.all
    modules.reserveCapacity(all.count)
    for level in ModuleLevel.allCases {
      var candidates: [Candidate] = []
      for entry in all where entry.attributes.level == level { candidates.append(Candidate(entry)) }
      candidates.sort()
      place(candidates, table)
    }
  }

  /// Orders a single module, one of those given, that none of the others waits for.
  init(only entry: ModuleEntry, of table: ModuleTable, hints: Int) {
    self.hints = hints
    modules = [entry]
    _ = predecessors(of: entry, table)
  }

  /// Places the modules of a level, which are given as they would stand if none named another.
  private mutating func place(_ candidates: [Candidate], _ table: ModuleTable) {
    for (place, candidate) in candidates.enumerated() { candidate.entry.position = place }
    /// By place: for how many others a module waits, and who waits for it.
    var waiting = [Int](repeating: 0, count: candidates.count)
    var followers: [Int: [Int]] = [:]
    for (place, candidate) in candidates.enumerated() where !candidate.entry.attributes.after.isEmpty {
      let others = predecessors(of: candidate.entry, table)
      waiting[place] = others.count
      for other in others { followers[other.position, default: []].append(place) }
    }
    if followers.isEmpty {
      for candidate in candidates { modules.append(candidate.entry) }
      return
    }
    for place in ModulePlacing.order(&waiting, followers) { modules.append(candidates[place].entry) }
    guard cycle == nil else { return }
    var stuck: [String: [ModuleEntry]] = [:]
    for (place, candidate) in candidates.enumerated() where waiting[place] > 0 {
      stuck[candidate.entry.name, default: []].append(candidate.entry)
    }
    if !stuck.isEmpty { cycle = path(among: stuck, table) }
  }

  /// The modules that one waits for within its level.
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

  /// Reports names in `after` that no module has: a few by name, as a record may hold any number.
  private mutating func report(_ names: [String], missedBy entry: ModuleEntry, _ table: ModuleTable) {
    let names = names.filter { entry.reported.unknownNames.insert($0).inserted }
    for name in names.prefix(Self.unknownLimit) {
      let hint = hints > 0 ? name.nearest(in: table.names).map { "; is \($0.escapedForDisplay()) meant?" } ?? "" : ""
      hints -= 1
      diagnostics.append(
        entry.diagnostic(
          .warning, .unknownAfter,
          "after names \(name.escapedForDisplay()), which no image exports and nobody registered\(hint)"))
    }
    guard names.count > Self.unknownLimit else { return }
    diagnostics.append(
      entry.diagnostic(
        .warning, .unknownAfter,
        "after names \(names.count - Self.unknownLimit) more modules that no image exports and nobody registered"))
  }

  /// Whether a name in `after` is one to wait for within the module's level.
  private mutating func isPredecessor(_ other: ModuleEntry, of entry: ModuleEntry) -> Bool {
    if entry.attributes.activation == .atLaunch, other.attributes.activation == .onFirstEvent,
      entry.reported.activationConflicts.insert(other.name).inserted
    {
      diagnostics.append(
        entry.diagnostic(
          .warning, .activationConflict,
          "it is made at launch and after names \(other.name.escapedForDisplay()), which waits for its first event and may not be"
            + " there by then: let both wait, or none"))
    }
    if other.attributes.level == entry.attributes.level { return true }
    if entry.attributes.level == .basic, entry.reported.levelConflicts.insert(other.name).inserted {
      diagnostics.append(
        entry.diagnostic(
          .warning, .levelConflict,
          "it is basic and after names the normal \(other.name.escapedForDisplay()): basic modules come first all the same"
        ))
    }
    return false
  }

  /// Returns a path from a module that waits back to itself.
  ///
  /// - Parameter waiting: The modules that wait, by name. A path of names is one of modules as
  ///   well, because a module that waits for a name waits for all modules of that name.
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
    let names = ModulePlacing.circle(among: after)
    var path: [ModuleEntry] = []
    for (name, next) in zip(names, names.dropFirst()) { path.append(waits[Edge(from: name, to: next)]!) }
    return path + [path[0]]
  }

  private struct Edge: Hashable {
    let from: String
    let to: String
  }
}

/// A module by its place among those of its level, as long as none named another.
private struct Candidate: Comparable {
  let rank: ModuleRank
  /// The tie-breaker between modules of one name.
  let address: UInt
  let entry: ModuleEntry

  @MainActor init(_ entry: ModuleEntry) {
    rank = ModuleRank(priority: entry.attributes.priority, name: entry.orderKey)
    address = entry.subscriber.sharesName ? entry.typeAddress : 0
    self.entry = entry
  }

  static func < (x: Self, y: Self) -> Bool {
    if x.rank < y.rank { return true }
    // Almost all addresses are zero. Names are then compared once and not twice.
    return x.address < y.address && x.rank == y.rank
  }

  static func == (x: Self, y: Self) -> Bool { x.entry === y.entry }
}
