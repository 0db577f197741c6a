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
    var digits = bytes[token.range].filter { $0 != UInt8(ascii: "_") }[...]
    let radix: UInt64 =
      switch digits.prefix(2) {
      case [UInt8(ascii: "0"), UInt8(ascii: "x")]: 16
      case [UInt8(ascii: "0"), UInt8(ascii: "o")]: 8
      case [UInt8(ascii: "0"), UInt8(ascii: "b")]: 2
      default: 10
      }
    if radix != 10 { digits = digits.dropFirst(2) }
    guard !digits.isEmpty else { throw .notALiteral }
    // The magnitude of the smallest Int64 is one more than that of the largest.
    let limit = UInt64(Int64.max) + (isNegative ? 1 : 0)
    var magnitude: UInt64 = 0
    for byte in digits {
      guard let digit = byte.hexadecimalDigit, digit < radix else { throw .notALiteral }
      let (product, overflows) = magnitude.multipliedReportingOverflow(by: radix)
      guard !overflows, product <= limit - min(digit, limit), product + digit <= limit else {
        throw .tooLarge
      }
      magnitude = product + digit
    }
    return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
  }

  /// Returns the value of a string literal without interpolation.
  func string(_ range: Range<Int>) throws(LiteralFailure) -> String {
    guard range.count == 1, let token = token(range.lowerBound), token.kind == .string else {
      throw .notALiteral
    }
    return try StringLiteral(bytes[token.range]).value()
  }
}

extension UInt8 {
  /// Returns the value of a hexadecimal digit.
  var hexadecimalDigit: UInt64? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(self - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
