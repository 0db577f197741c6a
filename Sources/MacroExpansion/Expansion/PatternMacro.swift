/// A function that returns the problem in a URL pattern and its byte offset, or nil.
package typealias PatternCheck = @Sendable (_ pattern: String) -> (reason: String, offset: Int)?

/// Expands a pattern. Unlike a string literal, a macro can reject an invalid pattern.
func expandPattern(_ use: MacroUse, _ check: PatternCheck) -> String? {
  let tokens = use.required()
  // Accept an empty pattern here, because the check's error states the expected form.
  let text = tokens.flatMap { use.text("pattern", $0, canBeEmpty: true) }
  guard use.isValid(), let tokens, let text, let range = use.source.span(tokens) else { return nil }
  guard let (reason, offset) = check(text) else {
    return "Routing::RoutePattern(__checked: \(use.source.text(tokens)))"
  }
  var problem = Problem(.malformedPattern, "malformed URL pattern: \(reason)")
  problem.range = use.source.range(of: offset, of: text, in: range)
  use.report(problem)
  return nil
}

extension Source {
  /// Returns the range of a byte in a literal, or the whole literal if it's empty or has escapes.
  fileprivate func range(of offset: Int, of value: String, in literal: Range<Int>) -> Range<Int> {
    let quotes = bytes[literal].prefix { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "\"") }.count
    let content = literal.dropFirst(quotes).dropLast(quotes)
    guard !value.isEmpty, bytes[content].elementsEqual(value.utf8) else { return literal }
    // At the end of the text, the range is the closing quotation mark.
    let start = content.lowerBound + min(offset, content.count)
    return start..<(start + 1)
  }
}
