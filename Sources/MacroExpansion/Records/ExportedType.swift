/// The type that an attribute is attached to, with the checks that all export attributes perform.
struct ExportedType {
  let declaration: Declaration
  let context: LexicalContext
  /// The full name, which consists of the module, the outer types, and the type.
  let qualifiedName: String
  /// The location of the type's name.
  let location: UserLocation
  /// The location of the attribute, such as `Cart/Cart.swift:12:1`; nil if the compiler does not
  /// state it.
  let attributeLocation: String?

  /// Checks the declaration that an attribute is attached to, and adds problems.
  init(
    _ request: HostMessage.AttachedMacro, _ source: Source, attribute: String, _ configuration: BuildConfiguration,
    _ problems: inout [Problem]
  ) {
    let header = Source(header: request.declSyntax.source, regex: configuration.hasBareSlashRegex)
    declaration = Declaration(header)
    location = UserLocation(of: declaration.nameOffset, in: header, at: request.declSyntax.location)
    let attributeSyntax = request.attributeSyntax
    attributeLocation = attributeSyntax.location?.line == nil ? nil : HandlerLocation(attributeSyntax, source).name
    let syntax = attributeSyntax.location ?? request.declSyntax.location
    let module = String(syntax?.fileID.prefix { $0 != "/" } ?? "")
    context = LexicalContext(
      request.lexicalContext ?? [], discriminator: request.discriminator, module: module)
    let name = declaration.name
    qualifiedName = ([module] + context.path + [name]).joined(separator: ".")
    guard declaration.isType else {
      problems.append(.notAType(attribute, declaration.keyword))
      return
    }
    if declaration.isGeneric { problems.append(.generic(attribute, name)) }
    switch context.obstacle {
    case .local: problems.append(.local(attribute, name))
    case .generic(let outer): problems.append(.inGenericContext(attribute, name, outer))
    case .inProtocol(let outer): problems.append(.inProtocol(attribute, name, outer))
    case nil: break
    }
    if let formats = configuration.unknownObjectFormats { problems.append(.objectFormat(attribute, formats)) }
  }

  /// The platforms on which neither the type nor its record may be declared.
  var absence: Absence {
    var absence = Absence(declaration.availability)
    absence.formUnion(context.absence)
    return absence
  }

  /// The statements that make the accessor return false on systems that are too old for the type.
  var guards: [String] {
    if context.hasAvailability { return [] }
    return declaration.availability.filter(\.isList).map {
      "guard #available(\($0.text)) else { return false }"
    }
  }

  /// The availability attributes of the record.
  ///
  /// They are those that introduce the type and that `#available` cannot check. If an enclosing
  /// declaration requires newer systems, they are all that introduce the type, because the compiler
  /// would warn about a redundant check.
  var availability: [String] {
    declaration.availability.filter { $0.isIntroduction && (context.hasAvailability || !$0.isList) }
      .map { "@available(\($0.text))" }
  }

  /// The availability attributes of a declaration that uses the type.
  var introductions: [String] {
    declaration.availability.filter(\.isIntroduction).map { "@available(\($0.text))" }
  }
}
