import Testing

@testable import BinaryInspection

/// The relocations of objects, and distances in images.
@Suite struct MachORelocationTests {
  private typealias Builder = MachOBuilder
  private static let data = MachOBuilder.dataAddress

  /// Creates an object whose section at 0x14000 has the given words and relocations.
  private func object(
    _ words: [UInt64], relocations addresses: [UInt32], is64Bit: Bool = true,
    section: (inout Builder.Section) -> Void = { _ in }
  ) throws -> MachOFile {
    var builder = Builder(is64Bit: is64Bit)
    builder.fileType = 1
    for word in words { builder.data.add(word) }
    var relocations = Bytes()
    // The length is eight bytes, and the target is the first symbol.
    for address in addresses { relocations.add(address, 3 << 25 | 1 << 27 as UInt32) }
    let offset = builder.append(relocations.bytes)
    builder.segments = builder.standardSegments
    var entry = Builder.Section(
      address: Self.data, size: 0x40, offset: Builder.dataOffset,
      relocations: (UInt64(offset), UInt64(addresses.count)))
    section(&entry)
    builder.segments[1].sections = [entry]
    return try builder.file()
  }

  @Test("a pointer with a relocation in an object is not null, also if the file contains zero")
  func pointers() throws {
    let file = try object([0, 0, 0x14010, 7], relocations: [8, 24])
    #expect(
      try (0..<4).map { try file.pointer(at: Self.data + $0 * 8) }
        == [.null, .symbol("", 0), .address(0x14010), .symbol("", 0)])
  }

  @Test("a pointer with a scattered relocation is a symbol, and the relocation's second part has no place")
  func scattered() throws {
    let relocations: [UInt32] = [0xa000_0008, 0xa200_000c, 0xa100_0000]
    let file = try object([0, 0x14010_0001_4010], relocations: relocations, is64Bit: false)
    #expect(
      try (0..<4).map { try file.pointer(at: Self.data + $0 * 4) } == [.null, .null, .symbol("", 0), .symbol("", 0)])
  }

  @Test("relocations outside the file are errors for every lookup")
  func outOfPlace() throws {
    let many = try object([0], relocations: [], section: { $0.relocations.count = 0xffff_ffff })
    for _ in 1...2 {
      #expect(
        message { _ = try many.pointer(at: Self.data) }?.hasPrefix(
          "the relocations of the section '__DATA,data' (34359738360 bytes)") == true)
    }
  }

  @Test("distances in images count from their place")
  func distancesInImages() throws {
    for is64Bit in [true, false] {
      var builder = Builder(is64Bit: is64Bit)
      builder.data.add(0, -4, 8, Int32.min)
      let file = try builder.file()
      #expect(try file.relativePointer(at: Self.data) == nil)
      #expect(try file.relativePointer(at: Self.data + 4) == Self.data)
      #expect(try file.relativePointer(at: Self.data + 8) == Self.data + 16)
      let far = try file.relativePointer(at: Self.data + 12)
      #expect(far == (is64Bit ? 0xffff_ffff_8001_400c : 0x8001_400c))
    }
  }
}
