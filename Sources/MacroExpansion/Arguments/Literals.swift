// The values of literals. A record contains them, and only the text is available while a macro is
// expanded.

/// The reason why a token is not the expected literal.
enum LiteralFailure: Error, Equatable {
  case notALiteral
  /// The literal is a string with an interpolation.
  case interpolation
  /// The literal is an integer that is out of range.
  case tooLarge
}

extension Source {
  /// Returns the value of an integer literal of any base, with or without a sign.
  func integer(_ range: Range<Int>) throws(LiteralFailure) -> Int64 {
    var index = range.lowerBound
    var isNegative = false
    if range.count == 2, isMark(index, "-") || isMark(index, "+"), !tokens[index + 1].isSpaced {
      isNegative = isMark(index, "-")
      index += 1
    }
    guard index + 1 == range.upperBound, let token = token(index), token.kind == .number else {
      throw .notALiteral
    }
    var digits = text(token).filter { $0 != "_" }
    let radix = ["0x": 16, "0o": 8, "0b": 2][digits.prefix(2)] ?? 10
    if radix != 10 { digits.removeFirst(2) }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.hexDigitValue.map { $0 < radix } ?? false }) else {
      throw .notALiteral
    }
    guard let value = Int64((isNegative ? "-" : "") + digits, radix: radix) else { throw .tooLarge }
    return value
  }

  /// Returns the value of a string literal without interpolation.
  func string(_ range: Range<Int>) throws(LiteralFailure) -> String {
    guard range.count == 1, let token = token(range.lowerBound), token.kind == .string else {
      throw .notALiteral
    }
    return try StringLiteral(bytes[token.range]).value()
  }
}
