struct MacroRequest {
  var typeName: String
  /// The name of the macro as spelled in the user's source, perhaps with its module.
  var macroName: String
  /// The role of an attribute's expansion, such as `peer`, or nil if the compiler doesn't state it.
  var role: String?
  var discriminator: String
  var syntax: Syntax
  var declaration: Syntax?
  var lexicalContext: [Syntax]
  /// The build configuration as the text of a JSON object.
  var buildConfiguration: String

  struct Syntax {
    var kind: String
    var source: String
    var location: Location?
  }

  /// The location of a part of the source, including the white space and comments before it.
  struct Location {
    /// The names of the module and the file, separated by a slash.
    var fileID: String
    var fileName: String
    var offset: Int
    var line: Int?
    var column: Int?
  }
}

struct BuildConfiguration {
  /// A Boolean value that indicates whether `/…/` is a regex literal. If the compiler sends no
  /// features, `/` counts as an operator.
  let hasBareSlashRegex: Bool
  let unknownObjectFormats: String?

  init(_ message: JSONValue) {
    func words(_ key: String) -> Set<String> { Set((message[key].elements ?? []).compactMap(\.string)) }
    hasBareSlashRegex = words("features").contains("BareSlashRegexLiterals")
    let formats = words("targetObjectFileFormats")
    let areUnknown = !formats.isEmpty && formats.isDisjoint(with: ["ELF", "MachO"])
    unknownObjectFormats = areUnknown ? formats.sorted().joined(separator: ", ") : nil
  }
}

extension MacroRequest {
  init?(_ message: JSONValue) {
    declaration = Syntax(message["declSyntax"])
    guard let typeName = message["macro"]["typeName"].string, let name = message["macro"]["name"].string,
      let discriminator = message["discriminator"].string,
      let syntax = Syntax(message[declaration == nil ? "syntax" : "attributeSyntax"])
    else { return nil }
    (self.typeName, macroName) = (typeName, name)
    role = message["macroRole"].string
    self.discriminator = discriminator
    self.syntax = syntax
    lexicalContext = (message["lexicalContext"].elements ?? []).compactMap(Syntax.init)
    buildConfiguration = message["staticBuildConfiguration"].string ?? ""
  }
}

extension MacroRequest.Syntax {
  fileprivate init?(_ message: JSONValue) {
    guard let kind = message["kind"].string, let source = message["source"].string else { return nil }
    self.kind = kind
    self.source = source
    let place = message["location"]
    guard let fileID = place["fileID"].string, let fileName = place["fileName"].string,
      let offset = place["offset"].integer
    else { return }
    location = MacroRequest.Location(
      fileID: fileID, fileName: fileName, offset: offset, line: place["line"].integer, column: place["column"].integer)
  }
}
