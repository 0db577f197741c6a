import Foundation
import RoutePatterns

@testable import MacroExpansion

/// An answer of the plugin, as the compiler reads it.
enum PluginMessage: Decodable, Equatable {
  case getCapabilityResult(capability: Capability)
  case expandMacroResult(expandedSource: String?, diagnostics: [Diagnostic])
  case loadPluginLibraryResult(loaded: Bool, diagnostics: [Diagnostic])

  struct Capability: Decodable, Equatable {
    var protocolVersion = 7
    var features: [String] = []
  }

  struct Diagnostic: Decodable, Equatable {
    var message: String
    var severity = "error"
    var position: Position
    var highlights: [Range] = []
    var notes: [String] = []
    var fixIts: [FixIt] = []
  }

  struct Position: Decodable, Equatable {
    var fileName: String
    var offset: Int
  }

  struct Range: Decodable, Equatable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  struct FixIt: Decodable, Equatable {
    var message: String
    var changes: [Change]
  }

  struct Change: Decodable, Equatable {
    var range: Range
    var newText: String
  }
}

/// Returns a request like those in which the compiler asks for the expansion of an attribute.
func request(
  _ macro: String, _ attribute: String, on declaration: String, in contexts: [String] = [],
  discriminator: String? = nil, named name: String? = nil, line: Int? = nil
) -> MacroRequest {
  let location = MacroRequest.Location(
    fileID: "Cart/Cart.swift", fileName: "/src/Cart.swift", offset: 100, line: line, column: line.map { _ in 3 })
  return MacroRequest(
    typeName: "\(macro)Macro", macroName: name ?? macro, role: nil,
    discriminator: discriminator ?? "$s4Cart1A\(macro.utf8.count)\(macro)fMp_",
    syntax: .init(kind: "attribute", source: attribute, location: location),
    declaration: .init(kind: "declaration", source: declaration, location: location),
    lexicalContext: contexts.map { .init(kind: "declaration", source: $0, location: nil) }, buildConfiguration: "")
}

/// Returns a request like those in which the compiler asks for the expansion of a freestanding
/// macro.
func request(
  _ macro: String, _ source: String, in contexts: [String] = [], kind: String = "declaration",
  file: String = "/src/Cart.swift",
  line: Int = 12, column: Int = 1
) -> MacroRequest {
  MacroRequest(
    typeName: "\(macro)Macro", macroName: macro, role: nil,
    discriminator: "$s4Cart0014Cartswift_fMX11_0_7onEventfMf_",
    syntax: .init(
      kind: "declaration", source: source,
      location: .init(fileID: "Cart/Cart.swift", fileName: file, offset: 100, line: line, column: column)),
    declaration: nil, lexicalContext: contexts.map { .init(kind: kind, source: $0, location: nil) },
    buildConfiguration: "")
}

/// The text of build configurations.
enum Configuration {
  static let coff = #"{"targetObjectFileFormats":["COFF"]}"#
  static let elf = #"{"targetObjectFileFormats":["ELF"]}"#
  static let regex = #"{"features":["BareSlashRegexLiterals"]}"#
}

/// Returns the source and the diagnostics of the response to a request.
func expansion(
  _ request: MacroRequest, _ configuration: String = ""
) -> (source: String?, diagnostics: [PluginMessage.Diagnostic]) {
  var session = Session(checkingPatterns: PatternSyntax.problem)
  var request = request
  request.buildConfiguration = configuration
  let answer = try? JSONDecoder().decode(PluginMessage.self, from: Data(session.expand(request).utf8))
  guard case .expandMacroResult(let source, let diagnostics) = answer else { return (nil, []) }
  return (source, diagnostics)
}

/// Returns the messages of the response to a request.
func messages(_ request: MacroRequest, _ configuration: String = "") -> [String] {
  expansion(request, configuration).diagnostics.map(\.message)
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
    if let last = lines.last,
      last.hasSuffix("(") && ["return", "let __service ="].contains(where: last.hasPrefix) || text.hasPrefix(".")
    {
      lines[lines.count - 1] = last + text
    } else {
      lines.append(line)
    }
  }
  return source == nil ? nil : lines.joined(separator: "\n")
}
