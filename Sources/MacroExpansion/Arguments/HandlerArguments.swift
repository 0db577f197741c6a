/// What stands behind `#onEvent`.
struct HandlerArguments: Equatable {
  /// The event as it was written, in one line.
  var event = ""
  var priority: Int64 = 0
  var once = false
  let call: CallText

  init(_ source: Source, _ problems: inout [Problem]) {
    call = CallText(source)
    var hasTiming = false
    for argument in source.attributeArguments() {
      let range = source.span(argument.tokens)
      switch argument.label {
      case nil where event.isEmpty: event = source.normalized(argument.tokens, keepBackticks: true)
      // The second argument without a label is the timing, which the record does not contain.
      case nil where !hasTiming: hasTiming = true
      case "priority": priority = source.integer("priority", argument.tokens, of: "macro", &problems)
      case "once": once = source.boolean("once", argument.tokens, of: "macro", &problems)
      // A task's priority and a handler in parentheses are no business of the record's.
      case "taskPriority", "handler": break
      case let label: problems.append(.unknownArgument(label ?? "", at: range))
      }
    }
    if event.isEmpty, problems.isEmpty { problems.append(.missingFirst(.onEvent)) }
  }
}

/// What stands behind the name of a macro of the form `#name(…)`, to be handed on as it was written.
struct CallText: Equatable {
  /// The parentheses and what follows, the handler included.
  var text = ""
  /// How many lines above it the macro begins.
  var skippedLines = 0

  /// Takes what stands from the first parenthesis on: a module or generic arguments may stand with the name.
  init(_ source: Source) {
    var index = 0
    while index < source.tokens.count, !source.isMark(index, "(") {
      index = source.isMark(index, "<") ? source.afterAngle(index) : index + 1
    }
    guard let whole = source.span(index..<source.tokens.count), let first = source.tokens.first else { return }
    text = String(decoding: source.bytes[whole], as: UTF8.self)
    skippedLines = source.lineBreaks(in: first.range.lowerBound..<whole.lowerBound)
  }
}

extension Source {
  /// The number of lines that end in a range of bytes, as the compiler counts them.
  ///
  /// A token must begin behind the range.
  func lineBreaks(in range: Range<Int>) -> Int {
    range.count { bytes[$0] == 10 || bytes[$0] == 13 && bytes[$0 + 1] != 10 }
  }
}
