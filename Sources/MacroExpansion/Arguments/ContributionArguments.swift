/// The arguments of the macro that contributes a value.
struct ContributionArguments: Equatable {
  /// The point as it appears in the source, in one line.
  var point = ""
  var key: String?
  var priority: Int64 = 0
  /// The condition as records spell it.
  var condition: String?

  init(_ source: Source, _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      switch argument.label {
      case nil where point.isEmpty: point = source.normalized(argument.tokens, keepBackticks: true)
      case "key": key = source.text("key", argument.tokens, of: "macro", &problems)
      case "priority": priority = source.integer("priority", argument.tokens, of: "macro", &problems)
      case "when": condition = source.serviceCondition(argument.tokens, of: "macro", &problems)
      // The record does not contain a closure in parentheses.
      case "make": break
      case let label: problems.append(.unknownArgument(label ?? "", at: source.span(argument.tokens)))
      }
    }
    if point.isEmpty, problems.isEmpty { problems.append(.missingFirst(.contribute)) }
  }
}
