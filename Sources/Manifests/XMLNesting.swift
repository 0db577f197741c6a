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

  private static let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]

  /// Checks the text, up to the first construct without an end. Foundation reports that construct.
  mutating func check() throws(ManifestSyntaxError) {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start
      let rest = bytes[start...]
      if rest.starts(with: "<?>".utf8) { throw error("a processing instruction without a name") }
      if let (opening, mark) = Self.skipped.first(where: { rest.starts(with: $0.0.utf8) }) {
        // Search after the opening, because `<!-->` is not a complete comment.
        let ends = bytes.indices.dropFirst(start + opening.utf8.count)
        guard let end = ends.first(where: { bytes[$0...].starts(with: mark.utf8) }) else { return }
        index = end + mark.utf8.count
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      if !rest.starts(with: "<!".utf8) {
        try checkTag(endingAt: end)
      } else if rest[..<end].contains(UInt8(ascii: "[")) {
        throw error("a document type declaration with an internal subset")
      }
      index = end + 1
    }
  }

  private mutating func checkTag(endingAt end: Int) throws(ManifestSyntaxError) {
    let isClosing = bytes[index...].starts(with: "</".utf8)
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

  private func error(_ problem: String) -> ManifestSyntaxError {
    .propertyList(problem + ManifestSyntax.line(of: index, in: bytes))
  }
}
