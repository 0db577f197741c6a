struct MacroRequest {
  var macro: Reference
  /// The role in which an attribute is expanded, such as `peer`, or nil if the compiler doesn't
  /// state it.
  var role: String?
  var discriminator: String
  var syntax: Syntax
  var declaration: Syntax?
  var lexicalContext: [Syntax]
  /// The text of the build configuration, which is a JSON object.
  var buildConfiguration: String

  struct Reference: Decodable {
    var typeName: String
    var name: String
  }

  struct Syntax: Decodable {
    var kind: String
    var source: String
    var location: Location?
  }

  /// The location of a part of the source. The part begins with the white space and comments before
  /// it.
  struct Location: Decodable {
    /// The names of the module and the file, separated by a slash.
    var fileID: String
    var fileName: String
    var offset: Int
    var line: Int?
    var column: Int?
  }
}

struct BuildConfiguration: Decodable {
  var features: Set<String>?
  var targetObjectFileFormats: Set<String>?

  /// A Boolean value that indicates whether `/…/` is a regex literal. If the compiler sends no
  /// features, `/` counts as an operator.
  var hasBareSlashRegex: Bool { features?.contains("BareSlashRegexLiterals") ?? false }

  var unknownObjectFormats: String? {
    guard let formats = targetObjectFileFormats, !formats.isEmpty, formats.isDisjoint(with: ["ELF", "MachO"]) else {
      return nil
    }
    return formats.sorted().joined(separator: ", ")
  }
}

extension MacroRequest: Decodable {
  private enum CodingKeys: CodingKey {
    case macro, macroRole, discriminator, attributeSyntax, declSyntax, syntax, lexicalContext, staticBuildConfiguration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    macro = try container.decode(Reference.self, forKey: .macro)
    role = try container.decodeIfPresent(String.self, forKey: .macroRole)
    discriminator = try container.decode(String.self, forKey: .discriminator)
    declaration = try container.decodeIfPresent(Syntax.self, forKey: .declSyntax)
    syntax = try container.decode(Syntax.self, forKey: declaration == nil ? .syntax : .attributeSyntax)
    lexicalContext = try container.decodeIfPresent([Syntax].self, forKey: .lexicalContext) ?? []
    buildConfiguration = try container.decodeIfPresent(String.self, forKey: .staticBuildConfiguration) ?? ""
  }
}
