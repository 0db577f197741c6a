/// A function that returns the problem of a URL pattern, with the offset of its cause in bytes.
package typealias PatternCheck = @Sendable (_ pattern: String) -> (reason: String, offset: Int)?

/// Expands the macro that checks a pattern, or returns nil and adds problems.
///
/// Only a macro can make the compilation fail for an invalid pattern. A string literal cannot.
func expandPattern(_ source: Source, _ check: PatternCheck, _ problems: inout [Problem]) -> String? {
  let arguments = source.attributeArguments()
  guard let argument = arguments.first, arguments.count == 1, argument.label == nil else {
    problems.append(.missingPattern)
    return nil
  }
  let literal = argument.tokens
  // The error for an empty pattern is that of the check, which states the expected form.
  guard let text = source.text("pattern", literal, of: "macro", canBeEmpty: true, &problems),
    let range = source.span(literal)
  else { return nil }
  if let (reason, offset) = check(text) {
    problems.append(.pattern(reason, at: source.range(of: offset, of: text, in: range)))
    return nil
  }
  return "Routing::RoutePattern(__checked: \(String(decoding: source.bytes[range], as: UTF8.self)))"
}

extension Source {
  /// Returns the range of bytes in a literal for a byte of the literal's value.
  ///
  /// If the literal is empty or has escapes or several lines, the range is the whole literal.
  fileprivate func range(of offset: Int, of value: String, in literal: Range<Int>) -> Range<Int> {
    let quotes = bytes[literal].prefix { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "\"") }.count
    let content = literal.dropFirst(quotes).dropLast(quotes)
    guard !value.isEmpty, bytes[content].elementsEqual(value.utf8) else { return literal }
    // At the end of the text, the range is the closing quotation mark.
    let start = content.lowerBound + min(offset, content.count)
    return start..<(start + 1)
  }
}
