import Testing

@testable import BinaryInspection

/// Well-formed and malformed headers, load commands, segments, and sections.
@Suite struct MachOLayoutTests {
  private typealias Builder = MachOBuilder

  /// Returns the error of reading a file whose bytes a closure changes first.
  private func error(_ builder: MachOBuilder, _ change: (inout Bytes) -> Void = { _ in }) -> InspectionProblem? {
    var bytes = Bytes(builder.build())
    change(&bytes)
    do throws(InspectionProblem) { _ = try MachOFile(BinaryView(FileBytes(bytes.bytes, path: "x"))) } catch {
      return error
    }
    return nil
  }

  private func hasPrefix(_ error: InspectionProblem?, _ prefix: String, at offset: UInt64) -> Bool {
    guard let error, error.message.hasPrefix(prefix), error.offset == offset else {
      Issue.record("\(String(describing: error)) does not begin with \(prefix) at \(offset)")
      return false
    }
    return true
  }

  @Test(
    "the kinds of files are distinguished",
    arguments: [
      (1, .object), (2, .executable), (4, .other), (6, .library), (8, .bundle), (9, .other), (10, .other), (11, .other),
    ] as [(UInt32, ImageHeader.FileType)])
  func fileTypes(number: UInt32, type: ImageHeader.FileType) throws {
    var builder = Builder()
    builder.fileType = number
    let header = try builder.file().header
    #expect(header.type == type && header.architecture == "x86_64" && header.is64Bit)
    #expect(header.isStripped && !header.isEncrypted)
  }

  @Test("a file of 32 bits is read as one")
  func of32Bits() throws {
    var builder = Builder(is64Bit: false)
    builder.data.add("hello", size: 8)
    let file = try builder.file()
    #expect(!file.header.is64Bit && file.header.architecture == "i386" && file.header.pointerSize == 4)
    #expect(try file.cString(at: Builder.dataAddress, "it") == "hello")
  }

  @Test("an unsupported file is an error that names its kind")
  func unreadable() throws {
    for magic in [0xfeed_face, 0xfeed_facf] as [UInt32] {
      let error = error(Builder()) { $0.put(magic.byteSwapped, at: 0) }
      #expect(
        error?.message == "is a big-endian Mach-O file, such as for PowerPC; only little-endian files are supported")
      let view = BinaryView(FileBytes(Bytes(withUnsafeBytes(of: magic.bigEndian) { Array($0) }).bytes, path: "x"))
      #expect(try MachO.isMachO(view))
    }
    let cache = BinaryView(FileBytes(Array("dyld_v1  arm64e".utf8), path: "x"))
    #expect(try MachO.isMachO(cache))
    #expect(message { _ = try MachOFile(cache) }?.hasPrefix("is a shared cache of dyld") == true)
    let other = BinaryView(FileBytes(Array("#!/bin/sh".utf8), path: "x"))
    #expect(try !MachO.isMachO(other))
    #expect(try !MachO.isMachO(BinaryView(FileBytes([0xcf, 0xfa], path: "x"))))
  }

  @Test("a truncated file is an error or is read in part, and causes no crash")
  func truncated() throws {
    var builder = Builder()
    builder.data.add(1 as UInt64)
    builder.addSymbols([("_a", 0xf, 0x14000)])
    let bytes = builder.build()
    #expect(message { _ = try builder.file().symbols() } == nil)
    for size in 0..<bytes.count where size < 600 || size > bytes.count - 100 || size % 1000 == 0 {
      let view = BinaryView(FileBytes(Array(bytes.prefix(size)), path: "x"))
      #expect(message { _ = try MachOFile(view).symbols() } != nil, "\(size)")
    }
  }

  @Test("sizes of load commands are checked")
  func loadCommands() throws {
    let first = 32
    #expect(
      hasPrefix(
        error(Builder()) { $0.put(0 as UInt32, at: first + 4) },
        "the load command 0x19 has the invalid size of 0 bytes", at: 32))
    #expect(
      hasPrefix(
        error(Builder()) { $0.put(7 as UInt32, at: first + 4) },
        "the load command 0x19 has the invalid size of 7 bytes", at: 32))
    for size in [148, 0xffff_fffc] as [UInt32] {
      #expect(
        hasPrefix(error(Builder()) { $0.put(size, at: first + 4) }, "unexpected end of the load commands", at: 40))
    }
    #expect(
      hasPrefix(
        error(Builder()) { $0.put(8 as UInt32, at: first + 4) }, "unexpected end of the load command 0x19", at: 40))
    #expect(
      hasPrefix(error(Builder()) { $0.put(3 as UInt32, at: 16) }, "unexpected end of the load commands", at: 176))
    #expect(
      hasPrefix(
        error(Builder()) { $0.put(UInt32.max, at: 20) }, "the load commands (4294967295 bytes) must be within", at: 32))
    #expect(
      hasPrefix(
        error(Builder()) { $0.put(2 as UInt32, at: first + 64) }, "unexpected end of the load command 0x19", at: 104))
    for kind in [2, 0x8000_0034, 0x2c] as [UInt32] {
      var builder = Builder()
      builder.commands = [Builder.command(kind)]
      #expect(
        hasPrefix(
          error(builder), "unexpected end of the load command 0x\(String(kind, radix: 16))", at: 184))
    }
  }

  @Test(
    "the parts that load commands refer to must be in the file",
    arguments: [
      ([2, 0xffff_fff0, 1, 0, 0], "the symbol table (16 bytes at 0xfffffff0)"),
      ([2, 0x100, 0xffff_ffff, 0, 0], "the symbol table (68719476720 bytes)"),
      ([2, 0, 0, 0x100, 0xffff_ffff], "the string table (4294967295 bytes)"),
      ([0x8000_0034, 0x7fff, 2], "the chained fixups (2 bytes)"),
      ([0x21, 0x7fff, 2, 1], "the encrypted part (2 bytes)"),
    ] as [([UInt32], String)])
  func parts(numbers: [UInt32], what: String) throws {
    var builder = Builder()
    var command = Bytes()
    command.add(numbers[0], UInt32(4 + numbers.count * 4))
    for number in numbers.dropFirst() { command.add(number) }
    builder.commands = [command.bytes]
    let error = error(builder)
    #expect(
      error?.message.hasPrefix(what) == true && error?.message.hasSuffix("which has 32768 bytes") == true,
      "\(error?.message ?? "")")
  }

  @Test("segments that overlap or are not in the file are errors")
  func segments() throws {
    func error(_ change: (inout [Builder.Segment]) -> Void, is64Bit: Bool = true, type: UInt32 = 6)
      -> InspectionProblem?
    {
      var builder = Builder(is64Bit: is64Bit)
      builder.fileType = type
      builder.segments = builder.standardSegments
      change(&builder.segments)
      return self.error(builder)
    }
    #expect(
      hasPrefix(
        error { $0[1].fileSize = 0x4001 }, "the segment '__DATA' (16385 bytes at 0x4000) must be within the file",
        at: 104))
    #expect(
      hasPrefix(
        error { $0[1].offset = .max }, "the segment '__DATA' (16384 bytes at 0xffffffffffffffff) must be", at: 104))
    #expect(
      hasPrefix(
        error { $0[1].address = 0x13fff }, "the segments '__TEXT' and '__DATA' overlap in memory, at 0x13fff", at: 0))
    #expect(
      hasPrefix(
        error { $0[1].offset = 0x3fff }, "the segments '__TEXT' and '__DATA' overlap in the file, at 0x3fff",
        at: 0x3fff))
    // The offset of an empty range does not matter.
    #expect(
      error {
        $0[1].offset = .max
        $0[1].fileSize = 0
      } == nil)
    // Files that dyld does not load can have another layout.
    #expect(error({ $0[1].address = 0x13fff }, type: 10) == nil)
    #expect(error({ $0[1].size = 0 }, type: 10) == nil)
  }

  @Test("sections that overlap, or lie outside their segment are errors")
  func sections() throws {
    func error(type: UInt32 = 6, is64Bit: Bool = true, _ change: (inout [Builder.Section]) -> Void)
      -> InspectionProblem?
    {
      var builder = Builder(is64Bit: is64Bit)
      builder.fileType = type
      builder.segments = builder.standardSegments
      builder.segments[1].sections = [
        .init(address: 0x14000, size: 8, offset: 0x4000),
        .init(name: "more", address: 0x14008, size: 8, offset: 0x4008),
      ]
      change(&builder.segments[1].sections)
      return self.error(builder)
    }
    #expect(error { _ in } == nil)
    let place: UInt64 = 32 + 72 + 72
    let mismatch = "the section '__DATA,data' has an address or an offset that does not match its segment, '__DATA'"
    #expect(hasPrefix(error { $0[0].address = .max }, mismatch, at: place))
    #expect(hasPrefix(error(is64Bit: false) { $0[0].address = 0xffff_fffc }, mismatch, at: 28 + 112))
    #expect(hasPrefix(error { $0[0].address = 0x13fff }, mismatch, at: place))
    #expect(
      hasPrefix(
        error { $0[0].offset = 0x8000 }, "the section '__DATA,data' (8 bytes at 0x8000) must be within the file",
        at: place)
    )
    #expect(
      hasPrefix(
        error(type: 1) { $0[0].size = .max >> 1 }, "the section '__DATA,data' (9223372036854775807 bytes", at: place))
    #expect(hasPrefix(error { $0[0].offset = 0x4001 }, mismatch, at: place))
    #expect(hasPrefix(error { $0[0].offset = 0x3000 }, mismatch, at: place))
    #expect(
      hasPrefix(
        error {
          $0[1].address = 0x14007; $0[1].offset = 0x4007
        }, "the sections '__DATA,data' and '__DATA,more' overlap in m", at: 0))
    #expect(
      hasPrefix(
        error(type: 1) { $0[1].offset = 0x4007 }, "the sections '__DATA,data' and '__DATA,more' overlap in the file",
        at: 0x4007))
    #expect(
      hasPrefix(
        error(type: 1) {
          $0[0].relocations = (0x100, 2)
          $0[1].relocations = (0x108, 1)
        }, "the relocations of the sections '__DATA,data' and '__DATA,more' overlap in the file", at: 0x108))
    // Empty sections and sections of zeros have no bytes in the file, so their offsets do not
    // matter.
    #expect(
      error {
        $0[1].size = 0; $0[1].offset = 0xffff_ffff
      } == nil)
    #expect(
      error {
        $0[1].flags = 1; $0[1].offset = 0xffff_ffff
      } == nil)
  }

  @Test("a section that ends after the bytes of its segment is an error")
  func behindSegment() throws {
    var builder = Builder()
    builder.segments = builder.standardSegments
    builder.segments[1].size = 0x8000
    builder.segments[1].fileSize = 0x1000
    builder.segments[1].sections = [.init(address: 0x14ff8, size: 16, offset: 0x4ff8)]
    #expect(
      error(builder)?.message
        == "the section '__DATA,data' has an address or an offset that does not match its segment, '__DATA'")
  }

  @Test("records are read from the sections that the runtime reads, and from no others")
  func recordSections() throws {
    var builder = Builder()
    builder.segments = builder.standardSegments
    builder.segments[1].sections = [
      .init(name: "__reg_modules", address: 0x14000, size: 8, offset: 0x4000),
      .init(segment: "__DATA_CONST", name: "__reg_services", address: 0x14008, size: 8, offset: 0x4008),
      .init(name: "__reg_exports", address: 0x14010, size: 8, offset: 0x4010),
      .init(name: "__reg_others", address: 0x14018, size: 8, offset: 0x4018),
    ]
    #expect(try builder.file().recordSections.map(\.name) == ["__DATA,__reg_modules", "__DATA,__reg_exports"])
    builder.segments[1].name = "__OTHER"
    #expect(try builder.file().recordSections.isEmpty)
    builder.fileType = 1
    #expect(try builder.file().recordSections.count == 2)
  }

  @Test("debug symbols keep sections without their bytes")
  func debugSymbols() throws {
    var builder = Builder()
    builder.fileType = 10
    builder.segments = builder.standardSegments
    builder.segments[1].fileSize = 0
    builder.segments[1].sections = [.init(address: 0x14000, size: 8, offset: 0x9000)]
    #expect(try builder.file().sections[0].offset == nil)
  }
}
