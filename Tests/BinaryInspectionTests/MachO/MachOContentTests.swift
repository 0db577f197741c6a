import Testing

@testable import BinaryInspection

/// Bytes and texts at addresses, symbols, and the flags for encrypted and stripped files.
@Suite struct MachOContentTests {
  private typealias Builder = MachOBuilder
  private static let data = MachOBuilder.dataAddress

  @Test("bytes are read through segments, and are zeros where the file has none")
  func bytes() throws {
    var builder = Builder()
    builder.data.add(1, 2 as UInt64)
    builder.data.pad(to: 0x4000)
    builder.data.put(0x6869 as UInt16, at: 0x3ffe)
    builder.segments = builder.standardSegments
    builder.segments[1].size = 1 << 40
    let file = try builder.file()
    #expect(try file.bytes(at: Self.data + 8, 1, "it") == [2])
    #expect(try file.bytes(at: Self.data + 0x3ffe, 4, "it") == [0x69, 0x68, 0, 0])
    #expect(try file.bytes(at: Self.data + 0x5000, 2, "it") == [0, 0])
    #expect(try file.bytes(at: 0, 0, "it") == [])
    #expect(try file.pointer(at: Self.data + 0x5000) == .null)
    // A text ends at the first byte of the zeros.
    #expect(try file.cString(at: Self.data + 0x3ffe, "it") == "ih")
    #expect(try file.cString(at: Self.data + 0x5000, "it") == "")
    #expect(message { _ = try file.bytes(at: 0x10, 4, "it") } == "it at address 0x10 is in no segment")
    #expect(
      message { _ = try file.bytes(at: .max, 4, "it") } == "it at address 0xffffffffffffffff is in no segment")
    #expect(
      message { _ = try file.bytes(at: Builder.base + 0x3ffe, 4, "it") }
        == "it (4 bytes at address 0x13ffe) must be within the segment '__TEXT'")
    #expect(
      message { _ = try file.bytes(at: Self.data, 1 << 39, "it") }
        == "it (549755813888 bytes at address 0x14000) has more zeros than the file has bytes")
  }

  @Test("an object is read through its sections")
  func object() throws {
    var builder = Builder()
    builder.fileType = 1
    builder.data.add("abc", size: 16)
    builder.segments = builder.standardSegments
    builder.segments[1].sections = [
      .init(address: Self.data, size: 3, offset: 0x4000),
      .init(name: "zero", address: Self.data + 8, size: 8, offset: 0, flags: 1),
    ]
    let file = try builder.file()
    #expect(try file.bytes(at: Self.data + 1, 2, "it") == Array("bc".utf8))
    #expect(try file.bytes(at: Self.data + 8, 8, "it") == Array(repeating: 0, count: 8))
    #expect(message { _ = try file.bytes(at: Self.data + 4, 1, "it") } == "it at address 0x14004 is in no section")
    #expect(
      message { _ = try file.bytes(at: Self.data, 4, "it") }
        == "it (4 bytes at address 0x14000) must be within the section '__DATA,data'")
    #expect(message { _ = try file.cString(at: Self.data, "it") } == "it at address 0x14000 is not terminated")
  }

  @Test("the page of null pointers has no bytes")
  func pageZero() throws {
    var builder = Builder()
    builder.segments = [.init(name: "__PAGEZERO", address: 0, size: 0x10000, offset: 0, fileSize: 0, protection: 0)]
    builder.segments += builder.standardSegments
    let file = try builder.file()
    #expect(message { _ = try file.cString(at: 0x100, "it") } == "it at address 0x100 is in no segment")
    #expect(try file.bytes(at: Builder.base, 4, "it") == [0xcf, 0xfa, 0xed, 0xfe])
  }

  @Test("a text without an end is an error, or is truncated if it is very long")
  func endless() throws {
    var builder = Builder()
    builder.data.bytes = Array(repeating: 65, count: 0x14000)
    let file = try builder.file()
    #expect(try file.cString(at: Self.data, "it").utf8.count == 4_096)
    #expect(
      message { _ = try file.cString(at: Self.data + 0x13ff0, "it") } == "it at address 0x27ff0 is not terminated")
  }

  private func sections(_ builder: inout MachOBuilder) {
    builder.segments = builder.standardSegments
    builder.segments[1].sections = [
      .init(address: Self.data, size: 8, offset: 0x4000),
      .init(name: "more", address: Self.data + 8, size: 8, offset: 0x4008),
      .init(name: "zero", address: Self.data + 16, size: 8, offset: 0, flags: 1),
    ]
  }

  @Test("encrypted contents are reported as such, by both load commands", arguments: [0x21, 0x2c] as [UInt32])
  func encrypted(kind: UInt32) throws {
    var builder = Builder()
    sections(&builder)
    builder.commands = [Builder.command(kind, 0x4008, 4, 1)]
    let file = try builder.file()
    #expect(file.header.isEncrypted)
    #expect(file.sections.map(\.isEncrypted) == [false, true, false])
    #expect(try file.bytes(at: Self.data, 8, "it").count == 8)
    #expect(message { _ = try file.bytes(at: Self.data + 4, 5, "it") } == "it is encrypted")
    #expect(message { _ = try file.pointer(at: Self.data + 8) } == "a pointer is encrypted")
    // The value zero means that the range has been decrypted.
    builder.commands = [Builder.command(kind, 0x4008, 4, 0)]
    #expect(try !builder.file().header.isEncrypted)
    #expect(try builder.file().sections.map(\.isEncrypted) == [false, false, false])
  }

  @Test("the sections of a protected segment are encrypted")
  func protected() throws {
    var builder = Builder()
    sections(&builder)
    builder.segments[1].flags = 8
    let file = try builder.file()
    #expect(file.header.isEncrypted)
    #expect(file.sections.map(\.isEncrypted) == [true, true, false])
    #expect(message { _ = try file.cString(at: Self.data, "it") } == "it is encrypted")
    #expect(try file.bytes(at: Builder.base, 4, "it").count == 4)
  }

  @Test(
    "an image is stripped when no local symbol is left, an object when no symbol is",
    arguments: [
      (6, [], true), (6, [("_u", 0x01)], true), (6, [("_e", 0x0f)], true), (6, [("_l", 0x0e)], false),
      (6, [("_p", 0x1e)], false), (6, [("radr", 0x3c)], true), (6, [("file", 0x64)], false), (6, [("_a", 0x02)], false),
      (1, [("_u", 0x01)], true), (1, [("_e", 0x0f)], false), (1, [("_l", 0x0e)], false),
    ] as [(UInt32, [(String, UInt8)], Bool)])
  func stripped(type: UInt32, symbols: [(String, UInt8)], isStripped: Bool) throws {
    var builder = Builder()
    builder.fileType = type
    builder.addSymbols(symbols.map { ($0.0, $0.1, 0) })
    #expect(try builder.file().header.isStripped == isStripped)
  }

  @Test("symbols with names outside the table are errors")
  func names() throws {
    func message(_ change: (inout MachOBuilder) -> Void) -> String? {
      var builder = Builder()
      builder.addSymbols([("_a", 0xf, 1), ("_b", 0xf, 2)])
      change(&builder)
      return BinaryInspectionTests.message { _ = try builder.file().symbols() }
    }
    #expect(message { _ in } == nil)
    #expect(
      message { $0.rest.put(7 as UInt32, at: 0) }
        == "the name of a symbol is not terminated")
    #expect(message { $0.rest.bytes[38] = 65 } == "the name of a symbol is not terminated")
    // Without a string table, symbols cannot have names.
    var builder = Builder()
    var table = Bytes()
    table.add(0 as UInt32, 0x10f)
    table.add(5 as UInt64)
    let offset = builder.append(table.bytes)
    builder.commands = [Builder.command(2, offset, 1, 0, 0)]
    #expect(try builder.file().symbols() == [ObjectSymbol(name: "", address: 5, isDefined: true)])
  }
}
