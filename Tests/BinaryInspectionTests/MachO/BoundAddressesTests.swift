import Testing

@testable import BinaryInspection

/// The well-formed and malformed opcodes of the load command for dyld's information.
@Suite struct BoundAddressesTests {
  private static let data = MachOBuilder.dataAddress

  private func file(
    _ bind: [UInt8], lazy: [UInt8] = [], weak: [UInt8] = [], is64Bit: Bool = true, _ numbers: [Int: UInt64] = [:]
  ) throws -> MachOFile {
    var builder = MachOBuilder(is64Bit: is64Bit)
    builder.data.pad(to: 0x4000)
    for (offset, number) in numbers { builder.data.put(number, at: offset) }
    var places: [UInt32] = []
    for bytes in [bind, weak, lazy] { places += [builder.append(bytes), UInt32(bytes.count)] }
    builder.commands = [
      MachOBuilder.command(
        MachO.Command.dyldInfoOnly, 0, 0, places[0], places[1], places[2], places[3], places[4], places[5], 0, 0)
    ]
    return try builder.file()
  }

  private func pointers(_ bind: [UInt8], lazy: [UInt8] = [], weak: [UInt8] = [], is64Bit: Bool = true) throws
    -> [Pointer]
  {
    let file = try file(bind, lazy: lazy, weak: weak, is64Bit: is64Bit, [0: 0x10010])
    let size: UInt64 = is64Bit ? 8 : 4
    return try (0..<4).map { try file.pointer(at: Self.data + $0 * size) }
  }

  private func message(_ bind: [UInt8], lazy: [UInt8] = [], _ numbers: [Int: UInt64] = [:], is64Bit: Bool = true)
    -> String?
  {
    BinaryInspectionTests.message {
      _ = try file(bind, lazy: lazy, is64Bit: is64Bit, numbers).pointer(at: Self.data)
    }
  }

  /// Returns the opcode SET_SYMBOL_TRAILING_FLAGS_IMM with a name.
  private static func symbol(_ name: String) -> [UInt8] { [0x40] + Array(name.utf8) + [0] }
  /// The opcode SET_SEGMENT_AND_OFFSET_ULEB for the beginning of the data segment.
  private static let start: [UInt8] = [0x71, 0]

  @Test("each way to bind is followed")
  func ways() throws {
    let (a, b, start) = (Self.symbol("_a"), Self.symbol("_b"), Self.start)
    #expect(try pointers([]) == [.address(0x10010), .null, .null, .null])
    // The opcodes set ordinals of every form and a type, and bind two adjacent pointers.
    #expect(
      try pointers([0x11, 0x20, 0x80, 0x01, 0x3f, 0x51] + a + start + [0x90] + b + [0x90, 0x00, 0x90])
        == [.symbol("_a", 0), .symbol("_b", 0), .null, .null])
    // An addend applies until another one replaces it.
    #expect(
      try pointers(a + [0x60, 0x7f] + start + [0x90, 0x90, 0x60, 0x02, 0x90])
        == [.symbol("_a", -1), .symbol("_a", -1), .symbol("_a", 2), .null])
    #expect(try pointers(a + start + [0x80, 0x08, 0x90]) == [.address(0x10010), .symbol("_a", 0), .null, .null])
    #expect(try pointers(a + start + [0xa0, 0x08, 0x90]) == [.symbol("_a", 0), .null, .symbol("_a", 0), .null])
    #expect(try pointers(a + start + [0xb2, 0x90]) == [.symbol("_a", 0), .null, .null, .symbol("_a", 0)])
    #expect(try pointers(a + start + [0xc0, 0x02, 0x08]) == [.symbol("_a", 0), .null, .symbol("_a", 0), .null])
    // ADD_ADDR_ULEB with a negative number moves back.
    let back: [UInt8] = [0x80, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
    #expect(
      try pointers(a + [0x71, 0x10, 0x90] + back + b + [0x90]) == [
        .address(0x10010), .symbol("_b", 0), .symbol("_a", 0), .null,
      ])
    #expect(try pointers(a + start + [0x90, 0x90], is64Bit: false)[1] == .symbol("_a", 0))
    // A relative binding is a part of an instruction and no pointer.
    #expect(
      try pointers([0x53] + a + start + [0x90, 0x51, 0x90]) == [.address(0x10010), .symbol("_a", 0), .null, .null])
  }

  @Test("lazy bindings end separately, and weak bindings take precedence")
  func tables() throws {
    let lazy = Self.start + Self.symbol("_lazy") + [0x90, 0x00, 0x71, 0x08] + Self.symbol("_late") + [0x90, 0x00]
    let weak = Self.symbol("_weak") + Self.start + [0x90]
    let plain = Self.symbol("_plain") + Self.start + [0x90]
    #expect(try pointers(plain, lazy: lazy, weak: weak) == [.symbol("_weak", 0), .symbol("_late", 0), .null, .null])
    #expect(try pointers(plain, lazy: lazy)[0] == .symbol("_lazy", 0))
    #expect(try pointers([], weak: weak)[0] == .symbol("_weak", 0))
  }

  @Test("wrong opcodes are errors for the first lookup and for every other one")
  func wrong() throws {
    let (a, start) = (Self.symbol("_a"), Self.start)
    #expect(message([0xe0]) == "the bind opcodes contain the unknown opcode 0xe0")
    #expect(message([], lazy: [0xf0]) == "the lazy bind opcodes contain the unknown opcode 0xf0")
    #expect(message([0x50]) == "the bind opcodes contain the unknown type 0")
    #expect(message([0x54]) == "the bind opcodes contain the unknown type 4")
    #expect(message([0x72, 0]) == "the bind opcodes refer to segment 2, which does not exist")
    #expect(message(start + [0x90]) == "the bind opcodes bind a pointer before they name a symbol")
    #expect(message(a + [0x90]) == "the bind opcodes bind a pointer before they name a segment")
    #expect(message(a.dropLast()) == "unexpected end of the bind opcodes")
    #expect(message([0x71, 0x80]) == "unexpected end of the bind opcodes")
    let outside = "which is outside of the segment '__DATA'"
    #expect(message(a + [0x71, 0xf9, 0x7f, 0x90])?.hasSuffix("at 0x3ff9, \(outside)") == true)
    #expect(message(a + [0x71] + Array(repeating: 0xff, count: 9) + [0x01, 0x90])?.hasSuffix(outside) == true)
    #expect(message(a + start + [0xc0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00])?.hasSuffix(outside) == true)
    // The opcodes bind the same address as often as a number can specify.
    let again: [UInt8] = [0xf8] + Array(repeating: 0xff, count: 8) + [0x01]
    #expect(
      message(a + start + [0xc0] + Array(repeating: 0xff, count: 8) + [0x7f] + again)
        == "the bind opcodes bind more pointers than the file has room for")
    let file = try file([0xe0])
    for _ in 1...2 { #expect(BinaryInspectionTests.message { _ = try file.pointer(at: Self.data) } != nil) }
  }

  @Test("an address after the first 4 GB is an error")
  func far() throws {
    // The test needs no file of that size, because it calls the reader with a segment that claims
    // the offset.
    let opcodes = Self.symbol("_a") + [0x70, 0] + [0x90]
    let view = BinaryView(FileBytes(opcodes, path: "x"))
    let segment = MachOSegment(
      name: "__DATA", address: 0, size: 0x4000, fileOffset: 1 << 32, fileSize: 0x4000, protection: 3, flags: 0,
      commandOffset: 0
    )
    let place = MachOLoadCommands.FileRange(offset: 0, size: UInt64(opcodes.count))
    let none = MachOLoadCommands.FileRange(offset: 0, size: 0)
    #expect(
      BinaryInspectionTests.message {
        _ = try BoundAddresses(
          view, .init(bind: place, weakBind: none, lazyBind: none), segments: [segment], is64Bit: false)
      } == "the bind opcodes bind an offset after the first 4 GB of the file")
  }
}
