import Foundation
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@Suite struct PointerRecordTests {
  /// Creates an object with named sections of pointers and the texts that they refer to.
  private func object(
    _ sections: [(String, [Pointer])], texts: [String], extra: Int = 0, isEncrypted: Bool = false
  ) -> SimulatedObject {
    let text: [UInt8] = texts.flatMap { Array($0.utf8) + [UInt8(0)] }
    let parts =
      [SimulatedObject.Part(name: "__TEXT,__cstring", bytes: text, hasRecords: false, isEncrypted: isEncrypted)]
      + sections.map {
        SimulatedObject.Part(
          name: $0.0, bytes: [UInt8](repeating: 1, count: 8 * $0.1.count + extra), hasRecords: false)
      }
    let object = SimulatedObject(parts)
    for (section, pointers) in zip(object.sections.dropFirst(), sections.map(\.1)) {
      for (index, pointer) in pointers.enumerated() { object.pointers[section.address + UInt64(8 * index)] = pointer }
    }
    return object
  }

  @Test func `BeeHive's and Ant's records are read through their pointers`() throws {
    let texts = ["HomeModule", #"{ "HomeService" : "HomeViewController"}"#, "AntModule", "AntClass", "AntProtocol"]
    var places: [UInt64] = []
    var next = SimulatedObject.base
    for text in texts {
      places.append(next)
      next += UInt64(text.utf8.count) + 1
    }
    let object = object(
      [
        ("__DATA,BeehiveMods", [.address(places[0])]), ("__DATA,BeehiveServices", [.address(places[1])]),
        ("__DATA,__ant_modules", [.address(places[2])]),
        ("__DATA,__ant_services", [.address(places[3]), .address(places[4])]),
      ], texts: texts)
    let reader = try RecordReader(object)
    #expect(reader.problems == [])
    #expect(reader.records.map(\.source) == [.beeHive, .beeHive, .ant, .ant])
    #expect(
      reader.records.map(\.attributes) == [
        #"{"module":"HomeModule"}"#, #"{"protocol":"HomeService","class":"HomeViewController"}"#,
        #"{"module":"AntModule"}"#, #"{"protocol":"AntProtocol","class":"AntClass"}"#,
      ])
    #expect(reader.records.allSatisfy { !$0.hasAccessor })
    // These sections do not specify levels and scopes.
    #expect(reader.records[0].contents.level == nil && reader.records[1].contents.scope == nil)
    #expect(reader.records[0].offset == object.sections[1].offset)
  }

  @Test func `pointers without a text are problems with section and offset`() throws {
    let object = object(
      [("__DATA,BeehiveMods", [.null, .symbol("_name", 0), .address(1 << 40), .address(SimulatedObject.base)])],
      texts: [""],
      extra: 3)
    let reader = try RecordReader(object)
    #expect(reader.records.isEmpty)
    #expect(
      reader.problems.map(\.subject)
        == [0, 8, 16, 24, 32].map {
          "record at offset \($0) of __DATA,BeehiveMods (0x\(String(8 + $0, radix: 16)) in the file)"
        })
    for (problem, words) in zip(
      reader.problems,
      [
        "is null", "bound to the symbol '_name'", "cannot be read", "the module's name is empty",
        "the section has 35 bytes, which is not a multiple of the record size, 8",
      ])
    {
      #expect(problem.message.contains(words))
    }
  }

  @Test func `an unreadable pointer and an encrypted text are problems`() throws {
    let object = object(
      [("__DATA,BeehiveMods", [.null, .address(SimulatedObject.base)])], texts: ["Module"], isEncrypted: true)
    object.brokenPointers = [object.sections[1].address]
    let reader = try RecordReader(object)
    #expect(reader.records.isEmpty)
    #expect(
      reader.problems.map(\.message) == [
        "the pointer to the module's name cannot be resolved: the fixup is broken (at offset 0x8)",
        "the module's name is in '__TEXT,__cstring', which is encrypted; check the binary before it is encrypted",
      ])
  }

  @Test func `a duplicate service of BeeHive is reported, and a duplicate module is in the graph once`() throws {
    let texts = [#"{"P":"C"}"#, #"{"P":"D"}"#, "Module"]
    var next = SimulatedObject.base
    let pointers = texts.map { text in
      defer { next += UInt64(text.utf8.count) + 1 }
      return Pointer.address(next)
    }
    let inspection = SimulatedObject.inspection([
      object(
        [
          ("__DATA,BeehiveServices", [pointers[0], pointers[1]]),
          ("__DATA,BeehiveMods", [pointers[2], pointers[2]]),
        ], texts: texts)
    ])
    let ties = inspection.check().filter { $0.subject == "P" }
    #expect(ties.map(\.code) == [.duplicate])
    #expect(
      ties.first?.message.hasPrefix("'C' (Simulated) and 'D' (Simulated) are both registered, so the order")
        == true)
    let graph = inspection.text(of: .mermaid)
    #expect(graph.components(separatedBy: "Module").count == 2, "\(graph)")
  }

  @Test func `a service of BeeHive that is not JSON with one member is a problem`() throws {
    let texts = [#"{ "P" : "C""#, #"{"P":"C","Q":"D"}"#, #"{"P":1}"#]
    var next = SimulatedObject.base
    let pointers = texts.map { text in
      defer { next += UInt64(text.utf8.count) + 1 }
      return Pointer.address(next)
    }
    let reader = try RecordReader(object([("__DATA,BeehiveServices", pointers)], texts: texts))
    #expect(reader.records.isEmpty && reader.problems.count == 3)
    #expect(reader.problems[1].message.contains("but found 2 members or"))
  }

  @Test func `many pointers into one long text use no more memory than the file`() throws {
    let text = String(repeating: "x", count: 60_000)
    let pointers = (0..<20_000).map { Pointer.address(SimulatedObject.base + UInt64($0)) }
    let object = object([("__DATA,BeehiveMods", pointers)], texts: [text])
    let reader = try RecordReader(object)
    let size = reader.records.reduce(0) { $0 + $1.attributes.utf8.count }
    #expect(size < 2 * Int(object.view.size) && !reader.problems.isEmpty)
    #expect(reader.problems[0].message.contains("longer than the file"))
  }

  @Test func `a pointer counts as much as the smallest record, however short its text is`() throws {
    let pointers = (0..<1_000).map { _ in Pointer.address(SimulatedObject.base) }
    let object = object([("__DATA,BeehiveMods", pointers)], texts: ["Module"])
    let reader = try RecordReader(object)
    #expect(reader.records.count == (Int(object.view.size) + 31) / 32)
    #expect(reader.problems.count == RecordReader.problemLimit + 1)
    #expect(
      reader.problems[0].message
        == "the module's name is ignored, because the preceding texts, counted as at least 32 bytes each, are together longer than the file"
    )
  }

  static let linker = ["/usr/lib/llvm-19/bin/ld64.lld", "/usr/bin/ld64.lld-19"].first {
    FileManager.default.fileExists(atPath: $0)
  }

  @Test(
    .enabled(if: linker != nil, "ld64.lld of LLVM 19 is not there: install lld-19"), arguments: ["11", "13"])
  func `the records of BeeHive's and Ant's macros are found in a linked dylib`(_ version: String) throws {
    let source = #"""
      // As in BHAnnotation.h, with the space behind the name.
      #define BeeHiveDATA(sectname) __attribute((used, section("__DATA,"#sectname" ")))
      #define BeeHiveMod(name) char *k##name##_mod BeeHiveDATA(BeehiveMods) = ""#name"";
      #define BeeHiveService(servicename, impl) \
        char *k##servicename##_service BeeHiveDATA(BeehiveServices) = "{ \""#servicename"\" : \""#impl"\"}";
      BeeHiveMod(ShopModule)
      BeeHiveMod(UserModule)
      BeeHiveService(HomeServiceProtocol, HomeViewController)
      struct ant_service { const char *type, *protocol; };
      __attribute((used, section("__DATA,__ant_modules"))) static const char *ant = "AntModule";
      __attribute((used, section("__DATA,__ant_services"))) static struct ant_service service = {"AntClass", "AntProtocol"};
      """#
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("beehive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = { (name: String) in folder.appendingPathComponent(name).path }
    try Data(source.utf8).write(to: URL(fileURLWithPath: file("x.c")))
    for architecture in ["arm64", "x86_64"] {
      let compiled = try Command.run(
        "clang",
        ["-target", "\(architecture)-apple-macos\(version)", "-ffreestanding", "-c", file("x.c"), "-o", file("x.o")])
      #expect(compiled.succeeded, "\(compiled.output)")
      let linked = try Command.run(
        try #require(Self.linker),
        [
          "-arch", architecture, "-platform_version", "macos", "\(version).0", "\(version).0", "-dylib",
          "-install_name",
          "x", file("x.o"), "-o", file("x.dylib"),
        ])
      #expect(linked.succeeded, "\(linked.output)")
      for name in ["x.dylib", "x.o"] {
        let inspection = Inspection(of: [file(name)], readsClasses: false)
        #expect(inspection.errors == [] && inspection.images.flatMap(\.problems) == [])
        #expect(
          inspection.images.flatMap(\.records).map(\.attributes).sorted() == [
            #"{"module":"AntModule"}"#, #"{"module":"ShopModule"}"#, #"{"module":"UserModule"}"#,
            #"{"protocol":"AntProtocol","class":"AntClass"}"#,
            #"{"protocol":"HomeServiceProtocol","class":"HomeViewController"}"#,
          ], "\(name) for \(architecture)")
      }
    }
  }
}
