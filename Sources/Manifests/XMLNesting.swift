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
  /// The limit on open elements, including `plist` and the element of the innermost value.
  private static let levelLimit = PropertyListCheck.depthLimit + 2

  private let bytes: [UInt8]
  private var index = 0
  private var openNames: [ArraySlice<UInt8>] = []

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
    } else {
      guard openNames.count < Self.levelLimit else {
        throw error("nesting deeper than \(PropertyListCheck.depthLimit)")
      }
      if bytes[end - 1] != UInt8(ascii: "/") { openNames.append(name) }
    }
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
