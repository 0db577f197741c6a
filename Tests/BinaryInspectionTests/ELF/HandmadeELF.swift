@testable import BinaryInspection

/// A small shared object for x86-64 that is assembled byte by byte, and that tests damage.
///
/// Addresses are equal to offsets in the file.
struct HandmadeELF {
  static let segments = 64
  static let notes = 240
  static let dynamic = 280
  static let rela = 440
  static let relr = 464
  static let symbols = 480
  static let strings = 528
  static let sections = 576

  var bytes = [UInt8](repeating: 0, count: 576 + 3 * 64)

  init() {
    put(0, 0x7f, 1)
    put(1, Array("ELF".utf8) + [2, 1, 1])
    put(16, 3, 2)
    put(18, 62, 2)
    put(20, 1, 4)
    put(32, 64, 8)
    put(40, UInt64(Self.sections), 8)
    put(52, 64, 2)
    put(54, 56, 2)
    put(56, 3, 2)
    put(58, 64, 2)
    put(60, 3, 2)
    put(62, 2, 2)

    segment(0, type: 1, at: 0, size: bytes.count, alignment: 4096)
    segment(1, type: 4, at: Self.notes, size: 40, alignment: 8)
    segment(2, type: 2, at: Self.dynamic, size: 160, alignment: 8)

    put(Self.notes, 9, 4)
    put(Self.notes + 4, 16, 4)
    put(Self.notes + 12, Array("Registry".utf8))
    put(Self.notes + 32, Array("{}".utf8))

    let entries: [(Int, Int)] = [
      (7, Self.rela), (8, 24), (9, 24), (36, Self.relr), (35, 16), (37, 8), (6, Self.symbols), (5, Self.strings),
      (10, 32),
    ]
    for (index, entry) in entries.enumerated() {
      put(Self.dynamic + index * 16, UInt64(entry.0), 8)
      put(Self.dynamic + index * 16 + 8, UInt64(entry.1), 8)
    }
    // The accessor is the symbol "other" plus four. The words of the dynamic section's first entry
    // are relative.
    put(Self.rela, UInt64(Self.notes + 24), 8)
    put(Self.rela + 8, 1 << 32 | 1, 8)
    put(Self.rela + 16, 4, 8)
    put(Self.relr, UInt64(Self.dynamic), 8)
    put(Self.relr + 8, 0b11, 8)
    put(Self.symbols + 24, 1, 4)
    put(Self.strings, Array("\0other\0.note.registry\0.names\0".utf8))
    section(1, name: 7, type: 7, at: Self.notes, size: 40, alignment: 8)
    section(2, name: 22, type: 3, at: Self.strings, size: 32, alignment: 1)
  }

  mutating func put(_ offset: Int, _ value: UInt64, _ count: Int) {
    for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8)) }
  }

  mutating func put(_ offset: Int, _ new: [UInt8]) {
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }

  private mutating func segment(_ index: Int, type: UInt64, at offset: Int, size: Int, alignment: UInt64) {
    let start = Self.segments + index * 56
    put(start, type, 4)
    put(start + 4, 4, 4)
    for field in [8, 16, 24] { put(start + field, UInt64(offset), 8) }
    for field in [32, 40] { put(start + field, UInt64(size), 8) }
    put(start + 48, alignment, 8)
  }

  private mutating func section(
    _ index: Int, name: UInt64, type: UInt64, at offset: Int, size: Int, alignment: UInt64
  ) {
    let start = Self.sections + index * 64
    put(start, name, 4)
    put(start + 4, type, 4)
    put(start + 8, 2, 8)
    put(start + 16, UInt64(offset), 8)
    put(start + 24, UInt64(offset), 8)
    put(start + 32, UInt64(size), 8)
    put(start + 48, alignment, 8)
  }

  var view: BinaryView { BinaryView(FileBytes(bytes, path: "x")) }

  /// Reads all contents of a file and ignores errors.
  static func readAll(_ bytes: [UInt8]) {
    guard let file = try? ELFFile(BinaryView(FileBytes(bytes, path: "x"))) else { return }
    _ = try? file.symbols()
    for section in file.recordSections + file.unreachableRecordSections + file.sections.prefix(100) {
      for distance in stride(from: 0, to: min(section.size, 64), by: 4) {
        let (address, overflows) = section.address.addingReportingOverflow(distance)
        if overflows { break }
        _ = try? file.pointer(at: address)
        _ = try? file.relativePointer(at: address)
        _ = try? file.cString(at: address, "a text")
      }
      _ = try? file.bytes(at: section.address, section.size, "a section")
    }
  }
}
