/// An expression for the type of a service or a module.
///
/// Examples are `P.self` and `(any P).self`.
struct TypeExpression {
  /// The text for the expansion, in one line and without comments.
  let expression: String
  /// The name of the type.
  ///
  /// The name lacks outer parentheses, a leading `any`, and backticks.
  let name: String
  /// A Boolean value that indicates whether the type is written as an optional.
  let isOptional: Bool
  /// The name of a type in its own record, which has a period after the module.
  var recordName: String { name.split(separator: "::").joined(separator: ".") }

  /// Creates the expression from tokens that refer to a metatype, or returns nil for other tokens.
  ///
  /// Tokens that refer to a metatype have the form `X.self`.
  init?(_ source: Source, _ range: Range<Int>) {
    guard range.count > 2, source.isWord(range.upperBound - 1, "self"),
      source.isMark(range.upperBound - 2, ".")
    else { return nil }
    expression = source.normalized(range)
    let type = source.bareType(range.lowerBound..<(range.upperBound - 2))
    name = source.normalized(type, keepBackticks: false)
    isOptional = source.isOptional(type)
  }
}

extension Source {
  /// Returns the tokens of a type without outer parentheses and a leading `any`.
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

  /// Returns whether a bare type is written as an optional.
  fileprivate func isOptional(_ range: Range<Int>) -> Bool {
    if isMark(range.upperBound - 1, "?") || isMark(range.upperBound - 1, "!") { return true }
    // Another module or type can declare an 'Optional' of its own.
    guard let angle = range.first(where: { isMark($0, "<") }), afterAngle(angle) == range.upperBound else {
      return false
    }
    let names = ["Optional", "Swift.Optional", "Swift::Optional"]
    return names.contains(normalized(range.lowerBound..<angle, keepBackticks: false))
  }

  /// Returns the text of a type or expression with the white space that a formatter would use.
  func normalized(_ range: Range<Int>, keepBackticks: Bool = true) -> String {
    range.map { index in
      let text = keepBackticks ? text(tokens[index]) : name(tokens[index])
      return index > range.lowerBound && isSeparate(index) ? " " + text : text
    }.joined()
  }

  /// Returns whether a formatter would write white space before a token that is not the first one.
  private func isSeparate(_ index: Int) -> Bool {
    let last = index - 1
    if isPair(last, "&", "&") { return false }
    if isMark(index, "&") || isPair(index, "-", ">") || isPair(last - 1, "-", ">") { return true }
    if isMark(last, "&") || isMark(last, ",") { return true }
    if isMark(last, ":"), !isPair(last, ":", ":"), !isPair(last - 1, ":", ":") { return true }
    // Keep white space that can change the meaning: `any ~Copyable` has some, and `Int?` has none.
    let space = tokens[index].isSpaced
    if space, isOperator(index) && !isOpening(last) || isOperator(last) && !isClosing(index) { return true }
    // Separate a word from the next token, as in `throws ->`, `inout (`, and `any [`.
    return tokens[last].kind != .mark && (tokens[index].kind != .mark || space && isMark(index, "("))
  }

  private func isOperator(_ index: Int) -> Bool { "=+-*/%|^~!?".contains { isMark(index, $0) } }
  private func isOpening(_ index: Int) -> Bool { isMark(index, "(") || isMark(index, "[") }
  private func isClosing(_ index: Int) -> Bool { ")]>,:".contains { isMark(index, $0) } }

  /// Returns the name of a case in an expression of an enumeration's type.
  ///
  /// Examples are `.x`, `Type.x`, and `Module.Type.x`.
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
