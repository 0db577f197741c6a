/// A string literal: plain, raw, of one or several lines.
struct StringLiteral {
  private let hashes: Int
  private let isMultiline: Bool
  /// What stands between the quotation marks; nil when the literal does not end.
  private let content: ArraySlice<UInt8>?

  /// Takes a literal apart, quotation marks and all.
  init(_ literal: ArraySlice<UInt8>) {
    hashes = literal.prefix { $0 == UInt8(ascii: "#") }.count
    let quoted = literal.dropFirst(hashes)
    let tail = literal.suffix(hashes).elementsEqual(repeatElement(UInt8(ascii: "#"), count: hashes))
    let quotes = quoted.prefix { $0 == UInt8(ascii: "\"") }.count
    let inner = quoted.dropFirst(3).dropLast(hashes)
    // A multi-line literal's first line is empty; raw literals may begin with quotation marks of their own.
    isMultiline = quotes >= 3 && inner.first?.isNewline == true
    let width = isMultiline ? 3 : 1
    guard tail, isMultiline || hashes > 0 || quotes < 3, quoted.count >= 2 * width + hashes,
      quoted.dropLast(hashes).suffix(width).allSatisfy({ $0 == UInt8(ascii: "\"") })
    else {
      content = nil
      return
    }
    content = quoted.dropFirst(width).dropLast(width + hashes)
  }

  /// The text that the literal stands for.
  func value() throws(LiteralFailure) -> String {
    guard let content else { throw .notALiteral }
    return try unescape(isMultiline ? unindent(content) : Array(content))
  }

  /// Takes the line break at either end and the last line's indentation away from a multi-line literal.
  private func unindent(_ content: ArraySlice<UInt8>) -> [UInt8] {
    // The first line is empty, and the last one is another.
    var lines = Self.lines(content).dropFirst()
    let indentation = lines.removeLast()
    var text: [UInt8] = []
    for (number, line) in lines.enumerated() {
      if number > 0 { text.append(10) }
      text += line.starts(with: indentation) ? line.dropFirst(indentation.count) : []
    }
    return text
  }

  /// The lines of a text, whichever line breaks it has.
  private static func lines(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      if text[index].isNewline {
        lines.append(text[start..<index])
        if text[index] == 13, index + 1 < text.endIndex, text[index + 1] == 10 { index += 1 }
        start = index + 1
      }
      index += 1
    }
    lines.append(text[start...])
    return lines
  }

  /// Replaces escapes by what they stand for.
  private func unescape(_ text: [UInt8]) throws(LiteralFailure) -> String {
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
      case 10, 13, 32, 9:
        // A line that goes on: in a multi-line literal, white space up to the line break says nothing.
        index = after
        while index < text.count, text[index] == 32 || text[index] == 9 { index += 1 }
        guard isMultiline, index < text.count, text[index].isNewline else { throw .notALiteral }
        index += 1
      default: throw .notALiteral
      }
    }
    let string = String(decoding: result, as: UTF8.self)
    // What is not UTF-8 is repaired, and differs then.
    guard string.utf8.elementsEqual(result) else { throw .notALiteral }
    return string
  }

  /// Takes `{…}` of a `\u{…}` at an index.
  private func scalar(_ text: [UInt8], _ index: inout Int) throws(LiteralFailure) -> [UInt8] {
    guard index < text.count, text[index] == UInt8(ascii: "{") else { throw .notALiteral }
    index += 1
    var value: UInt64 = 0
    var digits = 0
    while index < text.count, let digit = text[index].hexadecimalDigit, digits < 8 {
      value = value << 4 | digit
      digits += 1
      index += 1
    }
    guard digits > 0, index < text.count, text[index] == UInt8(ascii: "}"),
      let scalar = UInt32(exactly: value).flatMap({ Unicode.Scalar($0) })
    else { throw .notALiteral }
    index += 1
    return Array(String(Character(scalar)).utf8)
  }
}
