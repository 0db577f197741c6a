import Registry

/// A writer of graphs in the language of Graphviz.
enum DotText {
  static func write(_ graphs: some Sequence<RegistrationGraph>, _ write: (String) -> Void) {
    write("digraph registrations {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n")
    for (number, graph) in graphs.enumerated() {
      let prefix = "n\(number)_"
      write("  subgraph cluster_\(number) {\n    label=\(quoted(graph.title));\n")
      for (index, node) in graph.nodes.enumerated() {
        let label = node.lines.map(escaped).joined(separator: "\\n")
        write("    \(prefix)\(index) [label=\"\(label)\", \(style(node.shape))];\n")
      }
      for edge in graph.edges {
        write("    \(prefix)\(edge.from) -> \(prefix)\(edge.to) [\(style(edge))];\n")
      }
      write("  }\n")
    }
    write("}\n")
  }

  private static func style(_ shape: RegistrationGraph.Shape) -> String {
    switch shape {
    case .module: "shape=box"
    case .unknown: "shape=box, style=dashed, color=red"
    case .service: "shape=ellipse"
    case .implementation, .handler: "shape=box, style=rounded"
    case .event: "shape=hexagon"
    case .route: "shape=cds"
    case .action: "shape=parallelogram"
    case .point: "shape=tab"
    case .feature: "shape=component"
    }
  }

  private static func style(_ edge: RegistrationGraph.Edge) -> String {
    let label = edge.labels.map(escaped).joined(separator: "\\n")
    return "label=\"\(label)\"" + (edge.isDashed ? ", style=dashed" : "")
      + (edge.relation == .implements ? ", arrowhead=empty" : "")
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Escapes a text for a quoted string.
  ///
  /// In a quoted string, a quote ends the string, and a backslash starts an escape sequence.
  /// Graphviz replaces some sequences with other text, such as the name of the node.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for character in text.escapedForDisplay(limit: 500).unicodeScalars {
      if character == "\"" || character == "\\" { line += "\\" }
      line.unicodeScalars.append(character)
    }
    // Graphviz replaces entities such as `&lt;` with characters, so escape the ampersand.
    return line.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
  }
}
