/// An expression for a type, such as `P.self` or `(any P).self`.
struct TypeExpression {
  /// The text for the expansion, on one line and without comments.
  let expression: String
  /// The name of the type, without outer parentheses, a leading `any`, or backticks.
  let name: String
  let isOptional: Bool
  /// The name in the form that records use, with a period instead of `::` after the module.
  var recordName: String { name.split(separator: "::").joined(separator: ".") }

  /// Creates the expression from tokens of the form `X.self`, or returns nil for other tokens.
  init?(_ source: Source, _ range: Range<Int>) {
    guard range.count > 2, source.isWord(range.upperBound - 1, "self"),
      source.isMark(range.upperBound - 2, ".")
    else { return nil }
    expression = source.normalized(range)
    let type = source.bareType(range.lowerBound..<(range.upperBound - 2))
    name = source.normalized(type, keepBackticks: false)
    isOptional = source.wrappedType(type) != nil
  }
}

extension Source {
  /// Returns the tokens of a type without outer parentheses or a leading `any`.
  func bareType(_ range: Range<Int>) -> Range<Int> {
    var type = range
    while true {
      if let inner = inside("(", type), !inner.isEmpty {
        type = inner
      } else if isWord(type.lowerBound, "any"), type.count > 1 {
        type = type.dropFirst()
      } else {
        return type
      }
    }
  }

  /// Returns the tokens of the type that an optional type wraps, or nil for any other type.
  func wrappedType(_ range: Range<Int>) -> Range<Int>? {
    // A question mark after an arrow belongs to a function type's result.
    if outermost(range, isType: true).contains(where: { isPair($0, "-", ">") }) { return nil }
    if isMark(range.upperBound - 1, "?") || isMark(range.upperBound - 1, "!") { return range.dropLast() }
    // Other modules and types can declare their own 'Optional'.
    guard let angle = range.first(where: { isMark($0, "<") }), afterAngle(angle) == range.upperBound,
      ["Optional", "Swift.Optional", "Swift::Optional"]
        .contains(normalized(range.lowerBound..<angle, keepBackticks: false))
    else { return nil }
    return (angle + 1)..<(range.upperBound - 1)
  }

  func normalized(_ range: Range<Int>, keepBackticks: Bool = true) -> String {
    range.map { index in
      let text = keepBackticks ? text(tokens[index]) : name(tokens[index])
      return index > range.lowerBound && isSeparate(index) ? " " + text : text
    }.joined()
  }

  private func isSeparate(_ index: Int) -> Bool {
    let last = index - 1
    if isComposition(index) || isComposition(last) || isMark(last, ",") { return true }
    if isPair(index, "-", ">") || isPair(last - 1, "-", ">") { return true }
    if isMark(last, ":"), !isPair(last, ":", ":"), !isPair(last - 1, ":", ":") { return true }
    // Keep white space next to operators, because it can change the meaning, as in `any ~Copyable`.
    let space = tokens[index].isSpaced
    if space, isOperator(index) && !isOpening(last) || isOperator(last) && !isClosing(index) { return true }
    // Separate a word from the next word, as in `any P`, and from a spaced `(`, as in `inout (`.
    return tokens[last].kind != .mark && (tokens[index].kind != .mark || space && isMark(index, "("))
  }

  /// Returns whether an `&` is no part of a longer operator, such as `&+`.
  private func isComposition(_ index: Int) -> Bool {
    guard isMark(index, "&"), !isOperator(index - 1) || tokens[index].isSpaced else { return false }
    return isMark(index + 1, "(") || token(index + 1).map { $0.kind != .mark || $0.isSpaced } ?? false
  }

  /// Returns whether a mark is the beginning or another part of an operator. A `<` or `>` alone is
  /// none, because it can be a bracket.
  private func isOperator(_ index: Int) -> Bool {
    "&=+-*/%|^~!?".contains { isMark(index, $0) } || isPair(index, "<", "=") || isPair(index, ">", "=")
  }
  private func isOpening(_ index: Int) -> Bool { isMark(index, "(") || isMark(index, "[") }
  private func isClosing(_ index: Int) -> Bool { ")]>,:".contains { isMark(index, $0) } }

  /// Returns the case's name in an expression such as `.x`, `Type.x`, or `Module.Type.x`.
  func member(_ range: Range<Int>, of type: StaticString) -> String? {
    guard range.count >= 2, let last = token(range.upperBound - 1),
      last.isName, isMark(range.upperBound - 2, ".")
    else { return nil }
    let prefix = range.lowerBound..<(range.upperBound - 2)
    let isPlain = prefix.isEmpty || isWord(prefix.upperBound - 1, type)
    let isPath = prefix.allSatisfy { tokens[$0].kind == .word || isMark($0, ".") || isMark($0, ":") }
    return isPlain && isPath ? name(last) : nil
  }
}
