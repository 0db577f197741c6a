import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Pointers, distances, and records for every processor, in objects and in linked images.
@Suite(.enabled(if: BuiltELF.clang != nil && BuiltELF.linker != nil, "needs clang and ld.lld"))
struct ELFTargetTests {
  struct Target: Sendable, CustomTestStringConvertible {
    var triple: String
    var compiler: String
    var architecture: String
    var is64Bit = true
    var testDescription: String { triple }
  }

  static let targets = [
    Target(triple: "x86_64-linux-gnu", compiler: "x86-64", architecture: "x86_64"),
    Target(triple: "i386-linux-gnu", compiler: "x86", architecture: "i386", is64Bit: false),
    Target(triple: "aarch64-linux-gnu", compiler: "aarch64", architecture: "aarch64"),
    Target(triple: "armv7-linux-gnueabihf", compiler: "arm", architecture: "arm", is64Bit: false),
    Target(triple: "powerpc64le-linux-gnu", compiler: "ppc64le", architecture: "ppc64le"),
    Target(triple: "riscv64-linux-gnu", compiler: "riscv64", architecture: "riscv64"),
    Target(triple: "riscv32-linux-gnu", compiler: "riscv32", architecture: "riscv32", is64Bit: false),
    Target(triple: "loongarch64-linux-gnu", compiler: "loongarch64", architecture: "loongarch64"),
  ].filter { BuiltELF.compilers.contains($0.compiler) }

  @Test("the accessors of an object's records are symbols or null", arguments: targets)
  func object(_ target: Target) throws {
    try BuiltELF.inFolder { folder in
      let file = try BuiltELF.file(try compile(target, in: folder))
      #expect(file.header.type == .object)
      check(header: file.header, target)
      let section = try #require(file.recordSections.first)
      #expect(file.recordSections.count == 1 && section.name == ".note.registry")
      #expect(section.noteAlignment == 8)
      let accessors = try (0..<3).map { try file.pointer(at: section.address + $0 * 40 + 24) }
      #expect(accessors == [.symbol("", 0), .symbol("", 0), .null])
    }
  }

  @Test(
    "a linked image's pointers are those after dynamic relocation, by RELA, REL, and RELR", arguments: targets,
    ["none", "relr"])
  func library(_ target: Target, packing: String) throws {
    try BuiltELF.inFolder { folder in
      let object = try compile(target, in: folder)
      let path = "\(folder)/libx.so"
      try BuiltELF.run(BuiltELF.linker, ["-shared", "--pack-dyn-relocs=\(packing)", object, "-o", path])
      let file = try BuiltELF.file(path)
      #expect(file.header.type == .library)
      check(header: file.header, target)
      let notes = try #require(file.recordSections.first)
      #expect(file.recordSections.count == 1 && notes.noteAlignment == 8 && file.unreachableRecordSections.isEmpty)
      let section = try #require(file.sections(named: ".note.registry").first)
      #expect(section.address == notes.address && section.size == notes.size && section.offset == notes.offset)
      try check(file, records: section.address)

      // The reader does not need the section headers.
      let stripped = "\(folder)/stripped.so"
      try FileManager.default.copyItem(atPath: path, toPath: stripped)
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: stripped))
      try handle.seek(toOffset: target.is64Bit ? 0x28 : 0x20)
      handle.write(Data(count: target.is64Bit ? 8 : 4))
      try handle.close()
      let bare = try BuiltELF.file(stripped)
      #expect(bare.sections.isEmpty && bare.header.isStripped && !file.header.isStripped)
      #expect(bare.recordSections == file.recordSections)
      let accessor = notes.address + 24
      #expect(try bare.pointer(at: accessor) == file.pointer(at: accessor))
    }
  }

  private func compile(_ target: Target, in folder: String) throws -> String {
    try BuiltELF.write(BuiltELF.source, "\(folder)/x.c")
    try BuiltELF.run(
      BuiltELF.clang, ["-target", target.triple, "-fPIC", "-w", "-c", "x.c", "-o", "x.o"], in: folder)
    return "\(folder)/x.o"
  }

  private func check(header: ImageHeader, _ target: Target) {
    #expect(header.format == .elf && header.architecture == target.architecture)
    #expect(header.is64Bit == target.is64Bit)
  }

  private func check(_ file: ELFFile, records: UInt64) throws {
    let symbols = Dictionary(
      try file.symbols().filter(\.isDefined).map { ($0.name, $0.address) }, uniquingKeysWith: { first, _ in first })
    let (here, shown) = (try #require(symbols["here"]), try #require(symbols["shown"]))
    let (text, table) = (try #require(symbols["text"]), try #require(symbols["table"]))
    #expect(try file.symbols().contains { $0.name == "elsewhere" && !$0.isDefined })

    #expect(try file.pointer(at: records + 24) == .address(here))
    #expect(try file.pointer(at: records + 40 + 24) == .symbol("elsewhere", 0))
    #expect(try file.pointer(at: records + 80 + 24) == .null)
    #expect(try file.bytes(at: records + 12, 8, "the name") == Array("Registry".utf8))

    let step = file.header.pointerSize
    let values = try (0..<5).map { try file.pointer(at: table + $0 * step) }
    #expect(values == [.address(here), .symbol("elsewhere", 0), .address(shown), .address(text + 1), .null])
    #expect(try file.cString(at: text + 1, "the text") == "ello")

    let distances = try #require(symbols["distances"])
    #expect(try file.relativePointer(at: distances) == text + 1)
    #expect(try file.relativePointer(at: distances + 4) == nil)
    #expect(try file.relativePointer(at: distances + 8) == here)
  }
}
