package import Registry

package struct Implementations {
  package struct Candidates {
    package let name: String?
    /// The implementations in the order of preference.
    package var included: [ServiceEntry] = []
    /// The implementations whose condition does not hold.
    package var excluded: [ServiceEntry] = []
    /// The implementation that lookups find; see ``ServiceGroup``.
    package var selected: ServiceEntry?
  }

  package let name: String
  package private(set) var candidates: [Candidates] = []
  /// The names of lookups that found nothing, which only debug builds record.
  private(set) var failedNames: Set<String?> = []

  func title(_ name: String?) -> String {
    let remark = name == "" ? " (lookups without 'named:' do not find an empty name)" : ""
    return self.name.escapedForDisplay() + (name.map { ", named \($0.quotedForDisplay())" } ?? "") + remark
  }

  var all: [ServiceEntry] { candidates.flatMap { $0.included + $0.excluded } }

  init(_ name: String, _ all: [ServiceEntry], _ conditions: Set<ServiceCondition>) {
    self.name = name
    let included = ReplacementOrder(all.filter { $0.isIncluded(by: conditions) }).entries
    let excluded = all.filter { !$0.isIncluded(by: conditions) }.ordered { $0.rank < $1.rank }
    // Implementations without a name come first. An empty string counts as a name.
    func place(_ entry: ServiceEntry) -> (Int, String) { (entry.name == nil ? 0 : 1, entry.name ?? "") }
    for (index, entry) in (included + excluded).enumerated().ordered(by: { place($0.1) < place($1.1) }) {
      if candidates.last.map({ $0.name == entry.name }) != true { candidates.append(Candidates(name: entry.name)) }
      let last = candidates.count - 1
      if index < included.count {
        candidates[last].included.append(entry)
        if candidates[last].selected == nil, entry.isUsable { candidates[last].selected = entry }
      } else {
        candidates[last].excluded.append(entry)
      }
    }
  }

  var registrations: [RegistryReport.Registration] {
    candidates.flatMap { candidates in
      candidates.included.compactMap { $0.registration(of: name, isSelected: $0 === candidates.selected) }
    }
  }

  /// Returns the implementations of each service. The manager must be locked.
  package static func all(_ state: inout ServiceCore.State, _ conditions: Set<ServiceCondition>) -> [Implementations] {
    var services: [Implementations] = []
    var unclaimed = state.unclaimed
    let groups = state.groups.values.filter { $0.key.point == nil }.map { (name: $0.key.typeName, group: $0) }
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

extension ServiceEntry {
  /// Returns the report's entry for a registration; nil for an exported implementation.
  fileprivate func registration(of service: String, isSelected: Bool) -> RegistryReport.Registration? {
    guard let location else { return nil }
    let className = isNamed ? implementation : nil
    return RegistryReport.Registration(
      service: service, name: name, className: className, scope: scope, priority: rank.priority, location: location,
      isSelected: isSelected)
  }
}
