import RoutePatterns

@testable import MacroExpansion

/// Returns a request like those in which the compiler asks for the expansion of an attribute.
func request(
  _ macro: String, _ attribute: String, on declaration: String, in contexts: [String] = [],
  discriminator: String? = nil, named name: String? = nil, line: Int? = nil
) -> HostMessage.AttachedMacro {
  let location = HostMessage.Location(
    fileID: "Cart/Cart.swift", fileName: "/src/Cart.swift", offset: 100, line: line, column: line.map { _ in 3 })
  return HostMessage.AttachedMacro(
    macro: .init(moduleName: "RegistryMacros", typeName: "\(macro)Macro", name: name ?? macro),
    discriminator: discriminator ?? "$s4Cart1A\(macro.utf8.count)\(macro)fMp_",
    attributeSyntax: .init(kind: "attribute", source: attribute, location: location),
    declSyntax: .init(kind: "declaration", source: declaration, location: location),
    lexicalContext: contexts.map { .init(kind: "declaration", source: $0, location: nil) },
    staticBuildConfiguration: nil)
}

/// Returns a request like those in which the compiler asks for the expansion of a freestanding
/// macro.
func request(
  _ macro: String, _ source: String, in contexts: [String] = [], kind: String = "declaration",
  file: String = "/src/Cart.swift",
  line: Int = 12, column: Int = 1
) -> HostMessage.FreestandingMacro {
  HostMessage.FreestandingMacro(
    macro: .init(moduleName: "RegistryMacros", typeName: "\(macro)Macro", name: macro),
    discriminator: "$s4Cart0014Cartswift_fMX11_0_7onEventfMf_",
    syntax: .init(
      kind: "declaration", source: source,
      location: .init(fileID: "Cart/Cart.swift", fileName: file, offset: 100, line: line, column: column)),
    lexicalContext: contexts.map { .init(kind: kind, source: $0, location: nil) }, staticBuildConfiguration: nil)
}

func expansion(
  _ request: HostMessage.FreestandingMacro, _ configuration: BuildConfiguration = BuildConfiguration()
) -> (source: String?, diagnostics: [PluginMessage.Diagnostic]) {
  let answer = expand(request, configuration, checkingPatterns: PatternSyntax.problem)
  guard case .expandMacroResult(let source, let diagnostics) = answer else { return (nil, []) }
  return (source, diagnostics)
}

/// Returns the source and the diagnostics of the response to a request.
func expansion(
  _ request: HostMessage.AttachedMacro, _ configuration: BuildConfiguration = BuildConfiguration()
) -> (source: String?, diagnostics: [PluginMessage.Diagnostic]) {
  guard case .expandMacroResult(let source, let diagnostics) = expand(request, configuration) else {
    return (nil, [])
  }
  return (source, diagnostics)
}

/// Returns the JSON of the record in an expansion.
func json(_ expansion: String?) -> String? {
  guard let values = expansion?.split(separator: "\n").last(where: { $0.contains("}, 0x") }),
    let end = values.range(of: "}, ")
  else { return nil }
  let words = values[end.upperBound...].split(separator: ", ").compactMap {
    UInt64($0.dropFirst(2), radix: 16)
  }
  let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

extension Substring {
  /// Returns the range of the last occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    var found: Range<Index>?
    for index in indices where self[index...].hasPrefix(text) {
      found = index..<self.index(index, offsetBy: text.count)
    }
    return found
  }
}

/// Returns an expansion without its source locations and without the line breaks that align them.
func withoutLocations(_ source: String?) -> String? {
  var lines: [Substring] = []
  for line in source?.split(separator: "\n") ?? [] where !line.hasPrefix("#sourceLocation") {
    let text = line.drop { $0 == " " }
    if let last = lines.last, last.hasSuffix("(") && last.hasPrefix("return") || text.hasPrefix(".") {
      lines[lines.count - 1] = last + text
    } else {
      lines.append(line)
    }
  }
  return source == nil ? nil : lines.joined(separator: "\n")
}
