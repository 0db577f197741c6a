extension AddressMap {
  /// Returns the note segments that the runtime reads, which are aligned, mapped, and readable.
  /// Overlapping segments, which the gold linker writes, become one segment with the larger
  /// alignment, so that no record is read twice.
  func notes(_ segments: [ELFSegment], of view: BinaryView) throws(InspectionProblem) -> [Section] {
    var notes: [Section] = []
    for segment in segments where segment.type == ELF.note && segment.memorySize > 0 && segment.address % 4 == 0 {
      guard let region = region(at: segment.address), region.isReadable, let start = region.offset else { continue }
      let distance = segment.address - region.address
      guard segment.memorySize <= region.size - distance else { continue }
      // Memory beyond the bytes of the file contains zeros, which aren't records.
      guard distance < region.fileSize else { continue }
      notes.append(
        Section(
          name: "PT_NOTE", address: segment.address, size: min(segment.memorySize, region.fileSize - distance),
          offset: start + distance, noteAlignment: segment.alignment >= 8 ? 8 : 4))
    }
    notes.sort { ($0.address, $0.size) < ($1.address, $1.size) }
    var merged: [Section] = []
    for note in notes {
      if let last = merged.last, note.address - last.address < last.size {
        merged[merged.count - 1].size = max(last.size, note.address - last.address + note.size)
        merged[merged.count - 1].noteAlignment = max(last.noteAlignment ?? 4, note.noteAlignment ?? 4)
      } else {
        merged.append(note)
      }
    }
    try view.refuseOverlap(merged.map(\.bytes))
    return merged
  }
}
