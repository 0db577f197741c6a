import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@Suite struct RecordReaderTests {
  @Test func `records of every kind are read with their contents`() throws {
    let object = SimulatedObject.with([
      .module(#"{"module":"A.M","level":"basic","priority":-3,"after":["B.M"],"catchUp":true}"#, accessor: true),
      .service(#"{"protocol":"P","class":"A.C","scope":"weak","name":"n"}"#),
      .handler(#"{"event":".logIn","handler":"A/F.swift:1:1","once":true}"#),
      .route(#"{"route":".order","class":"A.Screen"}"#),
      .action(#"{"target":"orders","action":"show","handler":"A/F.swift:2:1"}"#),
      TestRecord(kind: 0x6162_6364, json: #"{"any":[1,{"x":null}]}"#),
      TestRecord(kind: 0x0102_0304, json: "{}"),
      TestRecord(kind: 0x6c69_6272, json: #"{"library":"swift-section-registry"}"#),
    ])
    let problems = ProblemList()
    let reader = try RecordReader(object, problems)
    #expect(problems.all == [])
    #expect(reader.records.map(\.kind.description) == ["modu", "serv", "evnt", "rout", "actn", "abcd", "0x1020304"])
    #expect(reader.records.map(\.hasAccessor) == [true, false, true, true, true, false, false])
    #expect(reader.records[1].offset == 32 + 80)
    let contents = reader.records.map(\.contents)
    #expect(contents[0].type == "A.M" && contents[0].module?.level == .basic && contents[0].priority == -3)
    #expect(contents[0].module?.after == ["B.M"])
    #expect(contents[1].target == "P" && contents[1].service?.scope == .weak && contents[1].service?.name == "n")
    #expect(contents[2].target == ".logIn" && contents[2].subject == "A/F.swift:1:1")
    #expect(contents[2].handler?.once == true)
    #expect(contents[3].target == ".order" && contents[3].type == "A.Screen")
    #expect(contents[4].target == "orders.show" && contents[4].type == nil && contents[4].subject == "A/F.swift:2:1")
    #expect(reader.records[5].attributes == #"{"any":[1,{"x":null}]}"#)
  }

  @Test func `malformed bytes are reported in the runtime's words, with their location`() throws {
    var bytes = RecordBytes()
    bytes.record(#"{"module":"A.M"}"#, kind: 0x6d6f_6475)
    bytes.record("{}".utf8, payloadSize: 12)
    bytes.record(Array("{}".utf8), payloadSize: 1 << 20)
    bytes.record(Array("{}".utf8), name: "Registry2", nameSize: 10)
    bytes.record(#"{"module":"B.M"}"#, kind: 0x6d6f_6475)
    let object = SimulatedObject([.init(name: "__DATA,__reg_modules", bytes: bytes.bytes)])
    let problems = ProblemList()
    let reader = try RecordReader(object, problems)
    #expect(reader.records.map(\.contents.type) == ["A.M", "B.M"])
    #expect(
      problems.all.map(\.description) == [
        "Simulated: error: record at offset 56 of __DATA,__reg_modules (0x38 in the file): the payload is shorter"
          + " than 16 bytes [malformed-record]",
        "Simulated: error: record at offset 96 of __DATA,__reg_modules (0x60 in the file): the record extends"
          + " beyond its section [malformed-record]",
        "Simulated: error: record at offset 136 of __DATA,__reg_modules (0x88 in the file): the layout version"
          + " of the record is not supported; update swift-section-registry [unsupported-version]",
      ])
  }

  @Test(arguments: [
    (TestRecord.module(#"{"level":"basic"}"#), "missing member 'module' at byte 17 of its JSON"),
    (.module(#"{"module":"M","module":"N"}"#), #"duplicate key 'module' at byte 14 of its JSON"#),
    (.service(#"{"protocol":"P","class":"C","scope":"odd"}"#), #"unknown scope 'odd' at byte 41 of its JSON"#),
    (.handler(#"{"event":".e","handler":"A.f"}"#), "malformed handler 'A.f' (expected 'Module/File.swift:1:1')"),
    (.route(#"{"route":".r"}"#), "missing member 'handler' or 'class'"),
    (TestRecord(kind: 0x6163_746e, json: #"{"target":"t","action":"a","handler":"A/F.swift:1:1"}"#), "'#exportAction'"),
    (TestRecord(kind: 0x6576_6e74, json: #"{"event":".e","handler":"A/F.swift:1:1"}"#), "'#onEvent'"),
    (TestRecord(kind: 0x6162_6364, json: "[]"), "expected an object, but found '[' at byte 0 of its JSON"),
  ])
  func `JSON that the runtime rejects is a problem`(_ record: TestRecord, _ words: String) throws {
    let problems = ProblemList()
    let reader = try RecordReader(SimulatedObject.with([record]), problems)
    #expect(reader.records.map(\.isMalformed) == [true])
    #expect(reader.records[0].contents.subject == nil)
    #expect(problems.all.map(\.code) == [.malformedRecord])
    #expect(
      problems.all[0].message.contains(words) && problems.all[0].message.hasSuffix("; the record is ignored"))
  }

  @Test func `a section of garbage has at most a thousand problems`() throws {
    var bytes = RecordBytes()
    for _ in 0..<1_300 { bytes.record(Array("{}".utf8), payloadSize: 12) }
    let problems = ProblemList()
    _ = try RecordReader(SimulatedObject([.init(name: "__DATA,__reg_modules", bytes: bytes.bytes)]), problems)
    #expect(problems.all.count == 1_001)
    #expect(
      problems.all.last?.description == "Simulated: error: 300 more messages of this kind [malformed-record]")
  }

  @Test func `an encrypted section is reported and not read`() throws {
    let object = SimulatedObject([.init(name: "__DATA,__reg_modules", bytes: [1, 2, 3], isEncrypted: true)])
    let problems = ProblemList()
    let reader = try RecordReader(object, problems)
    #expect(reader.records.isEmpty && problems.all.map(\.code) == [.encrypted])
  }

  @Test func `a record whose accessor cannot be determined is listed with a problem`() throws {
    let object = SimulatedObject.with([.handler(#"{"event":".e","handler":"A/F.swift:1:1"}"#)])
    object.brokenPointers = [SimulatedObject.base + 24]
    let problems = ProblemList()
    let reader = try RecordReader(object, problems)
    #expect(reader.records.map(\.isMalformed) == [false])
    #expect(
      problems.all.map(\.message) == [
        "cannot determine whether the record has an accessor: the fixup is broken (at offset 0x18)"
      ])
  }
}
