import Testing

@testable import BinaryInspection

/// Well-formed and malformed tables of slices.
@Suite struct UniversalFileTests {
  private struct Entry {
    var type: UInt32 = 0x0100_000c
    var subtype: UInt32 = 0
    var offset: UInt64
    var size: UInt64 = 16
    var alignment: UInt32 = 4
  }

  private func view(_ entries: [Entry], is64Bit: Bool = false, size: Int = 0x200, content: [Int: UInt32] = [:])
    -> BinaryView
  {
    var file = Bytes()
    file.add(is64Bit ? 0xcafe_babf : 0xcafe_babe as UInt32, UInt32(entries.count), bigEndian: true)
    for entry in entries {
      file.add(entry.type, entry.subtype, bigEndian: true)
      if is64Bit {
        file.add(entry.offset, entry.size, bigEndian: true)
        file.add(entry.alignment, 0, bigEndian: true)
      } else {
        file.add(UInt32(entry.offset), UInt32(entry.size), entry.alignment, bigEndian: true)
      }
    }
    file.pad(to: size)
    for (offset, number) in content { file.put(number, at: offset) }
    return BinaryView(FileBytes(file.bytes, path: "x"))
  }

  private func error(_ view: BinaryView) -> InspectionProblem? {
    do throws(InspectionProblem) { _ = try UniversalFile.slices(of: view) } catch { return error }
    return nil
  }

  @Test("headers of 32 and 64 bits list their slices in the order of the table", arguments: [false, true])
  func slices(is64Bit: Bool) throws {
    let view = view(
      [Entry(offset: 0x100), Entry(type: 0x0100_0007, subtype: 0x8000_0003, offset: 0xc0, size: 0x20)], is64Bit: is64Bit
    )
    let slices = try #require(try UniversalFile.slices(of: view))
    #expect(slices.map(\.architecture) == ["arm64", "x86_64"])
    #expect(slices.map(\.view.name) == ["x (arm64)", "x (x86_64)"])
    #expect(slices.map(\.view.start) == [0x100, 0xc0])
    #expect(slices.map(\.view.size) == [0x10, 0x20])
  }

  @Test("a Java class and a file that is too short are not universal files")
  func java() throws {
    // The slices of a universal file with only these bytes are an error.
    func isUniversal(_ bytes: [UInt8]) -> Bool {
      do { return try UniversalFile.slices(of: BinaryView(FileBytes(bytes, path: "x"))) != nil } catch { return true }
    }
    #expect(!isUniversal([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]))
    #expect(!isUniversal([0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 45]))
    #expect(!isUniversal([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 43]))
    #expect(isUniversal([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 42]))
    #expect(isUniversal([0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 61]))
    #expect(isUniversal([0xca, 0xfe, 0xba, 0xbe]))
    #expect(!isUniversal([0xbe, 0xba, 0xfe, 0xca, 0, 0, 0, 2]))
    #expect(!isUniversal([0xca, 0xfe, 0xba]))
    #expect(!isUniversal([]))
  }

  @Test("a slice may be an archive of objects")
  func archive() throws {
    let view = view([Entry(offset: 0x100)], content: [0x100: 0x7261_3c21, 0x104: 0x0a3e_6863])
    #expect(try #require(try UniversalFile.slices(of: view))[0].view.bytes(0, 8, "it") == Array("!<arch>\n".utf8))
  }

  @Test("malformed tables are errors with the problem and its offset")
  func wrong() throws {
    #expect(error(view([])) == InspectionProblem(file: "x", offset: 4, text: "the universal file has no slices"))
    let short = BinaryView(FileBytes([0xca, 0xfe, 0xba, 0xbe], path: "x"))
    #expect(
      error(short)?.message.hasPrefix("the header of a universal file (8 bytes) must be within the file") == true)
    let many = BinaryView(FileBytes([0xca, 0xfe, 0xba, 0xbf, 0xff, 0xff, 0xff, 0xff], path: "x"))
    #expect(
      error(many)?.message.hasPrefix("the table of slices (137438953440 bytes) must be within the file")
        == true)

    let overlapping = view([Entry(offset: 0x110), Entry(type: 7, subtype: 3, offset: 0x100, size: 17)])
    #expect(
      error(overlapping)
        == InspectionProblem(
          file: "x", offset: 0x110, text: "the slices 'i386' and 'arm64' overlap in the file, at 0x110"))
    #expect(
      error(view([Entry(offset: 0x100, size: 0x101)]))?.message.hasPrefix(
        "the slice for 'arm64' (257 bytes) must be within")
        == true)
    let overflowing = view([Entry(offset: 0x100, size: .max)], is64Bit: true)
    #expect(
      error(overflowing)?.message.hasPrefix("the slice for 'arm64' (18446744073709551615 bytes) must be within") == true
    )
  }

  @Test(
    "architectures are called as lipo calls them",
    arguments: [
      (7, 3, "i386"), (0x0100_0007, 3, "x86_64"), (0x0100_0007, 8, "x86_64h"),
      (12, 9, "armv7"), (12, 11, "armv7s"), (12, 12, "armv7k"),
      (0x0100_000c, 0, "arm64"),
      (0x0100_000c, 1, "arm64v8"),
      (0x0100_000c, 0x8000_0002, "arm64e"), (0x0200_000c, 1, "arm64_32"),
      (99, 0x0100_0005, "unknown(99,5)"),
    ] as [(UInt32, UInt32, String)])
  func names(type: UInt32, subtype: UInt32, name: String) {
    #expect(MachO.architecture(type, subtype) == name)
  }
}
