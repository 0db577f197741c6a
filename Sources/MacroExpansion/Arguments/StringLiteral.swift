struct StringLiteral {
  private let hashes: Int
  private let isMultiline: Bool
  /// The text between the quotation marks, or nil if the literal doesn't end.
  private let content: ArraySlice<UInt8>?

  init(_ literal: ArraySlice<UInt8>) {
    var lexer = Lexer(bytes: Array(literal), bareSlashRegex: false)
    (hashes, isMultiline) = lexer.openString()
    let quotes = isMultiline ? 3 : 1
    let inner = literal.dropFirst(hashes + quotes).dropLast(quotes + hashes)
    let closing =
      Array(repeating: UInt8(ascii: "\""), count: quotes) + Array(repeating: UInt8(ascii: "#"), count: hashes)
    // The first line of a multi-line literal is empty.
    let isComplete =
      literal.count >= 2 * closing.count && literal.suffix(closing.count).elementsEqual(closing)
      && (!isMultiline || inner.first?.isNewline == true)
    content = isComplete ? inner : nil
  }

  func value() throws(LiteralFailure) -> String {
    guard let content else { throw .notALiteral }
    return try unescape(isMultiline ? unindent(content) : Array(content))
  }

  private func unindent(_ content: ArraySlice<UInt8>) -> [UInt8] {
    // A carriage return and a line feed are one line break.
    let text = content.indices.filter { content[$0] != 10 || content[..<$0].last != 13 }.map { content[$0] }
    // The first line is empty and is not the last one.
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst()
    let indentation = lines.removeLast()
    let unindented = lines.map { $0.starts(with: indentation) ? $0.dropFirst(indentation.count) : [] }
    return Array(unindented.joined(separator: [10]))
  }

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
    // Decoding replaces invalid UTF-8, which changes the bytes.
    guard string.utf8.elementsEqual(result) else { throw .notALiteral }
    return string
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
