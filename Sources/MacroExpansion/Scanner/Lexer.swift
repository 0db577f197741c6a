// A lexer for declarations and macro arguments. Comments, strings, and regex literals can contain
// brackets and quotation marks, so strings and regex literals are single tokens, and comments are
// skipped. The lexer accepts any bytes.

struct Lexer {
  let bytes: [UInt8]
  let bareSlashRegex: Bool
  var position = 0

  mutating func next(after previous: [Token]) -> Token? {
    let isSpaced = skipTrivia()
    guard position < bytes.count else { return nil }
    let start = position
    let kind = scan(after: previous, isSpaced: isSpaced)
    // Skipping a literal that ends in the middle of an escape can move past the end.
    position = min(position, bytes.count)
    return Token(kind: kind, range: start..<position, isSpaced: isSpaced)
  }

  /// Returns the byte at a distance from the current position, or zero beyond the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    let index = position + distance
    return index < bytes.count ? bytes[index] : 0
  }

  private mutating func scan(after previous: [Token], isSpaced: Bool) -> Token.Kind {
    switch byte() {
    case UInt8(ascii: "`"):
      return skipQuoted() ? .quoted : .mark
    case UInt8(ascii: "\""):
      skipString()
      return .string
    case UInt8(ascii: "#"):
      return scanHash()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      skipWord()
      if byte() == UInt8(ascii: "."), byte(1).isDigit {
        position += 1
        skipWord()
      }
      return .number
    case UInt8(ascii: "/")
    where bareSlashRegex && canBeginRegex(after: previous, isSpaced: isSpaced) && skipBareRegex():
      return .regex
    case let byte where byte.isWordByte:
      skipWord()
      return .word
    default:
      position += 1
      return .mark
    }
  }

  private mutating func skipTrivia() -> Bool {
    let start = position
    while position < bytes.count {
      switch byte() {
      case UInt8(ascii: " "), 0, 9...13: position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while position < bytes.count, !byte().isNewline { position += 1 }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
      case 0xef where byte(1) == 0xbb && byte(2) == 0xbf: position += 3
      default: return position > start
      }
    }
    return position > start
  }

  /// Skips a block comment and the comments nested in it.
  mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < bytes.count
  }

  private mutating func skipWord() {
    while position < bytes.count, byte().isWordByte { position += 1 }
  }

  /// Skips an identifier in backticks, or a single backtick.
  private mutating func skipQuoted() -> Bool {
    let count = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "`") && !$0.isNewline }.count
    let isClosed = count > 0 && byte(count + 1) == UInt8(ascii: "`")
    position += isClosed ? count + 2 : 1
    return isClosed
  }

  /// Skips a raw string, an extended regex literal, a directive, or a mark, and returns its kind.
  private mutating func scanHash() -> Token.Kind {
    let hashes = hashCount
    switch byte(hashes) {
    case UInt8(ascii: "\""):
      skipString()
      return .string
    case UInt8(ascii: "/"):
      // The literal ends on its line unless it begins with a line break.
      position += hashes + 1
      while byte() == UInt8(ascii: " ") || byte() == 9 { position += 1 }
      skipContent(upTo: UInt8(ascii: "/"), hashes: hashes, isMultiline: byte().isNewline)
      return .regex
    case let byte where byte.isWordByte && hashes == 1:
      position += 1
      skipWord()
      return .directive
    default:
      position += hashes
      return .mark
    }
  }

  var hashCount: Int { bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count }

  func hasHashes(_ count: Int, at index: Int) -> Bool {
    bytes.count - index >= count && (0..<count).allSatisfy { bytes[index + $0] == UInt8(ascii: "#") }
  }

  private static let wordsBeforeExpressions: Set = [
    "await", "case", "else", "guard", "if", "in", "return", "switch", "throw", "try", "where", "while",
  ]

  private static let operatorBytes = "/=-+*%<>!&|^~?".utf8

  /// Returns whether the current slash can be a prefix operator, which is the compiler's condition
  /// for a regex literal. Between two expressions, a slash is an infix operator.
  private func canBeginRegex(after previous: [Token], isSpaced: Bool) -> Bool {
    guard byte(1) != UInt8(ascii: " "), byte(1) != 9 else { return false }
    // The name of an operator function, such as `~/`, can contain a slash.
    if let word = previous.last(where: { $0.kind != .mark }), text(word) == "func" { return false }
    // In an operator such as `</>`, the position of the whole operator decides.
    var (before, isSpaced) = (previous[...], isSpaced)
    while !isSpaced, let mark = before.last, text(mark).utf8.allSatisfy(Self.operatorBytes.contains),
      !endsExpression(before)
    {
      (before, isSpaced) = (before.dropLast(), mark.isSpaced)
    }
    guard endsExpression(before) else { return before.last.map(text) != "." }
    // An operator with white space on both sides, such as `/=`, is an infix operator.
    var end = 1
    while Self.operatorBytes.contains(byte(end)) { end += 1 }
    return isSpaced && byte(end) != UInt8(ascii: " ") && byte(end) != 9
  }

  /// Returns whether an expression can end with the last token. A `!` or `?` that directly follows
  /// an expression is a postfix operator.
  private func endsExpression(_ tokens: ArraySlice<Token>) -> Bool {
    guard let last = tokens.last else { return false }
    // After a period, a word is a member, even if it's a keyword.
    let isMember = tokens.dropLast().last.map(text) == "."
    if last.kind != .mark { return isMember || !Self.wordsBeforeExpressions.contains(text(last)) }
    let mark = bytes[last.range.lowerBound]
    return mark.isClosingBracket || mark.isPostfix && !last.isSpaced && endsExpression(tokens.dropLast())
  }

  private func text(_ token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

  /// Skips a regex literal that ends on its line without an unmatched `)`, or returns false.
  private mutating func skipBareRegex() -> Bool {
    var end = position + 1
    var parentheses = 0
    var inClass = false
    while end < bytes.count, !bytes[end].isNewline {
      switch bytes[end] {
      case UInt8(ascii: "\\"):
        end += 1
      case UInt8(ascii: "["): inClass = true
      case UInt8(ascii: "]"): inClass = false
      case UInt8(ascii: "(") where !inClass: parentheses += 1
      case UInt8(ascii: ")") where !inClass:
        parentheses -= 1
        if parentheses < 0 { return false }
      case UInt8(ascii: "/"):
        guard end > position + 1 else { return false }
        position = end + 1
        return true
      default: break
      }
      end += 1
    }
    return false
  }

  /// Skips a string literal, including nested literals in its interpolations. An unterminated one
  /// extends to the end of its line, or of the text if multi-line or with an open interpolation.
  mutating func skipString() {
    let (quote, hashes) = (UInt8(ascii: "\""), hashCount)
    position += hashes
    let isMultiline = byte(1) == quote && byte(2) == quote && !endsOnItsLine(hashes)
    let count = isMultiline ? 3 : 1
    position += count
    skipContent(upTo: quote, count: count, hashes: hashes, escape: hashes, isMultiline: isMultiline)
  }

  /// Skips a literal's content and its closing delimiter.
  ///
  /// - Parameters:
  ///   - mark: The mark that the delimiter consists of, before its number signs.
  ///   - count: The number of these marks.
  ///   - hashes: The number of number signs.
  ///   - escape: The number of number signs in an escape.
  ///   - isMultiline: True if the literal can extend over several lines.
  private mutating func skipContent(
    upTo mark: UInt8, count: Int = 1, hashes: Int, escape: Int = 0, isMultiline: Bool
  ) {
    while position < bytes.count {
      if byte() == UInt8(ascii: "\\"), hasHashes(escape, at: position + 1) {
        position += 1 + escape
        if mark == UInt8(ascii: "\""), byte() == UInt8(ascii: "(") {
          skipInterpolation()
        } else if isMultiline || !byte().isNewline {
          position += 1
        }
      } else if byte() == mark, (0..<count).allSatisfy({ byte($0) == mark }), hasHashes(hashes, at: position + count) {
        position += count + hashes
        return
      } else if byte().isNewline, !isMultiline {
        return
      } else {
        position += 1
      }
    }
  }

  private mutating func skipInterpolation() {
    var (tokens, depth): ([Token], Int) = ([], 0)
    repeat {
      guard let token = next(after: tokens) else { return }
      tokens.append(token)
      if text(token) == "(" { depth += 1 }
      if text(token) == ")" { depth -= 1 }
    } while depth > 0
  }

  /// Returns whether a raw literal ends on its line. For example, `#"""#` is the string `"`.
  private func endsOnItsLine(_ hashes: Int) -> Bool {
    let line = bytes.indices.dropFirst(position + 1).prefix { !bytes[$0].isNewline }
    return hashes > 0 && line.contains { bytes[$0] == UInt8(ascii: "\"") && hasHashes(hashes, at: $0 + 1) }
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a word can contain the byte; true for non-ASCII bytes.
  var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit
    }
  }

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isNewline: Bool { self == 10 || self == 13 }

  var isOpeningBracket: Bool { self == UInt8(ascii: "(") || self == UInt8(ascii: "[") || self == UInt8(ascii: "{") }

  var isClosingBracket: Bool { self == UInt8(ascii: ")") || self == UInt8(ascii: "]") || self == UInt8(ascii: "}") }

  fileprivate var isPostfix: Bool { self == UInt8(ascii: "!") || self == UInt8(ascii: "?") }
}
