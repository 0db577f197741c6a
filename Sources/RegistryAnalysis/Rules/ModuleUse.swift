import Lifecycle
import Registry

/// A use of a Swift module, according to the registrations in a snapshot.
struct ModuleUse {
  let kind: RegistryRules.Use
  let from: String
  let to: String
  /// The code that uses the subject, such as `Checkout.Screen` or a source location.
  let dependent: String
  let location: String?
  /// The path of the dependent's image.
  let image: String?
  /// The used service, module, event, route, point, or type, such as `ShopAPI.CartService`.
  let subject: String
  /// The source location of the subject's provider.
  let target: String?

  /// Returns the distinct uses in all processes, including uses within a Swift module.
  static func all(in snapshot: RegistrySnapshot) -> [ModuleUse] {
    var known: Set<[String?]> = []
    let features = snapshot.features
    return snapshot.processes.flatMap { all(in: $0, features) }.filter { use in
      known.insert([use.kind.rawValue, use.from, use.to, use.dependent, use.subject, use.location]).inserted
    }
  }

  /// Returns the contributions and event handlers for points and events whose names don't begin
  /// with a known Swift module. Reserved names are left out, because the library declares them.
  static func withoutTarget(in snapshot: RegistrySnapshot) -> [RegistrySnapshot.Entry] {
    let features = snapshot.features
    return snapshot.processes.flatMap(\.entries).filter { entry in
      (entry.kind == .point || entry.kind == .event) && !entry.key.isReserved
        && entry.key.swiftModule.filter(features.contains) == nil
    }
  }

  private static func all(in process: RegistrySnapshot.Process, _ features: Set<String>) -> [ModuleUse] {
    var uses: [ModuleUse] = []
    let paths = Dictionary(process.images.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
    var locations: [[String]: String] = [:]
    func note(_ location: String?, _ keys: [[String]]) {
      for key in keys where locations[key] == nil { locations[key] = location }
    }
    for module in process.modules { note(module.location, [["module", module.name]]) }
    for entry in process.entries {
      let location = entry.location ?? (entry.provider.contains(":") ? entry.provider : nil)
      note(location, [["provider", entry.provider], [entry.kind.rawValue, entry.key, entry.feature]])
    }
    for need in process.needs {
      // A need uses the Swift modules that provide or declare its subject.
      let owner = need.key.swiftModule.filter { need.kind == .service || need.kind == .module || features.contains($0) }
      for feature in Set(need.providers + [owner].compactMap(\.self)).sorted() {
        let target = locations[need.kind == .module ? ["module", need.key] : [need.kind.rawValue, need.key, feature]]
        uses.append(
          ModuleUse(
            kind: .need, from: need.feature, to: feature, dependent: need.dependent, location: need.location,
            image: need.image.flatMap { paths[$0] }, subject: need.key, target: target))
      }
    }
    for entry in process.entries {
      func add(_ kind: RegistryRules.Use, _ subject: String, _ feature: String?, _ target: String? = nil) {
        guard let feature else { return }
        uses.append(
          ModuleUse(
            kind: kind, from: entry.feature, to: feature, dependent: entry.provider, location: entry.location,
            image: entry.image.flatMap { paths[$0] }, subject: subject, target: target))
      }
      if let name = entry.replaces { add(.replace, name, name.swiftModule, locations[["provider", name]]) }
      // Not all names of events and points begin with a Swift module.
      let owner = entry.key.swiftModule.filter(features.contains)
      if entry.kind == .point { add(.contribute, entry.key, owner) }
      if entry.kind == .event { add(.handle, entry.key, owner) }
    }
    for module in process.modules {
      for name in module.after {
        guard let feature = name.swiftModule else { continue }
        uses.append(
          ModuleUse(
            kind: .follow, from: module.feature, to: feature, dependent: module.name, location: module.location,
            image: module.image.flatMap { paths[$0] }, subject: name, target: locations[["module", name]]))
      }
    }
    return uses
  }
}

extension RegistrySnapshot {
  /// The names of the Swift modules that register or need something, or declare a service, in all
  /// processes. A module can register in one group and declare what code in another group uses.
  var features: Set<String> {
    processes.reduce(into: []) { features, process in
      features.formUnion(process.modules.map(\.feature) + process.needs.map(\.feature))
      features.formUnion(process.entries.map(\.feature))
      features.formUnion(process.entries.lazy.filter { $0.kind == .service }.compactMap(\.key.swiftModule))
    }
  }
}

extension String {
  /// The Swift module that a full name begins with, except for `Swift`.
  fileprivate var swiftModule: String? {
    guard let end = firstIndex(of: "."), end != startIndex else { return nil }
    let name = self[..<end]
    return name == "Swift" ? nil : String(name)
  }
}

extension Optional {
  fileprivate func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped? { flatMap { isIncluded($0) ? $0 : nil } }
}

/// A graph of the parts that each part uses.
package struct UseGraph {
  package var uses: [String: Set<String>] = [:]

  package init() {}

  /// Returns the level of each part. A level is one more than the highest level among the parts
  /// that the part uses, or zero if it uses none. Also returns the parts that are in a cycle or
  /// lead to a cycle, because their levels are meaningless.
  func levels() -> (levels: [String: Int], inCycles: Set<String>) {
    var users: [String: [String]] = [:]
    for (part, used) in uses { for other in used { users[other, default: []].append(part) } }
    let all = Set(uses.keys).union(users.keys)
    var (open, levels) = (uses.mapValues(\.count), [String: Int]())
    var ready = Array(all.filter { open[$0, default: 0] == 0 })
    for part in ready { levels[part] = 0 }
    while let part = ready.popLast() {
      for user in users[part] ?? [] {
        levels[user] = max(levels[user] ?? 0, levels[part]! + 1)
        open[user]! -= 1
        if open[user] == 0 { ready.append(user) }
      }
    }
    let inCycles = all.filter { open[$0, default: 0] > 0 }
    return (levels, inCycles)
  }

  /// Returns cycles that share no part, each beginning with its alphabetically first part.
  package func cycles(limit: Int) -> [[String]] {
    var (graph, cycles) = (self, [[String]]())
    var left = graph.levels().inCycles
    while cycles.count < limit, var part = left.min() {
      var (path, indices) = ([String](), [String: Int]())
      while indices[part] == nil {
        indices[part] = path.count
        path.append(part)
        part = graph.uses[part]!.intersection(left).min()!
      }
      let cycle = path[indices[part]!...]
      let first = cycle.indices.min { cycle[$0] < cycle[$1] }!
      cycles.append(Array(cycle[first...] + cycle[..<first]))
      for part in cycle { graph.uses[part] = nil }
      graph.uses = graph.uses.mapValues { $0.subtracting(cycle) }
      left = graph.levels().inCycles
    }
    return cycles
  }
}
