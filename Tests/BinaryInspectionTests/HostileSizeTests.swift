import Foundation
import HeapInUse
import TestSupport
import Testing

@testable import BinaryInspection

/// Small files that claim large contents.
///
/// Reading such a file must not take more time and memory than its size warrants.
@Suite struct HostileSizeTests {
  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  @Test("what is kept of a file is at most 48 times its size", .timeLimit(.minutes(20)))
  func memory() async {
    // The test runs in a separate process, because other tests allocate memory at the same time.
    await #expect(processExitsWith: .success) {
      let records = (0..<20_000).map { TestRecord.module(#"{"module":"M\#($0)"}"#) }
      let object = SimulatedObject.with(records)
      let before = heap_in_use()
      let inspection = SimulatedObject.inspection([object])
      let problems = await inspection.check()
      let kept = heap_in_use() - before
      withExtendedLifetime((inspection, problems)) {}
      #expect(inspection.images.first?.records.count == records.count)
      #expect(UInt64(kept) <= 48 * object.view.size, "\(kept) bytes for \(object.view.size)")
    }
  }

  @Test("only one graph is in memory at a time, however many programs can load a library")
  func graphs() async {
    await #expect(processExitsWith: .success) { @MainActor in
      @MainActor func growth(programs count: Int) -> Int {
        let library = SimulatedObject.with((0..<100).map { .module(#"{"module":"A\#($0)","after":["B\#($0)"]}"#) })
        let programs = (0..<count).map { SimulatedObject.with([], path: "p\($0)", type: .executable) }
        let inspection = SimulatedObject.inspection([library] + programs)
        let before = heap_in_use()
        var most = before
        inspection.writeGraph(.dot) { if $0.contains("subgraph") { most = max(most, heap_in_use()) } }
        return Int(most - before)
      }
      let (one, many) = (growth(programs: 1), growth(programs: 50))
      #expect(many < 2 * one, "\(many) bytes instead of \(one)")
    }
  }
  #endif

  @Test("the name of a symbol is read up to the limit, however many pointers are bound to it")
  func symbolNames() throws {
    let long = BinaryView(FileBytes([UInt8](repeating: 0x6e, count: 100_000) + [0], path: "x"))
    #expect(try long.text(0, "it") == String(repeating: "n", count: 4_096))
    let short = BinaryView(FileBytes(Array("name".utf8) + [0], path: "x"))
    #expect(try short.text(1, "it") == "ame")
    #expect(message { _ = try BinaryView(FileBytes([0x6e], path: "x")).text(0, "it") } == "it is not terminated")
  }

  @Test("files of debug symbols, whose sections may stand on one another, have neither records nor types")
  func debugSymbols() throws {
    var builder = MachOBuilder()
    builder.fileType = 10
    builder.segments = builder.standardSegments
    let names = ["__reg_modules", "__reg_exports", "__swift5_types", "__objc_classlist"]
    builder.segments[1].sections = (names + names).map { .init(name: $0, address: 0x14000, size: 64, offset: 0x4000) }
    let file = try builder.file()
    #expect(file.sections.count == 8 && file.recordSections.isEmpty)
    let problems = ProblemList()
    #expect(try RecordReader(file, problems).records.isEmpty && problems.all == [])
    #expect(try MetadataReader.names(of: .type, in: file) == [])
    #expect(try MetadataReader.names(of: .objectiveCClass, in: file) == [])
  }

  @Test("sections of metadata that share their bytes are rejected")
  func metadata() throws {
    var elf = HandmadeELF()
    elf.put(HandmadeELF.strings, Array("\0other\0swift5_protocols\0".utf8))
    elf.bytes += elf.bytes[HandmadeELF.sections + 64..<HandmadeELF.sections + 128]
    elf.put(60, 4, 2)
    let file = try ELFFile(elf.view)
    #expect(file.sectionProblem == nil)
    #expect(
      message { _ = try MetadataReader.names(of: .protocol, in: file) }
        == "the sections 'swift5_protocols' and 'swift5_protocols' overlap in the file, at 0xf0")
  }

  @Test("a name of repeated words does not expand endlessly")
  func mangledName() {
    func path(_ count: Int, words: Int) -> String? {
      MangledTypeName.path(
        "1M\(count)" + String(repeating: "a", count: count) + "E" + String(repeating: "0A0E", count: words) + "1TV")
    }
    #expect(path(1_000, words: 10) == "M.T")
    #expect(path(1_000, words: 1_000) == nil)
    #expect(path(5_000, words: 1) == nil)
  }

  @Test("a universal file has no more slices than there are architectures")
  func slices() {
    var file = Bytes()
    file.add(0xcafe_babf, 1_001 as UInt32, bigEndian: true)
    file.pad(to: 100_000)
    #expect(
      message { _ = try UniversalFile.slices(of: BinaryView(FileBytes(file.bytes, path: "x"))) }
        == "the universal file has 1001 slices, more than there are architectures")
  }

  @Test("at most a thousand sections with unreachable records are reported, with the number of the others")
  func unreachable() throws {
    var made = HandmadeELF()
    let section = HandmadeELF.sections + 64
    made.put(60, 3 + 1_003, 2)
    for index in 0..<1_003 {
      made.bytes += made.bytes[section..<section + 64]
      // The addresses of these sections are outside the notes.
      made.put(HandmadeELF.sections + (3 + index) * 64 + 16, UInt64(0x10_0000 + index * 64), 8)
    }
    let inspection = Inspection(of: ["x"], readsClasses: false) { path, report in
      do {
        try BinaryFinder().search(made.view, path, isNamed: true, report)
      } catch {
        Issue.record(error)
      }
    }
    #expect(inspection.problems.count == 1_001)
    #expect(inspection.problems.last?.description == "x: note: 3 more messages of this kind [unloaded-section]")
  }

  @Test("a name of a library is truncated, and none is read twice")
  func libraryNames() throws {
    var made = HandmadeELF()
    let strings = made.bytes.count
    made.bytes += Array("\0a.so\0b.so\0".utf8) + [UInt8](repeating: 0x6e, count: 69_989)
    let dynamic = made.bytes.count
    // The tags are those of the table of strings, its size, and libraries.
    let entries = [(5, strings), (10, 70_000)] + [1, 1, 6, 1, 11, 12, 2].map { (1, $0) }
    made.bytes += [UInt8](repeating: 0, count: entries.count * 16)
    for (index, entry) in entries.enumerated() {
      made.put(dynamic + index * 16, UInt64(entry.0), 8)
      made.put(dynamic + index * 16 + 8, UInt64(entry.1), 8)
    }
    for field in [32, 40] {
      made.put(HandmadeELF.segments + field, UInt64(made.bytes.count), 8)
      made.put(HandmadeELF.segments + 2 * 56 + field, UInt64(entries.count * 16), 8)
    }
    for field in [8, 16, 24] { made.put(HandmadeELF.segments + 2 * 56 + field, UInt64(dynamic), 8) }
    let name = String(repeating: "n", count: 4_096)
    #expect(try ELFFile(made.view).linkage == Linkage(libraries: ["a.so", "b.so", name, name, ".so"]))
  }

  /// Returns the bytes of an object whose first section has relocations at one offset.
  private static func object(relocations count: Int, of type: UInt8, at relocated: UInt64) -> [UInt8] {
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
    for _ in 0..<count {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: relocated >> ($0 * 8)) }
      bytes += [type] + [UInt8](repeating: 0, count: 15)
    }
    return bytes
  }

  @Test("relocations of type zero have no effect, however many there are")
  func relocationsWithoutEffect() throws {
    func pointer(of type: UInt8) throws -> Pointer {
      let file = try ELFFile(BinaryView(FileBytes(Self.object(relocations: 65, of: type, at: 24), path: "x")))
      return try file.pointer(at: file.recordSections[0].address + 24)
    }
    #expect(try pointer(of: 0) == .null)
    #expect(try pointer(of: 1) == .symbol("", 0))
  }

  // MARK: - Files and folders

  @Test("no more than a gigabyte is read at once, however large a sparse file is")
  func sparse() throws {
    try BuiltELF.inFolder { folder in
      let path = "\(folder)/sparse"
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 1 << 36)
      try handle.close()
      let view = BinaryView(try FileBytes(path: path))
      #expect(
        message { _ = try view.bytes(16, 1 << 35, "the section x") }
          == "cannot read the section x: 34359738368 bytes exceed the limit of 1 GB")
    }
  }

  @Test("more section headers than a binary can have are an error")
  func sectionHeaders() throws {
    try BuiltELF.inFolder { folder in
      let path = "\(folder)/sparse.o"
      let count: UInt64 = (1 << 20) + 1
      var made = HandmadeELF()
      made.put(16, 1, 2)
      // Section zero contains the number of sections, because the number does not fit into the
      // header.
      made.put(60, 0, 2)
      made.put(HandmadeELF.sections + 32, count, 8)
      #expect(FileManager.default.createFile(atPath: path, contents: Data(made.bytes)))
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: UInt64(HandmadeELF.sections) + count * 64)
      try handle.close()
      let view = BinaryView(try FileBytes(path: path))
      #expect(
        message { _ = try ELFFile(view) } == "1048577 section headers exceed the limit of 1048576")
    }
  }

  @Test("the contents of a folder beyond the depth limit are reported")
  func deepFolder() throws {
    try BuiltELF.inFolder { folder in
      let name = String(repeating: "d", count: 200)
      let script =
        "cd '\(folder)' && for i in $(seq 24); do mkdir \(name) && cd -P ./\(name) || exit 1; done; echo x > file"
      let made = try Command.run("bash", ["-c", script])
      try #require(made.succeeded, "\(made.output)")
      defer { _ = try? Command.run("rm", ["-rf", "\(folder)/\(name)"]) }
      let result = SearchResult(folder, in: folder)
      #expect(result.found.isEmpty && result.errors.count == 1)
    }
  }
}
