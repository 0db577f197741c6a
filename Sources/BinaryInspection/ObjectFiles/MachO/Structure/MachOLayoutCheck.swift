/// A check that parts of a file do not overlap, in memory or in the file.
///
/// Debug symbols and similar files are not checked, because they register nothing and their layout
/// depends on the tool.
struct MachOLayoutCheck {
  let view: BinaryView
  let header: MachOHeader

  private struct Span {
    let start: UInt64
    let size: UInt64
    let name: String
    let headerOffset: UInt64
  }

  func check(_ segments: [MachOSegment], _ sections: [MachOSection]) throws(InspectionError) {
    if header.isLoaded {
      try check(
        segments.map { Span(start: $0.address, size: $0.size, name: $0.name, headerOffset: $0.commandOffset) },
        "segments", "in memory"
      )
      try check(
        segments.map { Span(start: $0.fileOffset, size: $0.fileSize, name: $0.name, headerOffset: $0.commandOffset) },
        "segments",
        "in the file")
    }
    if header.isLoaded || header.isObject {
      try check(
        sections.map { Span(start: $0.section.address, size: $0.section.size, name: $0.section.name, headerOffset: 0) },
        "sections",
        "in memory")
    }
    if header.isObject {
      try check(
        sections.compactMap { entry in
          entry.section.offset.map {
            Span(start: $0, size: entry.section.size, name: entry.section.name, headerOffset: $0)
          }
        }, "sections", "in the file")
      // This check limits the number of all relocations by the size of the file.
      try check(
        sections.map {
          Span(
            start: $0.relocationOffset, size: $0.relocationCount * 8, name: $0.section.name,
            headerOffset: $0.relocationOffset)
        }, "relocations of the sections", "in the file")
    }
  }

  private func check(_ spans: [Span], _ kind: String, _ space: String) throws(InspectionError) {
    let sorted = spans.filter { $0.size > 0 }.sorted { $0.start < $1.start }
    // The sums do not overflow, because the readers of the load commands have checked them.
    for (span, next) in zip(sorted, sorted.dropFirst()) where span.start + span.size > next.start {
      throw view.error(
        next.headerOffset,
        "the \(kind) '\(span.name)' and '\(next.name)' overlap \(space), at 0x\(String(next.start, radix: 16))")
    }
  }
}
