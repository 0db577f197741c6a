import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Files that the system's own compiler and linkers create.
@Suite(.enabled(if: BuiltELF.tool("gcc") != nil && BuiltELF.objcopy != nil, "needs gcc and objcopy"))
struct ELFHostTests {
  private func build(_ name: String, _ flags: [String], in folder: String, source: String? = nil) throws -> String {
    let text = """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(Shop.CartModule, priority(10))
      REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Shop.SystemClock)
      int main(void) { return 0; }
      """
    try BuiltELF.write(source ?? text, "\(folder)/\(name).c")
    try BuiltELF.run(
      BuiltELF.tool("gcc"), ["-I", SharedObject.headers] + flags + ["\(name).c", "-o", name], in: folder)
    return "\(folder)/\(name)"
  }

  private func count(_ file: ELFFile) throws -> Int {
    var count = 0
    for section in file.recordSections {
      let bytes = try file.view.bytes(section.offset ?? 0, section.size, "the notes")
      for start in bytes.indices where bytes[start...].starts(with: Array("Registry\0".utf8)) { count += 1 }
    }
    return count
  }

  @Test(
    "programs and libraries are distinguished, and each record is listed once",
    arguments: [
      (["-pie"], ImageHeader.FileType.executable), (["-no-pie"], .executable), (["-static"], .executable),
      (["-static-pie"], .executable), (["-shared", "-fPIC"], .library), (["-c"], .object),
      (["-fuse-ld=bfd"], .executable),
      (["-fuse-ld=gold", "-Wl,--build-id"], .executable), (["-s"], .executable),
    ])
  func types(flags: [String], type: ImageHeader.FileType) throws {
    if flags.first == "-fuse-ld=gold", BuiltELF.gold == nil { return }
    try BuiltELF.inFolder { folder in
      let file = try BuiltELF.file(try build("x", flags, in: folder))
      #expect(file.header.type == type)
      #expect(try count(file) == 2)
      #expect(file.header.isStripped == (flags == ["-s"]))
    }
  }

  @Test("notes that gold lists twice are one range", .enabled(if: BuiltELF.gold != nil, "needs ld.gold"))
  func gold() throws {
    try BuiltELF.inFolder { folder in
      let path = try build("x", ["-fuse-ld=gold", "-Wl,--build-id"], in: folder)
      let listed = try BuiltELF.run(BuiltELF.readelf, ["-lW", path]).split(separator: "\n")
        .filter { $0.contains(" NOTE ") }.count
      let file = try BuiltELF.file(path)
      #expect(listed > file.recordSections.count)
      #expect(file.recordSections.contains { $0.noteAlignment == 8 })
    }
  }

  @Test("a section of records outside every note segment is reported")
  func unreachable() throws {
    try BuiltELF.inFolder { folder in
      let path = try build("x", [], in: folder)
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      // Replace each PT_NOTE by a PT_NULL. A linker script without :note has the same effect.
      let table = 64
      for index in 0..<Int(bytes[56]) where bytes[table + index * 56] == 4 { bytes[table + index * 56] = 0 }
      let file = try ELFFile(BinaryView(FileBytes(bytes, path: "x")))
      #expect(file.recordSections.isEmpty)
      #expect(file.unreachableRecordSections.map(\.name) == [".note.registry"])
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let remark = try #require(SearchResult(path, in: folder).notes.first).description
      #expect(remark.hasPrefix("x: note: the section '.note.registry' at address 0x"))
      #expect(
        remark.hasSuffix(
          "is in no loaded segment of notes (PT_NOTE), so its records are not found at run time [unloaded-section]"))
    }
  }

  @Test("a file of debug symbols registers nothing, although it has the notes")
  func debugFile() throws {
    try BuiltELF.inFolder { folder in
      let path = try build("x", ["-g"], in: folder)
      try BuiltELF.run(BuiltELF.objcopy, ["--only-keep-debug", path, "\(path).debug"])
      let file = try BuiltELF.file("\(path).debug")
      #expect(file.header.type == .other && file.recordSections.isEmpty)
      #expect(!file.sections(named: ".note.registry").isEmpty)
    }
  }

  @Test @MainActor func `a file whose notes were removed is told how to keep its records`() throws {
    try BuiltELF.inFolder { folder in
      let path = try build("x", [], in: folder)
      try BuiltELF.run(BuiltELF.objcopy, ["--remove-section=.note*", path, "\(path).small"])
      #expect(try !BuiltELF.file(path).header.lacksNotes && BuiltELF.file("\(path).small").header.lacksNotes)
      #expect(
        Inspection(of: ["\(path).small"]).check().map(\.description) == [
          "\(path).small: note: the file's notes were removed, as by 'objcopy --remove-section=.note*', and records are"
            + " notes; keep the section '.note.registry' [nothing-selected]"
        ])
    }
  }

  @Test("objects with more sections than the header can count are read")
  func manySections() throws {
    try BuiltELF.inFolder { folder in
      let count = 66_000
      var text = (0..<count).map { ".section .s\($0),\"a\"\n.byte 1\n" }.joined()
      text += ".section .last,\"a\"\n.byte 7\n.section .note.registry,\"a\",@note\n.quad 1, elsewhere\n"
      try BuiltELF.write(text, "\(folder)/x.s")
      try BuiltELF.run(BuiltELF.tool("gcc"), ["-c", "x.s", "-o", "x.o"], in: folder)
      let file = try BuiltELF.file("\(folder)/x.o")
      #expect(file.sections.count > count)
      let last = try #require(file.sections(named: ".last").first)
      #expect(try file.view.bytes(last.offset ?? 0, last.size, "it") == [7])
      let records = try #require(file.recordSections.first)
      #expect(try file.pointer(at: records.address) == .null)
      #expect(try file.pointer(at: records.address + 8) == .symbol("", 0))
    }
  }

  @Test("each group of records of an object is a section of its own")
  func groups() throws {
    try BuiltELF.inFolder { folder in
      let text = ["a", "b"].map {
        ".section .note.registry,\"aG\",@note,\($0),comdat\n.balign 8\n.quad 1\n"
      }.joined()
      try BuiltELF.write(text, "\(folder)/x.s")
      try BuiltELF.run(BuiltELF.tool("gcc"), ["-c", "x.s", "-o", "x.o"], in: folder)
      let file = try BuiltELF.file("\(folder)/x.o")
      #expect(file.recordSections.count == 2)
      #expect(Set(file.recordSections.map(\.address)).count == 2)
      #expect(file.recordSections.allSatisfy { $0.size == 8 && $0.noteAlignment != nil })
    }
  }

  @Test("objects for link-time optimization by gcc are recognized")
  func linkTime() throws {
    try BuiltELF.inFolder { folder in
      let slim = try BuiltELF.file(try build("x", ["-c", "-flto", "-fno-fat-lto-objects"], in: folder))
      #expect(slim.isLinkTimeCode)
      let fat = try BuiltELF.file(try build("y", ["-c", "-flto", "-ffat-lto-objects"], in: folder))
      #expect(!fat.isLinkTimeCode)
      #expect(try count(fat) == 2)
      #expect(SearchResult("\(folder)/x", in: folder).notes.map(\.message) == [BinaryFinder.linkTime])
      #expect(SearchResult("\(folder)/y", in: folder).notes.isEmpty)
    }
  }
}
