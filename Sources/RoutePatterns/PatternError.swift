/// Why a text is no pattern.
package struct PatternError: Error, Sendable, CustomStringConvertible {
  /// The text.
  package let text: String
  /// Where it goes wrong, in bytes of UTF-8 from its start; the size of the text if something is missing at its end.
  package let offset: Int
  /// What is wrong and what to write instead.
  package let reason: String

  package var description: String { "\(reason), at byte \(offset) of the pattern \"\(text)\"" }
}
