/// A range, in a file or in memory, that must not overlap other ranges.
struct Span {
  let start: UInt64
  let size: UInt64
  let name: String
}

extension BinaryView {
  /// Throws an error if two ranges overlap. Linkers don't write such ranges, and a hostile file
  /// could use them to make the tool read the same bytes many times. `kind` is the word for the
  /// ranges in errors, such as `"sections"`.
  func refuseOverlap(
    _ spans: [Span], _ kind: String = "sections", inMemory: Bool = false
  ) throws(InspectionProblem) {
    let sorted = spans.filter { $0.size > 0 }.sorted { $0.start < $1.start }
    for (span, next) in zip(sorted, sorted.dropFirst()) where next.start - span.start < span.size {
      throw error(
        inMemory ? 0 : next.start,
        "the \(kind) '\(span.name)' and '\(next.name)' overlap in \(inMemory ? "memory" : "the file"), at"
          + " \(next.start.hex)")
    }
  }
}
