/// The arguments of the attribute of a property that holds a service.
struct NeededPropertyArguments {
  var name: String?
  /// The name as the source spells it, for the expansion.
  var nameText: String?
  /// The bytes of the name; nil if there is none.
  var nameRange: Range<Int>?
  var isCached = false

  init(_ source: Source, _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      switch argument.label {
      case "named":
        if argument.tokens.count == 1, source.isWord(argument.tokens.lowerBound, "nil") { continue }
        name = source.text("named", argument.tokens, &problems)
        nameText = source.normalized(argument.tokens, keepBackticks: true)
        nameRange = source.span(argument.tokens)
      case "cached": isCached = source.boolean("cached", argument.tokens, &problems)
      case let label: problems.append(.unknownArgument(label ?? "", at: source.span(argument.tokens)))
      }
    }
  }
}

/// The arguments of the macro that states needs without a property.
struct NeedsArguments {
  /// A thing that the code needs.
  enum Subject: Equatable {
    /// The expression for the type of a service, and its name.
    case service(String, name: String)
    /// The route as it appears in the source.
    case route(String)
    /// The expression for the type of a module, and its name.
    case module(String, name: String)
    /// The name of a module, whose type the code does not know.
    case namedModule(String)
    /// The contribution point as it appears in the source.
    case point(String)
  }

  var subjects: [Subject] = []
  var name: String?
  var isOptional = false

  init(_ source: Source, _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      let range = source.span(argument.tokens)
      switch argument.label {
      case nil:
        if let service = ServiceExpression(source, argument.tokens) {
          subjects.append(.service(service.expression, name: service.name))
        } else {
          problems.append(.serviceIsNotASelf(at: range))
        }
      case "named":
        if argument.tokens.count == 1, source.isWord(argument.tokens.lowerBound, "nil") { continue }
        name = source.text("named", argument.tokens, of: "macro", &problems)
      case "optional": isOptional = source.boolean("optional", argument.tokens, of: "macro", &problems)
      case "contributions": subjects.append(.point(source.normalized(argument.tokens, keepBackticks: true)))
      case "route": subjects.append(.route(source.normalized(argument.tokens, keepBackticks: true)))
      case "module":
        if let module = ServiceExpression(source, argument.tokens) {
          subjects.append(.module(module.expression, name: module.name))
        } else if let name = source.text("module", argument.tokens, of: "macro", &problems) {
          subjects.append(.namedModule(name))
        }
      case let label?: problems.append(.unknownArgument(label, at: range))
      }
    }
    if subjects.isEmpty, problems.isEmpty { problems.append(.missingFirst(.needs)) }
  }
}
