/// A property that is looked up, with the checks that its attribute performs.
struct NeededProperty {
  let context: LexicalContext
  /// The name of the type that contains the property, with its module.
  let dependent: String
  /// The location of the attribute, such as `Cart/CartScreen.swift:12:3`.
  let location: String
  /// The location of the property's name.
  let nameLocation: UserLocation
  /// The name of the property without backticks.
  let name: String
  /// The type of the service for the expansion, and for users and tools.
  private(set) var type = ""
  private(set) var service = ""
  /// A Boolean value that indicates whether the property is optional.
  private(set) var isOptional = false
  /// A Boolean value that indicates whether the property contains all implementations of the
  /// service.
  private(set) var isList = false
  let isStatic: Bool
  /// The availability attributes of the property that introduce it.
  let availability: [String]
  /// The platforms on which the record must not be declared.
  let absence: Absence

  /// Checks the declaration that an attribute is attached to, and adds problems.
  init(
    _ request: HostMessage.AttachedMacro, _ attribute: Source, _ macro: PropertyMacro,
    _ configuration: BuildConfiguration, _ problems: inout [Problem]
  ) {
    let header = Source(header: request.declSyntax.source, regex: configuration.hasBareSlashRegex)
    let declaration = Declaration(header)
    name = declaration.name
    nameLocation = UserLocation(of: declaration.nameOffset, in: header, at: request.declSyntax.location)
    isStatic = declaration.modifiers.contains("static") || declaration.modifiers.contains("class")
    location = HandlerLocation(request.attributeSyntax, attribute).name
    let syntax = request.attributeSyntax.location ?? request.declSyntax.location
    let module = String(syntax?.fileID.prefix { $0 != "/" } ?? "")
    context = LexicalContext(request.lexicalContext ?? [], discriminator: request.discriminator, module: module)
    dependent = ([module] + context.path).joined(separator: ".")
    availability = declaration.availability.filter(\.isIntroduction).map { "@available(\($0.text))" }
    var absence = Absence(declaration.availability)
    absence.formUnion(context.absence)
    self.absence = absence
    switch context.obstacle {
    case .local: problems.append(.localProperty(macro, name))
    case .generic(let outer): problems.append(.propertyOfGenericType(macro, name, outer))
    case .inProtocol(let outer): problems.append(.propertyOfProtocol(macro, name, outer))
    // The storage that the observation adds for a property, which has an error of its own.
    case nil where context.path.isEmpty && !header.attributes(named: "ObservationIgnored").isEmpty: break
    case nil where context.path.isEmpty: problems.append(.localProperty(macro, name))
    case nil: break
    }
    for modifier in ["lazy", "weak", "unowned"] where declaration.modifiers.contains(modifier) {
      problems.append(.unusableModifier(macro, modifier, name))
    }
    if let formats = configuration.unknownObjectFormats { problems.append(.objectFormat(macro.name, formats)) }
    if declaration.keyword != "var" { problems.append(.notAVariable(macro, declaration.keyword, name)) }
  }

  /// Returns a name that begins with a prefix, as the declaration of the macro announces it.
  ///
  /// A raw identifier, which can contain spaces, has backticks.
  func announced(_ prefix: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    return isPlain ? prefix + name : "`\(prefix)\(name)`"
  }

  /// Reads the type of the property, which is that of a service, an optional service, or an array
  /// of services.
  mutating func readType(
    _ request: HostMessage.AttachedMacro, _ configuration: BuildConfiguration, _ problems: inout [Problem]
  ) {
    let header = Source(header: request.declSyntax.source, regex: configuration.hasBareSlashRegex)
    guard Declaration(header).keyword == "var" else { return }
    let name = DeclarationScanner.keywordIndex(in: header) + 1
    let start = name + 2
    guard header.isMark(name + 1, ":"), start < header.tokens.count else {
      return problems.append(.propertyWithoutType(self.name))
    }
    var end = start
    while end < header.tokens.count, !header.isMark(end, "="), !header.isMark(end, "{"), !header.isMark(end, ",") {
      end =
        header.isMark(end, "(") || header.isMark(end, "[")
        ? header.afterBracket(end)
        : header.isMark(end, "<") ? header.afterAngle(end) : end + 1
    }
    guard end == header.tokens.count else { return problems.append(.propertyWithValue(self.name)) }
    var range = start..<end
    if header.isMark(start, "["), header.afterBracket(start) == end {
      isList = true
      range = (start + 1)..<(end - 1)
      if range.isEmpty || header.isMark(end - 2, "?") { return problems.append(.compoundType(self.name)) }
    } else if header.isMark(end - 1, "?"), range.count > 1 {
      range = start..<(end - 1)
      isOptional = true
    } else if header.isWord(start, "Optional"), header.isMark(start + 1, "<"), header.afterAngle(start + 1) == end {
      range = (start + 2)..<(end - 1)
      isOptional = true
    }
    if header.isWord(range.lowerBound, "some") { return problems.append(.opaqueType(self.name)) }
    if header.isCompoundType(range) { return problems.append(.compoundType(self.name)) }
    type = header.normalized(range, keepBackticks: true)
    service = header.serviceName(range)
  }
}

extension Source {
  /// Returns whether a type is an array, a dictionary, a tuple, or a function, outside generic
  /// arguments.
  fileprivate func isCompoundType(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if isMark(index, "[") || isMark(index, ",") || isPair(index, "-", ">") { return true }
      if isMark(index, ":"), !isPair(index, ":", ":"), !isPair(index - 1, ":", ":") { return true }
      index = isMark(index, "<") ? afterAngle(index) : index + 1
    }
    return false
  }
}
