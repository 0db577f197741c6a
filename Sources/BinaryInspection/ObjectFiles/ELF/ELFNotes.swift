extension AddressMap {
  /// Returns the note segments that the runtime reads, which are aligned, mapped, and readable.
  /// Overlapping segments, which the gold linker writes, become one segment with the larger
  /// alignment, so that no record is read twice.
  func notes(_ segments: [ELFSegment]) -> [Section] {
    var notes: [Section] = []
    for segment in segments where segment.type == ELF.note && segment.memory.address % 4 == 0 {
      var note = segment.memory
      guard note.size > 0, let region = region(at: note.address), region.isReadable, let start = region.offset
      else { continue }
      let distance = note.address - region.address
      // Memory beyond the bytes of the file contains zeros, which aren't records.
      guard note.size <= region.size - distance, distance < region.fileSize else { continue }
      (note.offset, note.size, note.zeros) = (start + distance, min(note.size, region.fileSize - distance), 0)
      notes.append(note)
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
    return merged
  }
}
