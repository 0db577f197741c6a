import Foundation
import Testing

@testable import BinaryInspection

/// What a file says is counted before it is made: all of it, and by how much there is of it.
@Suite struct MemoryBudgetTests {
  @Test("a budget has the file's size and a fixed amount, and what does not fit is not counted")
  func budget() throws {
    #expect(MemoryBudget(fileSize: 10).limit == (64 << 20) + 10)
    #expect(MemoryBudget(fileSize: .max).limit > 1 << 62)
    let budget = MemoryBudget(fileSize: 0, base: 100)
    #expect(budget.spend(3, each: 20) && budget.left == 40)
    #expect(!budget.spend(3, each: 20) && !budget.spend(.max, each: .max) && !budget.keep(41) && budget.left == 40)
    #expect(budget.keep(40) && budget.left == 0 && budget.spend(0, each: 8))
  }

  @Test("what is kept of several files beyond their sizes is together no more than of one")
  func reserve() throws {
    let reserve = MemoryReserve()
    let budgets = (0..<3).map { _ in MemoryBudget(fileSize: 1_000, reserve: reserve) }
    // Up to its size each has its own.
    for budget in budgets { #expect(budget.keep(1_000)) }
    #expect(budgets[0].keep(40 << 20) && !budgets[1].keep(25 << 20) && budgets[1].keep(24 << 20))
    #expect(!budgets[2].keep(1) && budgets[2].spend(1, each: 60 << 20))
    #expect(MemoryBudget(fileSize: 1_000).keep(1_000 + (64 << 20)))
  }

  @Test("what is spent on a part of a file is free again behind it, also after an error, and what is kept is not")
  func lend() throws {
    let budget = MemoryBudget(fileSize: 0, base: 100)
    #expect(budget.spend(1, each: 10))
    try budget.lend { () throws(InspectionError) in
      #expect(budget.spend(1, each: 50) && budget.keep(5) && budget.left == 35)
    }
    #expect(budget.left == 85)
    #expect(throws: InspectionError.self) {
      try budget.lend { () throws(InspectionError) in
        #expect(budget.spend(1, each: 85))
        throw InspectionError(file: "x", message: "")
      }
    }
    #expect(budget.left == 85)
  }

  @Test("a file that belongs to another makes room in the other's budget, as long as it is open")
  func members() throws {
    try BuiltELF.inFolder { folder in
      let path = "\(folder)/file"
      try BuiltELF.write(String(repeating: "x", count: 1_000), path)
      let archive = FileBytes([], path: "archive", memory: 100)
      func open() throws {
        let member = try FileBytes(path: path, of: archive)
        withExtendedLifetime(member) { #expect(archive.budget.left == 1_100) }
      }
      try open()
      #expect(archive.budget.left == 100)
      #expect(try FileBytes(path: path).budget.left == (64 << 20) + 1_000)
    }
  }

  // MARK: What is counted

  @Test("what a file has many of is counted, each of them", arguments: Growth.all)
  func growth(_ growth: Growth) throws {
    let (few, many) = (try growth.need(20), try growth.need(70))
    #expect(many >= few + 50 * growth.least, "\(few) for 20, \(many) for 70")
    #expect(many <= few + 50 * (growth.least * 12 + 1_024), "\(few) for 20, \(many) for 70")
  }

  // MARK: What is done without

  @Test("the records in front of the one that does not fit are there, and the error says where that is")
  func records() throws {
    let records = (0..<50).map { TestRecord.module(#"{"module":"A.M\#($0)"}"#) }
    var counts: Set<Int> = []
    for memory in stride(from: 0, to: 200_000, by: 5_000) as StrideTo<UInt64> {
      let object = SimulatedObject.with(records, memory: memory)
      guard let reader = try? RecordReader(object) else { continue }
      counts.insert(reader.records.count)
      #expect(reader.records.map(\.attributes) == records.prefix(reader.records.count).map(\.json))
      #expect((reader.overflow == nil) == (reader.records.count == 50))
      if let overflow = reader.overflow {
        let next = try RecordReader(SimulatedObject.with(records)).records[reader.records.count].offset
        #expect(overflow.offset == next && overflow.isOfMemory)
      }
    }
    #expect(counts.count > 10 && counts.contains(50))
  }

  @Test("of one file it is told once that something does not fit, whatever does not")
  func once() throws {
    let file = FileBytes([], path: "x", memory: 0)
    #expect(file.budget.isNews() && !file.budget.isNews())
    let records = (0..<50).map { TestRecord.module(#"{"module":"A.M\#($0)"}"#) }
    let object = SimulatedObject.with(records, memory: 40_000)
    let inspection = SimulatedObject.inspection(
      [object, object, object], members: ["a.o", "b.o", "c.o"], readsClasses: true)
    #expect(inspection.errors.count == 1, "\(inspection.errors)")
    // Too little for the first of them.
    let none = SimulatedObject.with(records, memory: 100)
    let empty = SimulatedObject.inspection([none, none], members: ["a.o", "b.o"])
    #expect(empty.images.isEmpty && empty.errors.map(\.isOfMemory) == [true], "\(empty.errors)")
  }

  @Test("a thin archive that names more members than it has memory for is told once, behind those that fit")
  func thinMembers() {
    var archive = Array("!<thin>\n".utf8)
    for index in 0..<20 {
      archive += Array("nobody\(index).o/".padding(toLength: 48, withPad: " ", startingAt: 0).utf8)
      archive += Array("0         `\n".utf8)
    }
    let view = BinaryView(FileBytes(archive, path: "lib.a", memory: 1_000))
    var errors: [InspectionError] = []
    ArchiveSearch(files: BinaryFinder(), path: "lib.a", view: view).search(only: nil) { finding in
      if case .failed(let error) = finding { errors.append(error) }
    }
    #expect(errors.count { $0.isOfMemory } == 1 && errors.last?.isOfMemory == true)
    #expect((2..<19).contains(errors.count) && errors[0].file == "lib.a(nobody0.o)")
  }

  @Test("of sections whose records are not found a hundred are told, and how many more there are")
  func unreachable() throws {
    var made = HandmadeELF()
    let section = HandmadeELF.sections + 64
    made.put(60, 3 + 103, 2)
    for index in 0..<103 {
      made.bytes += made.bytes[section..<section + 64]
      // Elsewhere than the notes.
      made.put(HandmadeELF.sections + (3 + index) * 64 + 16, UInt64(0x10_0000 + index * 64), 8)
    }
    let file = try ELFFile(made.view)
    var remarks: [InspectionRemark] = []
    BinaryFinder().tell(FoundBinary(path: "x", member: nil, object: file)) { finding in
      if case .remark(let remark) = finding { remarks.append(remark) }
    }
    #expect(remarks.count == 101)
    #expect(remarks.last?.description == "x: note: 3 more sections are in no loaded segment of notes (PT_NOTE)")
  }
}

/// Something that a file has as often as is asked for.
struct Growth: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// How many bytes at least one of them takes in memory.
  let least: UInt64
  /// Makes a file and reads it, with so much memory.
  let read: @Sendable (_ count: Int, _ memory: UInt64) throws -> Void

  init(_ name: String, least: UInt64, _ read: @escaping @Sendable (_ count: Int, _ memory: UInt64) throws -> Void) {
    testDescription = name
    self.least = least
    self.read = read
  }

  /// The least memory that so many can be read with. Every other error is one.
  func need(_ count: Int) throws -> UInt64 {
    var (low, high): (UInt64, UInt64) = (0, 1 << 20)
    try read(count, high)
    while low < high {
      let middle = (low + high) / 2
      do {
        try read(count, middle)
        high = middle
      } catch let error as InspectionError where error.isOfMemory {
        #expect(error.message.contains("would take more memory than there is for a file of"))
        low = middle + 1
      }
    }
    return low
  }
}

extension Growth {
  static let all = elf + machO + records + metadata

  private static func view(_ bytes: [UInt8], _ memory: UInt64) -> BinaryView {
    BinaryView(FileBytes(bytes, path: "x", memory: memory))
  }

  private static let elf: [Growth] = [
    Growth("sections", least: 64) { count, memory in
      var made = HandmadeELF()
      made.put(16, 1, 2)
      made.put(60, UInt64(3 + count), 2)
      for _ in 0..<count { made.bytes += made.bytes[HandmadeELF.sections + 64..<HandmadeELF.sections + 128] }
      for index in 0..<count { made.put(HandmadeELF.sections + (3 + index) * 64 + 32, 0, 8) }
      _ = try ELFFile(view(made.bytes, memory))
    },
    Growth("segments", least: 56) { count, memory in
      var made = HandmadeELF()
      made.put(32, UInt64(made.bytes.count), 8)
      made.put(56, UInt64(3 + count), 2)
      made.bytes += made.bytes[64..<232] + [UInt8](repeating: 0, count: count * 56)
      _ = try ELFFile(view(made.bytes, memory))
    },
    Growth("relocations", least: 24) { count, memory in
      try readPointer(of: made([7, 8], count, Array(HandmadeELF().bytes[HandmadeELF.rela..<HandmadeELF.relr])), memory)
    },
    Growth("packed relocations", least: 8) { count, memory in
      try readPointer(of: made([36, 35], count, [0, 1, 0, 0, 0, 0, 0, 0]), memory)
    },
    Growth("relocations of an object", least: 40) { count, memory in
      try readPointer(of: object(relocations: count), memory)
    },
  ]

  /// An object whose first section has so many relocations, each at a place of its own.
  static func object(relocations count: Int, at place: (Int) -> Int = { 8 * $0 }) -> [UInt8] {
    var made = HandmadeELF()
    made.put(16, 1, 2)
    made.put(60, 4, 2)
    let table = made.bytes.count + 64
    var bytes = made.bytes + [UInt8](repeating: 0, count: 64)
    for (field, value, size) in [(4, 4, 4), (24, table, 8), (32, 24 * count, 8), (44, 1, 4), (56, 24, 8)] {
      for index in 0..<size {
        bytes[HandmadeELF.sections + 192 + field + index] = UInt8(truncatingIfNeeded: value >> (index * 8))
      }
    }
    for index in 0..<count {
      let offset = UInt64(place(index))
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) } + [UInt8](repeating: 0, count: 16)
    }
    return bytes
  }

  /// A library with a table of so many entries, whose place and size two entries of its dynamic section say.
  private static func made(_ tags: [UInt64], _ count: Int, _ entry: [UInt8]) -> [UInt8] {
    var made = HandmadeELF()
    let start = made.bytes.count
    for _ in 0..<count { made.bytes += entry }
    for field in [32, 40] { made.put(64 + field, UInt64(made.bytes.count), 8) }
    for entry in stride(from: HandmadeELF.dynamic, to: HandmadeELF.dynamic + 160, by: 16) {
      if UInt64(made.bytes[entry]) == tags[0] { made.put(entry + 8, UInt64(start), 8) }
      if UInt64(made.bytes[entry]) == tags[1] { made.put(entry + 8, UInt64(made.bytes.count - start), 8) }
    }
    return made.bytes
  }

  private static func readPointer(of bytes: [UInt8], _ memory: UInt64) throws {
    let file = try ELFFile(view(bytes, memory))
    _ = try file.pointer(at: file.recordSections[0].address + 24)
  }

  private static let machO: [Growth] = [
    Growth("sections of Mach-O", least: 128) { count, memory in
      var builder = MachOBuilder()
      builder.segments = builder.standardSegments
      builder.segments[1].sections = (0..<count).map {
        .init(name: "section\($0)", address: MachOBuilder.dataAddress, size: 0, offset: 0)
      }
      _ = try MachOFile(view(builder.build(), memory))
    },
    Growth("segments of Mach-O", least: 96) { count, memory in
      var builder = MachOBuilder()
      let empty = MachOBuilder.Segment(name: "empty", address: 0x20000, size: 0, offset: 0, fileSize: 0)
      builder.segments = builder.standardSegments + [MachOBuilder.Segment](repeating: empty, count: count)
      _ = try MachOFile(view(builder.build(), memory))
    },
    Growth("bound pointers", least: 12) { count, memory in
      // To the next symbol's addend each.
      try readOpcodes([UInt8](repeating: 0x90, count: count), memory)
    },
    Growth("values of bound pointers", least: 36) { count, memory in
      try readOpcodes((0..<count).flatMap { [0x60, UInt8($0 & 0x3f), 0x90] as [UInt8] }, memory)
    },
    Growth("pages of fixups", least: 2_048) { count, memory in
      let file = try fixups(count, memory)
      for page in 0..<count { _ = try file.pointer(at: MachOBuilder.dataAddress + UInt64(page) * 0x1000) }
    },
    Growth("relocations of an object of Mach-O", least: 8) { count, memory in
      var builder = MachOBuilder()
      builder.fileType = 1
      builder.data.pad(to: 0x2000)
      var relocations = Bytes()
      for index in 0..<count { relocations.add(UInt32(index * 8), 0x0600_0001) }
      let offset = builder.append(relocations.bytes)
      builder.segments = builder.standardSegments
      builder.segments[1].sections = [
        .init(
          address: MachOBuilder.dataAddress, size: 0x2000, offset: MachOBuilder.dataOffset,
          relocations: (UInt64(offset), UInt64(count)))
      ]
      _ = try MachOFile(view(builder.build(), memory)).pointer(at: MachOBuilder.dataAddress)
    },
  ]

  private static func readOpcodes(_ opcodes: [UInt8], _ memory: UInt64) throws {
    var builder = MachOBuilder()
    builder.data.pad(to: 0x4000)
    let all = [0x40, 0x61, 0, 0x51, 0x71, 0] + opcodes + [0]
    let offset = builder.append(all)
    builder.commands = [
      MachOBuilder.command(MachO.Command.dyldInfoOnly, 0, 0, offset, UInt32(all.count), 0, 0, 0, 0, 0, 0)
    ]
    _ = try MachOFile(view(builder.build(), memory)).pointer(at: MachOBuilder.dataAddress)
  }

  /// A library with so many pages of 4 KB, each with one fixup in front.
  private static func fixups(_ count: Int, _ memory: UInt64) throws -> MachOFile {
    var builder = MachOBuilder()
    builder.data.pad(to: count * 0x1000)
    var fixups = Bytes()
    fixups.add(0, 32, 0, 0, 0, 1, 0 as UInt32)
    fixups.pad(to: 32)
    fixups.add(2, 0, 16 as UInt32)
    fixups.pad(to: 48)
    fixups.add(UInt32(22 + count * 2))
    fixups.add(0x1000, 6 as UInt16)
    fixups.add(0x4000 as UInt64)
    fixups.add(0 as UInt32)
    fixups.add(UInt16(count))
    for _ in 0..<count { fixups.add(0 as UInt16) }
    let offset = builder.append(fixups.bytes)
    builder.commands = [MachOBuilder.command(MachO.Command.chainedFixups, offset, UInt32(fixups.bytes.count))]
    return try MachOFile(view(builder.build(), memory))
  }

  private static let records: [Growth] = [
    Growth("records", least: 256) { count, memory in
      try read((0..<count).map { .module(#"{"module":"A.M\#($0)"}"#) }, memory)
    },
    Growth("malformed records", least: 512) { count, memory in
      // Of one section a hundred are told.
      try read([TestRecord](repeating: .module("{}"), count: count), memory)
    },
    Growth("names in after", least: 96) { count, memory in
      let names = (0..<count).map { "\"N\($0)\"" }.joined(separator: ",")
      try read([.module(#"{"module":"A.M","after":[\#(names)]}"#)], memory)
    },
    Growth("bytes of a record's JSON", least: 4) { count, memory in
      try read([.module(#"{"module":"A.M","name":"\#(String(repeating: "x", count: count))"}"#)], memory)
    },
    Growth("pointer records", least: 256) { count, memory in
      let texts = (0..<count).flatMap { Array("Module\($0)".utf8) + [0 as UInt8] }
      let object = SimulatedObject(
        [
          .init(name: "__TEXT,__cstring", bytes: texts, hasRecords: false),
          .init(name: "__DATA,BeehiveMods", bytes: [UInt8](repeating: 1, count: 8 * count), hasRecords: false),
        ], memory: memory)
      var target = SimulatedObject.base
      for index in 0..<count {
        object.pointers[object.sections[1].address + UInt64(index) * 8] = .address(target)
        target += UInt64("Module\(index)".utf8.count) + 1
      }
      try read(object, count)
    },
  ]

  private static func read(_ records: [TestRecord], _ memory: UInt64) throws {
    try read(SimulatedObject.with(records, memory: memory), records.count)
  }

  private static func read(_ object: SimulatedObject, _ count: Int) throws {
    let reader = try RecordReader(object)
    if let overflow = reader.overflow { throw overflow }
    for problem in reader.problems where problem.message.contains("would take more memory") {
      // What cannot be resolved for that reason is a problem of the record.
      throw object.view.memoryError(0, "")
    }
    #expect(reader.records.count == count)
  }

  private static let metadata: [Growth] = [
    Growth("names of types", least: 96) { count, memory in
      var builder = MetadataBuilder(list: count)
      for index in 0..<count { builder.put(builder.module("Module\(index)"), at: index * 4) }
      let object = MetadataObject(builder, section: "swift5_type_metadata", list: count * 4, memory: memory)
      var classes = ClassInventory()
      try classes.add(object)
    }
  ]
}
