import Registry

struct GraphWriter {
  let format: GraphFormat
  /// The number of graphs that were written.
  var number = 0

  mutating func write(_ graph: RegistrationGraph, _ write: (String) -> Void) {
    let isDot = format == .dot
    let title = label([graph.title])
    write(
      isDot
        ? "  subgraph cluster_\(number) {\n    label=\(title);\n" : "  subgraph g\(number)[\(title)]\n")
    for (index, node) in graph.nodes.enumerated() {
      let (shape, label) = (node.shape.rawValue.split(separator: " ", maxSplits: 2), label(node.lines))
      let text = isDot ? " [label=\(label), \(shape[2])];" : "\(shape[0])\(label)\(shape[1])"
      write("    n\(number)_\(index)\(text)\n")
    }
    for edge in graph.edges {
      let (from, to) = ("n\(number)_\(edge.from)", "n\(number)_\(edge.to)")
      let label = label(edge.lines.isEmpty ? [edge.relation.rawValue] : edge.lines)
      let arrow =
        isDot
        ? "-> \(to) [label=\(label)\(edge.isDashed ? ", style=dashed" : "")"
          + "\(edge.relation == .implements ? ", arrowhead=empty" : "")];"
        : "\(edge.isDashed ? "-.->" : "-->")|\(edge.lines.isEmpty ? edge.relation.rawValue : label)| \(to)"
      write("    \(from) \(arrow)\n")
    }
    write(isDot ? "  }\n" : "  end\n")
    number += 1
  }

  private func label(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      let text = Array(line.escapedForDisplay(limit: 500).unicodeScalars)
      return text.indices.map { format == .dot ? escapedForDot(text[$0]) : escapedForMermaid($0, of: text) }.joined()
    }
    return "\"\(escaped.joined(separator: format == .dot ? "\\n" : "<br/>"))\""
  }

  /// Returns a character as it appears in a quoted Graphviz string. A quote ends the string, and a
  /// backslash starts an escape sequence. Graphviz replaces some sequences with other text, such as
  /// the node's name, and entities such as `&lt;` with characters.
  private func escapedForDot(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": "\\\(scalar)"
    case "&": "&amp;"
    default: String(scalar)
    }
  }

  /// Returns a character as it appears in a Mermaid label: its number, such as `#34;`, unless it's
  /// a letter, a digit, or otherwise harmless. A quote would end the label. Mermaid 11 interprets
  /// all labels as Markdown, where `1. Cart`, underscores, and some colons begin lists, italics,
  /// and links.
  private func escapedForMermaid(_ index: Int, of text: [Unicode.Scalar]) -> String {
    let scalar = text[index]
    let isHarmless =
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ",": true
      // A leading space can start a code block.
      case " ": index > 0
      case ".": index + 1 < text.count && text[index + 1].properties.isAlphabetic
      default: !scalar.isASCII
      }
    return isHarmless ? String(scalar) : "#\(scalar.value);"
  }
}
