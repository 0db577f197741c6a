import Registry

/// A writer of graphs in one of their languages.
struct GraphWriter {
  let format: GraphFormat

  func write(_ graphs: some Sequence<RegistrationGraph>, _ write: (String) -> Void) {
    let isDot = format == .dot
    write(isDot ? "digraph registrations {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n" : "flowchart LR\n")
    for (number, graph) in graphs.enumerated() {
      let title = label([graph.title])
      write(
        isDot
          ? "  subgraph cluster_\(number) {\n    label=\(title);\n" : "  subgraph g\(number)[\(title)]\n")
      for (index, node) in graph.nodes.enumerated() {
        let (shape, label) = (node.shape, label(node.lines))
        let text = isDot ? " [label=\(label), \(shape.dot)];" : "\(shape.opening)\(label)\(shape.closing)"
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
    }
    if isDot { write("}\n") }
  }

  /// Returns lines as a quoted label.
  private func label(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      let text = line.escapedForDisplay(limit: 500)
      return format == .dot ? escapedForDot(text) : escapedForMermaid(text)
    }
    return "\"\(escaped.joined(separator: format == .dot ? "\\n" : "<br/>"))\""
  }

  /// Escapes a text for a quoted string of Graphviz.
  ///
  /// In a quoted string, a quote ends the string, and a backslash starts an escape sequence.
  /// Graphviz replaces some sequences with other text, such as the name of the node.
  private func escapedForDot(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { line += "\\" }
      line.unicodeScalars.append(scalar)
    }
    // Graphviz replaces entities such as `&lt;` with characters, so escape the ampersand.
    return line.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
  }

  /// Escapes a text for a label of Mermaid.
  ///
  /// Characters become their number, such as `#34;`, unless they are letters, digits, or harmless.
  /// A quote would end the label. Mermaid 11 interprets all labels as Markdown, so it would not
  /// draw `1. Cart`, underscores, and some colons as written: they begin lists, italics, and links.
  private func escapedForMermaid(_ text: String) -> String {
    var line = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isHarmless =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ",": true
        // A leading space can start a code block.
        case " ": index > 0
        case ".": index + 1 < scalars.count && scalars[index + 1].properties.isAlphabetic
        default: !scalar.isASCII
        }
      if isHarmless { line.unicodeScalars.append(scalar) } else { line += "#\(scalar.value);" }
    }
    return line
  }
}
