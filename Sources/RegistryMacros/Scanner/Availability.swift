/// What an `@available` attribute says.
struct Availability: Equatable {
  /// What stands in its parentheses.
  var text: String
  /// Whether it is of the form `macOS 14, iOS 17, *`, which `#available` takes too.
  var isList: Bool
  /// Whether it says from which version on something exists.
  var isIntroduction: Bool

  /// Reads the tokens inside the parentheses.
  init(_ source: Source, _ range: Range<Int>) {
    text = source.normalized(range, keepBackticks: true)
    isList =
      range.count > 1 && source.isMark(range.upperBound - 1, "*")
      && !range.contains { source.isMark($0, ":") }
    isIntroduction = isList || range.contains { source.isWord($0, "introduced") }
  }
}
