import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Files that a compiler and a linker create, compared with the output of LLVM's tools and with the
/// source.
@Suite(.enabled(if: MachOTools.areThere, "\(MachOTools.missing)"))
struct MachOImageTests {
  private func open(_ path: String) throws -> MachOFile {
    let view = BinaryView(try FileBytes(path: path))
    #expect(try MachO.isMachO(view))
    #expect(try UniversalFile.slices(of: view) == nil)
    return try MachOFile(view)
  }

  /// Returns the address of a symbol.
  private func address(_ name: String, in file: MachOFile) throws -> UInt64 {
    try #require(try file.symbols().first { $0.name == name && $0.isDefined }, "\(name)").address
  }

  private static let linked: [(String, Int, String)] = ["x86_64", "arm64"].flatMap { architecture in
    [11, 13].flatMap { version in ["-dylib", "-bundle", "-execute"].map { (architecture, version, $0) } }
  }

  @Test("pointers of images have the targets in their source, with chained fixups and with opcodes", arguments: linked)
  func images(architecture: String, version: Int, kind: String) throws {
    let images = try MachOImages()
    let path = try images.image(architecture, version: version, kind)
    let file = try open(path)
    #expect(file.header.architecture == architecture)
    #expect(file.header.type == ["-dylib": .library, "-bundle": .bundle, "-execute": .executable][kind])
    #expect(file.header.format == .machO && file.header.is64Bit)
    #expect(!file.header.isEncrypted && !file.header.isStripped)
    #expect((file.commands.chainedFixups != nil) == (version == 13))

    try checkPointers(of: file)
    if version == 13 {
      let functions = try #require(file.sections.first { $0.name == "__DATA_CONST,__const" })
      #expect(try file.pointer(at: functions.address) == .symbol("_outside", 0))
      let table = try #require(file.sections.first { $0.name == "__DATA_CONST,__got" })
      let names = try (0..<table.size / 8).map { try file.pointer(at: table.address + $0 * 8) }
      #expect(names.contains(.symbol("_outside_data", 0)))
    }
    try checkAgainstTools(file, path, images)
  }

  private func checkPointers(of file: MachOFile) throws {
    // Opcodes, which the reader does not interpret, bind the pointers to other images. The file
    // contains the addend.
    let isChained = file.commands.chainedFixups != nil
    let pointers = try #require(file.sections(named: "__DATA,pointers").first)
    let size = file.header.pointerSize
    let found = try (0..<pointers.size / size).map { try file.pointer(at: pointers.address + $0 * size) }
    let exported = try address("_exported_value", in: file)
    try #require(found.count == 8)
    #expect(found[0] == .address(try address("_local_value", in: file)))
    #expect(found[1] == .address(exported))
    #expect(found[2] == (isChained ? .symbol("_outside_data", 16) : .address(16)))
    #expect(found[3] == .null)
    guard case .address(let text) = found[4] else {
      Issue.record("\(found[4])")
      return
    }
    #expect(try file.cString(at: text, "a text") == "text")
    #expect(found[5] == (isChained ? .symbol("_weak_value", 0) : .address(try address("_weak_value", in: file))))
    #expect(found[6] == .address(exported + 4))
    #expect(found[7] == (isChained ? .symbol("_outside_data", -8) : .address(UInt64.max - 7)))

    let relative = try #require(file.sections(named: "__DATA,relative").first).address
    #expect(try file.relativePointer(at: relative) == exported)
    #expect(try file.relativePointer(at: relative + 4) == nil)
    let other = try #require(file.sections(named: "__DATA,other").first).address
    #expect(try file.relativePointer(at: relative + 8) == other + 4)
    #expect(try file.number(at: exported, size: 4, "a value") == 7)
    try checkRecordSections(of: file)
  }

  private func checkRecordSections(of file: MachOFile) throws {
    #expect(file.recordSections.map(\.name) == ["__DATA,__reg_modules", "__DATA,__reg_exports"])
    let modules = try #require(file.recordSections.first)
    #expect(try file.cString(at: modules.address, "modules") == "modules")
    #expect(try file.view.bytes(try #require(modules.offset), 7, "modules") == Array("modules".utf8))
  }

  private static let targets = [
    ("x86_64-apple-macos13", "x86_64"), ("arm64-apple-macos13", "arm64"), ("arm64e-apple-macos13", "arm64e"),
    ("arm64_32-apple-watchos6", "arm64_32"), ("i386-apple-macos10.12", "i386"), ("armv7-apple-ios9", "armv7"),
    ("armv7k-apple-watchos2", "armv7k"), ("armv7s-apple-ios9", "armv7s"), ("x86_64h-apple-macos13", "x86_64h"),
  ]

  @Test("pointers of objects that have relocations are not null", arguments: targets)
  func objects(target: String, architecture: String) throws {
    let images = try MachOImages()
    let path = try images.object(target)
    let file = try open(path)
    #expect(file.header.architecture == architecture)
    #expect(file.header.type == .object && !file.header.isStripped)
    #expect(
      file.header.is64Bit == (architecture.hasSuffix("64") || architecture.hasPrefix("x86") || architecture == "arm64e")
    )
    let pointers = try #require(file.sections(named: "__DATA,pointers").first)
    let found = try (0..<8).map { try file.pointer(at: pointers.address + $0 * file.header.pointerSize) }
    #expect(found.indices.filter { found[$0] == .null } == [3])
    try checkRecordSections(of: file)
    try checkAgainstTools(file, path, images)
  }

  /// Compares the sections, their bytes, and the symbols with the output of the tools.
  private func checkAgainstTools(_ file: MachOFile, _ path: String, _ images: MachOImages) throws {
    let dump = try images.run(MachOTools.readobj, ["--sections", "--section-data", path])
    let sections = DumpedSection.all(in: dump)
    #expect(sections.count > 5)
    #expect(sections.map(\.name) == file.sections.map(\.name))
    for (expected, section) in zip(sections, file.sections) {
      #expect(section.address == expected.address && section.size == expected.size, "\(section)")
      if let offset = section.offset {
        #expect(offset == expected.offset, "\(section)")
        let bytes = try file.view.bytes(offset, section.size, "a section")
        #expect(bytes == expected.bytes, "\(section)")
        if section.size > 0 { #expect(try file.bytes(at: section.address, section.size, "a section") == bytes) }
      } else {
        #expect(expected.isZeroFill, "\(section)")
      }
    }
    // A line has the form "0000000000001000 D _name", with blanks in place of the address if the
    // symbol is undefined.
    let lines = try images.run(MachOTools.nm, ["--no-sort", path]).split(separator: "\n")
    let expected: [ObjectSymbol] = lines.compactMap { line in
      let words = line.split(separator: " ")
      if words.count == 2 { return ObjectSymbol(name: String(words[1]), address: 0, isDefined: false) }
      let isCommon = words[1] == "C"
      return ObjectSymbol(
        name: String(words[2]), address: isCommon ? 0 : UInt64(words[0], radix: 16)!, isDefined: !isCommon)
    }
    #expect(expected.count > 5)
    #expect(try file.symbols() == expected)
  }

  @Test("an image without local symbols is stripped, and reads all the same", arguments: ["x86_64", "arm64"])
  func stripped(architecture: String) throws {
    let images = try MachOImages()
    let path = try images.image(architecture, version: 13, "-dylib")
    let whole = try open(path)
    try images.run(MachOTools.strip, ["-x", "-o", "stripped", path])
    let file = try open(images.path("stripped"))
    #expect(file.header.isStripped)
    #expect(try file.symbols().count < whole.symbols().count)
    #expect(file.recordSections.map(\.size) == whole.recordSections.map(\.size))
    let pointers = try #require(file.sections(named: "__DATA,pointers").first)
    #expect(try file.pointer(at: pointers.address + 16) == .symbol("_outside_data", 16))
  }

  @Test("the slices of a universal file are those that lipo prints, each with its own name")
  func universal() throws {
    let images = try MachOImages()
    let objects = try Self.targets.map { try images.object($0.0) }
    try images.run(MachOTools.lipo, ["-create", "-output", "fat"] + objects)
    let path = images.path("fat")
    let view = BinaryView(try FileBytes(path: path))
    #expect(try !MachO.isMachO(view))
    let slices = try #require(try UniversalFile.slices(of: view))
    let expected = try images.run(MachOTools.lipo, ["-archs", path]).split(whereSeparator: \.isWhitespace).map(
      String.init)
    #expect(slices.map(\.architecture) == expected)
    #expect(slices.map(\.view.name) == expected.map { "\(path) (\($0))" })
    for slice in slices {
      let target = try #require(Self.targets.first { $0.1 == slice.architecture }).0
      let content = try FileBytes(path: images.path("\(target).o"))
      #expect(try slice.view.bytes(0, slice.view.size, "a slice") == content.read(0, Int(content.size)))
      #expect(try MachOFile(slice.view).header.architecture == slice.architecture)
    }
  }
}

/// A section in the output of llvm-readobj.
private struct DumpedSection {
  var name = ""
  var address: UInt64 = 0
  var size: UInt64 = 0
  var offset: UInt64 = 0
  var isZeroFill = false
  var bytes: [UInt8] = []

  static func all(in dump: String) -> [DumpedSection] {
    var sections: [DumpedSection] = []
    for line in dump.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line == "Section {" { sections.append(DumpedSection()) }
      guard var section = sections.popLast() else { continue }
      defer { sections.append(section) }
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      let number = words[1].hasPrefix("0x") ? UInt64(words[1].dropFirst(2), radix: 16) : UInt64(words[1])
      switch words[0] {
      case "Name:": section.name = String(words[1])
      case "Segment:": section.name = "\(words[1]),\(section.name)"
      case "Address:": section.address = number!
      case "Size:": section.size = number!
      case "Offset:": section.offset = number!
      case "Type:": section.isZeroFill = line.contains("0x1)") || line.contains("ZeroFill")
      default:
        // A line has the form "0000: 554889E5 E8000000  |UH......|".
        guard words[0].hasSuffix(":"), UInt64(words[0].dropLast(), radix: 16) == UInt64(section.bytes.count) else {
          continue
        }
        let digits = Array(line.prefix { $0 != "|" }.drop { $0 != " " }.filter { $0 != " " })
        section.bytes += stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<$0 + 2]), radix: 16)! }
      }
    }
    return sections
  }
}
