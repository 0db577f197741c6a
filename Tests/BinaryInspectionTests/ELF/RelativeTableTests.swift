import Testing

@testable import BinaryInspection

/// RELR, as the gABI's proposal has it.
@Suite struct RelativeTableTests {
  private func table(_ words: [UInt64], is64Bit: Bool) throws -> ELFRelativeTable {
    var bytes: [UInt8] = []
    for word in words {
      for index in 0..<(is64Bit ? 8 : 4) { bytes.append(UInt8(truncatingIfNeeded: word >> (index * 8))) }
    }
    let view = BinaryView(FileBytes(bytes, path: "x"))
    return try ELFRelativeTable(try view.cursor(0, UInt64(bytes.count), "the table"), is64Bit: is64Bit, of: view)
  }

  /// As loaders do it: word by word.
  private func unpacked(_ words: [UInt64], is64Bit: Bool) -> Set<UInt64> {
    let size: UInt64 = is64Bit ? 8 : 4
    var (places, next): (Set<UInt64>, UInt64) = ([], 0)
    for word in words {
      if word & 1 == 0 {
        places.insert(word)
        next = word + size
      } else {
        for bit in 1..<(size * 8) where word >> bit & 1 == 1 { places.insert(next + (bit - 1) * size) }
        next += (size * 8 - 1) * size
      }
    }
    return places
  }

  @Test("the words that it names are those that a loader would change", arguments: [true, false])
  func words(is64Bit: Bool) throws {
    let all: UInt64 = is64Bit ? .max : 0xffff_ffff
    let words: [UInt64] = [
      0x100, 0b1011, 0x1000, all, all, 1, 0x8000_0001 & all, 0x9000, 0xa000, 0x5555_5555, 0x20000,
    ]
    let table = try table(words, is64Bit: is64Bit)
    let expected = unpacked(words, is64Bit: is64Bit)
    #expect(expected.count > 60)
    for place in UInt64(0)..<0x21000 where table.contains(place) != expected.contains(place) {
      Issue.record("0x\(String(place, radix: 16))")
    }
    #expect(!table.contains(.max))
  }

  @Test("a table that begins with bits is an error")
  func bitsFirst() {
    #expect(throws: InspectionError.self) { try table([3], is64Bit: true) }
    #expect(throws: Never.self) { try table([], is64Bit: true) }
  }
}
