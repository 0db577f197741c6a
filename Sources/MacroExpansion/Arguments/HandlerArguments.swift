/// The arguments of the macro that exports an event handler.
struct HandlerArguments: Equatable {
  /// The event as it appears in the source, in one line.
  var event = ""
  var priority: Int64 = 0
  var once = false

  init(_ source: Source, _ problems: inout [Problem]) {
    var hasTiming = false
    for argument in source.attributeArguments() {
      let range = source.span(argument.tokens)
      switch argument.label {
      case nil where event.isEmpty: event = source.normalized(argument.tokens, keepBackticks: true)
      // The second argument without a label is the timing, which the record does not contain.
      case nil where !hasTiming: hasTiming = true
      case "priority": priority = source.integer("priority", argument.tokens, of: "macro", &problems)
      case "once": once = source.boolean("once", argument.tokens, of: "macro", &problems)
      // The record contains neither a task's priority nor a handler in parentheses.
      case "taskPriority", "handler": break
      case let label: problems.append(.unknownArgument(label ?? "", at: range))
      }
    }
    if event.isEmpty, problems.isEmpty { problems.append(.missingFirst(.onEvent)) }
  }
}
