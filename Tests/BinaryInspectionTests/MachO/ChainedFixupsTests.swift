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
    var pageSize: UInt16 = 0x4000
    /// The distance from the header to the data segment.
    var segmentOffset: UInt64 = 0x4000
    var maxValidPointer: UInt32 = 0
    var pageCount: UInt16 = 1
    /// The starts of the pages, followed by the starts of the additional chains of pages.
    var starts: [UInt16] = [0]
    /// The size of the starts of the segment; nil for the actual size.
    var startsSize: UInt32?
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

    static let startsOffset = 32
    static let segmentStarts = 48

    func build() -> [UInt8] {
      var bytes = Bytes()
      bytes.add(version, UInt32(Self.startsOffset), importOffset, 0x300, importCount, importFormat, symbolFormat)
      bytes.pad(to: Self.startsOffset)
      bytes.add(segmentCount, 0, UInt32(Self.segmentStarts - Self.startsOffset))
      bytes.pad(to: Self.segmentStarts)
      bytes.add(startsSize ?? UInt32(22 + starts.count * 2))
      bytes.add(pageSize, format)
      bytes.add(segmentOffset)
      bytes.add(maxValidPointer)
      bytes.add(pageCount)
      for start in starts { bytes.add(start) }
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
    builder.data.pad(to: 0x4000 * Int(max(1, fixups.pageCount)))
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

  private func message(_ fixups: Fixups, _ numbers: [Int: UInt64] = [:], at offset: UInt64 = 0, is64Bit: Bool = true)
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
      (10, 0x14010, .address(0x14010)), (10, auth | 0x20, .address(base + 0x20)),
      // These formats are for arm64e, and targets are offsets.
      (7, 0x4010, .address(base + 0x4010)), (7, auth | 0x20, .address(base + 0x20)),
      (9, 0x4010, .address(base + 0x4010)),
      (9, 0, .address(base)), (9, auth | 0x20 | signing, .address(base + 0x20)),
      (9, bind | 1 | 5 << 32, .symbol("_second", 5)),
      (12, 0x4010, .address(base + 0x4010)), (12, auth | 0x20, .address(base + 0x20)),
      (12, bind | 1 | 0x7_ffff << 32, .symbol("_second", -1)), (12, auth | bind | 1 | signing, .symbol("_second", 0)),
      // These formats are for other processors with 64 bits.
      (2, 0x14010, .address(0x14010)), (2, 0xf_ffff_ffff | 0xab << 36, .address(0xf_ffff_ffff)),
      (2, auth | 1, .symbol("_second", 0)), (2, auth | 0xff << 24, .symbol("_first", 255)),
      (6, 0x4010, .address(base + 0x4010)),
      (6, 0x4010 | 0xab << 36, .address(base + 0x4010)), (6, auth | 1 | 7 << 24, .symbol("_second", 7)),
      // These formats are for kernels.
      (8, 0x4010, .address(base + 0x4010)), (8, auth | 0x4010, .address(base + 0x4010)),
      (11, 0x4010, .address(base + 0x4010)),
    ] as [(UInt16, UInt64, Pointer)])
  func formats(format: UInt16, raw: UInt64, pointer: Pointer) throws {
    #expect(try self.pointer(raw, Fixups(format: format)) == pointer)
  }

  @Test(
    "the pointers of every 32-bit format decode to their targets",
    arguments: [
      (3, 0x14010, .address(0x14010)), (3, 1 << 31 | 1, .symbol("_second", 0)),
      (3, 1 << 31 | 63 << 20, .symbol("_first", 63)),
      // Values that are no pointers are above all pointers, and are biased by half of the remaining
      // range.
      (3, 0x0208_0000, .null), (3, 0x0208_0005, .address(5)), (3, 0x0207_ffff, .address(0xffff_ffff)),
      (4, 0x4010, .address(base + 0x4010)), (5, 0x14010, .address(0x14010)),
    ] as [(UInt16, UInt64, Pointer)])
  func formats32(format: UInt16, raw: UInt64, pointer: Pointer) throws {
    #expect(try self.pointer(raw, Fixups(format: format, maxValidPointer: 0x10_0000), is64Bit: false) == pointer)
  }

  @Test(
    "the steps of a chain have the format's length, and bytes between them are not fixups",
    arguments: [
      (1, 51, 8), (2, 51, 4), (6, 51, 4), (7, 51, 4), (8, 51, 4), (9, 51, 8), (10, 51, 4), (11, 51, 1), (12, 51, 8),
      (3, 26, 4), (4, 30, 4), (5, 26, 4),
    ] as [(UInt16, UInt64, UInt64)])
  func strides(format: UInt16, shift: UInt64, stride: UInt64) throws {
    let is64Bit = shift == 51
    let size: UInt64 = is64Bit ? 8 : 4
    let fixups = Fixups(format: format, maxValidPointer: 0x10_0000)
    let step = (2 * size / stride) << shift
    let file = try file(
      fixups, [0: 0x20 | step, Int(size): 0x40, Int(2 * size): 0x60 | step, Int(3 * size): 0], is64Bit: is64Bit)
    let isOffset = ![1, 2, 10, 3, 5].contains(format)
    let base = isOffset ? Self.base : 0
    #expect(try file.pointer(at: Self.data) == .address(base + 0x20))
    #expect(try file.pointer(at: Self.data + size) == .address(0x40))
    #expect(try file.pointer(at: Self.data + 2 * size) == .address(base + 0x60))
    #expect(try file.pointer(at: Self.data + 3 * size) == .null)
  }

  @Test("imports are read in each of their formats", arguments: [(1, 5), (2, 2), (3, 2)] as [(UInt32, Int64)])
  func imports(format: UInt32, addend: Int64) throws {
    let file = try file(Fixups(importFormat: format), [0: Self.auth | 1 | 5 << 24])
    #expect(try file.pointer(at: Self.data) == .symbol("_second", addend))
  }

  @Test("pages have a start each, none, or several")
  func pages() throws {
    let far = 0x4000
    var fixups = Fixups(pageCount: 2, starts: [0xffff, 8])
    var file = try file(fixups, [0: 0x30, far: 0x30, far + 8: 0x30])
    #expect(try file.pointer(at: Self.data) == .address(0x30))
    #expect(try file.pointer(at: Self.data + 0x4000) == .address(0x30))
    #expect(try file.pointer(at: Self.data + 0x4008) == .address(Self.base + 0x30))
    fixups.starts = [0x8002, 0xffff, 0, 0x8010]
    file = try self.file(fixups, [0: 0x30 | 2 << 51, 8: 0x40, 16: 0x50, far: 0x60])
    #expect(try file.pointer(at: Self.data + 8) == .address(Self.base + 0x40))
    #expect(try file.pointer(at: Self.data + 16) == .address(Self.base + 0x50))
    #expect(try file.pointer(at: Self.data + 0x4000) == .address(0x60))
    // Pages and segments beyond those in the table have no fixups.
    fixups.pageCount = 1
    fixups.starts = [0xffff]
    #expect(try self.file(fixups, [:]).pointer(at: Self.base + 0x3000) == .null)
    fixups.segmentCount = 1
    #expect(try self.file(fixups, [0: 0x70]).pointer(at: Self.data) == .address(0x70))
  }

  @Test("wrong chains are errors")
  func chains() throws {
    let name = ", in the segment '__DATA'"
    #expect(message(Fixups(), [0: 0xffe << 51]) == nil)
    #expect(message(Fixups(pageSize: 0x1000), [0: 0xfff << 51]) == "a chain of fixups leaves its page" + name)
    #expect(message(Fixups(starts: [0x4000])) == "a chain of fixups leaves its page" + name)
    #expect(message(Fixups(starts: [0x3ffc])) == "a chain of fixups leaves its segment" + name)
    #expect(message(Fixups(starts: [0x8001, 0, 0x8000])) == "two chains of fixups meet" + name)
    #expect(message(Fixups(starts: [0x8001, 0, 0x8008]), [0: 2 << 51]) == "two chains of fixups meet" + name)
    #expect(
      message(Fixups(starts: [0x8001, 0]))
        == "the starts of a page's chains must be within those of the segment, which have 26 bytes")
    #expect(
      message(Fixups(starts: [0x8fff]))
        == "the starts of a page's chains must be within those of the segment, which have 24 bytes")
    #expect(message(Fixups(format: 8), [0: 1 << 30]) == "a fixup refers to another level of a kernel cache" + name)
    // The offset of an error is the offset in the file at which the chain is malformed.
    let file = try file(Fixups(pageSize: 0x1000), [0: 0xfff << 51])
    do throws(InspectionError) { _ = try file.pointer(at: Self.data) } catch {
      let place: UInt64? = 0x7ffc
      #expect(error.offset == place)
    }
  }

  @Test("wrong headers and starts are errors")
  func headers() throws {
    #expect(message(Fixups(version: 1)) == "the chained fixups have version 1 instead of 0")
    #expect(message(Fixups(segmentCount: 3)) == "there are chained fixups for 3 segments, but the file has only 2")
    #expect(
      message(Fixups(format: 13)) == "the segment '__DATA' has fixups of the format 13, which only shared caches use")
    #expect(message(Fixups(format: 14)) == "the segment '__DATA' has fixups of the format 14, which is unknown")
    #expect(message(Fixups(format: 0)) == "the segment '__DATA' has fixups of the format 0, which is unknown")
    #expect(message(Fixups(format: 3)) == "the segment '__DATA' has fixups of the format 3, which is not for 64 bits")
    #expect(
      message(Fixups(format: 2), is64Bit: false)
        == "the segment '__DATA' has fixups of the format 2, which is not for 32 bits")
    #expect(
      message(Fixups(pageSize: 0)) == "the segment '__DATA' has fixups in pages of 0 bytes instead of 4096 or 16384")
    #expect(
      message(Fixups(segmentOffset: 0x5000))
        == "the fixups of the segment '__DATA' are for a segment at 0x5000 from the header"
    )
    #expect(message(Fixups(pageCount: 9)) == "the starts of the segment '__DATA', of 9 pages, do not fit into 24 bytes")
    #expect(
      message(Fixups(startsSize: .max))
        == "the starts of the segment '__DATA', of 1 pages, do not fit into 4294967295 bytes")
  }

  @Test("wrong imports are errors")
  func wrongImports() throws {
    let bound = [0: Self.auth]
    #expect(message(Fixups(), bound) == nil)
    #expect(message(Fixups(importFormat: 4)) == "the imports of the chained fixups have the unknown format 4")
    #expect(
      message(Fixups(symbolFormat: 1))
        == "the names of the chained fixups' imports are compressed, which is not supported")
    #expect(message(Fixups(importCount: 0, importOffset: 0)) == nil)
    #expect(
      message(Fixups(importCount: .max))?.hasPrefix(
        "4294967295 imports at 0x200 must be within the chained fixups, which")
        == true)
    #expect(message(Fixups(), [0: Self.auth | 2]) == "a fixup refers to import 2, but the number of imports is 2")
    #expect(
      message(Fixups(imports: [0, 0, 1, 0, 0, 0, 0, 0]), bound)
        == "the name of an import must be within the chained fixups")
    #expect(message(Fixups(names: Array("\0_first".utf8)), bound) == "the name of an import is not terminated")
  }

  @Test("an image without a segment for its header has no valid chained fixups")
  func noHeader() throws {
    var builder = MachOBuilder()
    builder.segments = [builder.standardSegments[1]]
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

  @Test("targets that overflow are errors")
  func overflow() throws {
    var builder = MachOBuilder()
    builder.segments = builder.standardSegments
    builder.segments[0].address = 0xffff_ffff_ffff_0000
    builder.segments[1].address = 0xffff_ffff_ffff_4000
    let bytes = Fixups().build()
    builder.data.add(0x2_0000 as UInt64)
    let offset = builder.append(bytes)
    builder.commands = [MachOBuilder.command(MachO.Command.chainedFixups, offset, UInt32(bytes.count))]
    let file = try builder.file()
    #expect(
      BinaryInspectionTests.message { _ = try file.pointer(at: 0xffff_ffff_ffff_4000) }
        == "the target of a fixup overflows, in the segment '__DATA'")
  }

  @Test("a page of as many fixups as it has room for is walked once, and fast")
  func full() throws {
    var numbers: [Int: UInt64] = [:]
    for index in 0..<2048 { numbers[index * 8] = UInt64(index) | (index < 2047 ? 2 << 51 : 0) }
    let file = try file(Fixups(), numbers)
    for index in 0..<2048 as Range<UInt64> {
      #expect(try file.pointer(at: Self.data + index * 8) == .address(Self.base + index))
    }
  }
}
