/// A mapping from addresses to the bytes of a file.
///
/// The addresses are those of the loaded segments or, in objects, of the sections.
struct ELFExtents {
  /// A range of addresses.
  struct Extent {
    var address: UInt64
    var memorySize: UInt64
    var offset: UInt64
    /// The number of bytes that the file contains; the other bytes are zeros.
    var fileSize: UInt64
    var isReadable: Bool
    /// The index of the section; nil for a segment.
    var section: Int?
  }

  /// The extents by address.
  ///
  /// If extents overlap, which only a hostile file has, the last one that starts before an address
  /// applies.
  private(set) var extents: [Extent] = []

  init() {}

  init(segments: [ELFSegment], of view: BinaryView, is64Bit: Bool) throws(InspectionError) {
    for segment in segments where segment.type == ELF.load && segment.memorySize > 0 {
      let (end, overflows) = segment.address.addingReportingOverflow(segment.memorySize)
      let (fileEnd, fileOverflows) = segment.offset.addingReportingOverflow(segment.fileSize)
      let start = "0x" + String(segment.address, radix: 16)
      guard !overflows, is64Bit || end <= 1 << 32 else {
        throw view.error(
          0, "the segment at address \(start) (\(segment.memorySize) bytes) must be within the address space")
      }
      guard segment.fileSize <= segment.memorySize else {
        throw view.error(
          min(segment.offset, view.size),
          "the segment at address \(start) has more bytes in the file (\(segment.fileSize)) than in memory"
            + " (\(segment.memorySize))")
      }
      guard !fileOverflows, fileEnd <= view.size else {
        throw view.error(
          min(segment.offset, view.size),
          "the segment at address \(start) (\(segment.fileSize) bytes at 0x\(String(segment.offset, radix: 16)))"
            + " must be within the file, which has \(view.size) bytes; the file is truncated")
      }
      extents.append(
        Extent(
          address: segment.address, memorySize: segment.memorySize, offset: segment.offset, fileSize: segment.fileSize,
          isReadable: segment.flags & ELF.readable != 0))
    }
    extents.sort { $0.address < $1.address }
  }

  /// Creates a mapping of the sections of a file.
  ///
  /// - Parameter isObject: A Boolean value that indicates whether the file is an object. In other
  ///   files, only the sections that are loaded have addresses.
  init(sections: [Section], headers: [ELFSectionHeader], isObject: Bool) {
    for (index, section) in sections.enumerated() where section.size > 0 {
      let isMapped = isObject || headers[index].flags & ELF.allocated != 0
      guard isMapped, section.address.addingReportingOverflow(section.size).overflow == false else { continue }
      extents.append(
        Extent(
          address: section.address, memorySize: section.size, offset: section.offset ?? 0,
          fileSize: section.offset == nil ? 0 : section.size, isReadable: true, section: index))
    }
    extents.sort { $0.address < $1.address }
  }

  /// Returns the extent that contains an address; nil if there is none.
  func extent(at address: UInt64) -> Extent? {
    var (low, high) = (0, extents.count)
    while low < high {
      let middle = (low + high) / 2
      if extents[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address - extents[low - 1].address < extents[low - 1].memorySize else { return nil }
    return extents[low - 1]
  }

  /// Returns the file offset of the bytes at an address; nil if the file does not contain all of
  /// them.
  func offset(at address: UInt64, _ size: UInt64) -> UInt64? {
    guard let extent = extent(at: address) else { return nil }
    let distance = address - extent.address
    guard distance <= extent.fileSize, size <= extent.fileSize - distance else { return nil }
    return extent.offset + distance
  }

  /// Returns the note segments that the runtime reads.
  ///
  /// Segments that are not mapped or not aligned are skipped. Overlapping segments, which the
  /// linker gold writes, become one segment with the larger alignment, so that each record is in
  /// only one.
  func notes(_ segments: [ELFSegment], of view: BinaryView) throws(InspectionError) -> [Section] {
    var notes: [Section] = []
    for segment in segments where segment.type == ELF.note && segment.memorySize > 0 && segment.address % 4 == 0 {
      guard let extent = extent(at: segment.address), extent.isReadable else { continue }
      let distance = segment.address - extent.address
      guard segment.memorySize <= extent.memorySize - distance else { continue }
      // The memory after the bytes of the file contains zeros, which are not records.
      guard distance < extent.fileSize else { continue }
      notes.append(
        Section(
          name: "PT_NOTE", address: segment.address, size: min(segment.memorySize, extent.fileSize - distance),
          offset: extent.offset + distance, alignment: segment.alignment >= 8 ? 8 : 4, isNotes: true))
    }
    notes.sort { ($0.address, $0.size) < ($1.address, $1.size) }
    var merged: [Section] = []
    for note in notes {
      if let last = merged.last, note.address - last.address < last.size {
        merged[merged.count - 1].size = max(last.size, note.address - last.address + note.size)
        merged[merged.count - 1].alignment = max(last.alignment, note.alignment)
      } else {
        merged.append(note)
      }
    }
    // No linker maps the same notes at two addresses, and reading them at many addresses would take
    // too long.
    return try ELFSections.withoutOverlap(merged, of: view)
  }
}

extension [Section] {
  /// Returns whether one of the sections contains another section.
  ///
  /// The sections must be sorted by address and must not overlap.
  func contain(_ other: Section) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].address <= other.address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, other.size <= self[low - 1].size else { return false }
    return other.address - self[low - 1].address <= self[low - 1].size - other.size
  }
}
