import Registry

/// The changes between two snapshots of the same app.
package struct RegistryDifference: Sendable, Hashable {
  package enum Change: String, Sendable, Codable, CaseIterable {
    case removed, added, changed
  }

  /// The kinds of rows, in output order.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case process, image, module, order, service
    case event = "event handler"
    case route, action
    case point = "contribution"
    case need
  }

  package struct Row: Sendable, Hashable, Codable {
    package var change: Change
    /// A Boolean value that indicates whether the change can break code that worked before.
    package var breaking: Bool
    package var kind: Kind
    package var subject: String
    package var details: String
    package var location: String?
    /// The processes that have the change; nil if all compared processes have it.
    package var processes: [String]?
  }

  /// The changes by kind, and then by the first process with the change.
  package private(set) var rows: [Row] = []

  package var breakingCount: Int { rows.count(where: \.breaking) }

  package init(from old: RegistrySnapshot, to new: RegistrySnapshot) {
    // Executables that load different libraries of a group can have processes with one identity.
    // Earlier versions named a group's process after a library even if it has only one executable.
    var keys: [(RegistrySnapshot.Process) -> [String?]] = [
      { $0.identity + $0.imageNames }, \.identity,
      { $0.group == nil ? $0.identity : [$0.architecture, $0.group] + $0.imageNames },
    ]
    // If each snapshot has only one process, or one of an architecture and group, compare the two
    // even if their names differ, such as the first library's name if there's no executable.
    let shared: [(RegistrySnapshot.Process) -> [String?]] = [{ [$0.architecture, $0.group] }, { _ in [] }]
    keys += shared.map { key in
      { process in
        let isOnly = [old, new].allSatisfy { $0.processes.count { key($0) == key(process) } == 1 }
        // If both snapshots have the executable, it has lost or gained the group.
        let isKnown = [old, new].allSatisfy { $0.processes.contains { $0.name == process.name } }
        return isOnly && (!isKnown || key(process).isEmpty) ? key(process) : process.identity
      }
    }
    let processes = Matches(old.processes, new.processes, by: keys)
    var owners: [Row: [Int]] = [:]
    for (index, pair) in processes.pairs.enumerated() {
      var comparison = ProcessComparison(from: pair.old, to: pair.new)
      comparison.compare()
      for row in comparison.rows {
        if owners[row] == nil { rows.append(row) }
        // Two handlers of one process can have equal rows.
        if owners[row]?.last != index { owners[row, default: []].append(index) }
      }
    }
    for index in rows.indices {
      guard let owners = owners[rows[index]], owners.count < processes.pairs.count else { continue }
      rows[index].processes = owners.map { processes.pairs[$0].new.title }
    }
    for (change, list) in [(Change.removed, processes.removed), (.added, processes.added)] {
      rows += list.map { process in
        let entries = process.entries.count
        return Row(
          change: change, breaking: change == .removed && process.modules.count + entries > 0, kind: .process,
          subject: process.title,
          details: "\(process.modules.count.counted("module")), \(entries.counted("other registration"))")
      }
    }
    let byKind = Dictionary(grouping: rows, by: \.kind)
    rows = Kind.allCases.flatMap { byKind[$0] ?? [] }
  }
}

extension RegistrySnapshot.Process {
  fileprivate var identity: [String?] { [name, architecture, group] }
  fileprivate var imageNames: [String?] { images.map(\.name).sorted() }

  package var title: String {
    name + (architecture.map { " (\($0))" } ?? "") + (group.map { ", group \($0)" } ?? "")
  }
}

/// The matching elements of two arrays, and the elements without a match.
private struct Matches<Element> {
  private(set) var pairs: [(old: Element, new: Element)] = []
  let removed: [Element]
  let added: [Element]

  /// Matches elements by each key in turn. Elements with equal keys are matched in array order.
  init(_ old: [Element], _ new: [Element], by keys: [(Element) -> [String?]]) {
    var (oldIndices, newIndices) = (Array(old.indices), Array(new.indices))
    var found: [Int: Int] = [:]
    for key in keys where !oldIndices.isEmpty && !newIndices.isEmpty {
      var open = Dictionary(grouping: newIndices) { key(new[$0]) }.mapValues { $0[...] }
      for index in oldIndices { found[index] = open[key(old[index])]?.popFirst() }
      oldIndices.removeAll { found[$0] != nil }
      newIndices.removeAll(where: Set(found.values).contains)
    }
    pairs = old.indices.compactMap { index in found[index].map { (old[index], new[$0]) } }
    removed = oldIndices.map { old[$0] }
    added = newIndices.map { new[$0] }
  }
}

private struct ProcessComparison {
  typealias Row = RegistryDifference.Row
  typealias Snapshot = RegistrySnapshot
  typealias Target = RegistrySnapshot.Target

  let old: Snapshot.Process
  let new: Snapshot.Process
  private(set) var rows: [Row] = []
  /// The targets that the new process requires, with the code that requires them.
  private let required: [Target: [String]]
  /// The targets that nothing in the new process provides anymore.
  private var lost: Set<Target> = []

  init(from old: Snapshot.Process, to new: Snapshot.Process) {
    (self.old, self.new) = (old, new)
    var required: [Target: [String]] = [:]
    // The key of a need that nothing satisfies is the spelling in the source, and otherwise the
    // provider's key, so a provider that is gone was also needed under its own key.
    func place(_ need: Snapshot.Need) -> [String?] {
      [need.kind.rawValue, need.name, need.feature, need.dependent.withoutLine]
    }
    func keys(_ needs: [Snapshot.Need]) -> Set<[String?]> { Set(needs.map { place($0) + [$0.key] }) }
    let (known, kept) = (keys(old.needs), keys(new.needs))
    let met = old.needs.filter { !$0.providers.isEmpty && !kept.contains(place($0) + [$0.key]) }
    let before = Dictionary(grouping: met, by: place)
    for need in new.needs where !need.isOptional {
      let isNew = need.providers.isEmpty && !known.contains(place(need) + [need.key])
      let others = isNew ? before[place(need), default: []] : []
      for target in [need.target] + others.map(\.target) { required[target, default: []].append(need.dependent) }
    }
    for module in new.modules {
      for name in module.after { required[Target(kind: .module, key: name), default: []].append(module.name) }
    }
    self.required = required
  }

  mutating func compare() {
    let images = Matches(old.images, new.images, by: [{ [$0.name] }])
    for image in images.removed { add(.removed, .image, image.name, image.records.counted("record")) }
    for image in images.added { add(.added, .image, image.name, image.records.counted("record")) }
    compareModules()
    compareOrder()
    compareEntries()
    compareNeeds()
  }

  private mutating func add(
    _ change: RegistryDifference.Change, _ kind: RegistryDifference.Kind, _ subject: String, _ details: String,
    breaking: Bool = false, at location: String? = nil
  ) {
    rows.append(
      Row(
        change: change, breaking: breaking, kind: kind, subject: subject, details: details, location: location))
  }

  /// Returns the members that differ in a pair, such as `priority 0 → 5`, or nil if none do.
  private func changes<Element>(
    _ pair: (old: Element, new: Element), _ members: [(String, @Sendable (Element) -> String?)]
  ) -> String? {
    let changes = members.compactMap { label, value in
      let (old, new) = (value(pair.old), value(pair.new))
      return old == new ? nil : "\(label) \(old ?? "none") → \(new ?? "none")"
    }
    return changes.isEmpty ? nil : changes.joined(separator: ", ")
  }

  /// Returns text that lists the code that still requires a target, or nil.
  private func dependents(of target: Target) -> String? {
    var known: Set<String> = []
    // A type can need a service in several places.
    let dependents = required[target, default: []].filter { known.insert($0).inserted }
    guard !dependents.isEmpty else { return nil }
    return "; \(dependents.quotedList("and", limit: 3)) need\(dependents.count == 1 ? "s" : "") it"
  }

  // MARK: - Modules

  private static let moduleMembers: [(String, @Sendable (Snapshot.Module) -> String?)] = [
    ("level", \.level), ("priority", { "\($0.priority)" }), ("activation", \.activation),
    ("after", { $0.after.isEmpty ? nil : $0.after.sorted().quotedList("and") }),
  ]

  private mutating func compareModules() {
    let modules = Matches(old.modules, new.modules, by: [{ [$0.name] }])
    let remaining = Set(new.modules.map(\.name))
    for module in modules.removed where !remaining.contains(module.name) {
      let target = Target(kind: .module, key: module.name)
      lost.insert(target)
      let needed = dependents(of: target)
      add(
        .removed, .module, module.name, "level \(module.level)\(needed ?? "")", breaking: needed != nil,
        at: module.location)
    }
    for module in modules.added {
      let priority = module.priority == 0 ? "" : ", priority \(module.priority)"
      add(.added, .module, module.name, "level \(module.level)\(priority)", at: module.location)
    }
    for pair in modules.pairs {
      guard let details = changes(pair, Self.moduleMembers) else { continue }
      add(.changed, .module, pair.new.name, details, at: pair.new.location)
    }
  }

  /// Adds rows for the fewest modules whose moves turn the old order into the new one.
  private mutating func compareOrder() {
    func ordered(_ modules: [Snapshot.Module], besides others: [Snapshot.Module]) -> [Snapshot.Module] {
      let names = Set(others.lazy.filter { $0.position != nil }.map(\.name))
      var known: Set<String> = []
      return modules.filter { $0.position != nil && names.contains($0.name) && known.insert($0.name).inserted }
        .sorted { $0.position! < $1.position! }
    }
    let (before, after) = (ordered(old.modules, besides: new.modules), ordered(new.modules, besides: old.modules))
    let indices = Dictionary(uniqueKeysWithValues: zip(before.map(\.name), 0...))
    let order = after.map { indices[$0.name]! }
    let kept = Self.longestIncreasingSubsequence(order)
    for (position, module) in after.enumerated() where !kept.contains(order[position]) {
      let index = order[position]
      func place(_ predecessor: Snapshot.Module?) -> String {
        predecessor.map { "after \($0.name.quotedForDisplay())" } ?? "first"
      }
      let now = place(position == 0 ? nil : after[position - 1])
      add(
        .changed, .order, module.name, "now \(now), was \(place(index == 0 ? nil : before[index - 1]))",
        at: module.location)
    }
  }

  private static func longestIncreasingSubsequence(_ numbers: [Int]) -> Set<Int> {
    // The smallest end for each length of an increasing subsequence, and each number's predecessor.
    var (ends, previous): ([Int], [Int: Int]) = ([], [:])
    for number in numbers {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[number] = ends[low - 1] }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
    }
    var kept: Set<Int> = []
    var next = ends.last
    while let number = next {
      kept.insert(number)
      next = previous[number]
    }
    return kept
  }

  // MARK: - Entries

  private static let kinds: [Snapshot.Kind: RegistryDifference.Kind] = [
    .service: .service, .event: .event, .route: .route, .action: .action, .point: .point, .module: .module,
  ]

  private static let entryMembers: [(String, @Sendable (Snapshot.Entry) -> String?)] = [
    ("priority", { "\($0.priority)" }), ("scope", \.scope), ("condition", \.condition), ("replaces", \.replaces),
  ]

  private mutating func compareEntries() {
    func identity(_ entry: Snapshot.Entry, _ more: [String?]) -> [String?] {
      [entry.kind.rawValue, entry.key, entry.name] + more
    }
    let entries = Matches(
      old.entries, new.entries,
      by: [
        // The provider of a closure handler is a source location, which changes when code moves.
        // Another handler can then be at the former line.
        { identity($0, [$0.provider, "\($0.priority)", $0.condition]) },
        { identity($0, [$0.provider.withoutLine, "\($0.priority)", $0.condition]) },
        { identity($0, [$0.provider]) }, { identity($0, [$0.provider.withoutLine]) },
      ])
    // Callers name the Swift module of an action that several modules export.
    let features = Dictionary(grouping: old.entries.filter { $0.kind == .action }, by: \.target).mapValues {
      Set($0.map(\.feature)).count
    }
    func callers(_ entry: Snapshot.Entry) -> [String?] {
      let target = entry.target
      return [target.kind.rawValue, target.key, target.name, features[target, default: 0] > 1 ? entry.feature : nil]
    }
    let before = Dictionary(grouping: old.entries, by: callers)
    let after = Dictionary(grouping: new.entries, by: callers)
    for entry in entries.removed {
      let target = entry.target
      var (details, breaking) = (describe(entry), false)
      if after[callers(entry)] == nil {
        lost.insert(target)
        let needed = dependents(of: target)
        breaking = entry.kind != .event && (entry.kind != .point || needed != nil)
        if breaking { details += (entry.kind == .service ? ", the last implementation" : "") + (needed ?? "") }
      }
      add(.removed, Self.kinds[entry.kind]!, target.subject, details, breaking: breaking, at: entry.location)
    }
    for entry in entries.added {
      add(.added, Self.kinds[entry.kind]!, entry.target.subject, describe(entry), at: entry.location)
    }
    for pair in entries.pairs {
      guard let details = changes(pair, Self.entryMembers) else { continue }
      add(
        .changed, Self.kinds[pair.new.kind]!, pair.new.target.subject, "\(pair.new.provider): \(details)",
        at: pair.new.location)
    }
    var known: Set<[String?]> = []
    for entry in new.entries where known.insert(callers(entry)).inserted {
      if let old = before[callers(entry)] { compare(old, after[callers(entry)]!, of: entry.target) }
    }
  }

  private func describe(_ entry: Snapshot.Entry) -> String {
    entry.provider + (entry.kind == .point ? entry.name.map { ", key \"\($0)\"" } ?? "" : "")
      + (entry.condition.map { ", if \($0)" } ?? "")
  }

  /// Compares the selected entries, the types, the access, and the patterns of a target.
  private mutating func compare(_ old: [Snapshot.Entry], _ new: [Snapshot.Entry], of target: Target) {
    let (kind, location) = (Self.kinds[target.kind]!, new[0].location)
    func values(_ member: (Snapshot.Entry) -> String?) -> (old: Set<String>, new: Set<String>) {
      (Set(old.compactMap(member)), Set(new.compactMap(member)))
    }
    func used(_ entries: [Snapshot.Entry]) -> Snapshot.Entry? { entries.first(where: \.isSelected) }
    if target.kind == .service {
      let (before, after) = (used(old), used(new))
      if let before, before.provider.withoutLine != after?.provider.withoutLine {
        add(
          .changed, kind, target.subject,
          "selected implementation \(before.provider) → \(after?.provider ?? "none without a flag")",
          breaking: after == nil, at: location)
      }
    }
    let types = values(\.type)
    if !types.new.isEmpty, !types.old.isSubset(of: types.new) {
      let (before, after) = (types.old.sorted().quotedList("and"), types.new.sorted().quotedList("and"))
      add(.changed, kind, target.subject, "type now \(after), was \(before)", breaking: true, at: location)
    }
    // Only snapshots of running processes contain the access and the patterns.
    guard let before = used(old), let after = used(new), let access = before.access, let newAccess = after.access
    else { return }
    if access.origin != newAccess.origin {
      let details = "access \(access.origin) → \(newAccess.origin)"
      add(.changed, kind, target.subject, details, breaking: newAccess.origin == "local", at: location)
    }
    let (patterns, newPatterns) = (Set(access.patterns), Set(newAccess.patterns))
    for pattern in patterns.subtracting(newPatterns).sorted() {
      add(.removed, kind, target.subject, "pattern \(pattern)", breaking: true, at: location)
    }
    for pattern in newPatterns.subtracting(patterns).sorted() {
      add(.added, kind, target.subject, "pattern \(pattern)", at: location)
    }
  }

  // MARK: - Needs

  private mutating func compareNeeds() {
    func identity(_ need: Snapshot.Need) -> [String?] {
      [need.kind.rawValue, need.key, need.name, need.feature, need.dependent.withoutLine]
    }
    let needs = Matches(old.needs, new.needs, by: [{ identity($0) + [$0.location] }, identity])
    func describe(_ need: Snapshot.Need) -> String { need.dependent + (need.isOptional ? ", optional" : "") }
    for need in needs.removed { add(.removed, .need, need.target.subject, describe(need), at: need.location) }
    for need in needs.added {
      let details = describe(need) + (need.providers.isEmpty ? "; nothing provides it" : "")
      add(.added, .need, need.target.subject, details, at: need.location)
    }
    for (old, new) in needs.pairs {
      let target = new.target
      if old.isOptional != new.isOptional {
        let details = "\(new.dependent): now \(new.isOptional ? "optional" : "required")"
        add(.changed, .need, target.subject, details, at: new.location)
      }
      // The row for the removed target already names its dependents.
      if !new.isOptional, !old.providers.isEmpty, new.providers.isEmpty, !lost.contains(target) {
        let details = "\(new.dependent): nothing provides it; \(old.providers.quotedList("and", limit: 3)) did"
        add(.changed, .need, target.subject, details, breaking: true, at: new.location)
      }
    }
  }
}

extension String {
  /// The text without any line and column at its end, which change when code moves.
  fileprivate var withoutLine: String {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().suffix(2).reversed().prefix { Int($0) != nil }
    return parts.dropLast(numbers.count).joined(separator: ":")
  }
}
