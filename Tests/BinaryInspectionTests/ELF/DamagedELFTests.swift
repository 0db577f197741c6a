import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Files that are truncated or contain contradictions.
///
/// Random damage is the same in every run. Tests/Harness/Fuzz explores more of it.
@Suite struct DamagedELFTests {
  @Test("the undamaged file is valid")
  func whole() throws {
    let file = try ELFFile(HandmadeELF().view)
    #expect(file.sectionProblem == nil && file.header.type == .library)
    #expect(file.recordSections.map(\.address) == [240])
    #expect(try file.pointer(at: 264) == .symbol("other", 4))
    #expect(try file.pointer(at: 280) == .address(7))
    #expect(try file.pointer(at: 288) == .address(440))
    #expect(file.sections.map(\.name) == ["", ".note.registry", ".names"])
  }

  @Test("notes can begin between multiples of eight, where records are at multiples")
  func oddNotes() throws {
    var made = HandmadeELF()
    for (field, value) in [(8, 236), (16, 236), (24, 236), (32, 44), (40, 44)] {
      made.put(HandmadeELF.segments + 56 + field, UInt64(value), 8)
    }
    let records = try RecordReader(try ELFFile(made.view), ProblemList()).records
    #expect(records.map(\.offset) == [240])
    // The offset of a section in an object isn't its address.
    for shift in 1...7 {
      var object = HandmadeELF()
      object.put(16, 1, 2)
      object.bytes.insert(contentsOf: [UInt8](repeating: 0, count: shift), at: HandmadeELF.notes)
      object.put(40, UInt64(HandmadeELF.sections + shift), 8)
      for section in 1...2 {
        let field = HandmadeELF.sections + shift + section * 64 + 24
        object.put(field, UInt64((section == 1 ? HandmadeELF.notes : HandmadeELF.strings) + shift), 8)
      }
      #expect(try RecordReader(try ELFFile(object.view), ProblemList()).records.count == 1)
    }
  }

  @Test("a relocation of any type, on any processor, is a symbol plus an addend")
  func unknownTypes() throws {
    var made = HandmadeELF()
    made.put(448, 1 << 32 | 16, 8)
    #expect(try ELFFile(made.view).pointer(at: 264) == .symbol("other", 4))
    made.put(18, 8, 2)
    #expect(try ELFFile(made.view).pointer(at: 264) == .symbol("other", 4))
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var offset: Int
    var value: UInt64
    var count: Int
    var message: String
    var place: UInt64?
    var testDescription: String { message }
  }

  static let headers = [
    Damage(offset: 4, value: 3, count: 1, message: "the ELF class is 3", place: 4),
    Damage(
      offset: 5, value: 2, count: 1, message: "is a big-endian ELF file; only little-endian files are supported",
      place: 5),
    Damage(offset: 32, value: .max, count: 8, message: "the table of 3 program headers (168 bytes at", place: 768),
    Damage(
      offset: 56, value: 60_000, count: 2, message: "the table of 60000 program headers (3360000 bytes)", place: 64),
    Damage(
      offset: 64 + 8, value: 64, count: 8,
      message: "the segment at address 0x0 (768 bytes) must be within the file, which has 768 bytes"),
    Damage(offset: 64 + 16, value: .max, count: 8, message: "must be within the address space", place: 0),
  ]

  @Test("a malformed header is an error with its offset", arguments: headers)
  func header(_ damage: Damage) throws {
    var made = HandmadeELF()
    made.put(damage.offset, damage.value, damage.count)
    let error = #expect(throws: InspectionProblem.self) { try ELFFile(made.view) }
    #expect(error?.message.contains(damage.message) == true, "\(String(describing: error))")
    if let place = damage.place { #expect(error?.offset == place) }
  }

  static let sections = [
    Damage(offset: 40, value: 1 << 40, count: 8, message: "the table of 1 section headers", place: 768),
    Damage(offset: 60, value: 4, count: 2, message: "the table of 4 section headers (256 bytes)", place: 576),
    Damage(
      offset: 62, value: 3, count: 2, message: "the section of names is section 3, but the number of sections is 3",
      place: 0),
    Damage(offset: 576 + 64, value: 32, count: 4, message: "the name of section 1 is not terminated", place: 560),
    Damage(offset: 576 + 64 + 32, value: .max, count: 8, message: "the section '.note.registry' (18446744073709551615"),
    Damage(offset: 576 + 128 + 32, value: 20, count: 8, message: "the name of section 1 is not terminated", place: 535),
  ]

  @Test("malformed sections are an error in an object, and not in a linked image", arguments: sections)
  func section(_ damage: Damage) throws {
    var made = HandmadeELF()
    made.put(damage.offset, damage.value, damage.count)
    let file = try ELFFile(made.view)
    #expect(file.sections.isEmpty && file.recordSections.count == 1)
    #expect(file.sectionProblem?.message.contains(damage.message) == true, "\(String(describing: file.sectionProblem))")
    if let place = damage.place { #expect(file.sectionProblem?.offset == place) }

    made.put(16, 1, 2)
    #expect(throws: try #require(file.sectionProblem)) { try ELFFile(made.view) }
  }

  @Test("the largest number of program headers must be within the file")
  func manySegments() throws {
    var made = HandmadeELF()
    made.put(56, 0xffff, 2)
    let error = #expect(throws: InspectionProblem.self) { try ELFFile(made.view) }
    #expect(error?.message.hasPrefix("the table of 65535 program headers (3669960 bytes") == true)
  }

  static let dynamic = [
    Damage(offset: 64 + 112 + 16, value: 4096, count: 8, message: "the dynamic section at address 0x1000"),
    Damage(offset: 288, value: 4096, count: 8, message: "the table of RELA relocations (24 bytes at address 0x1000)"),
    Damage(offset: 304, value: .max, count: 8, message: "the table of RELA relocations (18446744073709551615"),
    Damage(offset: 448, value: 9999 << 32 | 1, count: 8, message: "the symbol 9999 (24 bytes at 0x3a968) must be"),
    Damage(offset: 504, value: 32, count: 4, message: "the name of a symbol is not terminated"),
    Damage(offset: 280, value: 0x6000_0011, count: 8, message: "packed in Android's format"),
  ]

  @Test("malformed relocations are an error when a pointer is read", arguments: dynamic)
  func relocations(_ damage: Damage) throws {
    var made = HandmadeELF()
    made.put(damage.offset, damage.value, damage.count)
    let file = try ELFFile(made.view)
    let error = #expect(throws: InspectionProblem.self) { try file.pointer(at: 264) }
    #expect(error?.message.contains(damage.message) == true, "\(String(describing: error))")
    if let place = damage.place { #expect(error?.offset == place) }
  }

  @Test("notes are those that the runtime reads: mapped, readable, and aligned")
  func notes() throws {
    for (offset, value, count) in [(64 + 56 + 16, UInt64(242), 8), (64 + 56 + 16, 4096, 8), (64 + 4, 2, 4)] {
      var made = HandmadeELF()
      made.put(offset, value, count)
      let file = try ELFFile(made.view)
      #expect(file.recordSections.isEmpty)
      #expect(file.unreachableRecordSections.count == 1)
    }
  }

  @Test("memory is bounded by the file, also where a segment says that it has a terabyte of zeros")
  func zeros() throws {
    var made = HandmadeELF()
    made.put(64 + 40, 1 << 40, 8)
    let file = try ELFFile(made.view)
    #expect(try file.bytes(at: 1 << 39, 16, "it") == [UInt8](repeating: 0, count: 16))
    #expect(try file.cString(at: 1 << 39, "it") == "")
    #expect(throws: InspectionProblem.self) { try file.bytes(at: 4096, 1 << 39, "it") }
    #expect(throws: InspectionProblem.self) { try file.bytes(at: 0, (1 << 40) + 1, "it") }
  }

  @Test("names that share their bytes cannot take more memory than the file")
  func sharedNames() throws {
    let count = 2_000
    var made = HandmadeELF()
    made.bytes += [UInt8](repeating: 0x61, count: 60_000) + [0]
    let table = (made.bytes.count + 7) / 8 * 8
    made.bytes += [UInt8](repeating: 0, count: table - made.bytes.count + count * 64)
    made.put(16, 1, 2)
    made.put(40, UInt64(table), 8)
    made.put(60, UInt64(count), 2)
    made.put(62, 1, 2)
    made.put(table + 64 + 4, 3, 4)
    made.put(table + 64 + 24, 768, 8)
    made.put(table + 64 + 32, 60_001, 8)
    for index in 1..<count {
      made.put(table + index * 64, 1, 4)
      if index > 1 { made.put(table + index * 64 + 4, 1, 4) }
    }
    let names = try ELFFile(made.view).sections.map(\.name)
    #expect(names.count == count && names.allSatisfy { $0.utf8.count <= 512 })
  }

  @Test("every truncated file is read as far as possible, or is an error")
  func truncated() {
    let bytes = HandmadeELF().bytes
    for count in bytes.indices { HandmadeELF.readAll(Array(bytes[..<count])) }
    for count in 0..<64 {
      #expect(throws: InspectionProblem.self) { try ELFFile(BinaryView(FileBytes(Array(bytes[..<count]), path: "x"))) }
    }
  }

  @Test("damage at any offset does not cause a crash", arguments: 0..<8)
  func fuzzed(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }
    let values: [UInt64] = [
      0, 1, 3, 7, 8, 0xff, 0xffff, 0xffff_ffff, 1 << 63, .max, 240, 768, 4096, 0x7fff_ffff_ffff_ffff,
    ]
    for _ in 0..<100 {
      var made = HandmadeELF()
      if seed % 2 == 1 { made.put(16, 1, 2) }
      for _ in 0...random(3) {
        let width = [1, 2, 4, 8][random(4)]
        made.put(random(made.bytes.count - 8) / width * width, values[random(values.count)], width)
      }
      HandmadeELF.readAll(made.bytes)
    }
  }

  @Test(
    "damage to a compiled file does not cause a crash", .enabled(if: BuiltELF.clang != nil, "needs clang"),
    arguments: ["x86_64", "i386", "riscv64"])
  func fuzzedObject(processor: String) throws {
    try BuiltELF.inFolder { folder in
      try BuiltELF.write(BuiltELF.source, "\(folder)/x.c")
      guard BuiltELF.compilers.contains(["x86_64": "x86-64", "i386": "x86"][processor] ?? processor) else { return }
      try BuiltELF.run(
        BuiltELF.clang, ["-target", "\(processor)-linux-gnu", "-fPIC", "-w", "-c", "x.c", "-o", "x.o"], in: folder)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/x.o")))
      var random = SeededGenerator(seed: UInt64(bytes.count))
      for _ in 0..<100 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          damaged[Int.random(in: 16..<bytes.count, using: &random)] = [0, 1, 0x7f, 0x80, 0xff].randomElement(
            using: &random)!
        }
        HandmadeELF.readAll(damaged)
      }
    }
  }
}
