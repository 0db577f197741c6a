/// Skeleton.
struct PatternParser {
  let text: String
  init(_ text: String) { self.text = text }
  mutating func parse() throws(PatternError) -> PatternSyntax {
    throw PatternError(text: text, offset: 0, reason: "skeleton")
  }
}
