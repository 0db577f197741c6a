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
    name = source.serviceName(range.lowerBound..<(range.upperBound - 2))
    isOptional = source.isOptional(range.lowerBound..<(range.upperBound - 2))
  }
}

extension Source {
  /// Returns the name of a type for users and tools.
  ///
  /// The name lacks outer parentheses, a leading `any`, and backticks.
  func serviceName(_ range: Range<Int>) -> String {
    var type = range
    while true {
      if let inner = insideParentheses(type) {
        type = inner
      } else if isWord(type.lowerBound, "any"), type.count > 1 {
        type = (type.lowerBound + 1)..<type.upperBound
      } else {
        return normalized(type, keepBackticks: false)
      }
    }
  }

  /// Returns whether a type is written as an optional.
  fileprivate func isOptional(_ range: Range<Int>) -> Bool {
    if let inner = insideParentheses(range) { return isOptional(inner) }
    if isMark(range.upperBound - 1, "?") || isMark(range.upperBound - 1, "!") { return true }
    // Another module or type can declare an 'Optional' of its own.
    guard let angle = range.first(where: { isMark($0, "<") }), afterAngle(angle) == range.upperBound else {
      return false
    }
    let names = ["Optional", "Swift.Optional", "Swift::Optional"]
    return names.contains(normalized(range.lowerBound..<angle, keepBackticks: false))
  }

  /// Returns the tokens inside the parentheses that surround a range of tokens, or nil without
  /// these.
  func insideParentheses(_ range: Range<Int>) -> Range<Int>? {
    guard range.count > 2, isMark(range.lowerBound, "("), afterBracket(range.lowerBound) == range.upperBound else {
      return nil
    }
    return (range.lowerBound + 1)..<(range.upperBound - 1)
  }
}

extension Source {
  /// Returns the text of a type or expression with the white space that a formatter would use.
  func normalized(_ range: Range<Int>, keepBackticks: Bool = true) -> String {
    var text = ""
    for index in range {
      let token = tokens[index]
      let isWord = token.kind != .mark
      let followsWord = index > range.lowerBound && tokens[index - 1].kind != .mark
      if isWord, followsWord { text += " " }
      if isMark(index, "&") || isMark(index, "-") && isPair(index, "-", ">") { text += " " }
      // Separate a word from the next token, as in `throws ->`, `inout (`, and `any [`.
      if isMark(index, "("), followsWord, token.isSpaced { text += " " }
      text += keepBackticks ? self.text(token) : name(token)
      if index + 1 < range.upperBound {
        if isMark(index, "&") || isMark(index, ",")
          || isMark(index, ":") && !isPair(index, ":", ":")
            && !isPair(index - 1, ":", ":")
          || isMark(index, ">") && isPair(index - 1, "-", ">")
        {
          text += " "
        }
        // Keep white space that can change the meaning: `any ~Copyable` has some, and `Int?` has
        // none.
        if isWord, tokens[index + 1].kind == .mark, tokens[index + 1].isSpaced, isMark(index + 1, "~") {
          text += " "
        }
      }
    }
    return text
  }

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
