import Lifecycle
import Registry

/// The language of a graph.
package enum GraphFormat: String, Sendable, CaseIterable {
  /// Graphviz's DOT language.
  case dot
  /// Mermaid flowcharts, which code hosts render in Markdown.
  case mermaid
}

extension Inspection {
  /// Writes a graph of the registrations.
  ///
  /// The graph has a part for each process and group of records, and another for each process with
  /// needs: what its Swift modules need from each other, and the events that they handle.
  ///
  /// - Parameters:
  ///   - format: The language of the graph.
  ///   - write: A function that receives the text in pieces of one or more lines.
  @MainActor package func writeGraph(_ format: GraphFormat, _ write: (String) -> Void) {
    // Write each graph before creating the next one, because each program repeats its libraries'
    // nodes.
    var writer = GraphWriter(format: format)
    write(
      format == .dot
        ? "digraph registrations {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n" : "flowchart LR\n")
    for family in families {
      let names = serviceNames(of: family)
      let processes = Self.processes(of: family)
      for (group, images) in InspectedImage.byGroup(family) {
        for (part, process) in zip(Self.processes(of: images), processes) {
          writer.write(RegistrationGraph(part, names, group: group), write)
          if group == nil, let needs = RegistrationGraph(needsOf: process, names) { writer.write(needs, write) }
        }
      }
    }
    if format == .dot { write("}\n") }
  }
}

/// A graph of one process's images, independent of the output format.
struct RegistrationGraph {
  /// The appearance of a node: the two brackets in Mermaid and the attributes in Graphviz,
  /// separated by spaces.
  enum Shape: String {
    case module = "[ ] shape=box"
    /// A module named in `after`, or a target of a need, that the graph's images don't export.
    case unknown = "{{ }} shape=box, style=dashed, color=red"
    case service = "([ ]) shape=ellipse"
    case event = "[[ ]] shape=hexagon"
    case route = "[/ /] shape=cds"
    case action = "[/ \\] shape=parallelogram"
    case point = "> ] shape=tab"
    /// An implementation, a contribution, or the handler of an event, a route, or an action.
    case provider = "( ) shape=box, style=rounded"
    case feature = "[ ] shape=component"
  }

  enum Relation: String {
    case after
    case implements
    case handles
    case opens
    case performs
    case contributes
    /// An edge from a Swift module to a provider of what it needs, or to a missing target.
    case needs
    /// Like `needs`, for a need that the Swift module can work without.
    case optional
  }

  struct Edge {
    let from: Int
    let to: Int
    let relation: Relation
    /// The lines of the label. If empty, the label is the relation.
    var lines: [String] = []

    var isDashed: Bool { relation == .implements || relation == .optional }
  }

  let title: String
  private(set) var nodes: [(shape: Shape, lines: [String])] = []
  private(set) var edges: [Edge] = []
  /// The nodes that several edges can share, by shape and first line.
  private var sharedNodes: [Shape: [String: Int]] = [:]

  @MainActor init(_ images: [InspectedImage], _ names: ServiceNames, group: String? = nil) {
    title = Self.title(of: images) + (group.map { ", group \($0.quotedForDisplay())" } ?? "")
    // The graph doesn't show suggestions for unknown names.
    addModules(ModuleCheck(images, names, hints: 0))
    addProviders(ImageRecord.all(in: images).filter { $0.record.kind == .service })
    addProviders(ImageRecord.all(in: images).filter { $0.record.kind != .service })
  }

  /// Creates a graph of the Swift modules' needs, or returns nil if there is nothing to show.
  init?(needsOf images: [InspectedImage], _ names: ServiceNames) {
    let needs = FeatureNeeds(images, names)
    guard !needs.features.isEmpty else { return nil }
    title = "\(Self.title(of: images)): needs"
    for feature in needs.features { _ = node(for: .feature(feature)) }
    for edge in needs.edges {
      let (from, to) = (node(for: .feature(edge.from)), node(for: edge.to))
      let relation: Relation = if case .event = edge.to { .handles } else { edge.isOptional ? .optional : .needs }
      edges.append(Edge(from: from, to: to, relation: relation, lines: edge.labels))
    }
  }

  private static func title(of images: [InspectedImage]) -> String {
    let executable = images[0].header.type == .executable ? "\(images[0].path), " : ""
    return executable + "\(images[0].header.format.rawValue), \(images[0].header.architecture)"
  }

  private mutating func node(for target: FeatureNeeds.Target) -> Int {
    switch target {
    case .feature(let name): sharedNode(.feature, [name])
    case .missing(let name): sharedNode(.unknown, [name, "not exported"])
    case .event(let name): sharedNode(.event, [name])
    }
  }

  private mutating func add(_ shape: Shape, _ lines: [String]) -> Int {
    nodes.append((shape, lines))
    return nodes.count - 1
  }

  private mutating func sharedNode(_ shape: Shape, _ lines: [String]) -> Int {
    if let index = sharedNodes[shape]?[lines[0]] { return index }
    sharedNodes[shape, default: [:]][lines[0]] = nodes.count
    return add(shape, lines)
  }

  @MainActor private mutating func addModules(_ check: ModuleCheck) {
    let order = check.order
    var indices: [Int: Int] = [:]
    for (module, position) in order {
      let attributes = check.modules[module].recorded.attributes
      let name = position.map { "\($0). \(attributes.module)" } ?? attributes.module
      let activation = attributes.activation == .onFirstEvent ? ", on first event" : ""
      let rank = "\(attributes.level), priority \(attributes.priority)\(activation)"
      indices[module] = add(.module, [name, rank] + (position == nil ? ["in a cycle"] : []))
    }
    for (module, _) in order {
      var targets: Set<Int> = []
      for name in Set(check.modules[module].recorded.attributes.after).sorted() {
        let named = check.modules(named: name, after: module)
        for target in named.isEmpty ? [sharedNode(.unknown, [name, "unknown"])] : named.compactMap({ indices[$0] })
        where targets.insert(target).inserted {
          edges.append(Edge(from: indices[module]!, to: target, relation: .after))
        }
      }
    }
  }

  private static let roles: [RecordKind: (shape: Shape, relation: Relation)] = [
    .service: (.service, .implements), .handler: (.event, .handles), .route: (.route, .opens),
    .action: (.action, .performs), .contribution: (.point, .contributes),
  ]

  private mutating func addProviders(_ records: some Sequence<ImageRecord>) {
    var known: Set<[String]> = []
    for placed in records {
      let contents = placed.contents
      guard let role = Self.roles[placed.record.kind], let target = contents.target, let provider = contents.subject
      else { continue }
      let priority = contents.priority ?? 0
      let details = [
        contents.service?.scope.description, contents.service?.name.map { "named \"\($0)\"" },
        priority == 0 ? nil : "priority \(priority)", contents.handler?.once == true ? "once" : nil,
        contents.contribution?.key.map { "key \"\($0)\"" },
      ].compactMap(\.self)
      let lines = [provider] + (details.isEmpty ? [] : [details.joined(separator: ", ")])
      // An object and the image that it's linked into contain the same records.
      guard known.insert([role.relation.rawValue, target] + lines).inserted else { continue }
      let subject = sharedNode(role.shape, [target])
      edges.append(Edge(from: add(.provider, lines), to: subject, relation: role.relation))
    }
  }
}
