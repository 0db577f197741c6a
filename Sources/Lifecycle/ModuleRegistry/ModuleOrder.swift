import Registry
import RegistryC

/// A module order that doesn't depend on the order of registration.
///
/// Basic modules precede normal ones. Within a level, the next module is the one with the highest
/// priority among modules whose `after` names only earlier modules; at equal priority, the smallest
/// `sortName` in UTF-8 order wins. A name in `after` refers to all modules with that name in their
/// records or at run time. Modules that share a name and a priority are sorted by the addresses of
/// their types. Each problem in `after` is reported once.
///
/// - Complexity: O(*n* log *n*) comparisons for *n* modules and names in `after`.
@MainActor package struct ModuleOrder {
  package private(set) var modules: [ModuleEntry] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The first cycle of modules that wait for each other, which ends with its first module, or nil.
  /// `modules` contains neither modules in cycles nor modules that wait for them.
  package private(set) var cycle: [ModuleEntry]?
  package private(set) var unknownNames: UnknownNames
  /// The names of all modules, sorted so that suggestions are the same in every run.
  private var sortedNames: [String]?

  private static let unknownLimit = 8

  /// Orders the modules of a table.
  ///
  /// - Parameter some: The modules to order; nil for all modules of the table.
  // The initializer uses loops instead of closures, because a closure that isolated code passes to
  // the standard library checks the executor at run time.
  package init(
    _ table: ModuleTable, _ unknownNames: UnknownNames = UnknownNames(hints: 0), some: [ModuleEntry]? = nil
  ) {
    self.unknownNames = unknownNames
    arrange(Self.withoutAfter(some ?? table.all), table)
  }

  /// Returns modules in the order that they'd have without `after`.
  private static func withoutAfter(_ entries: [ModuleEntry]) -> [ModuleEntry] {
    var keys: [registry_sort_key] = []
    keys.reserveCapacity(entries.count)
    // Short strings have no buffer, so the keys refer to copies of the names.
    var names: [UInt8] = []
    for (position, entry) in entries.enumerated() {
      let name = entry.sortName
      Lifecycle.append(name, to: &names)
      keys.append(
        registry_sort_key(
          level: entry.attributes.level == .basic ? 0 : 1, priority: Int64(entry.attributes.priority), name: nil,
          name_size: name.utf8.count, address: entry.sharesName ? entry.typeAddress : 0, position: position,
          distinctive: 0))
    }
    sort(&keys, names)
    var ordered: [ModuleEntry] = []
    ordered.reserveCapacity(keys.count)
    for key in keys { ordered.append(entries[key.position]) }
    return ordered
  }

  /// Orders the modules, given in the order that they'd have without `after`.
  ///
  /// No basic module waits for a normal one, so the basic ones stay before the others.
  private mutating func arrange(_ candidates: [ModuleEntry], _ table: ModuleTable) {
    Subscriber.steps += candidates.count
    for (position, entry) in candidates.enumerated() { entry.rank = position }
    // The number of modules that each module waits for, and the modules that wait for it, by
    // position.
    var waiting: [Int] = []
    var followers: [[Int]] = []
    for (position, entry) in candidates.enumerated() where !entry.attributes.after.isEmpty {
      for other in predecessors(of: entry, table)
      where candidates.indices.contains(other.rank) && candidates[other.rank] === other {
        if waiting.isEmpty {
          waiting = [Int](repeating: 0, count: candidates.count)
          followers = [[Int]](repeating: [], count: candidates.count)
        }
        waiting[position] += 1
        followers[other.rank].append(position)
      }
    }
    if waiting.isEmpty {
      modules = candidates
      return
    }
    modules.reserveCapacity(candidates.count)
    for position in Self.order(&waiting, followers) { modules.append(candidates[position]) }
    findCycle(among: candidates, waiting, followers)
  }

  /// Returns the order of modules, identified by their positions in the order that they'd
  /// have without `after`.
  ///
  /// - Parameters:
  ///   - waiting: The number of modules that each module waits for. Afterward, the number is
  ///     nonzero for modules in a cycle and for modules that wait for them.
  ///   - followers: The modules that wait for each module.
  nonisolated static func order(_ waiting: inout [Int], _ followers: [[Int]]) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(waiting.count)
    // The modules that no longer wait, with the next module last. Usually, a module that stops
    // waiting has few modules before it, so the insertion moves few positions.
    var ready: [Int] = []
    for position in waiting.indices.reversed() where waiting[position] == 0 { ready.append(position) }
    while let next = ready.popLast() {
      order.append(next)
      for follower in followers[next].reversed() {
        waiting[follower] -= 1
        if waiting[follower] > 0 { continue }
        var (low, high) = (0, ready.count)
        while low < high {
          let middle = (low + high) / 2
          if ready[middle] > follower { low = middle + 1 } else { high = middle }
        }
        ready.insert(follower, at: low)
      }
    }
    return order
  }

  private mutating func predecessors(of entry: ModuleEntry, _ table: ModuleTable) -> [ModuleEntry] {
    let after = entry.attributes.after
    var unknown: [String] = []
    var others: [ModuleEntry] = []
    var seen: Set<String> = []
    for name in after where after.count == 1 || seen.add(name) {
      let count = others.count
      for other in table.all(named: name) where entry.refers(to: other, by: name) { others.append(other) }
      if others.count == count { unknown.append(name) }
    }
    if !unknown.isEmpty { report(unknown.ordered(by: <), missedBy: entry, table) }
    var predecessors: [ModuleEntry] = []
    for other in others where isPredecessor(other, of: entry) { predecessors.append(other) }
    return predecessors
  }

  /// Reports the names that refer to no module, the first few of them individually.
  private mutating func report(_ names: [String], missedBy entry: ModuleEntry, _ table: ModuleTable) {
    let names = names.filter { entry.isNewProblem(.unknownAfter, $0) }
    for name in names.prefix(Self.unknownLimit) {
      // Other modules have the name, but `after` gives a type, which doesn't refer to them.
      guard table.any(named: name) == nil else {
        warn(
          entry, .unknownAfter,
          "'after' names the type \(name.quotedForDisplay()), but the modules with this name have other types; to wait"
            + " for those, write the name as a string")
        continue
      }
      if unknownNames.hints > 0, sortedNames == nil { sortedNames = table.names.ordered(by: <) }
      let hint = unknownNames.hints > 0 ? hint(name, among: sortedNames ?? []) : ""
      unknownNames.hints -= 1
      warn(
        entry, .unknownAfter,
        "'after' names '\(name.escapedForDisplay())', but no \(unknownNames.exporter) exports a module with that name\(hint)"
      )
    }
    guard names.count > Self.unknownLimit else { return }
    let rest = (names.count - Self.unknownLimit).counted("more module")
    warn(entry, .unknownAfter, "'after' names \(rest) that no \(unknownNames.exporter) exports")
  }

  @inline(__always) private func hint(_ name: String, among names: [String]) -> String {
    #if DEBUG
    if let exclusion = unknownNames.exclusion(name) { return "; \(exclusion)" }
    if name.contains(",") {
      let names = name.split(separator: ",").map { "\"\(String($0.filter { $0 != " " }).escapedForDisplay())\"" }
      return "; did you mean several names, as in '[\(names.joined(separator: ", "))]'?"
    }
    if let module = names.first(where: { $0.hasPrefix("\(name).") }) {
      return "; did you mean one of the modules of this target, such as \(module.quotedForDisplay())?"
    }
    let suggestion = name.suggestion(in: names)
    // The tool reads files, not loaded images.
    return suggestion.isEmpty && "\(unknownNames.exporter)" == "loaded image"
      ? "; register it, link its target, or open its image before the start" : suggestion
    #else
    return name.suggestion(in: names)
    #endif
  }

  private mutating func warn(_ entry: ModuleEntry, _ code: Diagnostic.Code, _ message: String) {
    diagnostics.append(entry.diagnostic(.warning, code, message))
  }

  private mutating func isPredecessor(_ other: ModuleEntry, of entry: ModuleEntry) -> Bool {
    if entry.attributes.activation == .atLaunch, other.attributes.activation == .onFirstEvent,
      entry.isNewProblem(.activationConflict, other.name)
    {
      warn(
        entry, .activationConflict,
        "the module is created at launch, but 'after' names '\(other.name.escapedForDisplay())', which is created on its"
          + " first event and may not exist by then; use the same 'activation' for both")
    }
    if other.attributes.level == entry.attributes.level { return true }
    if entry.attributes.level == .basic, entry.isNewProblem(.levelConflict, other.name) {
      warn(
        entry, .levelConflict,
        "the module is basic, but 'after' names the normal module '\(other.name.escapedForDisplay())'; basic modules"
          + " always start before normal ones")
    }
    return false
  }

  /// Finds a cycle of modules that wait for each other.
  ///
  /// From the module with the smallest name, the search moves on to the awaited module with the
  /// smallest name, until the path is in a cycle. The cycle begins with its own smallest name, so
  /// that its message doesn't depend on modules outside the cycle.
  private mutating func findCycle(among candidates: [ModuleEntry], _ waiting: [Int], _ followers: [[Int]]) {
    var open: [Int] = []
    for (position, count) in waiting.enumerated() where count > 0 { open.append(position) }
    // Names in reverse order, so that the smallest one is assigned last.
    open = open.ordered { (candidates[$0].name, $0) > (candidates[$1].name, $1) }
    if open.isEmpty { return }
    // A module that still waits has at least one module to wait for: this index in `open`.
    var awaited = [Int](repeating: 0, count: candidates.count)
    for index in open.indices { for follower in followers[open[index]] { awaited[follower] = index } }
    var next = open.count - 1
    for _ in open { next = awaited[open[next]] }
    var path: [Int] = []
    repeat {
      path.append(next)
      next = awaited[open[next]]
    } while next != path[0]
    let first = path.firstIndex(of: path.max()!)!
    cycle = (path[first...] + path[...first]).map { candidates[open[$0]] }
  }
}

// These functions are outside `ModuleOrder`, because in code that's isolated to the main actor, the
// closure would check the executor at run time.

private func append(_ text: String, to bytes: inout [UInt8]) {
  var text = text
  text.withUTF8 { bytes += $0 }
}

/// Sorts keys whose names follow each other in an array.
private func sort(_ keys: inout [registry_sort_key], _ names: [UInt8]) {
  names.withUnsafeBufferPointer { names in
    var next = names.baseAddress
    for index in keys.indices {
      keys[index].name = next
      next = next.map { $0 + keys[index].name_size }
    }
    registry_sort(&keys, keys.count)
  }
}

// Inserting a module that no other module waits for doesn't reorder the other modules; see
// ``ModuleOrder``. The module is inserted after the modules that it waits for, before the next
// module with a lower priority or a larger name.
@MainActor extension [ModuleEntry] {
  /// Numbers the modules, beginning at an index.
  func number(from start: Int = 0) {
    for index in start..<count { self[index].position = Int32(index) }
  }

  /// Inserts modules that no module in this ordered array waits for.
  ///
  /// - Parameter added: The new modules, each after the modules that it waits for.
  /// - Returns: `false` if ordering all modules is faster. If so, some new modules are missing.
  /// - Complexity: O(*m* log *n*) comparisons for *m* modules among *n* if most have no `after`,
  ///   plus moving the modules after the first new one.
  mutating func insert(_ added: [ModuleEntry], of registry: ModuleRegistry) -> Bool {
    var first = count
    // The search skips modules with `after` one by one, so limit its steps.
    var steps = 4 * count
    for entry in added {
      var start = 0
      for other in registry.awaited(by: entry) {
        // Earlier insertions in this loop may have moved the module toward the end.
        var index = Int(other.position)
        while self[index] !== other { index += 1 }
        start = Swift.max(start, index + 1)
      }
      let index = index(of: entry, from: start, &steps)
      if steps < 0 { return false }
      insert(entry, at: index)
      entry.position = Int32(index)
      first = Swift.min(first, index)
    }
    number(from: first)
    return true
  }

  private func index(of entry: ModuleEntry, from start: Int, _ steps: inout Int) -> Int {
    // A module without `after` never had to wait, so all modules before it have a higher priority
    // or a smaller name. If it precedes the new module, they do, too, so the binary search compares
    // only modules without `after`.
    var (low, high) = (start, count)
    let name = entry.sortName
    while low < high {
      let middle = (low + high) / 2
      var index = middle
      while index < high, !self[index].attributes.after.isEmpty { index += 1 }
      steps -= index - middle + 1
      if index < high, self[index].precedes(entry, name) { low = index + 1 } else { high = middle }
    }
    var end = low
    while end < count, self[end].precedes(entry, name) { end += 1 }
    steps -= end - low
    return end
  }
}

extension ModuleEntry {
  /// The sort key among modules with the same level and priority.
  var sortName: String { isHandler ? name.naturalOrderKey : name }

  /// Returns whether the module precedes another one if neither has to wait for a module.
  /// `registry_sort` uses the same rule.
  fileprivate func precedes(_ other: ModuleEntry, _ otherName: String) -> Bool {
    Subscriber.steps += 1
    if attributes.level != other.attributes.level { return attributes.level == .basic }
    if attributes.priority != other.attributes.priority { return attributes.priority > other.attributes.priority }
    let names = order(sortName, otherName)
    return names == 0 ? typeAddress < other.typeAddress : names < 0
  }
}

// This function isn't isolated to the main actor, because its closures would then check the
// executor.

/// Compares the bytes of two strings; see `registry_name_order`.
private func order(_ first: String, _ second: String) -> Int32 {
  var (first, second) = (first, second)
  return first.withUTF8 { first in
    second.withUTF8 { second in
      registry_name_order(first.baseAddress, first.count, second.baseAddress, second.count)
    }
  }
}

package struct UnknownNames {
  /// The number of unknown names that may still get a hint. Each hint requires comparing all names.
  package var hints: Int
  let exporter: StaticString
  #if DEBUG
  /// Returns why the manager doesn't use a module that a group exports, with the fix, or nil.
  var exclusion: @MainActor (String) -> String? = { _ in nil }
  #endif

  package init(hints: Int = 100, exporter: StaticString = "loaded image") {
    self.hints = hints
    self.exporter = exporter
  }
}
