/// The type that an attribute is attached to, and the checks that every export attribute performs.
struct ExportedType {
  let declaration: Declaration
  let context: LexicalContext
  /// The full name, such as `Module.Outer.Inner`.
  let qualifiedName: String

  /// Checks the declaration that an attribute is attached to, and adds problems.
  init(
    _ request: HostMessage.AttachedMacro, attribute: String, _ configuration: BuildConfiguration,
    _ problems: inout [Problem]
  ) {
    let features = configuration.features
    // A compiler that does not send it is of a version in which `/` was an operator.
    let regex = features?.contains("BareSlashRegexLiterals") ?? false
    declaration = Declaration(Source(header: request.declSyntax.source, regex: regex))
    let location = request.attributeSyntax.location ?? request.declSyntax.location
    let module = String(location?.fileID.prefix { $0 != "/" } ?? "")
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

  /// The platforms on which neither the type nor its record may exist.
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

  /// The `@available` attributes of the record: those of the type that `#available` cannot check.
  ///
  /// If a declaration around the type requires newer systems, the compiler would warn about a
  /// redundant check.
  var availability: [String] {
    declaration.availability.filter { $0.isIntroduction && (context.hasAvailability || !$0.isList) }
      .map { "@available(\($0.text))" }
  }

  /// The `@available` attributes of a declaration that can occur where the type can.
  var introductions: [String] {
    declaration.availability.filter(\.isIntroduction).map { "@available(\($0.text))" }
  }
}
