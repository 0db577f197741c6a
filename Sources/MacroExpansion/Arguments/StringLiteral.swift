/// A plain or raw string literal with one or several lines.
struct StringLiteral {
  private let hashes: Int
  private let isMultiline: Bool
  /// The text between the quotation marks, or nil if the literal does not end.
  private let content: ArraySlice<UInt8>?

  /// Splits a literal into its quotation marks and its text.
  init(_ literal: ArraySlice<UInt8>) {
    hashes = literal.prefix { $0 == UInt8(ascii: "#") }.count
    let quoted = literal.dropFirst(hashes)
    let tail = literal.suffix(hashes).elementsEqual(repeatElement(UInt8(ascii: "#"), count: hashes))
    let quotes = quoted.prefix { $0 == UInt8(ascii: "\"") }.count
    let inner = quoted.dropFirst(3).dropLast(hashes)
    // The first line of a multi-line literal is empty. Without this check, a raw literal that
    // begins with quotation marks would look like a multi-line one.
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

  /// Returns the value of the literal.
  func value() throws(LiteralFailure) -> String {
    guard let content else { throw .notALiteral }
    return try unescape(isMultiline ? unindent(content) : Array(content))
  }

  /// Removes the first and last line break and the indentation of a multi-line literal.
  private func unindent(_ content: ArraySlice<UInt8>) -> [UInt8] {
    // The first line is empty and is not the last one.
    var lines = Self.lines(content).dropFirst()
    let indentation = lines.removeLast()
    var text: [UInt8] = []
    for (number, line) in lines.enumerated() {
      if number > 0 { text.append(10) }
      text += line.starts(with: indentation) ? line.dropFirst(indentation.count) : []
    }
    return text
  }

  /// Returns the lines of a text with any kind of line breaks.
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

  /// Returns the text with escapes replaced by the characters that they represent.
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
        // The line continues. In a multi-line literal, white space before the line break has no
        // meaning.
        index = after
        while index < text.count, text[index] == 32 || text[index] == 9 { index += 1 }
        guard isMultiline, index < text.count, text[index].isNewline else { throw .notALiteral }
        index += 1
      default: throw .notALiteral
      }
    }
    let string = String(decoding: result, as: UTF8.self)
    // Decoding replaces invalid UTF-8, so the bytes differ in this case.
    guard string.utf8.elementsEqual(result) else { throw .notALiteral }
    return string
  }

  /// Reads the braces of a Unicode escape and the digits in them.
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
