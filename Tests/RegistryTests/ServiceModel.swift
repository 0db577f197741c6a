import Registry

// A second implementation of the documented behavior of managers. It uses arrays, works on one
// thread, and does not use the library's code.

/// An implementation in the model.
struct ModelEntry {
  /// The number of the implementation.
  let implementation: Int
  let kind: Int
  let scope: ServiceScope
  let name: String?
  let priority: Int
  let isReplacing: Bool
  /// A Boolean value that indicates whether the implementation was registered in an isolated scope.
  let isGiven: Bool
}

/// The contents of a manager, or of its copy in an isolated scope.
final class ModelManager {
  /// The implementations in order of precedence.
  var entries: [ModelEntry] = []
  /// The serial numbers of the instances of shared and weak implementations.
  var instances: [Int: Int] = [:]

  /// Returns a copy without instances.
  func copy() -> ModelManager {
    let copy = ModelManager()
    copy.entries = entries
    return copy
  }

  func add(_ entry: ModelEntry) {
    if entry.isReplacing { return entries.insert(entry, at: 0) }
    let place = entries.firstIndex { !$0.isReplacing && $0.priority < entry.priority }
    entries.insert(entry, at: place ?? entries.count)
  }
}

/// A scope with the overrides of a manager and the copies of the managers that the scope isolates.
final class ModelScope {
  let manager: Int
  let overrides: [ModelEntry]
  let allowed: Set<Int>
  /// The copies of the isolated managers, which are empty if the scope isolates none.
  let copies: [Int: ModelManager]
  let isStrict: Bool
  /// The instances of the scope's overrides, outside of isolated scopes.
  var instances: [Int: Int] = [:]

  init(manager: Int, overrides: [ModelEntry], allowed: Set<Int>, copies: [Int: ModelManager], isStrict: Bool) {
    self.manager = manager
    self.overrides = overrides
    self.allowed = allowed
    self.copies = copies
    self.isStrict = isStrict
  }
}

/// The result of a lookup.
enum ModelFinding: Equatable {
  /// The lookup found an existing instance.
  case instance(implementation: Int, serial: Int)
  /// The lookup created an instance.
  case new(implementation: Int)
  case notFound
  /// A strict scope withheld a live service.
  case live
}

/// Three managers, in which each is the parent of the next.
struct ServiceModel {
  static let managers = 3

  private let live = (0..<managers).map { _ in ModelManager() }
  /// The scopes in force, in which the innermost is the last.
  private(set) var scopes: [ModelScope] = []
  /// The serial numbers of the instances that the test holds.
  var held: [Int] = []

  // MARK: - Scopes

  mutating func enter(
    _ manager: Int, isolating: Bool, isStrict: Bool?, overrides: [ModelEntry], allowed: Set<Int>
  ) {
    var copies: [Int: ModelManager] = [:]
    if isolating { for each in 0...manager { copies[each] = state(of: each).copy() } }
    // Each manager is a parent or a child of each other one.
    let around = scopes.last { !$0.copies.isEmpty }
    scopes.append(
      ModelScope(
        manager: manager, overrides: overrides, allowed: allowed, copies: copies,
        isStrict: isStrict ?? around?.isStrict ?? false))
  }

  mutating func leave() { scopes.removeLast() }

  private func isolation(of manager: Int) -> ModelScope? { scopes.last { $0.copies[manager] != nil } }

  private func state(of manager: Int) -> ModelManager { isolation(of: manager)?.copies[manager] ?? live[manager] }

  /// Returns the overrides of a manager.
  ///
  /// Of the overrides of one name, only the innermost applies, and within a scope only the last.
  private func overrides(of manager: Int, _ kind: Int) -> [(entry: ModelEntry, scope: ModelScope)] {
    var found: [(entry: ModelEntry, scope: ModelScope)] = []
    for scope in scopes.reversed() where scope.manager == manager {
      for entry in scope.overrides.reversed()
      where entry.kind == kind && !found.contains(where: { $0.entry.name == entry.name }) {
        found.append((entry, scope))
      }
    }
    return found
  }

  private func isWithheld(_ manager: Int, _ kind: Int) -> Bool {
    isolation(of: manager)?.isStrict == true && !scopes.contains { $0.allowed.contains(kind) }
  }

  private func shows(_ entry: ModelEntry, _ manager: Int) -> Bool { entry.isGiven || !isWithheld(manager, entry.kind) }

  // MARK: - Registrations

  func register(_ entry: ModelEntry, on manager: Int) {
    state(of: manager).add(
      ModelEntry(
        implementation: entry.implementation, kind: entry.kind, scope: entry.scope, name: entry.name,
        priority: entry.priority, isReplacing: entry.isReplacing, isGiven: isolation(of: manager) != nil))
  }

  /// Forgets the instances of a scope, also those of the overrides that apply to the manager.
  func reset(on manager: Int, _ scope: ServiceScope) {
    let isolation = scopes.lastIndex { $0.copies[manager] != nil }
    for inner in scopes[((isolation ?? -1) + 1)...] where inner.manager == manager {
      for override in inner.overrides where override.scope == scope { inner.instances[override.implementation] = nil }
    }
    let state = state(of: manager)
    let overrides = scopes.flatMap(\.overrides)
    for entry in state.entries + overrides where entry.scope == scope { state.instances[entry.implementation] = nil }
  }

  func remove(on manager: Int, where isRemoved: (ModelEntry) -> Bool) -> Bool {
    let state = state(of: manager)
    let count = state.entries.count
    state.entries.removeAll(where: isRemoved)
    return state.entries.count < count
  }

  // MARK: - Lookups

  /// The result of a lookup, and the closure that stores a new instance.
  struct Answer {
    let finding: ModelFinding
    var keep: (Int) -> Void = { _ in }
  }

  private func answer(_ entry: ModelEntry, in manager: Int, of scope: ModelScope?) -> Answer {
    let implementation = entry.implementation
    guard entry.scope != .transient else { return Answer(finding: .new(implementation: implementation)) }
    // An isolated scope also creates new instances for the overrides of outer scopes.
    let isolation = scopes.lastIndex { $0.copies[manager] != nil } ?? -1
    let place = scope.flatMap { scope in scopes.firstIndex { $0 === scope } } ?? -1
    if let scope, place > isolation {
      return answer(entry, scope.instances[implementation]) { scope.instances[implementation] = $0 }
    }
    let state = state(of: manager)
    return answer(entry, state.instances[implementation]) { state.instances[implementation] = $0 }
  }

  private func answer(_ entry: ModelEntry, _ known: Int?, keep: @escaping (Int) -> Void) -> Answer {
    if let known, entry.scope != .weak || held.contains(known) {
      return Answer(finding: .instance(implementation: entry.implementation, serial: known))
    }
    return Answer(finding: .new(implementation: entry.implementation), keep: keep)
  }

  func one(on manager: Int, _ kind: Int, _ name: String?) -> Answer {
    var isLive = false
    for each in (0...manager).reversed() {
      if let (entry, scope) = overrides(of: each, kind).first(where: { $0.entry.name == name }) {
        return answer(entry, in: each, of: scope)
      }
      let rivals = state(of: each).entries.filter { $0.kind == kind && $0.name == name }
      if let best = rivals.first(where: { shows($0, each) }) { return answer(best, in: each, of: nil) }
      isLive = isLive || isWithheld(each, kind)
    }
    return Answer(finding: isLive ? .live : .notFound)
  }

  /// Returns the results for all implementations in order of precedence, or nil if a strict scope
  /// withholds them.
  ///
  /// The order of overrides is not documented, so these are in one group.
  func all(on manager: Int, _ kind: Int) -> [[Answer]]? {
    var answers: [[Answer]] = []
    var overridden: Set<String?> = []
    var isLive = false
    for each in (0...manager).reversed() {
      let new = overrides(of: each, kind).filter { !overridden.contains($0.entry.name) }
      overridden.formUnion(new.map(\.entry.name))
      answers.append(new.map { answer($0.entry, in: each, of: $0.scope) })
      for entry in state(of: each).entries
      where entry.kind == kind && !overridden.contains(entry.name) && shows(entry, each) {
        answers.append([answer(entry, in: each, of: nil)])
      }
      isLive = isLive || isWithheld(each, kind)
    }
    let isEmpty = answers.allSatisfy(\.isEmpty)
    return isEmpty && isLive ? nil : answers
  }

  func contains(on manager: Int, _ kind: Int, _ name: String?) -> Bool {
    switch one(on: manager, kind, name).finding {
    case .instance, .new: true
    case .notFound, .live: false
    }
  }

  /// Returns the names that an error lists outside of scopes.
  func names(on manager: Int, _ kind: Int) -> [String] {
    Set((0...manager).flatMap { state(of: $0).entries }.filter { $0.kind == kind }.compactMap(\.name)).sorted()
  }
}
