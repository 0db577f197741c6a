/// An error in the text of a pattern.
package struct PatternError: Error, Sendable {
  package let text: String
  /// The offset of the error in UTF-8 bytes. It's the size of the text if the text ends too early.
  package let offset: Int
  /// The problem, and what to write instead.
  package let reason: String
}
