/// A request of the compiler to expand a macro, with the parts that these macros use.
struct MacroRequest {
  var macro: Reference
  /// The role in which an attribute is expanded, such as `peer`; nil if the compiler does not state
  /// it.
  var role: String?
  /// The compiler's name for the expansion.
  var discriminator: String
  /// The attribute or the freestanding macro.
  var syntax: Syntax
  /// The declaration that the attribute is attached to, or nil for a freestanding macro.
  var declaration: Syntax?
  /// The enclosing declarations without their bodies, innermost first.
  var lexicalContext: [Syntax]
  /// The text of the build configuration, which is a JSON object.
  var buildConfiguration: String

  /// The reference to a macro.
  struct Reference: Decodable {
    /// The type of the macro's implementation.
    var typeName: String
    /// The name as the user spelled it.
    var name: String
  }

  /// A part of the user's source.
  struct Syntax: Decodable {
    /// The kind of the syntax, such as a declaration, an expression, or an attribute.
    var kind: String
    /// The text, including the white space and comments before it.
    var source: String
    var location: Location?
  }

  /// The location of a part of the source, including the white space and comments before it.
  struct Location: Decodable {
    /// The module and the name of the file, separated by a slash.
    var fileID: String
    /// The name of the file as the compiler knows it.
    var fileName: String
    /// The offset in UTF-8 bytes from the start of the file.
    var offset: Int
    /// The line, counted from one.
    var line: Int?
    /// The column in UTF-8 bytes, counted from one.
    var column: Int?
  }
}

/// The properties of the build that the macros use.
struct BuildConfiguration: Decodable {
  /// The enabled features, including upcoming ones.
  var features: Set<String>?
  /// The object file formats of the target, such as ELF and Mach-O.
  var targetObjectFileFormats: Set<String>?

  /// A Boolean value that indicates whether `/…/` is a regex literal.
  ///
  /// A compiler that sends no features has a version in which `/` is an operator.
  var hasBareSlashRegex: Bool { features?.contains("BareSlashRegexLiterals") ?? false }

  /// The object file formats of the target if none of them can contain records, or nil.
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
