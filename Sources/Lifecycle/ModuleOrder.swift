import Registry

/// The order of modules: the same however they were registered.
///
/// Basic modules, then normal ones; within a level, again and again, of the modules whose `after` are placed
/// the one of highest priority, then of smallest name. O(n log n) in modules and edges. What is wrong with a module's
/// `after` is said once, not in each order that is made.
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

  /// Orders modules, given by their names.
  // Loops here and not closures: each that is handed to the standard library asks at run time whether it is on the main actor.
  init(_ byName: [String: ModuleEntry], hints: Int = 0) {
    self.hints = hints
    modules.reserveCapacity(byName.count)
    for level in ModuleLevel.allCases {
      var candidates: [Candidate] = []
      for entry in byName.values where entry.attributes.level == level { candidates.append(Candidate(entry)) }
      candidates.sort()
      place(candidates, byName)
    }
  }

  /// Orders a single module, one of those given, that none of the others waits for.
  init(only entry: ModuleEntry, of byName: [String: ModuleEntry], hints: Int) {
    self.hints = hints
    modules = [entry]
    _ = predecessors(of: entry, byName)
  }

  /// Places the modules of a level, which are given as they would stand if none named another.
  private mutating func place(_ candidates: [Candidate], _ byName: [String: ModuleEntry]) {
    for (place, candidate) in candidates.enumerated() { candidate.entry.place = place }
    /// By place: for how many others a module waits, and who waits for it.
    var waiting = [Int](repeating: 0, count: candidates.count)
    var followers: [Int: [Int]] = [:]
    for (place, candidate) in candidates.enumerated() where !candidate.entry.attributes.after.isEmpty {
      let others = predecessors(of: candidate.entry, byName)
      waiting[place] = others.count
      for other in others { followers[other.place, default: []].append(place) }
    }
    if followers.isEmpty {
      for candidate in candidates { modules.append(candidate.entry) }
      return
    }
    var ready = Heap<Int>()
    for place in waiting.indices where waiting[place] == 0 { ready.insert(place) }
    while let next = ready.removeFirst() {
      modules.append(candidates[next].entry)
      for follower in followers[next] ?? [] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    guard cycle == nil else { return }
    var stuck: [String: ModuleEntry] = [:]
    for (place, candidate) in candidates.enumerated() where waiting[place] > 0 {
      stuck[candidate.entry.name] = candidate.entry
    }
    if !stuck.isEmpty { cycle = path(among: stuck) }
  }

  /// The modules that one waits for within its level.
  private mutating func predecessors(of entry: ModuleEntry, _ byName: [String: ModuleEntry]) -> [ModuleEntry] {
    let after = entry.attributes.after
    var unknown: [String] = []
    var others: [ModuleEntry] = []
    for name in after.count == 1 ? after : Set(after).sorted() {
      if let other = byName[name] { others.append(other) } else { unknown.append(name) }
    }
    if !unknown.isEmpty { report(unknown, missedBy: entry, byName) }
    var predecessors: [ModuleEntry] = []
    for other in others where isPredecessor(other, of: entry) { predecessors.append(other) }
    return predecessors
  }

  /// Reports names in `after` that no module has: a few by name, as a record may hold any number.
  private mutating func report(_ names: [String], missedBy entry: ModuleEntry, _ byName: [String: ModuleEntry]) {
    let names = names.filter { entry.doubtful.insert($0).inserted }
    for name in names.prefix(Self.unknownLimit) {
      let hint = hints > 0 ? name.nearest(in: byName.keys).map { "; is \($0.escapedForDisplay()) meant?" } ?? "" : ""
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
      entry.asleep.insert(other.name).inserted
    {
      diagnostics.append(
        entry.diagnostic(
          .warning, .activationConflict,
          "it is made at launch and after names \(other.name.escapedForDisplay()), which waits for its first event and may not be"
            + " there by then: let both wait, or none"))
    }
    if other.attributes.level == entry.attributes.level { return true }
    if entry.attributes.level == .basic, entry.misplaced.insert(other.name).inserted {
      diagnostics.append(
        entry.diagnostic(
          .warning, .levelConflict,
          "it is basic and after names the normal \(other.name.escapedForDisplay()): basic modules come first all the same"
        ))
    }
    return false
  }

  /// A path from a module that waits back to itself.
  private func path(among waiting: [String: ModuleEntry]) -> [ModuleEntry] {
    // Whoever waits waits for somebody who waits: following them must come back.
    var name = waiting.keys.min()!
    var path: [String] = []
    var position: [String: Int] = [:]
    while position[name] == nil {
      position[name] = path.count
      path.append(name)
      name = waiting[name]!.attributes.after.filter { waiting[$0] != nil }.min()!
    }
    return (path[position[name]!...] + [name]).map { waiting[$0]! }
  }
}

/// Who may come next: the higher priority, then the smaller name.
private struct Candidate: Comparable {
  let priority: Int
  let name: String
  let entry: ModuleEntry

  init(_ entry: ModuleEntry) {
    priority = entry.attributes.priority
    name = entry.orderKey
    self.entry = entry
  }

  static func < (x: Self, y: Self) -> Bool {
    x.priority == y.priority ? x.name < y.name : x.priority > y.priority
  }

  static func == (x: Self, y: Self) -> Bool { x.entry === y.entry }
}

/// A binary heap, smallest first.
private struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Element? {
    guard let first = elements.first else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var parent = 0
    while 2 * parent + 1 < elements.count {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      let least = right < elements.count && elements[right] < elements[left] ? right : left
      guard elements[least] < elements[parent] else { break }
      elements.swapAt(least, parent)
      parent = least
    }
    return first
  }
}
