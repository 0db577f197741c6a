import RegistryAnalysis

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
  /// The graph has a part for each process and group of records, and another for each with needs:
  /// what its Swift modules need from each other, and the events that they handle.
  ///
  /// - Parameters:
  ///   - format: The language of the graph.
  ///   - write: A function that receives the text in pieces of one or more lines.
  @MainActor package func writeGraph(_ format: GraphFormat, _ write: (String) -> Void) {
    var writer = GraphWriter(format: format)
    write(
      format == .dot
        ? "digraph registrations {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n" : "flowchart LR\n")
    visitProcesses { process in
      writer.write(RegistrationGraph(process), write)
      if !process.needs.isEmpty { writer.write(RegistrationGraph(needsOf: process), write) }
    }
    if format == .dot { write("}\n") }
  }
}

/// A graph of one process, independent of the output format.
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

  init(_ process: RegistrySnapshot.Process) {
    title = process.title
    var modules: [String: [Int]] = [:]
    for module in process.modules {
      let name = module.position.map { "\($0). \(module.name)" } ?? module.name
      let activation = module.activation == "onFirstEvent" ? ", on first event" : ""
      let rank = "\(module.level), priority \(module.priority)\(activation)"
      let node = add(.module, [name, rank] + (module.position == nil ? ["in a cycle"] : []))
      modules[module.name, default: []].append(node)
    }
    for (node, module) in process.modules.enumerated() {
      for name in Set(module.after + module.afterNeeds).sorted() {
        let targets = modules[name] ?? [sharedNode(.unknown, [name, "unknown"])]
        edges += targets.map { Edge(from: node, to: $0, relation: .after) }
      }
    }
    for entry in process.entries {
      guard let (shape, relation) = Self.roles[entry.kind] else { continue }
      let details = [
        entry.scope, entry.name.map { "\(entry.kind == .point ? "key" : "named") \"\($0)\"" },
        entry.priority == 0 ? nil : "priority \(entry.priority)",
      ].compactMap(\.self)
      let subject = sharedNode(shape, [entry.key])
      let provider = add(.provider, [entry.provider] + (details.isEmpty ? [] : [details.joined(separator: ", ")]))
      edges.append(Edge(from: provider, to: subject, relation: relation))
    }
  }

  /// Creates a graph of what the Swift modules of a process need, and of the events they handle.
  init(needsOf process: RegistrySnapshot.Process) {
    title = "\(process.title): needs"
    var uses: [(from: Int, to: Int, label: String, isOptional: Bool)] = []
    for need in process.needs {
      let from = sharedNode(.feature, [need.feature])
      let label = need.key + (need.name.map { " named \"\($0)\"" } ?? "")
      let targets =
        need.providers.isEmpty
        ? [sharedNode(.unknown, [label, "not exported"])] : need.providers.map { sharedNode(.feature, [$0]) }
      uses += targets.filter { $0 != from }.map { (from, $0, label, need.isOptional) }
    }
    edges = uses.grouped { [$0.from, $0.to] }.map { uses in
      Edge(
        from: uses[0].from, to: uses[0].to, relation: uses.allSatisfy(\.isOptional) ? .optional : .needs,
        lines: uses.map(\.label).unique())
    }
    for handlers in process.entries.filter({ $0.kind == .event }).grouped(by: { [$0.feature, $0.key] }) {
      let (from, to) = (sharedNode(.feature, [handlers[0].feature]), sharedNode(.event, [handlers[0].key]))
      edges.append(Edge(from: from, to: to, relation: .handles))
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

  private static let roles: [RegistrySnapshot.Kind: (shape: Shape, relation: Relation)] = [
    .service: (.service, .implements), .event: (.event, .handles), .route: (.route, .opens),
    .action: (.action, .performs), .point: (.point, .contributes),
  ]
}
