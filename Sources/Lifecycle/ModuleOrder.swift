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

  /// Orders modules of different names.
  init(_ entries: [ModuleEntry], hints: Int = 0) {
    self.hints = hints
    let byName = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
    modules.reserveCapacity(entries.count)
    for level in ModuleLevel.allCases {
      place(entries.filter { $0.attributes.level == level }, byName)
    }
  }

  /// Orders a single module, one of those given, that none of the others waits for.
  init(only entry: ModuleEntry, of byName: [String: ModuleEntry], hints: Int) {
    self.hints = hints
    modules = [entry]
    _ = predecessors(of: entry, byName)
  }

  private mutating func place(_ entries: [ModuleEntry], _ byName: [String: ModuleEntry]) {
    var waiting: [String: Int] = [:]
    var followers: [String: [ModuleEntry]] = [:]
    var ready = Heap<Candidate>()
    for entry in entries {
      let names = predecessors(of: entry, byName)
      for name in names { followers[name, default: []].append(entry) }
      if names.isEmpty { ready.insert(Candidate(entry: entry)) } else { waiting[entry.name] = names.count }
    }
    while let next = ready.removeFirst()?.entry {
      modules.append(next)
      for follower in followers[next.name] ?? [] {
        waiting[follower.name]! -= 1
        guard waiting[follower.name] == 0 else { continue }
        waiting[follower.name] = nil
        ready.insert(Candidate(entry: follower))
      }
    }
    if !waiting.isEmpty, cycle == nil { cycle = path(among: waiting, byName) }
  }

  /// The names that a module waits for within its level.
  private mutating func predecessors(of entry: ModuleEntry, _ byName: [String: ModuleEntry]) -> [String] {
    let wanted = Set(entry.attributes.after)
    report(wanted.filter { byName[$0] == nil }.sorted(), missedBy: entry, byName)
    return wanted.filter { isPredecessor($0, of: entry, byName) }
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
  private mutating func isPredecessor(
    _ name: String, of entry: ModuleEntry, _ byName: [String: ModuleEntry]
  ) -> Bool {
    guard let other = byName[name] else { return false }
    if other.attributes.level == entry.attributes.level { return true }
    if entry.attributes.level == .basic, entry.misplaced.insert(name).inserted {
      diagnostics.append(
        entry.diagnostic(
          .warning, .levelConflict,
          "it is basic and after names the normal \(name.escapedForDisplay()): basic modules come first all the same"))
    }
    return false
  }

  /// A path from a module that waits back to itself.
  private func path(among waiting: [String: Int], _ byName: [String: ModuleEntry]) -> [ModuleEntry] {
    // Whoever waits waits for somebody who waits: following them must come back.
    var name = waiting.keys.min()!
    var path: [String] = []
    var position: [String: Int] = [:]
    while position[name] == nil {
      position[name] = path.count
      path.append(name)
      name = byName[name]!.attributes.after.filter { waiting[$0] != nil }.min()!
    }
    return (path[position[name]!...] + [name]).map { byName[$0]! }
  }
}

/// Who may come next: the higher priority, then the smaller name.
private struct Candidate: Comparable {
  let entry: ModuleEntry

  static func < (a: Self, b: Self) -> Bool {
    let (x, y) = (a.entry.attributes, b.entry.attributes)
    return x.priority == y.priority ? x.module < y.module : x.priority > y.priority
  }

  static func == (a: Self, b: Self) -> Bool { a.entry === b.entry }
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
