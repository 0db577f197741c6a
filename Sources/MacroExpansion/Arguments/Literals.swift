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

  /// Reads a single-line literal, which is sufficient for a name or a pattern.
  func string(_ range: Range<Int>) throws(LiteralFailure) -> String {
    guard range.count == 1, let token = token(range.lowerBound), token.kind == .string else {
      throw .notALiteral
    }
    let literal = bytes[token.range]
    let hashes = literal.prefix { $0 == UInt8(ascii: "#") }.count
    let text = Array(literal.dropFirst(hashes + 1).dropLast(hashes + 1))
    let closing = [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    guard literal.count >= 2 * closing.count, literal.suffix(closing.count).elementsEqual(closing),
      !text.contains(where: \.isNewline), hashes > 0 || text.first != UInt8(ascii: "\"")
    else { throw .notALiteral }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      let after = index + 1 + hashes
      guard text[index] == UInt8(ascii: "\\"), after < text.count,
        text[(index + 1)..<after].allSatisfy({ $0 == UInt8(ascii: "#") })
      else {
        result.append(text[index])
        index += 1
        continue
      }
      index = after + 1
      switch text[after] {
      case UInt8(ascii: "0"): result.append(0)
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): result.append(text[after])
      case UInt8(ascii: "("): throw .interpolation
      case UInt8(ascii: "u"): result += try scalar(text, &index)
      default: throw .notALiteral
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func scalar(_ text: [UInt8], _ index: inout Int) throws(LiteralFailure) -> [UInt8] {
    guard index < text.count, text[index] == UInt8(ascii: "{"),
      let end = text[index...].firstIndex(of: UInt8(ascii: "}"))
    else { throw .notALiteral }
    let digits = String(decoding: text[(index + 1)..<end], as: UTF8.self)
    guard digits.utf8.count <= 8, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw .notALiteral }
    index = end + 1
    return Array(String(scalar).utf8)
  }
}
