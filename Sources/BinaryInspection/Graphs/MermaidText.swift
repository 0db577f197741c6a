import Registry

/// Writes graphs as flowcharts of Mermaid's.
enum MermaidText {
  static func write(_ graphs: [RegistrationGraph]) -> String {
    var text = "flowchart LR\n"
    for (number, graph) in graphs.enumerated() {
      let prefix = "n\(number)_"
      text += "  subgraph g\(number)[\"\(escaped(graph.title))\"]\n"
      for (index, node) in graph.nodes.enumerated() {
        let (open, close) = brackets(node.shape)
        text += "    \(prefix)\(index)\(open)\"\(node.lines.map(escaped).joined(separator: "<br/>"))\"\(close)\n"
      }
      for edge in graph.edges {
        let arrow = edge.relation == .after ? "-->|after|" : "-.->|implements|"
        text += "    \(prefix)\(edge.from) \(arrow) \(prefix)\(edge.to)\n"
      }
      text += "  end\n"
    }
    return text
  }

  private static func brackets(_ shape: RegistrationGraph.Shape) -> (String, String) {
    switch shape {
    case .module: ("[", "]")
    case .unknown: ("{{", "}}")
    case .service: ("([", "])")
    case .implementation: ("(", ")")
    }
  }

  /// Whatever is neither letter, digit nor harmless stands as its number, `#34;`: quotes end a text, and others have a meaning in it.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for scalar in text.escapedForDisplay(limit: 500).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "_", ":", "/": line.unicodeScalars.append(scalar)
      default:
        if scalar.isASCII { line += "#\(scalar.value);" } else { line.unicodeScalars.append(scalar) }
      }
    }
    return line
  }
}
