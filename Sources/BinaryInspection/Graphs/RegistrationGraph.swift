import Lifecycle
import Registry

/// How a graph is written.
package enum GraphFormat: String, Sendable, CaseIterable {
  /// Graphviz's language.
  case dot
  /// Mermaid's flowcharts, which code hosts show in Markdown.
  case mermaid
}

extension Inspection {
  /// Draws the modules with their places in the order, what they come after, and the protocols with who implements them.
  ///
  /// Each executable, and each architecture, by itself. A module that is in no place of the order, as it waits for itself, has no number.
  ///
  /// - Parameter write: Is told the text piece by piece, a line or more at a time.
  package func writeGraph(_ format: GraphFormat, _ write: (String) -> Void) {
    let processes = families.lazy.flatMap(Self.processes)
    switch format {
    case .dot: DotText.write(processes.map(RegistrationGraph.init), write)
    case .mermaid: MermaidText.write(processes.map(RegistrationGraph.init), write)
    }
  }
}

/// What is drawn of one architecture's images, in any language.
struct RegistrationGraph {
  enum Shape {
    case module
    /// Named in `after`, and nobody has it.
    case unknown
    case service
    case implementation
  }

  struct Node {
    let shape: Shape
    /// One below the other.
    let lines: [String]
  }

  enum Relation {
    case after
    case implements
  }

  struct Edge {
    let from: Int
    let to: Int
    let relation: Relation
  }

  let title: String
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  init(_ images: [InspectedImage]) {
    let executable = images[0].header.type == .executable ? "\(images[0].path), " : ""
    title = executable + "\(images[0].header.format.rawValue), \(images[0].header.architecture)"
    // What may be meant by unknown names is not drawn.
    addModules(OrderCheck(images, hints: 0))
    addServices(ImageRecord.all(in: images))
  }

  private mutating func add(_ shape: Shape, _ lines: [String]) -> Int {
    nodes.append(Node(shape: shape, lines: lines))
    return nodes.count - 1
  }

  private mutating func addModules(_ order: OrderCheck) {
    var indices: [String: Int] = [:]
    for (index, module) in order.ordered.enumerated() {
      indices[module.name] = add(.module, ["\(index + 1). \(module.name)", Self.rank(module)])
    }
    for module in order.unordered {
      indices[module.name] = add(.module, [module.name, Self.rank(module), "in a circle"])
    }
    for module in order.ordered + order.unordered {
      for name in Set(module.after).sorted() {
        let to = indices[name] ?? add(.unknown, [name, "unknown"])
        indices[name] = to
        edges.append(Edge(from: indices[module.name]!, to: to, relation: .after))
      }
    }
  }

  private static func rank(_ module: OrderCheck.Module) -> String {
    "\(module.level.rawValue), priority \(module.priority)" + (module.isInactive ? ", on first event" : "")
  }

  /// Adds the protocols with their implementations, and the modules of BeeHive and Ant, which have
  /// no known order.
  private mutating func addServices(_ records: some Sequence<ImageRecord>) {
    var services: [String: Int] = [:]
    var known: Set<[String]> = []
    for placed in records {
      let (record, contents) = (placed.record, placed.contents)
      let origin = record.source == .registry ? [] : [record.source.rawValue]
      if record.kind == .module, record.source != .registry, let name = contents.type {
        if known.insert([name] + origin).inserted { _ = add(.module, [name] + origin) }
      }
      guard record.kind == .service, let name = contents.service, let type = contents.type else { continue }
      var details = contents.scope.map { [$0.rawValue] } ?? []
      if let name = contents.name { details.append("named \"\(name)\"") }
      if let priority = contents.priority, priority != 0 { details.append("priority \(priority)") }
      let lines = [type] + (details.isEmpty ? [] : [details.joined(separator: ", ")]) + origin
      // Objects and what they are linked into have the same records.
      guard known.insert([name] + lines).inserted else { continue }
      let service = services[name] ?? add(.service, [name])
      services[name] = service
      edges.append(Edge(from: add(.implementation, lines), to: service, relation: .implements))
    }
  }
}
