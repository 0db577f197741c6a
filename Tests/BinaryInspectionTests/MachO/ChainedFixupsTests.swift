import Testing

@testable import BinaryInspection

/// Chained fixups in every format, well-formed and malformed.
///
/// The pointers are packed as Apple's `mach-o/fixup-chains.h` describes.
@Suite struct ChainedFixupsTests {
  /// The chained fixups of an image whose data segment has one chain by default.
  private struct Fixups {
    var version: UInt32 = 0
    var format: UInt16 = 6
    /// The distance from the header to the data segment.
    var segmentOffset: UInt64 = 0x4000
    var segmentCount: UInt32 = 2
    var importFormat: UInt32 = 1
    var symbolFormat: UInt32 = 0
    var importCount: UInt32 = 2
    /// The import table; nil for two imports.
    ///
    /// The imports are `_first` and `_second`. The second one has the addend -3 in the formats that
    /// store addends.
    var imports: [UInt8]?
    var importOffset: UInt32 = 0x200
    var names = Array("\0_first\0_second\0".utf8)

    /// The offset of the starts of the data segment.
    var startsOffset: UInt32 = UInt32(segmentStarts - allStarts)

    static let allStarts = 32
    static let segmentStarts = 48

    func build() -> [UInt8] {
      var bytes = Bytes()
      bytes.add(version, UInt32(Self.allStarts), importOffset, 0x300, importCount, importFormat, symbolFormat)
      bytes.pad(to: Self.allStarts)
      bytes.add(segmentCount, 0, startsOffset)
      bytes.pad(to: Self.segmentStarts)
      bytes.add(24 as UInt32)
      bytes.add(0x4000, format)
      bytes.add(segmentOffset)
      bytes.add(0 as UInt32)
      bytes.add(1, 0 as UInt16)
      bytes.pad(to: 0x200)
      bytes.bytes += imports ?? twoImports
      bytes.pad(to: 0x300)
      return bytes.bytes + names
    }

    private var twoImports: [UInt8] {
      var bytes = Bytes()
      for (offset, addend) in [(1, 0), (8, -3)] {
        switch importFormat {
        case 2:
          bytes.add(UInt32(offset << 9 | 1))
          bytes.add(Int32(addend))
        case 3:
          bytes.add(UInt64(offset) << 32 | 1)
          bytes.add(Int64(addend))
        default: bytes.add(UInt32(offset << 9 | 1))
        }
      }
      return bytes.bytes
    }
  }

  private static let data = MachOBuilder.dataAddress

  /// Creates an image with numbers at offsets of its data segment.
  private func file(_ fixups: Fixups, _ numbers: [Int: UInt64], is64Bit: Bool = true) throws -> MachOFile {
    var builder = MachOBuilder(is64Bit: is64Bit, cpu: is64Bit ? (0x0100_000c, 2) : nil)
    builder.data.pad(to: 0x4000)
    for (offset, number) in numbers {
      if is64Bit { builder.data.put(number, at: offset) } else { builder.data.put(UInt32(number), at: offset) }
    }
    let bytes = fixups.build()
    let offset = builder.append(bytes)
    builder.commands.append(MachOBuilder.command(MachO.Command.chainedFixups, offset, UInt32(bytes.count)))
    return try builder.file()
  }

  private func pointer(_ raw: UInt64, _ fixups: Fixups, is64Bit: Bool = true) throws -> Pointer {
    try file(fixups, [0: raw], is64Bit: is64Bit).pointer(at: Self.data)
  }

  private func message(
    _ fixups: Fixups, _ numbers: [Int: UInt64] = [0: 0x4010], at offset: UInt64 = 0, is64Bit: Bool = true
  )
    -> String?
  {
    BinaryInspectionTests.message { _ = try file(fixups, numbers, is64Bit: is64Bit).pointer(at: Self.data + offset) }
  }

  private static let auth: UInt64 = 1 << 63
  private static let bind: UInt64 = 1 << 62
  /// The key, the diversity, and the address diversity of a signed pointer, which do not change its
  /// target.
  private static let signing: UInt64 = 0x0007_ffff << 32

  private static let base = MachOBuilder.base

  @Test(
    "the pointers of every format decode to their targets",
    arguments: [
      // These formats are for arm64e, and targets are addresses.
      (1, 0x14010, .address(0x14010)), (1, 0x0123_4567_89ab | 0xff << 43, .address(0x0123_4567_89ab)),
      (1, auth | 0x20 | signing, .address(base + 0x20)), (1, auth | 0xffff_ffff, .address(base + 0xffff_ffff)),
      (1, bind, .symbol("_first", 0)), (1, bind | 1 | 0x7_fffe << 32, .symbol("_second", -2)),
      (1, bind | 1 | 0x3_ffff << 32, .symbol("_second", 0x3_ffff)),
      (1, auth | bind | 1 | signing, .symbol("_second", 0)),
      // These formats are for arm64e, and targets are offsets.
      (9, 0x4010, .address(base + 0x4010)), (9, 0, .null), (9, auth | 0x20 | signing, .address(base + 0x20)),
      (9, bind | 1 | 5 << 32, .symbol("_second", 5)),
      (12, 0x4010, .address(base + 0x4010)), (12, auth | 0x20, .address(base + 0x20)),
      (12, bind | 1 | 0x7_ffff << 32, .symbol("_second", -1)), (12, auth | bind | 1 | signing, .symbol("_second", 0)),
      // These formats are for other processors with 64 bits.
      (2, 0x14010, .address(0x14010)), (2, 0xf_ffff_ffff | 0xab << 36, .address(0xf_ffff_ffff)),
      (2, auth | 1, .symbol("_second", 0)), (2, auth | 0xff << 24, .symbol("_first", 255)),
      (6, 0x4010, .address(base + 0x4010)),
      (6, 0x4010 | 0xab << 36, .address(base + 0x4010)), (6, auth | 1 | 7 << 24, .symbol("_second", 7)),
    ] as [(UInt16, UInt64, Pointer)])
  func formats(format: UInt16, raw: UInt64, pointer: Pointer) throws {
    #expect(try self.pointer(raw, Fixups(format: format)) == pointer)
  }

  @Test(
    "32-bit pointers decode to their targets",
    arguments: [
      (3, 0x14010, .address(0x14010)), (3, 1 << 31 | 1, .symbol("_second", 0)),
      (3, 1 << 31 | 63 << 20, .symbol("_first", 63)),
    ] as [(UInt16, UInt64, Pointer)])
  func formats32(format: UInt16, raw: UInt64, pointer: Pointer) throws {
    #expect(try self.pointer(raw, Fixups(format: format), is64Bit: false) == pointer)
  }

  @Test("imports are read in each of their formats", arguments: [(1, 5), (2, 2), (3, 2)] as [(UInt32, Int64)])
  func imports(format: UInt32, addend: Int64) throws {
    let file = try file(Fixups(importFormat: format), [0: Self.auth | 1 | 5 << 24])
    #expect(try file.pointer(at: Self.data) == .symbol("_second", addend))
  }

  @Test("a null pointer has no fixup, and a segment without fixups contains its pointers")
  func withoutFixups() throws {
    var fixups = Fixups()
    #expect(try file(fixups, [0: 0x4010]).pointer(at: Self.data + 8) == .null)
    #expect(try file(fixups, [:]).pointer(at: Self.base + 0x3000) == .null)
    fixups.segmentCount = 1
    #expect(try file(fixups, [0: 0x70]).pointer(at: Self.data) == .address(0x70))
    fixups = Fixups(startsOffset: 0)
    #expect(try file(fixups, [0: 0x70]).pointer(at: Self.data) == .address(0x70))
  }

  @Test("wrong headers and starts are errors")
  func headers() throws {
    #expect(message(Fixups(version: 1)) == "the chained fixups have version 1 instead of 0")
    for format in [0, 4, 5, 7, 8, 10, 11, 13, 14] as [UInt16] {
      #expect(
        message(Fixups(format: format))
          == "a segment has fixups of the format \(format), which is not supported")
    }
    #expect(
      message(Fixups(startsOffset: 0x400))?.hasPrefix("the starts of the chained fixups (2 bytes") == true)
  }

  @Test("wrong imports are errors")
  func wrongImports() throws {
    let bound = [0: Self.auth]
    #expect(message(Fixups(), bound) == nil)
    for (fixups, format, compression) in [(Fixups(importFormat: 4), 4, 0), (Fixups(symbolFormat: 1), 1, 1)] {
      #expect(
        message(fixups)
          == "the imports of the chained fixups have the format \(format) with the compression \(compression), which is"
          + " not supported")
    }
    #expect(message(Fixups(importCount: 0, importOffset: 0)) == nil)
    #expect(message(Fixups(), [0: Self.auth | 2]) == "a fixup refers to import 2, but the number of imports is 2")
    #expect(
      message(Fixups(imports: [0, 0, 1, 0, 0, 0, 0, 0]), bound)
        == "the name of an import is not terminated")
    #expect(message(Fixups(names: Array("\0_first".utf8)), bound) == "the name of an import is not terminated")
  }

  @Test("an image without a segment for its header has no valid chained fixups")
  func noHeader() throws {
    var builder = MachOBuilder()
    builder.segments = [builder.standardSegments[1]]
    builder.data.add(0x4010 as UInt64)
    let bytes = Fixups().build()
    let offset = builder.append(bytes)
    builder.commands = [MachOBuilder.command(MachO.Command.chainedFixups, offset, UInt32(bytes.count))]
    let file = try builder.file()
    for _ in 1...2 {
      #expect(
        BinaryInspectionTests.message { _ = try file.pointer(at: Self.data) }
          == "there are chained fixups, but no segment contains the header")
    }
  }
}
