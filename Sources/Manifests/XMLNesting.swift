/// A scanner of XML tags that refuses property lists with deep nesting.
///
/// It counts at least as many levels as Foundation's parser. Both find the ends of comments, CDATA
/// sections, processing instructions, declarations, and tags in the same way: a tag ends at the
/// first `>`, even inside quotes. The scanner refuses text that the two could parse differently: a
/// processing instruction without a target, which Foundation ends immediately inside an element but
/// not outside; an internal DTD subset, which older versions of Foundation read; and a closing tag
/// that doesn't match the innermost element, because Foundation treats `<key/>` in a dictionary as
/// an opening tag.
enum XMLNesting {
  /// The limit on open elements, including `plist` and the element of the innermost value.
  private static let levelLimit = PropertyListCheck.depthLimit + 2

  private static let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]

  /// Checks a text, up to the first construct without an end. Foundation reports that construct.
  static func check(_ bytes: [UInt8]) throws(ManifestSyntaxError) {
    var rest = bytes[...]
    var openNames: [ArraySlice<UInt8>] = []
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = bytes[start...]
      func error(_ problem: String) -> ManifestSyntaxError {
        .propertyList(problem + ManifestSyntax.line(of: start, in: bytes))
      }
      if rest.starts(with: "<?>".utf8) { throw error("a processing instruction without a name") }
      if let (opening, mark) = skipped.first(where: { rest.starts(with: $0.0.utf8) }) {
        // Search after the opening, because `<!-->` is not a complete comment.
        let ends = bytes.indices.dropFirst(start + opening.utf8.count)
        guard let end = ends.first(where: { bytes[$0...].starts(with: mark.utf8) }) else { return }
        rest = bytes[(end + mark.utf8.count)...]
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let tag = rest[..<end]
      rest = bytes[(end + 1)...]
      if tag.starts(with: "<!".utf8) {
        if tag.contains(UInt8(ascii: "[")) { throw error("a document type declaration with an internal subset") }
      } else if tag.starts(with: "</".utf8) {
        guard let innermost = openNames.popLast(), innermost == name(tag.dropFirst(2)) else {
          throw error("a syntax error: a closing tag that does not match the opening tag")
        }
      } else {
        guard openNames.count < levelLimit else {
          throw error("nesting deeper than \(PropertyListCheck.depthLimit)")
        }
        if tag.last != UInt8(ascii: "/") { openNames.append(name(tag.dropFirst())) }
      }
    }
  }

  private static func name(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    tag.prefix { !" \t\n\r/".utf8.contains($0) }
  }
}
