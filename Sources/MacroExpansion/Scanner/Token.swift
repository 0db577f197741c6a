struct Token: Equatable {
  enum Kind: Equatable {
    case word
    case quoted
    /// A number, or the first part of a number with a signed exponent.
    case number
    /// A whole string literal, including interpolations.
    case string
    case regex
    /// A number sign and a word, such as a conditional compilation directive.
    case directive
    /// Any other byte, or a run of number signs. Each byte of an operator is a separate token.
    case mark
  }

  var kind: Kind
  var range: Range<Int>
  var isSpaced: Bool

  var isName: Bool { kind == .word || kind == .quoted }
}

struct Source {
  let bytes: [UInt8]
  let tokens: [Token]
  /// The index after each opening bracket's closing bracket, or the end if it isn't closed.
  private let afterClosing: [Int: Int]

  /// Scans text. All types of brackets are treated alike, because the compiler has checked that
  /// they match.
  ///
  /// - Parameters:
  ///   - regex: A Boolean value that indicates whether `/…/` is a regex literal, as in Swift 6 mode
  ///     or with the feature `BareSlashRegexLiterals`. `#/…/#` is always a regex literal.
  ///   - isHeader: A Boolean value that indicates whether to stop after the first `{` outside all
  ///     brackets. It opens the body of a declaration, which most macros don't read.
  init(_ text: String, regex: Bool = false, isHeader: Bool = false) {
    bytes = Array(text.utf8)
    var lexer = Lexer(bytes: bytes, bareSlashRegex: regex)
    var tokens: [Token] = []
    var afterClosing: [Int: Int] = [:]
    var open: [Int] = []
    while let token = lexer.next(after: tokens) {
      tokens.append(token)
      guard token.kind == .mark else { continue }
      let mark = bytes[token.range.lowerBound]
      if mark.isOpeningBracket {
        open.append(tokens.count - 1)
        if isHeader, mark == UInt8(ascii: "{"), open.count == 1 { break }
      } else if mark.isClosingBracket, let opening = open.popLast() {
        afterClosing[opening] = tokens.count
      }
    }
    for index in open { afterClosing[index] = tokens.count }
    self.tokens = tokens
    self.afterClosing = afterClosing
  }

  func token(_ index: Int) -> Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  func text(_ token: Token) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  func text(_ range: Range<Int>) -> String {
    span(range).map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
  }

  func span(_ range: Range<Int>) -> Range<Int>? {
    guard let first = token(range.lowerBound), let last = token(range.upperBound - 1), !range.isEmpty else {
      return nil
    }
    return first.range.lowerBound..<last.range.upperBound
  }

  func name(_ token: Token) -> String {
    token.kind == .quoted
      ? String(decoding: bytes[token.range].dropFirst().dropLast(), as: UTF8.self) : text(token)
  }

  func isMark(_ index: Int, _ mark: Character) -> Bool {
    guard let token = token(index), token.kind == .mark else { return false }
    return bytes[token.range.lowerBound] == mark.asciiValue
  }

  func isWord(_ index: Int, _ word: StaticString) -> Bool {
    guard let token = token(index), token.kind == .word else { return false }
    return token.range.count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { bytes[token.range].elementsEqual($0) }
  }

  /// Returns whether two adjacent marks, such as `->` or `::`, are at an index.
  func isPair(_ index: Int, _ first: Character, _ second: Character) -> Bool {
    isMark(index, first) && isMark(index + 1, second) && !tokens[index + 1].isSpaced
  }

  /// Returns the index after the bracket that closes the bracket at an index. The result is the end
  /// if the bracket isn't closed, or the next index if there's no opening bracket at the index.
  func afterBracket(_ index: Int) -> Int {
    afterClosing[index] ?? (index + 1)
  }

  func insideBracket(_ index: Int) -> Range<Int> { (index + 1)..<max(index + 1, afterBracket(index) - 1) }

  func inside(_ bracket: Character, _ range: Range<Int>) -> Range<Int>? {
    guard range.count > 1, isMark(range.lowerBound, bracket), afterBracket(range.lowerBound) == range.upperBound else {
      return nil
    }
    return insideBracket(range.lowerBound)
  }

  /// Returns the indices of a range's tokens outside brackets, including the opening brackets.
  ///
  /// - Parameter isType: A Boolean value that indicates whether angle brackets count as brackets.
  func outermost(_ range: Range<Int>, isType: Bool = false) -> [Int] {
    var indices: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      indices.append(index)
      let isAngle = isType && isMark(index, "<") && !tokens[index].isSpaced && afterAngle(index) <= range.upperBound
      index = isAngle ? afterAngle(index) : afterBracket(index)
    }
    return indices
  }

  func afterParentheses(_ index: Int) -> Int { isMark(index, "(") ? afterBracket(index) : index }

  /// Returns the index after the angle bracket that closes the bracket at an index, or the index
  /// itself if there's no opening angle bracket. The search stops at a `{` or the end.
  func afterAngle(_ index: Int) -> Int {
    guard isMark(index, "<") else { return index }
    var depth = 0
    var index = index
    while index < tokens.count, !isMark(index, "{") {
      if isMark(index, "<") { depth += 1 }
      // The end of an arrow doesn't close a bracket.
      if isMark(index, ">"), !isPair(index - 1, "-", ">") { depth -= 1 }
      index += 1
      if depth <= 0 { break }
    }
    return index
  }
}
