// The messages of the compiler. Each is a JSON object with one key, which is the name of the
// message.

/// A message from the compiler, with the fields that these macros use.
enum HostMessage: Decodable {
  case getCapability
  case expandAttachedMacro(AttachedMacro)
  case expandFreestandingMacro(FreestandingMacro)
  case loadPluginLibrary
  /// A message of a later compiler, or an invalid one.
  case unknown(String)

  /// An attribute to expand.
  struct AttachedMacro: Decodable {
    var macro: MacroReference
    /// The role in which the attribute is expanded, such as `peer`; nil if the compiler does not
    /// state it.
    var macroRole: String?
    var discriminator: String
    var attributeSyntax: Syntax
    var declSyntax: Syntax
    var lexicalContext: [Syntax]?
    var staticBuildConfiguration: String?
  }

  /// A freestanding macro to expand.
  struct FreestandingMacro: Decodable {
    var macro: MacroReference
    var discriminator: String
    var syntax: Syntax
    var lexicalContext: [Syntax]?
    var staticBuildConfiguration: String?
  }

  /// The reference to a macro.
  struct MacroReference: Decodable {
    /// The module of the macro's implementation.
    var moduleName: String
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

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let keys = container.allKeys
    guard keys.count == 1 else {
      self = .unknown("")
      return
    }
    let key = keys[0]
    self =
      switch key.stringValue {
      case "getCapability": .getCapability
      case "expandAttachedMacro": .expandAttachedMacro(try container.decode(AttachedMacro.self, forKey: key))
      case "expandFreestandingMacro":
        .expandFreestandingMacro(try container.decode(FreestandingMacro.self, forKey: key))
      case "loadPluginLibrary": .loadPluginLibrary
      default: .unknown(key.stringValue)
      }
  }
}
