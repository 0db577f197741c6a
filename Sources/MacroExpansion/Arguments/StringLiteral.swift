struct StringLiteral {
  private let hashes: Int
  /// The text between the quotation marks.
  private let text: [UInt8]

  /// Reads a single-line literal, which is sufficient for a name or a pattern.
  init(_ literal: ArraySlice<UInt8>) throws(LiteralFailure) {
    hashes = literal.prefix { $0 == UInt8(ascii: "#") }.count
    text = Array(literal.dropFirst(hashes + 1).dropLast(hashes + 1))
    let closing = [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    guard literal.count >= 2 * closing.count, literal.suffix(closing.count).elementsEqual(closing),
      !text.contains(where: \.isNewline), hashes > 0 || text.first != UInt8(ascii: "\"")
    else { throw .notALiteral }
  }

  func value() throws(LiteralFailure) -> String {
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
      case UInt8(ascii: "u"): result += try scalar(&index)
      default: throw .notALiteral
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func scalar(_ index: inout Int) throws(LiteralFailure) -> [UInt8] {
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
