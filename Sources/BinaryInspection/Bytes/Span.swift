/// A range of a file or of addresses that must not overlap others.
struct Span {
  let start: UInt64
  let size: UInt64
  let name: String
  /// The offset of errors in the file; nil for the start of the range.
  var errorOffset: UInt64?
}

extension BinaryView {
  /// Throws an error if two ranges overlap.
  ///
  /// Reading many parts with the same bytes would take too long, and no linker writes them.
  ///
  /// - Parameters:
  ///   - kind: The word for the parts: `"sections"`.
  ///   - space: The space of the ranges: `"in memory"`.
  func refuseOverlap(
    _ spans: [Span], _ kind: String = "sections", _ space: String = "in the file"
  ) throws(InspectionError) {
    let sorted = spans.filter { $0.size > 0 }.sorted { $0.start < $1.start }
    for (span, next) in zip(sorted, sorted.dropFirst()) where next.start - span.start < span.size {
      throw error(
        next.errorOffset ?? next.start,
        "the \(kind) '\(span.name)' and '\(next.name)' overlap \(space), at \(next.start.hex)")
    }
  }
}
