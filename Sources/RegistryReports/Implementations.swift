package import Registry

package struct Implementations {
  package struct Candidates {
    package let name: String?
    /// The implementations that lookups consider, in order of preference.
    package let included: [ServiceEntry]
    /// The implementations whose condition does not hold.
    package let excluded: [ServiceEntry]
    /// The implementation that lookups find, if any; see ``ServiceGroup``.
    package let selected: ServiceEntry?
  }

  package let name: String
  package let candidates: [Candidates]
  /// The names in failed lookups, which only debug builds record.
  private(set) var failedNames: Set<String?> = []

  func title(_ name: String?) -> String {
    let remark = name == "" ? " (lookups without 'named:' do not find an empty name)" : ""
    return self.name.escapedForDisplay() + (name.map { ", named \($0.quotedForDisplay())" } ?? "") + remark
  }

  var all: [ServiceEntry] { candidates.flatMap { $0.included + $0.excluded } }

  init(_ name: String, _ all: [ServiceEntry], _ conditions: Set<ServiceCondition>) {
    self.name = name
    let candidates = Dictionary(grouping: all, by: \.name).map { name, entries in
      let included = ReplacementOrder(entries.filter { $0.isIncluded(by: conditions) }).entries
      let excluded = entries.filter { !$0.isIncluded(by: conditions) }.ordered { $0.rank < $1.rank }
      return Candidates(
        name: name, included: included, excluded: excluded, selected: included.first(where: \.isUsable))
    }
    // Implementations without a name come first. An empty string counts as a name.
    func place(_ candidates: Candidates) -> (Int, String) { (candidates.name == nil ? 0 : 1, candidates.name ?? "") }
    self.candidates = candidates.ordered { place($0) < place($1) }
  }

  /// Returns the implementations of each service. The caller must hold the manager's lock.
  package static func all(_ state: inout ServiceCore.State, _ conditions: Set<ServiceCondition>) -> [Implementations] {
    var services: [Implementations] = []
    var unclaimed = state.unclaimed
    let groups = state.groups.all.filter { $0.key.point == nil }.map { (name: $0.key.typeName, group: $0) }
    // Implementations that name their service belong to the first type with that name; see
    // `claimedGroup`. Lookups add them to the type's group later.
    for (name, group) in groups.ordered(by: { $0.name < $1.name }) {
      let named = group.isClaimed ? [] : unclaimed.removeValue(forKey: name) ?? []
      services.append(Implementations(name, group.entries + group.conditional + named, conditions))
      #if DEBUG
      services[services.count - 1].failedNames = group.failedNames
      #endif
    }
    for (name, entries) in unclaimed { services.append(Implementations(name, entries, conditions)) }
    return services.ordered { $0.name < $1.name }
  }
}

extension ServiceCore {
  /// The implementations of each service, according to this manager's conditions.
  var implementations: [Implementations] {
    let conditions = conditions
    return state.withLock { Implementations.all(&$0, conditions) }
  }

  /// The implementations of the manager's parents.
  var inherited: [Implementations] { lineage.dropFirst().flatMap(\.current.implementations) }
}
