/// The arguments of the macro that exports an event handler.
struct HandlerArguments: Equatable {
  /// The event as it appears in the source, in one line.
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
      // The record contains neither a task's priority nor a handler in parentheses.
      case "taskPriority", "handler": break
      case let label: problems.append(.unknownArgument(label ?? "", at: range))
      }
    }
    if event.isEmpty, problems.isEmpty { problems.append(.missingFirst(.onEvent)) }
  }
}

/// The text after the name of a freestanding macro, which the expansion repeats.
struct CallText: Equatable {
  /// The parentheses and the text after them, including the handler.
  var text = ""
  /// The number of lines from the start of the macro to the text.
  var skippedLines = 0

  /// Reads the text from the first parenthesis on.
  ///
  /// The text before it can contain a module and generic arguments besides the name.
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
  /// Returns the number of lines that end in a range of bytes, as the compiler counts them.
  ///
  /// The source must contain a byte after the range, such as that of a token.
  func lineBreaks(in range: Range<Int>) -> Int {
    range.count { bytes[$0] == 10 || bytes[$0] == 13 && bytes[$0 + 1] != 10 }
  }
}
