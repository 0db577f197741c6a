import Lifecycle
import Registry

/// The needs of the Swift modules in the images of one process.
struct FeatureNeeds {
  enum Target: Hashable {
    /// A Swift module that exports what is needed.
    case feature(String)
    /// A service, module, route, or contribution point that no image exports.
    case missing(String)
    /// An event that the Swift module handles. No record states which module declares an event.
    case event(String)
  }

  /// The needs of one Swift module for one target.
  struct Edge {
    let from: String
    let to: Target
    /// The names of what is needed, as spelled in the source.
    fileprivate(set) var labels: [String] = []
    /// True if the Swift module also works without the target.
    fileprivate(set) var isOptional = true
  }

  /// The Swift modules with needs or event handlers, and the providers, in the order of discovery.
  private(set) var features: [String] = []
  private(set) var edges: [Edge] = []
  /// For each Swift module, the Swift modules that implement the services that it needs.
  private var serviceProviders: [String: Set<String>] = [:]
  private var neededModules: [String: Set<String>] = [:]
  private let file: String?

  private var known: Set<String> = []
  private var indices: [String: [Target: Int]] = [:]
  private var labels: [Int: Set<String>] = [:]

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    file = images.first(where: \.hasNeeds)?.name
    guard file != nil else { return }
    let index = NeedIndex(images, names)
    for placed in ImageRecord.all(in: images) {
      let contents = placed.contents
      if let event = contents.handler?.event {
        addEdge(placed.feature, .event(event), nil, isOptional: false)
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
          addEdge(placed.feature, target, label, isOptional: need.isOptional)
        }
      }
    }
  }

  private mutating func addEdge(_ from: String, _ to: Target, _ label: String?, isOptional: Bool) {
    if known.insert(from).inserted { features.append(from) }
    if case .feature(let name) = to {
      if known.insert(name).inserted { features.append(name) }
      // Don't add an edge from a Swift module to itself.
      if name == from { return }
    }
    let index = indices[from]?[to] ?? edges.count
    if index == edges.count {
      indices[from, default: [:]][to] = index
      edges.append(Edge(from: from, to: to))
    }
    if !isOptional { edges[index].isOptional = false }
    if let label, labels[index, default: []].insert(label).inserted { edges[index].labels.append(label) }
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
  @MainActor var cycle: InspectionProblem? {
    let between = edges.compactMap { edge -> (from: String, to: String, label: String)? in
      guard case .feature(let name) = edge.to else { return nil }
      return (edge.from, name, edge.labels[0])
    }
    let needed = Dictionary(grouping: between, by: \.from)
    let modules = features.map { feature in
      RecordedModule(ModuleAttributes(module: feature, after: needed[feature]?.map(\.to) ?? []))
    }
    guard let file, let cycle = RecordedModules(modules, hints: 0).cycles.first else { return nil }
    let path = cycle.modules.map { features[$0] }
    let steps = zip(path, path.dropFirst()).prefix(8).map { from, to in
      let label = needed[from]?.first { $0.to == to }?.label ?? ""
      return "\(from.quotedForDisplay()) needs \(label.quotedForDisplay())"
    }
    let spelled = path.map { CycleStep(subject: $0, image: nil) }.spelledOut
    return InspectionProblem(
      file: file, severity: .note, code: .featureCycle, subject: path[0],
      text: "Swift modules need each other: \(spelled), because \(steps.joined(separator: ", "))"
        + "\(path.count > 9 ? ", …" : ""); move an implementation, or the code that needs it, to another module")
  }
}
