import Registry

// What a manager is documented to do, once more: with arrays, for one thread, and without a look at the library's code.

/// An implementation as the model knows it.
struct ModelEntry {
  /// Which one it is.
  let implementation: Int
  let kind: Int
  let scope: ServiceScope
  let name: String?
  let priority: Int
  let isReplacing: Bool
  /// Registered in an isolated scope, which may be strict.
  let isGiven: Bool
}

/// What one manager has; in an isolated scope what its copy has.
final class ModelManager {
  /// Best first.
  var entries: [ModelEntry] = []
  /// The serial numbers of what was made of shared and weak implementations.
  var instances: [Int: Int] = [:]

  /// The same as if nothing had been made.
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

/// A scope that is in force: overrides of a manager, and the copies of those that it isolates.
final class ModelScope {
  let manager: Int
  let overrides: [ModelEntry]
  let allowed: Set<Int>
  /// Empty where it isolates nothing.
  let copies: [Int: ModelManager]
  let isStrict: Bool
  /// Instances of its overrides, outside of isolated scopes.
  var instances: [Int: Int] = [:]

  init(manager: Int, overrides: [ModelEntry], allowed: Set<Int>, copies: [Int: ModelManager], isStrict: Bool) {
    self.manager = manager
    self.overrides = overrides
    self.allowed = allowed
    self.copies = copies
    self.isStrict = isStrict
  }
}

/// What a look-up gives.
enum ModelFinding: Equatable {
  /// An instance that was there.
  case instance(implementation: Int, serial: Int)
  /// A new one.
  case new(implementation: Int)
  case notFound
  /// A strict scope keeps it.
  case live
}

/// Three managers, each the parent of the next.
struct ServiceModel {
  static let managers = 3

  private let live = (0..<managers).map { _ in ModelManager() }
  /// Innermost last.
  private(set) var scopes: [ModelScope] = []
  /// Who holds what from outside, by serial number.
  var held: [Int] = []

  // MARK: - Scopes

  mutating func enter(
    _ manager: Int, isolating: Bool, isStrict: Bool?, overrides: [ModelEntry], allowed: Set<Int>
  ) {
    var copies: [Int: ModelManager] = [:]
    if isolating { for each in 0...manager { copies[each] = state(of: each).copy() } }
    let around = scopes.last { $0.copies[manager] != nil }
    scopes.append(
      ModelScope(
        manager: manager, overrides: overrides, allowed: allowed, copies: copies,
        isStrict: isStrict ?? around?.isStrict ?? false))
  }

  mutating func leave() { scopes.removeLast() }

  private func isolation(of manager: Int) -> ModelScope? { scopes.last { $0.copies[manager] != nil } }

  private func state(of manager: Int) -> ModelManager { isolation(of: manager)?.copies[manager] ?? live[manager] }

  /// The overrides of a manager: of each name the innermost, and of one scope's the last.
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

  func remove(on manager: Int, where isRemoved: (ModelEntry) -> Bool) -> Bool {
    let state = state(of: manager)
    let count = state.entries.count
    state.entries.removeAll(where: isRemoved)
    return state.entries.count < count
  }

  // MARK: - Look-ups

  /// What a look-up gives, and where an instance is to be kept that it makes.
  struct Answer {
    let finding: ModelFinding
    var keep: (Int) -> Void = { _ in }
  }

  private func answer(_ entry: ModelEntry, in manager: Int, of scope: ModelScope?) -> Answer {
    let implementation = entry.implementation
    guard entry.scope != .transient else { return Answer(finding: .new(implementation: implementation)) }
    // In an isolated scope, instances of overrides around it are made anew as well.
    let isolation = scopes.lastIndex { $0.copies[manager] != nil } ?? -1
    let place = scope.flatMap { scope in scopes.firstIndex { $0 === scope } } ?? -1
    if let scope, place > isolation {
      return answer(entry, scope.instances[implementation]) { scope.instances[implementation] = $0 }
    }
    let state = state(of: manager)
    return answer(entry, state.instances[implementation]) { state.instances[implementation] = $0 }
  }

  private func answer(_ entry: ModelEntry, _ known: Int?, keep: @escaping (Int) -> Void) -> Answer {
    if let known, entry.scope == .shared || held.contains(known) {
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

  /// All, best first; nil if a strict scope keeps them. Of overrides it is not said which comes first, so they come together.
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

  /// The names that an error lists, outside of scopes.
  func names(on manager: Int, _ kind: Int) -> [String] {
    Set((0...manager).flatMap { state(of: $0).entries }.filter { $0.kind == kind }.compactMap(\.name)).sorted()
  }
}
