import Registry
import RegistryReports
import TestSupport
import Testing

protocol Neighbour { var number: Int { get } }

final class NeighbourClass: Neighbour, NamedExport {
  init() {}
  var number: Int { 7 }
}

/// The provider that an accessor returns.
private struct Speaker: Sendable {
  let speak: @Sendable () -> String
}

@Suite struct RecordProviderTests {
  private func speaker(_ accessor: RecordAccessor) -> Speaker? { provided(by: accessor) }

  @Test func `an accessor is called for its type and then with that type, each time with a reserved zero`() {
    let honest: RecordAccessor = { out, type, reserved in
      guard let out, reserved == 0 else { return false }
      return provide(Speaker { "well" }, out, type)
    }
    #expect(speaker(honest)?.speak() == "well")
  }

  @Test func `an accessor that serves another type, or no instance, provides nothing`() {
    let refusing: RecordAccessor = { _, _, _ in false }
    let other: RecordAccessor = { out, type, _ in provide(7, out!, type) }
    let late: RecordAccessor = { out, type, _ in type == nil && provide(Speaker { "well" }, out!, type) }
    let idle: RecordAccessor = { out, type, _ in type != nil || provide(Speaker { "well" }, out!, type) }
    for accessor in [refusing, other, late, idle] { #expect(speaker(accessor) == nil) }
    var out = 7
    let int = unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self)
    #expect(!provide(Speaker { "well" }, &out, int) && out == 7)
  }
}

/// A malformed record, and the expected diagnostic.
struct HostileRecord: CustomTestStringConvertible, Sendable {
  let name: String
  let code: Diagnostic.Code
  /// A part of the expected message.
  let says: String
  let add: @Sendable (inout RecordBytes) -> Void

  var testDescription: String { name }

  /// Creates a record whose bytes are malformed.
  static func bytes(
    _ name: String, _ says: String, code: Diagnostic.Code = .malformedRecord,
    _ add: @escaping @Sendable (inout RecordBytes) -> Void
  ) -> HostileRecord {
    HostileRecord(name: name, code: code, says: says, add: add)
  }

  /// Creates a record whose JSON is malformed.
  static func json(_ name: String, _ says: String, _ json: String) -> HostileRecord {
    .json(name, says, Array(json.utf8))
  }

  static func json(_ name: String, _ says: String, _ json: [UInt8]) -> HostileRecord {
    HostileRecord(name: name, code: .malformedRecord, says: says) { $0.record(json) }
  }

  static let good = "{\"protocol\":\"P\",\"class\":\"C\"}"
  private static let text = Array(good.utf8)

  static let all: [HostileRecord] =
    [
      .bytes("a size of 0xffffffff", "size is not a multiple of eight") { $0.record(text, payloadSize: 0xffff_ffff) },
      .bytes("a size of 0xfffffff8", "extends beyond its section") { $0.record(text, payloadSize: 0xffff_fff8) },
      .bytes("a size beyond the section", "extends beyond its section") { $0.record(text, payloadSize: 1 << 30) },
      .bytes("no size", "payload is shorter than 16 bytes") { $0.record(text, payloadSize: 0) },
      .bytes("a size that takes the next record in", "bytes other than NUL follow the terminator") {
        $0.record(text, payloadSize: 8 + 32 + 24)
      },
      .bytes("no terminator", "no terminating NUL") { $0.record(text, room: 32, padding: 0x20) },
      .bytes("more behind the terminator", "bytes other than NUL follow the terminator") {
        $0.record(text + [0, 1], room: 32)
      },
      .bytes("cut off behind its header", "another record begins inside") {
        $0.record(text, payloadSize: 24, keep: 24)
      },
      .bytes("cut off behind its header, and as long as the next one's", "another record begins inside") {
        $0.record(text, payloadSize: 32, keep: 24)
      },
      .bytes("cut off in its header", "not a record") { $0.record(text, keep: 16) },
      .bytes("the size of its name", "size of the name is out of range") {
        $0.record(text, nameSize: 1 << 31)
      },
      .bytes("a name with something behind it", "name is not padded") { $0.record(text, name: "Registry\0\0\0x") },
      .bytes("another version", "layout version of the record", code: .unsupportedVersion) {
        $0.record(text, name: "Registry2", nameSize: 10)
      },
      .bytes("another version whose size overflows", "layout version of the record", code: .unsupportedVersion) {
        $0.record(text, name: "Registry2", nameSize: 10, payloadSize: 0xffff_ffff, keep: 32)
      },
    ] + jsons

  private static let jsons: [HostileRecord] = [
    .json("empty JSON", "expected an object", ""),
    .json("an empty object", "missing member 'protocol'", "{}"),
    .json("no class", "missing member 'class'", #"{"protocol":"P"}"#),
    .json("an array", "expected an object", #"["protocol","P"]"#),
    .json("a control character after the object", "expected the end, but found byte 127", good + "\u{7f}"),
    .json("garbage after the object", "expected the end", good + " x"),
    .json("an object cut off", "expected a string, but found the end", #"{"protocol":"P","#),
    .json(
      "invalid UTF-8", "invalid UTF-8 in a string",
      Array(#"{"protocol":""#.utf8) + [0xff, 0xc0, 0xaf] + Array(#"","class":"C"}"#.utf8)),
    .json("a key twice", "duplicate key 'class'", #"{"protocol":"P","class":"C","class":"D"}"#),
    .json(
      "a key twice, spelled in two ways", "duplicate key 'class'",
      #"{"protocol":"P","class":"C","cl\u0061ss":"D"}"#),
    .json(
      "nesting of 100", "nesting deeper than 64",
      #"{"protocol":"P","class":"C","x":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        + "}"),
    .json(
      "nesting of 100,000", "nesting deeper than 64",
      #"{"protocol":"P","class":"C","x":"# + String(repeating: "[{\"a\":", count: 50_000)),
    .json("a number for the protocol", "expected a string", #"{"protocol":1,"class":"C"}"#),
    .json("null for the class", "expected a string", #"{"protocol":"P","class":null}"#),
    .json("a string for the priority", "expected a value", #"{"protocol":"P","class":"C","priority":"1"}"#),
    .json(
      "a fraction for the priority", "expected a 64-bit integer, but found '1.5'",
      #"{"protocol":"P","class":"C","priority":1.5}"#),
    .json(
      "a priority beyond 64 bits", "expected a 64-bit integer, but found '9223372036854775808'",
      #"{"protocol":"P","class":"C","priority":9223372036854775808}"#),
    .json("an unknown scope", "unknown scope 'global'", #"{"protocol":"P","class":"C","scope":"global"}"#),
    .json("an object for the scope", "expected a string", #"{"protocol":"P","class":"C","scope":{}}"#),
    .json("half a surrogate pair", "unpaired surrogate", #"{"protocol":"\ud800","class":"C"}"#),
    .json("a control character", "unescaped control character", "{\"protocol\":\"\u{1b}[31m\",\"class\":\"C\"}"),
    .json(
      "a million control characters for the scope", "unknown scope '\\u{7f}",
      #"{"protocol":"P","class":"C","scope":""# + String(repeating: "\u{7f}", count: 1 << 20) + "\"}"),
    .json(
      "a million digits for the priority", "expected a 64-bit integer",
      #"{"protocol":"P","class":"C","priority":"# + String(repeating: "9", count: 1 << 20) + "}"),
    .json(
      "a key of 1 MB twice", "duplicate key 'kkk",
      "{\"\(String(repeating: "k", count: 1 << 20))\":1,\"\(String(repeating: "k", count: 1 << 20))\":2}"),
  ]
}

@Suite struct HostileRecordTests {
  private let problems = DiagnosticCollector()

  private func neighbour(_ name: Int) -> String {
    #"{"protocol":"RegistryTests.Neighbour","class":"RegistryTests.NeighbourClass","name":"\#(name)"}"#
  }

  private func manager(_ object: SharedObject) -> ServiceManager {
    let path = object.path
    return ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
  }

  /// Returns the offset of the first record, because a linker can put other notes before it.
  private func start(_ services: ServiceManager) throws -> Int {
    try #require(services.report().records.first).offset
  }

  private func expectShort(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!problems.diagnostics.isEmpty, sourceLocation: sourceLocation)
    for problem in problems.diagnostics {
      #expect(problem.description.utf8.count <= 2_000, sourceLocation: sourceLocation)
    }
  }

  @Test func `each kind of malformed record affects only itself, and is reported with image and offset`() throws {
    var records = RecordBytes()
    var offsets: [Int] = []
    for (number, hostile) in HostileRecord.all.enumerated() {
      records.record(neighbour(number))
      offsets.append(records.offset)
      hostile.add(&records)
      // Records begin at multiples of eight, but a truncated record can end anywhere.
      records.raw([UInt8](repeating: 0, count: (8 - records.offset % 8) % 8))
    }
    records.record(neighbour(HostileRecord.all.count))
    let object = try SharedObject(records: records, name: "hostile")
    try object.open()
    let services = manager(object)
    for number in 0...HostileRecord.all.count {
      #expect(try services.createService(for: Neighbour.self, named: "\(number)").number == 7)
    }
    let start = try start(services)
    for (hostile, offset) in zip(HostileRecord.all, offsets) {
      let found = problems.diagnostics.filter { $0.subject == "record at offset \(start + offset)" }
      #expect(found.count == 1, "\(hostile.name)")
      guard let problem = found.first else { continue }
      #expect(problem.code == hostile.code && problem.severity == .error, "\(hostile.name)")
      #expect(problem.image?.path == object.path, "\(hostile.name)")
      #expect(problem.message.contains(hostile.says), "\(hostile.name): \(problem.message)")
    }
    #expect(problems.diagnostics.count == HostileRecord.all.count)
    expectShort()
  }

  @Test func `a section that ends inside a record affects only that record, wherever it ends`() throws {
    var whole = RecordBytes()
    whole.record(neighbour(0))
    let end = whole.offset
    whole.record(neighbour(1))
    // The record is truncated in the header, in the accessor, or in the JSON. Missing zeros in the
    // last word are read as zeros.
    for length in [1, 11, 23, 24, 31, 32, 33, 90] {
      let problems = DiagnosticCollector()
      var cut = RecordBytes()
      cut.raw(whole.bytes[..<(end + length)])
      let object = try SharedObject(records: cut, name: "cut")
      try object.open()
      let path = object.path
      let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
      #expect(try services.createService(for: Neighbour.self, named: "0").number == 7)
      #expect(!services.contains(Neighbour.self, named: "1"))
      let start = try start(services)
      #expect(problems.diagnostics.map(\.code) == [.malformedRecord], "\(length)")
      #expect(problems.diagnostics.map(\.subject) == ["record at offset \(start + end)"], "\(length)")
      #expect(problems.diagnostics.map(\.image?.path) == [path], "\(length)")
    }
  }

  @Test func `valid strings of 1 MB are served, and are never printed completely`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    var records = RecordBytes()
    records.record(neighbour(0))
    records.record(#"{"protocol":"RegistryTests.Neighbour","class":"RegistryTests.NeighbourClass","name":"\#(long)"}"#)
    records.record(
      #"{"protocol":"RegistryTests.Neighbour","class":"RegistryTests.NeighbourClass","name":"member","x":"\#(long)"}"#)
    records.record(#"{"protocol":"RegistryTests.Neighbour","class":"RegistryTests.\#(long)","name":"class"}"#)
    records.record(#"{"protocol":"\#(long)","class":"RegistryTests.NeighbourClass"}"#)
    records.record(neighbour(1))
    let object = try SharedObject(records: records, name: "long")
    try object.open()
    let services = manager(object)
    for name in ["0", long, "member", "1"] {
      #expect(try services.createService(for: Neighbour.self, named: name).number == 7)
    }
    let unusable = #expect(throws: ServiceError.self) {
      try services.createService(for: Neighbour.self, named: "class")
    }
    #expect(unusable?.description.contains("no loaded image contains a class with this name") == true)
    #expect((unusable?.description.utf8.count ?? .max) <= 2_000)
    let missing = #expect(throws: ServiceError.self) { try services.createService(for: Neighbour.self) }
    #expect((missing?.description.utf8.count ?? .max) <= 2_000)
    let report = services.report()
    #expect(report.records.count == 6)
    #expect(report.records.allSatisfy { $0.description.utf8.count <= 2_000 })
    let length = "RegistryTests.".utf8.count + long.utf8.count
    #expect(report.records[3].typeName?.utf8.count == length)
    expectShort()
  }

  @Test func `errors stay short, however many records they concern`() throws {
    var records = RecordBytes()
    for number in 0..<300 {
      records.record(
        #"{"protocol":"RegistryTests.Neighbour","class":"RegistryTests.Absent\#(number)"}"#)
      records.record(neighbour(number))
    }
    let object = try SharedObject(records: records, name: "many")
    try object.open()
    let services = manager(object)
    #expect(try services.createService(for: Neighbour.self, named: "299").number == 7)
    let missing = #expect(throws: ServiceError.self) { try services.createService(for: Neighbour.self, named: "none") }
    #expect(missing?.description.contains("and 292 more") == true)
    #expect((missing?.description.utf8.count ?? .max) <= 2_000)
    let unusable = #expect(throws: ServiceError.self) { try services.createService(for: Neighbour.self) }
    #expect(unusable?.description.contains("and 296 more") == true)
    #expect((unusable?.description.utf8.count ?? .max) <= 2_000)
  }

  @Test func `the error for an exported type stays short, however many records export it`() throws {
    var source = SharedObject.badAccessors(kind: 0x7365_7276)
    source += SharedObject.goodAccessor { out, type, _ in
      guard let out else { return false }
      return __provideExported(__service(NeighbourClass.self), out, type)
        || __provide(__service((any Neighbour).self), out, type, NeighbourClass.init)
    }
    for name in 0..<100 {
      source += #"RECORD(r\#(name), good, "{\"protocol\":\"Neighbour\",\"class\":\"C\",\"name\":\"\#(name)\"}")"# + "\n"
    }
    let object = try SharedObject(source, name: "exports")
    try object.open()
    let error = #expect(throws: ServiceError.self) { try manager(object).createService(for: NeighbourClass.self) }
    #expect(error?.description.contains("is exported as 'Neighbour'") == true)
    #expect((error?.description.utf8.count ?? .max) <= 2_000)
  }

  @Test func `keys that look alike are different, and two spellings of a key are the same`() throws {
    var records = RecordBytes()
    records.record(
      "{\"protocol\":\"RegistryTests.Neighbour\",\"class\":\"RegistryTests.NeighbourClass\",\"\u{e9}\":1,\"e\u{301}\":2}"
    )
    let object = try SharedObject(records: records, name: "keys")
    try object.open()
    #expect(try manager(object).createService(for: Neighbour.self).number == 7)
    #expect(problems.diagnostics == [])
  }
}
