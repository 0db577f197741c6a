/// A macro and the information for expanding it and for reporting problems.
struct Macro {
  enum Kind {
    case type
    /// An attribute that adds a getter to a property. The getter performs a lookup.
    case property
    /// A declaration macro, which expands to records.
    case freestanding
    case expression
  }

  let kind: Kind
  let name: String
  /// The function that expands a use of the macro, or returns nil and adds problems.
  let expand: @Sendable (MacroUse) -> String?
  /// The required arguments with an example or, for a property's attribute, an example property.
  var usage = ""
  var atRunTime = "register the type at run time"
  /// For a property's attribute, the call with the same result.
  var call = ""
}

final class MacroUse {
  let request: MacroRequest
  let macro: Macro
  let configuration: BuildConfiguration
  let source: Source
  let header: Source
  let declaration: Declaration
  /// The whole declaration that has the attribute, including its body.
  private(set) lazy var wholeDeclaration = Source(
    request.declaration?.source ?? "", regex: configuration.hasBareSlashRegex)
  /// The declarations in the body, whose opening brace ends the header.
  private(set) lazy var members = Member.all(
    in: wholeDeclaration, body: wholeDeclaration.insideBracket(header.tokens.count - 1))
  let module: String
  let context: LexicalContext
  private(set) var problems: [Problem] = []
  private var arguments: [Argument]
  private var lacksArgument = false

  init(_ request: MacroRequest, _ macro: Macro, _ configuration: BuildConfiguration) {
    let regex = configuration.hasBareSlashRegex
    self.request = request
    self.macro = macro
    self.configuration = configuration
    source = Source(request.syntax.source, regex: regex)
    header = Source(request.declaration?.source ?? "", regex: regex, isHeader: true)
    // In front of a freestanding macro, only attributes are a part of a declaration.
    declaration = Declaration(request.declaration == nil ? source : header)
    let location = request.syntax.location ?? request.declaration?.location
    module = String(location?.fileID.prefix { $0 != "/" } ?? "")
    context = LexicalContext(request.lexicalContext, discriminator: request.discriminator, module: module)
    arguments = source.attributeArguments()
    // In all macros, nil is equivalent to omitting the argument.
    arguments.removeAll { $0.tokens.count == 1 && source.isWord($0.tokens.lowerBound, "nil") }
    checkLocation()
  }

  var enclosingName: String { ([module] + context.path).joined(separator: ".") }

  var qualifiedName: String { "\(enclosingName).\(declaration.name)" }

  /// Reports a problem if an earlier attribute exports the type in the same way.
  ///
  /// The compiler numbers the active attributes with the same name, starting from the last. The
  /// function doesn't check a header with `#if`, because the text doesn't reveal which are active.
  func checkIsExportedOnce(_ description: String, fix: String = "") {
    guard let number = attributeNumber(request.discriminator), !header.hasConditions else { return }
    let earlier = header.attributes.filter { "@\($0.name)" == macro.name }.dropLast(number + 1)
    let isRepeated = earlier.contains { attribute in
      let end = header.afterParentheses(header.afterAngle(attribute.tokens.upperBound))
      return Source(header.text(attribute.tokens.lowerBound..<end)).exportedName == source.exportedName
    }
    if isRepeated { report(.exportedTwice(declaration.name, description, by: macro.name, fix: fix)) }
  }

  // MARK: Problems

  /// - Parameter tokens: The tokens of the argument that causes the problem, or nil to keep the
  ///   problem's range.
  func report(_ problem: Problem, at tokens: Range<Int>? = nil) {
    problems.append(problem)
    if let tokens { problems[problems.count - 1].range = source.span(tokens) }
  }

  func report(_ code: Problem.Code, _ text: String, at tokens: Range<Int>? = nil) {
    report(Problem(code, text), at: tokens)
  }

  /// Removes all problems. The attribute's other role reports them.
  func discardProblems() { problems = [] }

  private func checkLocation() {
    let name = declaration.name
    switch macro.kind {
    case .expression: return
    case .freestanding: break
    case .type:
      guard declaration.isType else { return report(notAType) }
      if declaration.isGeneric {
        report(
          .genericType,
          "'\(macro.name)' cannot be applied to the generic type '\(name)', because its generic arguments are "
            + "unknown; export a type that is not generic and that wraps or inherits from '\(name)'")
      }
    case .property:
      // Skip the storage that `@Observable` adds, because the property itself gets an error.
      if context.obstacle == nil, context.path.isEmpty, !header.hasAttribute("ObservationIgnored") {
        report(misplaced(.local))
      }
      for modifier in ["lazy", "weak", "unowned"] where declaration.modifiers.contains(modifier) {
        report(
          .invalidProperty,
          "'\(macro.name)' looks '\(name)' up at each use, so '\(modifier)' has no effect; remove it")
      }
      if declaration.keyword == "let" {
        let reason = "requires a variable, because it looks '\(name)' up at each use; write 'var'"
        report(.invalidProperty, "'\(macro.name)' \(reason)")
      } else if declaration.keyword != "var" {
        report(.invalidProperty, "'\(macro.name)' can only be applied to a property; write '\(macro.usage)'")
      }
    }
    if let obstacle = context.obstacle { report(misplaced(obstacle)) }
    if let formats = configuration.unknownObjectFormats {
      report(
        .objectFormat,
        "'\(macro.name)' requires the object file format Mach-O or ELF, but the format of this target is "
          + "'\(formats)'; exclude it with '#if objectFormat(MachO) || objectFormat(ELF)' and \(macro.atRunTime)")
    }
  }

  private var notAType: Problem {
    let types =
      macro.name == "@ExportModule" ? "apply it to a final class" : "apply it to a class, struct, actor, or enum"
    let (subject, fix) =
      switch declaration.keyword {
      case "func": ("a function", types)
      case "var", "let": ("a property", types)
      case "protocol": ("a protocol", "apply it to a type that conforms to the protocol")
      case "extension": ("an extension", "apply it to the declaration of the type")
      case "typealias": ("a type alias", "apply it to the declaration of the type")
      case "init": ("an initializer", "apply it to the type")
      case "case": ("an enum case", "apply it to the type")
      case "": ("this declaration", types)
      case let keyword: ("a declaration of kind '\(keyword)'", types)
      }
    return Problem(.notAType, "'\(macro.name)' cannot be applied to \(subject); \(fix)")
  }

  private func misplaced(_ obstacle: LexicalContext.Obstacle) -> Problem {
    let (name, need) = (declaration.name, "state the need with '#needs' at the top level of")
    let isAttribute = macro.kind == .type || macro.kind == .property
    let start = "'\(macro.name)' cannot be \(isAttribute ? "applied to '\(name)'" : "used")"
    let moved = isAttribute ? "move '\(name)' out of it" : "move it to the top level of the file"
    switch obstacle {
    case .local:
      let reason =
        switch macro.kind {
        case .type:
          ", which is local to a function, closure, or statement; move '\(name)' to the top level of a file or into a"
            + " type"
        case .property:
          ", which is not in a type; call '\(macro.call)' in code, and \(need) a file or in a type"
        case .freestanding, .expression:
          " in a function, closure, or statement; move it to the top level of a file or into a type, or"
            + " \(macro.atRunTime)"
        }
      return Problem(.localDeclaration, start + reason)
    case .generic(let outer):
      let type = "generic type or constrained extension"
      let context = outer.isEmpty ? "a \(type)" : "the \(type) '\(outer)'"
      let computed = "write a computed property that calls '\(macro.call)', and \(need) the file"
      return Problem(.genericType, "\(start) in \(context); \(macro.kind == .property ? computed : moved)")
    case .inProtocol(let outer):
      let fix = macro.kind == .property ? "apply it to a property of a type" : moved
      return Problem(.declaredInProtocol, "\(start) in the protocol '\(outer)'; \(fix)")
    }
  }

  // MARK: Arguments

  /// Returns the tokens of the next argument with a label, or nil, without consuming the argument.
  func peek(_ label: String) -> Range<Int>? { arguments.first { $0.label == label }?.tokens }

  func next(_ label: String? = nil) -> Range<Int>? {
    guard let index = arguments.firstIndex(where: { $0.label == label }) else { return nil }
    return arguments.remove(at: index).tokens
  }

  /// Consumes arguments that the record doesn't contain.
  func skip(_ labels: String?...) {
    for label in labels { _ = next(label) }
  }

  func required() -> Range<Int>? {
    let tokens = next()
    lacksArgument = lacksArgument || tokens == nil
    return tokens
  }

  /// Returns whether the expansion is possible, after reporting unconsumed and missing arguments.
  func isValid() -> Bool {
    for argument in arguments { report(.unknownArgument(argument.label), at: argument.tokens) }
    arguments = []
    if lacksArgument, problems.isEmpty {
      report(.missingArgument, "'\(macro.name)' requires \(macro.usage)")
    }
    return problems.isEmpty
  }
}
