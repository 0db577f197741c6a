// What the compiler says: JSON objects with one key, the message's name.

/// A message from the compiler, with the fields the macros here use.
enum HostMessage: Decodable {
  case getCapability
  case expandAttachedMacro(AttachedMacro)
  case expandFreestandingMacro(FreestandingMacro)
  case loadPluginLibrary
  /// A message of a later compiler, or none at all.
  case unknown(String)

  /// An attribute to expand.
  struct AttachedMacro: Decodable {
    var macro: MacroReference
    var discriminator: String
    var attributeSyntax: Syntax
    var declSyntax: Syntax
    var lexicalContext: [Syntax]?
    var staticBuildConfiguration: String?
  }

  /// A macro of the form `#name(…)` to expand.
  struct FreestandingMacro: Decodable {
    var macro: MacroReference
    var discriminator: String
    var syntax: Syntax
    var lexicalContext: [Syntax]?
    var staticBuildConfiguration: String?
  }

  /// Which macro is meant.
  struct MacroReference: Decodable {
    /// The module and type of `#externalMacro`.
    var moduleName: String
    var typeName: String
    /// What the user wrote.
    var name: String
  }

  /// A piece of source.
  struct Syntax: Decodable {
    /// `declaration`, `expression`, `attribute` and others.
    var kind: String
    /// The text, with the white space and comments in front of it.
    var source: String
    var location: Location?
  }

  /// Where a piece of source begins, the white space and comments in front of it included.
  struct Location: Decodable {
    /// `Module/File.swift`.
    var fileID: String
    /// The file as the compiler calls it.
    var fileName: String
    /// UTF-8 bytes from the start of the file.
    var offset: Int
    /// From one. What freestanding macros are known by; attributes need neither.
    var line: Int?
    /// In UTF-8 bytes, from one.
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
