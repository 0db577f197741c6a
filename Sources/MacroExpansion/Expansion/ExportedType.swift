/// The type an attribute stands on, and the checks that every export attribute makes.
struct ExportedType {
  let declaration: Declaration
  let context: LexicalContext
  /// `Module.Outer.Inner`.
  let qualifiedName: String

  /// Looks at what an attribute stands on and notes what is wrong.
  init(
    _ request: HostMessage.AttachedMacro, attribute: String, _ configuration: BuildConfiguration,
    _ problems: inout [Problem]
  ) {
    let features = configuration.features
    // Where the compiler does not tell, it is one of the time when `/` was an operator.
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

  /// The platforms on which the type does not exist, and its record must not either.
  var absence: Absence {
    var absence = Absence(declaration.availability)
    absence.formUnion(context.absence)
    return absence
  }

  /// Statements that make the accessor answer "not mine" on systems that the type is too new for.
  var guards: [String] {
    if context.hasAvailability { return [] }
    return declaration.availability.filter(\.isList).map {
      "guard #available(\($0.text)) else { return false }"
    }
  }

  /// `@available` attributes for the record: those of the type that cannot be asked for with `#available`.
  /// Where something around the type is for newer systems, the compiler would call the question needless.
  var availability: [String] {
    declaration.availability.filter { $0.isIntroduction && (context.hasAvailability || !$0.isList) }
      .map { "@available(\($0.text))" }
  }

  /// `@available` attributes for what may stand where the type may.
  var introductions: [String] {
    declaration.availability.filter(\.isIntroduction).map { "@available(\($0.text))" }
  }
}
