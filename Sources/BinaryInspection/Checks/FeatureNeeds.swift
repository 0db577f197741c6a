import Lifecycle
import Registry
import RegistryAnalysis

/// The needs of the Swift modules in the images of one process.
struct FeatureNeeds {
  enum Target: Hashable {
    /// A Swift module that exports what is needed.
    case feature(String)
    /// A service, module, route, or contribution point that no image exports.
    case missing(String)
    /// An event that the Swift module handles. No record states which module declares an event.
    case event(String)

    var feature: String? { if case .feature(let name) = self { name } else { nil } }
  }

  /// The use of a target by a Swift module.
  private struct Use: Hashable {
    let from: String
    let to: Target
    /// The name of what is needed, as spelled in the source; nil for an event.
    var label: String? = nil
    /// True if the Swift module also works without the target.
    var isOptional = false
  }

  /// The Swift modules with needs or event handlers, and the providers, in the order of discovery.
  private(set) var features: [String] = []
  /// The uses of each target by each Swift module, except by the Swift module itself.
  private(set) var edges: [(from: String, to: Target, labels: [String], isOptional: Bool)] = []
  /// For each Swift module, the Swift modules that implement the services that it needs.
  private var serviceProviders: [String: Set<String>] = [:]
  private var neededModules: [String: Set<String>] = [:]
  private let file: String?

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    file = images.first(where: \.hasNeeds)?.name
    guard file != nil else { return }
    let index = NeedIndex(images, names)
    var (uses, known): ([Use], Set<Use>) = ([], [])
    func add(_ use: Use) { if known.insert(use).inserted { uses.append(use) } }
    for placed in ImageRecord.all(in: images) {
      let contents = placed.contents
      if let event = contents.handler?.event {
        add(Use(from: placed.feature, to: .event(event)))
      } else if let need = contents.need, let wanted = index.export(satisfying: need, of: placed) {
        let exports = index.matches(wanted)
        let providers = exports.flatMap { index.providers[$0] ?? [] }.map(\.feature)
        // Like the runtime, derive the start order only from services and modules. Code uses routes
        // and contribution points only after the start.
        if let feature = need.location.map({ String($0.prefix { $0 != "/" }) }) {
          if need.subject == .service { serviceProviders[feature, default: []].formUnion(providers) }
          if need.subject == .module { neededModules[feature, default: []].formUnion(exports.map(\.target)) }
        }
        let label = need.target + (need.name.map { " named \"\($0)\"" } ?? "")
        for target in providers.isEmpty ? [Target.missing(label)] : providers.map({ .feature($0) }) {
          add(Use(from: placed.feature, to: target, label: label, isOptional: need.isOptional))
        }
      }
    }
    features = uses.flatMap { [$0.from] + ($0.to.feature.map { [$0] } ?? []) }.unique()
    edges = uses.filter { $0.to.feature != $0.from }.grouped { Use(from: $0.from, to: $0.to) }.map { uses in
      (uses[0].from, uses[0].to, uses.compactMap(\.label).unique(), uses.allSatisfy(\.isOptional))
    }
  }

  /// Returns the modules that provide what a module's Swift module needs. `names` has all modules.
  func providers(ofNeedsOf module: String, among names: [String]) -> [String] {
    func feature(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    let own = feature(module)
    let features = serviceProviders[own, default: []].subtracting([own])
    let providers = names.filter { features.contains(feature($0)) }
    return neededModules[own, default: []].union(providers).filter { $0 != module }.sorted()
  }

  /// A note about Swift modules that need each other; nil if there are none.
  var cycle: InspectionProblem? {
    var (graph, labels): (UseGraph, [[String]: String]) = (UseGraph(), [:])
    for edge in edges {
      guard let name = edge.to.feature else { continue }
      graph.uses[edge.from, default: []].insert(name)
      labels[[edge.from, name]] = edge.labels[0]
    }
    guard let file, let cycle = graph.cycles(limit: 1).first else { return nil }
    let path = cycle + cycle.prefix(1)
    let steps = zip(path, path.dropFirst()).prefix(8).map { from, to in
      "\(from.quotedForDisplay()) needs \((labels[[from, to]] ?? "").quotedForDisplay())"
    }
    let spelled = path.map { CycleStep(subject: $0, image: nil) }.spelledOut
    return InspectionProblem(
      file: file, severity: .note, code: .featureCycle, subject: path[0],
      text: "Swift modules need each other: \(spelled), because \(steps.joined(separator: ", "))"
        + "\(path.count > 9 ? ", …" : ""); move an implementation, or the code that needs it, to another module")
  }
}
