/// A scanner of XML tags that refuses property lists with deep nesting.
///
/// It counts at least as many levels as Foundation's parser. Both find the ends of comments, CDATA
/// sections, processing instructions, declarations, and tags in the same way: a tag ends at the
/// first `>`, even inside quotes. The scanner refuses text that the two could parse differently: a
/// processing instruction without a target, which Foundation ends immediately inside an element but
/// not outside; an internal DTD subset, which older versions of Foundation read; and a closing tag
/// that doesn't match the innermost element, because Foundation treats `<key/>` in a dictionary as
/// an opening tag.
struct XMLNesting {
  static let largeInteger = "an integer that does not fit in 64 bits"
  /// The limit on open elements, including `plist` and the element of the innermost value.
  private static let levelLimit = PropertyListCheck.depthLimit + 2

  private let bytes: [UInt8]
  private var index = 0
  private var openNames: [ArraySlice<UInt8>] = []
  /// The index after the last opening tag.
  private var contentStart = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Checks the text, up to the first construct without an end. Foundation reports that construct.
  mutating func check() throws(ManifestSyntaxError) {
    while let start = firstIndex(of: "<", from: index) {
      index = start
      if matches("<!--", at: start) {
        guard skip("<!--", through: "-->") else { return }
      } else if matches("<![CDATA[", at: start) {
        guard skip("<![CDATA[", through: "]]>") else { return }
      } else if matches("<?", at: start) {
        guard !matches("<?>", at: start) else { throw error("a processing instruction without a name") }
        guard skip("<?", through: "?>") else { return }
      } else {
        guard let end = firstIndex(of: ">", from: start) else { return }
        if !matches("<!", at: start) {
          try checkTag(endingAt: end)
        } else if bytes[start..<end].contains(UInt8(ascii: "[")) {
          throw error("a document type declaration with an internal subset")
        }
        index = end + 1
      }
    }
  }

  private mutating func checkTag(endingAt end: Int) throws(ManifestSyntaxError) {
    let isClosing = matches("</", at: index)
    let name = bytes[(index + (isClosing ? 2 : 1))..<end].prefix { $0 != UInt8(ascii: "/") && !Self.isSpace($0) }
    if isClosing {
      guard let innermost = openNames.popLast(), innermost == name else {
        throw error("a syntax error: a closing tag that does not match the opening tag")
      }
      if name.elementsEqual("integer".utf8), !fits64Bits(bytes[contentStart..<index]) {
        throw error(Self.largeInteger)
      }
    } else {
      guard openNames.count < Self.levelLimit else {
        throw error("nesting deeper than \(PropertyListCheck.depthLimit)")
      }
      if bytes[end - 1] != UInt8(ascii: "/") { openNames.append(name) }
      contentStart = end + 1
    }
  }

  /// Returns false for a decimal or hexadecimal integer that doesn't fit in 64 bits. Foundation
  /// handles text that isn't an integer.
  private func fits64Bits(_ text: ArraySlice<UInt8>) -> Bool {
    // Before and after the sign, Foundation skips these bytes or refuses the integer.
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7f }
    var digits = text.drop(while: isSpace)
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst().drop(while: isSpace) }
    let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    if isHexadecimal { digits = digits.dropFirst(2) }
    let isNumber = digits.allSatisfy {
      (0x30...0x39).contains($0) || isHexadecimal && (0x41...0x46).contains($0 & 0xdf)
    }
    guard isNumber, !digits.isEmpty else { return true }
    let number = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int64(number, radix: isHexadecimal ? 16 : 10) != nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0a).contains(byte) || byte == 0x0d
  }

  /// Moves the index past a construct, and returns false if the construct doesn't end. The search
  /// for the end begins after the opening, because `<!-->` is not a complete comment.
  private mutating func skip(_ opening: StaticString, through end: StaticString) -> Bool {
    var start = index + opening.utf8CodeUnitCount
    while let found = firstIndex(of: Unicode.Scalar(end.utf8Start[0]), from: start) {
      if matches(end, at: found) {
        index = found + end.utf8CodeUnitCount
        return true
      }
      start = found + 1
    }
    return false
  }

  private func firstIndex(of character: Unicode.Scalar, from start: Int) -> Int? {
    bytes.dropFirst(start).firstIndex(of: UInt8(ascii: character))
  }

  private func matches(_ text: StaticString, at start: Int) -> Bool {
    bytes.dropFirst(start).starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private func error(_ problem: String) -> ManifestSyntaxError {
    .propertyList(problem + ManifestSyntax.line(of: index, in: bytes))
  }
}
