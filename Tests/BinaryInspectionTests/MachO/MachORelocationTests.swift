import Testing

@testable import BinaryInspection

/// Relocations of objects and of old images, and the addresses that they lead to.
///
/// The tests cover relocations that current compilers do not create, and malformed ones.
@Suite struct MachORelocationTests {
  private typealias Builder = MachOBuilder
  private static let data = MachOBuilder.dataAddress

  /// Returns a relocation that is not scattered.
  private static func relocation(
    _ address: UInt32, _ number: UInt32, isExternal: Bool = false, length: UInt32, type: UInt32 = 0,
    isRelative: Bool = false
  ) -> [UInt8] {
    var bytes = Bytes()
    bytes.add(address, number | (isRelative ? 1 << 24 : 0) | length << 25 | (isExternal ? 1 << 27 : 0) | type << 28)
    return bytes.bytes
  }

  private static func scattered(_ address: UInt32, _ value: UInt32, type: UInt32 = 0, length: UInt32 = 2) -> [UInt8] {
    var bytes = Bytes()
    bytes.add(1 << 31 | length << 28 | type << 24 | address, value)
    return bytes.bytes
  }

  private static let symbols: [(String, UInt8, UInt64)] = [
    ("_local", 0x0e, 0x14010), ("_defined", 0x0f, 0x14020), ("_undefined", 0x01, 0), ("_absolute", 0x03, 0x99),
    ("_indirect", 0x0b, 0), ("_stab", 0x24, 0x14000),
  ]

  /// Creates an object whose section at 0x14000 has the given words and relocations.
  private func object(
    cpu: (UInt32, UInt32), is64Bit: Bool, _ words: [UInt64], _ relocations: [[UInt8]],
    section: (inout Builder.Section) -> Void = { _ in },
    hasSymbols: Bool = true
  ) throws -> MachOFile {
    var builder = Builder(is64Bit: is64Bit, cpu: cpu)
    builder.fileType = 1
    for word in words { if is64Bit { builder.data.add(word) } else { builder.data.add(UInt32(word)) } }
    let bytes = relocations.flatMap { $0 }
    let offset = builder.append(bytes)
    if hasSymbols { builder.addSymbols(Self.symbols) }
    builder.segments = builder.standardSegments
    var entry = Builder.Section(
      address: Self.data, size: 0x40, offset: Builder.dataOffset,
      relocations: (UInt64(offset), UInt64(relocations.count)))
    section(&entry)
    builder.segments[1].sections = [entry]
    return try builder.file()
  }

  private static let x86: (UInt32, UInt32) = (0x0100_0007, 3)
  private static let arm64: (UInt32, UInt32) = (0x0100_000c, 2)

  private func x86(_ words: [UInt64], _ relocations: [UInt8]...) throws -> MachOFile {
    try object(cpu: Self.x86, is64Bit: true, words, relocations)
  }

  @Test("a pointer in an object is the address of a defined symbol, or the name of an undefined one")
  func pointers() throws {
    let file = try x86(
      [4, 0, 0x30, .max, 0x14008, 0, 7],
      Self.relocation(0, 0, isExternal: true, length: 3), Self.relocation(8, 1, isExternal: true, length: 3),
      Self.relocation(16, 2, isExternal: true, length: 3), Self.relocation(24, 3, isExternal: true, length: 3),
      Self.relocation(32, 1, length: 3), Self.relocation(40, 4, isExternal: true, length: 3),
      Self.relocation(48, 0, length: 3))
    let found = try (0..<8).map { try file.pointer(at: Self.data + $0 * 8) }
    #expect(
      found == [
        .address(0x14014), .address(0x14020), .symbol("_undefined", 0x30), .address(0x98), .address(0x14008),
        .symbol("_indirect", 0), .address(7), .null,
      ])
    #expect(try file.linkerPointer(at: Self.data) == nil)
    #expect(try file.symbols().map(\.name) == ["_local", "_defined", "_undefined", "_absolute", "_indirect"])
    #expect(try file.symbols().map(\.isDefined) == [true, true, false, true, false])
  }

  @Test("a signed pointer of arm64e has its offset in the lower half")
  func signed() throws {
    let file = try object(
      cpu: Self.arm64, is64Bit: true, [0x8001_1234_ffff_fffe, 0x8001_1234_0001_4008],
      [Self.relocation(0, 2, isExternal: true, length: 3, type: 11), Self.relocation(8, 1, length: 3, type: 11)])
    #expect(try file.pointer(at: Self.data) == .symbol("_undefined", -2))
    #expect(try file.pointer(at: Self.data + 8) == .address(0x14008))
  }

  @Test("scattered relocations name the section, and the file contains the address")
  func scattered() throws {
    for cpu in [(7, 3), (12, 9)] as [(UInt32, UInt32)] {
      let difference: UInt32 = cpu.0 == 7 ? 4 : 3
      let file = try object(
        cpu: cpu, is64Bit: false, [0x14038, 0, 0x20, 0xffff_fff8, 0, 0xffff_fffc],
        [
          Self.scattered(0, 0x14010), Self.scattered(8, 0x14020, type: 2), Self.scattered(0, 0x14000, type: 1),
          Self.scattered(12, 0x14000, type: difference), Self.scattered(0, 0x14000, type: 1),
          Self.scattered(16, 0x14000, type: 2),
          Self.relocation(20, 2, isExternal: true, length: 2),
        ])
      #expect(try file.pointer(at: Self.data) == .address(0x14038))
      #expect(try file.relativePointer(at: Self.data + 8) == 0x14028)
      #expect(try file.relativePointer(at: Self.data + 12) == 0x14004)
      #expect(try file.relativePointer(at: Self.data + 16) == nil)
      #expect(try file.pointer(at: Self.data + 20) == .symbol("_undefined", -4))
      #expect(
        message { _ = try file.pointer(at: Self.data + 8) }
          == "the value at address 0x14008 is not a pointer, because its relocation has the type 2")
    }
  }

  @Test("a distance in an object leads to the target of its two relocations")
  func distances() throws {
    func pair(_ address: UInt32, _ minus: UInt32, _ plus: UInt32, isExternal: Bool = true) -> [[UInt8]] {
      [
        Self.relocation(address, minus, isExternal: true, length: 2, type: 5),
        Self.relocation(address, plus, isExternal: isExternal, length: 2),
      ]
    }
    let file = try object(
      cpu: Self.x86, is64Bit: true, [0x0000_0002_ffff_fff0, 0x0001_4030, 0, 0x10, 0],
      pair(0, 0, 1) + pair(4, 0, 2) + pair(8, 0, 1, isExternal: false)
        + [Self.relocation(16, 2, isExternal: true, length: 2, type: 4, isRelative: true)] + pair(20, 2, 1))
    // The symbol that is subtracted is at 0x14010. The distance of the target from the added symbol
    // is equal to the distance of the relocated word from the subtracted symbol.
    #expect(try file.relativePointer(at: Self.data) == 0x14020 - 0x10 - 0x10)
    #expect(try file.relativePointer(at: Self.data + 4) == nil)
    #expect(try file.relativePointer(at: Self.data + 8) == 0x14030 - 8)
    #expect(try file.relativePointer(at: Self.data + 16) == nil)
    #expect(try file.relativePointer(at: Self.data + 24) == 0x14028)
    #expect(try file.relativePointer(at: Self.data + 32) == nil)
    #expect(
      message { _ = try file.relativePointer(at: Self.data + 20) }
        == "the relative pointer at address 0x14014 is relative to an address that is not in the file")
  }

  @Test("relocations that do not match the requested pointer are errors")
  func wrongKinds() throws {
    let file = try x86(
      [0, 0, 0, 0, 0, 0, 0, 0],
      Self.relocation(0, 1, isExternal: true, length: 2),
      Self.relocation(8, 1, isExternal: true, length: 3, isRelative: true),
      Self.relocation(16, 1, isExternal: true, length: 3, type: 5), Self.relocation(16, 1, isExternal: true, length: 3),
      Self.relocation(24, 9, length: 3), Self.relocation(32, 99, isExternal: true, length: 3),
      Self.relocation(40, 1, isExternal: true, length: 3), Self.relocation(40, 1, isExternal: true, length: 3),
      Self.relocation(48, 1, isExternal: true, length: 3, type: 1))
    for offset in [0, 8, 16, 40, 48] as [UInt64] {
      let type = offset == 16 ? 5 : offset == 48 ? 1 : 0
      let place = String(Self.data + offset, radix: 16)
      #expect(
        message { _ = try file.pointer(at: Self.data + offset) }
          == "the value at address 0x\(place) is not a pointer, because its relocation has the type \(type)")
      #expect(
        message { _ = try file.relativePointer(at: Self.data + offset) }
          == "the value at address 0x\(place) is not a relative pointer, because its relocation has the type \(type)")
    }
    #expect(
      message { _ = try file.pointer(at: Self.data + 24) }
        == "a relocation refers to section 9, but the number of sections is 1")
    #expect(
      message { _ = try file.pointer(at: Self.data + 32) } == "there is no symbol 99; the symbol table has 6 symbols")
    let without = try object(
      cpu: Self.x86, is64Bit: true, [0], [Self.relocation(0, 1, isExternal: true, length: 3)], hasSymbols: false)
    #expect(
      message { _ = try without.pointer(at: Self.data) }
        == "a relocation refers to a symbol, but there is no symbol table"
    )
  }

  @Test("relocations outside the file or their section are errors for every lookup")
  func outOfPlace() throws {
    let behind = try x86([0], Self.relocation(0x40, 1, length: 3))
    for _ in 1...2 {
      #expect(
        message { _ = try behind.pointer(at: Self.data) }
          == "the relocations of the section '__DATA,data' must be within its 64 bytes, but one is at 0x40")
    }
    let many = try object(cpu: Self.x86, is64Bit: true, [0], [], section: { $0.relocations.count = 0xffff_ffff })
    #expect(
      message { _ = try many.pointer(at: Self.data) }?.hasPrefix(
        "the relocations of the section '__DATA,data' (34359738360 bytes)")
        == true)
  }

  /// Creates a file with a section of pointers and an indirect symbol table.
  private func indirect(type: UInt32, _ words: [UInt64], _ indexes: [UInt32], sectionType: UInt32) throws -> MachOFile {
    var builder = Builder(is64Bit: false)
    builder.fileType = type
    for word in words { builder.data.add(UInt32(word)) }
    var table = Bytes()
    for index in indexes { table.add(index) }
    let offset = builder.append(table.bytes)
    builder.addSymbols(Self.symbols)
    builder.commands.append(
      Builder.command(0xb, 0, 2, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0, offset, UInt32(indexes.count), 0, 0, 0, 0))
    builder.segments = builder.standardSegments
    builder.segments[1].sections = [
      .init(address: Self.data, size: 20, offset: Builder.dataOffset, flags: sectionType, reserved1: 1)
    ]
    return try builder.file()
  }

  @Test(
    "sections of pointers take their symbols from the indirect symbol table", arguments: [6, 7] as [UInt32])
  func indirectPointers(sectionType: UInt32) throws {
    let file = try indirect(
      type: 1, [0, 0x14004, 5, 0, 0], [0, 2, 0x8000_0000, 0x4000_0000, 1], sectionType: sectionType)
    #expect(try file.pointer(at: Self.data) == .symbol("_undefined", 0))
    #expect(try file.pointer(at: Self.data + 4) == .address(0x14004))
    #expect(try file.pointer(at: Self.data + 8) == .address(5))
    #expect(try file.pointer(at: Self.data + 12) == .address(0x14020))
    #expect(
      message { _ = try file.pointer(at: Self.data + 16) }
        == "the section '__DATA,data' has more pointers than the indirect symbol table has symbols")
    #expect(try file.pointer(at: Self.data + 2) == .address(0x4004_0000))
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
