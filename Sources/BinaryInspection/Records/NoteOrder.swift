import RegistryC

/// Brings the notes of a big-endian ELF file into this machine's byte order, so that the run time's walker reads them.
///
/// A note's header is three words (gABI, "Note Section"), and a record's are its own; all else of both are bytes. What is turned is found as
/// the walker finds it: a record by its name, another's note by following the one before.
struct NoteOrder {
  private let bytes: AlignedBytes
  /// To what notes of others are padded: 4 or 8.
  private let padding: Int

  private static let headerSize = 12
  private static let name = Array(REGISTRY_NAME.utf8)

  /// - Parameter alignment: The section's or segment's.
  static func normalize(_ bytes: AlignedBytes, alignment: UInt64) {
    NoteOrder(bytes: bytes, padding: alignment >= 8 ? 8 : 4).normalize()
  }

  private var size: Int { bytes.bytes.count }

  private func normalize() {
    var offset = 0
    while size - offset >= Self.headerSize {
      if bytes.isZero(at: offset, 4) {
        offset += 4
      } else if bearsName(offset) {
        let end = recordEnd(offset)
        swap(offset)
        offset = end ?? next(after: offset)
      } else {
        let end = noteEnd(offset)
        if end != nil { swap(offset) }
        offset = end ?? next(after: offset)
      }
    }
  }

  private func swap(_ offset: Int) {
    for word in 0..<3 { bytes.swapWord(at: offset + 4 * word) }
  }

  private func value(at offset: Int) -> UInt64 { UInt64(bytes.word(at: offset).byteSwapped) }

  private func bearsName(_ offset: Int) -> Bool {
    guard offset % 8 == 0, size - offset >= 24 else { return false }
    return bytes.bytes[offset + Self.headerSize..<offset + Self.headerSize + 8].elementsEqual(Self.name)
  }

  /// Whether the header of a record stands there, in the file's order or in the other. Its zeros stand in no JSON.
  private func isSignature(_ offset: Int) -> Bool {
    bearsName(offset) && (isPlausible(value(at: offset)) || isPlausible(UInt64(bytes.word(at: offset))))
  }

  private func isPlausible(_ nameSize: UInt64) -> Bool { (9...64).contains(nameSize) }

  /// Where the next record begins, or the end.
  private func next(after offset: Int) -> Int {
    var next = offset / 8 * 8 + 8
    while next < size, !isSignature(next) { next += 8 }
    return min(next, size)
  }

  /// The end of a record or of one of another version; nil if its sizes are wrong, or another begins inside of it.
  private func recordEnd(_ offset: Int) -> Int? {
    guard isPlausible(value(at: offset)) else { return nil }
    let name = (value(at: offset) + 3) / 4 * 4
    let end = UInt64(Self.headerSize) + name + value(at: offset + 4)
    return inside(offset, end, multiple: 8)
  }

  private func noteEnd(_ offset: Int) -> Int? {
    let padding = UInt64(padding == 8 && offset % 8 == 0 ? 8 : 4)
    let name = UInt64(Self.headerSize) + value(at: offset)
    return inside(offset, (name + padding - 1) / padding * padding + value(at: offset + 4), multiple: 4)
  }

  private func inside(_ offset: Int, _ count: UInt64, multiple: Int) -> Int? {
    guard count <= UInt64(size - offset) else { return nil }
    let end = (offset + Int(count) + multiple - 1) / multiple * multiple
    // No further than its end, so that all of it is linear.
    for place in stride(from: offset / 8 * 8 + 8, to: min(end, size), by: 8) where isSignature(place) { return nil }
    return min(end, size)
  }
}
