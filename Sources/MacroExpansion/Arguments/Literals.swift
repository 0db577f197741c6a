// Parsers for the literals that records contain. A macro receives only the source text.

enum LiteralFailure: Error, Equatable {
  case notALiteral
  case interpolation
  case tooLarge
}

extension Source {
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

  func string(_ range: Range<Int>) throws(LiteralFailure) -> String {
    guard range.count == 1, let token = token(range.lowerBound), token.kind == .string else {
      throw .notALiteral
    }
    return try StringLiteral(bytes[token.range]).value()
  }
}
