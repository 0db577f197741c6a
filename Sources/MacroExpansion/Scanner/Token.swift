/// A part of Swift source other than white space and comments.
struct Token: Equatable {
  enum Kind: Equatable {
    /// An identifier, a keyword, or a numbered parameter of a closure.
    case word
    /// An identifier in backticks.
    case quoted
    /// A number, or the first part of a number with a signed exponent.
    case number
    /// A whole string literal, including interpolations.
    case string
    /// A whole regex literal.
    case regex
    /// A number sign and a word, such as a conditional compilation directive.
    case directive
    /// Another byte. An operator consists of a token for each byte.
    case mark
  }

  var kind: Kind
  /// The range in UTF-8 bytes.
  var range: Range<Int>
  /// A Boolean value that indicates whether white space or a comment precedes the token.
  var isSpaced: Bool

  /// A Boolean value that indicates whether the token is an identifier or a keyword.
  var isName: Bool { kind == .word || kind == .quoted }
}

/// A source text with its bytes and tokens.
struct Source {
  let bytes: [UInt8]
  let tokens: [Token]
  private let afterClosing: [Int: Int]

  /// Scans a text.
  ///
  /// - Parameter regex: A Boolean value that indicates whether `/…/` is a regex literal, as in
  ///   Swift 6 mode and with the feature `BareSlashRegexLiterals`. `#/…/#` is one in any case.
  init(_ text: String, regex: Bool = false) {
    self.init(text, regex: regex, isHeader: false)
  }

  /// Scans a declaration up to and including the opening brace of its body.
  init(header text: String, regex: Bool = false) {
    self.init(text, regex: regex, isHeader: true)
  }

  private init(_ text: String, regex: Bool, isHeader: Bool) {
    bytes = Array(text.utf8)
    var lexer = Lexer(bytes: bytes, bareSlashRegex: regex)
    tokens = lexer.tokens(upToBody: isHeader)
    afterClosing = Self.pairs(tokens, bytes)
  }

  /// Returns the token at an index, or nil beyond the last one.
  func token(_ index: Int) -> Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  /// Returns the text of a token as the source spells it.
  func text(_ token: Token) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// Returns a name without its backticks.
  func name(_ token: Token) -> String {
    token.kind == .quoted
      ? String(decoding: bytes[token.range].dropFirst().dropLast(), as: UTF8.self) : text(token)
  }

  /// Returns a Boolean value that indicates whether the token at an index is a given mark.
  func isMark(_ index: Int, _ mark: Character) -> Bool {
    guard let token = token(index), token.kind == .mark else { return false }
    return bytes[token.range.lowerBound] == mark.asciiValue
  }

  /// Returns a Boolean value that indicates whether the token at an index is a given word without
  /// backticks.
  func isWord(_ index: Int, _ word: StaticString) -> Bool {
    guard let token = token(index), token.kind == .word else { return false }
    return token.range.count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { bytes[token.range].elementsEqual($0) }
  }

  /// Returns a Boolean value that indicates whether two adjacent marks are at an index.
  ///
  /// Examples are `->` and `::`.
  func isPair(_ index: Int, _ first: Character, _ second: Character) -> Bool {
    isMark(index, first) && isMark(index + 1, second) && !tokens[index + 1].isSpaced
  }

  /// Returns the index after the closing bracket of the opening bracket at an index.
  ///
  /// The result is the end if the bracket is not closed. It is the next index if there is no
  /// opening bracket at the index.
  func afterBracket(_ index: Int) -> Int {
    afterClosing[index] ?? (index + 1)
  }

  /// Returns the index after the closing bracket, or the end, for the index of each opening
  /// bracket.
  ///
  /// All kinds of brackets count alike: they match, because the compiler has parsed the text.
  private static func pairs(_ tokens: [Token], _ bytes: [UInt8]) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var open: [Int] = []
    for (index, token) in tokens.enumerated() where token.kind == .mark {
      switch bytes[token.range.lowerBound] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let opening = open.popLast() { pairs[opening] = index + 1 }
      default: break
      }
    }
    for index in open { pairs[index] = tokens.count }
    return pairs
  }

  /// Returns the index after parentheses that open at an index, or that index if none do.
  func afterParentheses(_ index: Int) -> Int { isMark(index, "(") ? afterBracket(index) : index }

  /// Returns the index after the closing angle bracket of the opening one at an index.
  ///
  /// Without an opening bracket, the result is the index itself.
  ///
  /// The search stops at a `{` or the end.
  func afterAngle(_ index: Int) -> Int {
    guard isMark(index, "<") else { return index }
    var depth = 0
    var index = index
    while index < tokens.count, !isMark(index, "{") {
      if isMark(index, "<") { depth += 1 }
      // The end of an arrow closes no bracket.
      if isMark(index, ">"), !isPair(index - 1, "-", ">") { depth -= 1 }
      index += 1
      if depth <= 0 { break }
    }
    return index
  }
}
