/// A piece of Swift source other than white space and comments.
struct Token: Equatable {
  enum Kind: Equatable {
    /// A word: an identifier, a keyword, or `$0`.
    case word
    /// An identifier in backticks.
    case quoted
    /// A number, or the first part of one with a signed exponent.
    case number
    /// A whole string literal, interpolations included.
    case string
    /// A whole regex literal.
    case regex
    /// `#` and a word, such as `#if` or `#selector`.
    case directive
    /// Another byte. An operator is a token for each byte.
    case mark
  }

  var kind: Kind
  /// The range in UTF-8 bytes.
  var range: Range<Int>
  /// A Boolean value that indicates whether white space or a comment precedes it.
  var isSpaced: Bool
}

/// A source text with its bytes and tokens.
struct Source {
  let bytes: [UInt8]
  let tokens: [Token]
  private let afterClosing: [Int: Int]

  /// Scans a text.
  ///
  /// - Parameter regex: A Boolean value that indicates whether `/…/` is a regex literal, as in
  ///   Swift 6 mode and with the feature `BareSlashRegexLiterals`; `#/…/#` always is.
  init(_ text: String, regex: Bool = false) {
    self.init(text, regex: regex, isHeader: false)
  }

  /// Scans a declaration up to and including the `{` that opens its body.
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

  /// Returns a Boolean value that indicates whether the token at an index is this mark.
  func isMark(_ index: Int, _ mark: Character) -> Bool {
    guard let token = token(index), token.kind == .mark else { return false }
    return bytes[token.range.lowerBound] == mark.asciiValue
  }

  /// Returns a Boolean value that indicates whether the token at an index is this word, without
  /// backticks.
  func isWord(_ index: Int, _ word: StaticString) -> Bool {
    guard let token = token(index), token.kind == .word else { return false }
    return token.range.count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { bytes[token.range].elementsEqual($0) }
  }

  /// Returns a Boolean value that indicates whether two adjacent marks are at an index, as in `->`
  /// and `::`.
  func isPair(_ index: Int, _ first: Character, _ second: Character) -> Bool {
    isMark(index, first) && isMark(index + 1, second) && !tokens[index + 1].isSpaced
  }

  /// Returns the index after the bracket that closes the one at `index`, or the end.
  ///
  /// If there is no opening bracket, the result is the next index.
  func afterBracket(_ index: Int) -> Int {
    afterClosing[index] ?? (index + 1)
  }

  /// The index, for each opening bracket, after the closing one, or the end.
  ///
  /// All kinds of brackets count alike, because the compiler has parsed the text, so they match.
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

  /// Returns the index after the `>` that closes the `<` at `index`; the search stops at a `{` or
  /// the end.
  func afterAngle(_ index: Int) -> Int {
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
