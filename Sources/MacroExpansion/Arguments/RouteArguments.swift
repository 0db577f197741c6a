/// The arguments of the macros that export a route.
struct RouteArguments: Equatable {
  /// The route as it appears in the source, in one line.
  var route = ""

  /// Reads the arguments of another attribute, which reports its own problems.
  init(_ source: Source, _ macro: FreeMacro) {
    var problems: [Problem] = []
    self.init(source, macro, &problems)
  }

  init(_ source: Source, _ macro: FreeMacro, _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      switch argument.label {
      case nil where route.isEmpty: route = source.normalized(argument.tokens, keepBackticks: true)
      // The record does not contain a handler in parentheses.
      case "handler": break
      case let label: problems.append(.unknownArgument(label ?? "", at: source.span(argument.tokens)))
      }
    }
    if route.isEmpty, problems.isEmpty { problems.append(.missingFirst(macro)) }
  }
}

/// The arguments of the macro that exports an action.
struct ActionArguments: Equatable {
  enum Access: String, CaseIterable {
    case `internal`, remote
  }

  var target = ""
  var action = ""
  var access = Access.internal

  init(_ source: Source, _ problems: inout [Problem]) {
    var names: [String?] = []
    for argument in source.attributeArguments() {
      switch argument.label {
      case nil where names.count < 2:
        let label = names.isEmpty ? "target" : "action"
        names.append(source.text(label, argument.tokens, of: "macro", &problems))
      case "access":
        access = source.enumCase("access", argument.tokens, of: "RouteAccess", in: "macro", &problems) ?? access
      case "handler": break
      case let label: problems.append(.unknownArgument(label ?? "", at: source.span(argument.tokens)))
      }
    }
    if names.count < 2, problems.isEmpty { problems.append(.missingFirst(.exportAction)) }
    guard problems.isEmpty else { return }
    (target, action) = (names[0] ?? "", names[1] ?? "")
  }
}
