/// An error in the text of a pattern.
package struct PatternError: Error, Sendable {
  /// The text of the pattern.
  package let text: String
  /// The offset of the error in bytes of UTF-8. It is the size of the text if something is missing
  /// at the end.
  package let offset: Int
  /// The problem, and what to write instead.
  package let reason: String
}
