import Registry

/// A writer of graphs as Mermaid flowcharts.
enum MermaidText {
  static func write(_ graphs: some Sequence<RegistrationGraph>, _ write: (String) -> Void) {
    write("flowchart LR\n")
    for (number, graph) in graphs.enumerated() {
      let prefix = "n\(number)_"
      write("  subgraph g\(number)[\"\(escaped(graph.title))\"]\n")
      for (index, node) in graph.nodes.enumerated() {
        let (open, close) = brackets(node.shape)
        write("    \(prefix)\(index)\(open)\"\(node.lines.map(escaped).joined(separator: "<br/>"))\"\(close)\n")
      }
      for edge in graph.edges {
        let label = edge.labels.map(escaped).joined(separator: "<br/>")
        let arrow = "\(edge.isDashed ? "-.->" : "-->")|\(edge.lines.isEmpty ? label : "\"\(label)\"")|"
        write("    \(prefix)\(edge.from) \(arrow) \(prefix)\(edge.to)\n")
      }
      write("  end\n")
    }
  }

  private static func brackets(_ shape: RegistrationGraph.Shape) -> (String, String) {
    switch shape {
    case .module, .feature: ("[", "]")
    case .unknown: ("{{", "}}")
    case .service: ("([", "])")
    case .implementation, .handler: ("(", ")")
    case .event: ("[[", "]]")
    case .route: ("[/", "/]")
    case .action: ("[/", "\\]")
    case .point: (">", "]")
    }
  }

  /// Escapes a text for a label.
  ///
  /// Characters become their number, such as `#34;`, unless they are letters, digits, or harmless.
  /// A quote would end the label. Mermaid 11 interprets all labels as Markdown, so it would not
  /// draw `1. Cart`, underscores, and some colons as written: they begin lists, italics, and links.
  private static func escaped(_ text: String) -> String {
    var line = ""
    let scalars = Array(text.escapedForDisplay(limit: 500).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ",": line.unicodeScalars.append(scalar)
      // A leading space can start a code block.
      case " " where index > 0: line.unicodeScalars.append(scalar)
      case "." where index + 1 < scalars.count && scalars[index + 1].properties.isAlphabetic:
        line.unicodeScalars.append(scalar)
      default:
        if scalar.isASCII { line += "#\(scalar.value);" } else { line.unicodeScalars.append(scalar) }
      }
    }
    return line
  }
}
