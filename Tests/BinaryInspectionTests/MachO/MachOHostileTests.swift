import TestSupport
import Testing

@testable import BinaryInspection

/// Files with random changes.
///
/// The changes are the same in every run. Tests/Harness/Fuzz explores more of them. Reading must end for
/// each file, with or without an error.
@Suite struct MachOHostileTests {
  /// Returns a builder of a file that contains each kind of contents.
  private func builder(_ kind: Int) -> MachOBuilder {
    var builder = MachOBuilder(is64Bit: kind != 3)
    builder.fileType = kind < 2 ? 6 : 1
    for index in 0..<64 as Range<UInt64> { builder.data.add(index | 2 << 51) }
    var commands: [[UInt8]] = []
    if kind == 0 {
      var fixups = Bytes()
      fixups.add(0, 32, 96, 112, 2, 1, 0 as UInt32)
      fixups.pad(to: 32)
      fixups.add(2, 0, 16 as UInt32)
      fixups.pad(to: 48)
      fixups.add(28 as UInt32)
      fixups.add(0x4000, 6 as UInt16)
      fixups.add(0x4000 as UInt64)
      fixups.add(0 as UInt32)
      fixups.add(1, 0x8001, 0, 0x8008 | 0x400 as UInt16)
      fixups.pad(to: 96)
      fixups.add(1 << 9, 3 << 9 as UInt32)
      fixups.pad(to: 112)
      fixups.add("a", size: 16)
      let offset = builder.append(fixups.bytes)
      commands.append(MachOBuilder.command(MachO.Command.chainedFixups, offset, UInt32(fixups.bytes.count)))
    }
    var relocations = Bytes()
    for index in 0..<8 as Range<UInt32> { relocations.add(index * 8, index % 3 | 3 << 25 | 1 << 27 | index % 6 << 28) }
    let offset = builder.append(relocations.bytes)
    builder.addSymbols([("_a", 0xf, 0x14000), ("_b", 0x1, 0), ("_c", 0xe, 0x14010)])
    commands.append(MachOBuilder.command(0xb, 0, 1, 1, 1, 2, 1, 0, 0, 0, 0, 0, 0, offset, 4, offset, 8, 0, 0))
    commands.append(MachOBuilder.command(0x2c, 0x4100, 16, UInt32(kind % 2), 0))
    builder.commands += commands
    builder.segments = builder.standardSegments
    builder.segments[1].sections = [
      .init(name: "__reg_modules", address: 0x14000, size: 64, offset: 0x4000, relocations: (UInt64(offset), 8)),
      .init(address: 0x14040, size: 64, offset: 0x4040, flags: 6),
    ]
    return builder
  }

  @Test("files with changed bytes are read to an end", arguments: 0..<4)
  func changed(kind: Int) throws {
    let builder = builder(kind)
    let original = builder.build()
    let whole = try MachOFile(BinaryView(FileBytes(original, path: "x")))
    #expect(whole.recordSections.count == 1)
    var numbers = SeededGenerator(seed: UInt64(kind))
    // Change mostly bytes that are not zero, because zeros are mostly padding.
    let places = original.indices.filter { original[$0] != 0 || $0 < 700 || $0 > 0x8000 }
    var outcomes: Set<String> = []
    for _ in 0..<150 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let place = places.randomElement(using: &numbers)!
        bytes[place] = [0, 1, 0x7f, 0x80, 0xff, bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &numbers)]
          .randomElement(
            using: &numbers)!
      }
      outcomes.insert(read(bytes))
    }
    // Enough of them fail in different ways. Some images are read without an error. An object never
    // is, because some of its relocations do not fit.
    #expect(outcomes.count > 20)
    #expect(outcomes.contains("") == (kind < 3))
  }

  /// Reads all contents of a file and returns its problems.
  private func read(_ bytes: [UInt8]) -> String {
    var problems = ""
    guard let file = try? MachOFile(BinaryView(FileBytes(bytes, path: "x"))) else {
      return message { _ = try MachOFile(BinaryView(FileBytes(bytes, path: "x"))) } ?? "no error"
    }
    problems += message { _ = try file.symbols() } ?? ""
    for section in file.sections.prefix(4) {
      problems += message { _ = try file.bytes(at: section.address, section.size, "a section") } ?? ""
    }
    for address in stride(from: 0x14000 as UInt64, to: 0x14100, by: 8) {
      problems += message { _ = try file.pointer(at: address) } ?? ""
      problems += message { _ = try file.relativePointer(at: address) } ?? ""
      problems += message { _ = try file.cString(at: address, "a text") } ?? ""
    }
    return problems
  }
}
