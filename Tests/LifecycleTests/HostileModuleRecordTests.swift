import Lifecycle
import Registry
import TestSupport
import Testing

/// A module that the well-formed record before a malformed one names.
final class FirstNeighbour: Module {}
/// A module that the well-formed record behind a malformed one names.
final class SecondNeighbour: Module {}

/// The malformed JSON of a module's record, and the expected problem.
struct HostileModule: CustomTestStringConvertible, Sendable {
  let says: String
  let json: [UInt8]

  var testDescription: String { says }

  init(_ says: String, _ json: String) {
    self.init(says, Array(json.utf8))
  }

  init(_ says: String, _ json: [UInt8]) {
    self.says = says
    self.json = json
  }
}

extension Event where Payload == Void, Outcome == [String] {
  fileprivate static var hostile: Self { .init("hostile.list", combining: .collect) }
}

@Suite @MainActor struct HostileModuleRecordTests {
  private static let module: UInt32 = 0x6d6f_6475
  private let problems = DiagnosticCollector()

  /// Opens an image with contents between two well-formed records, and starts a manager with its
  /// modules.
  private func start(
    between add: (inout RecordBytes) -> Void
  ) throws -> (object: SharedObject, offset: Int, modules: [String]) {
    var records = RecordBytes()
    records.record(#"{"module":"LifecycleTests.FirstNeighbour"}"#, kind: Self.module)
    let offset = records.offset
    add(&records)
    records.record(#"{"module":"LifecycleTests.SecondNeighbour"}"#, kind: Self.module)
    let object = try SharedObject(records: records, name: "hostile")
    try object.open()
    let path = object.path
    let source = RecordSource.images { $0.path == path }
    let modules = ModuleManager(records: source, onDiagnostic: problems.handler)
    try modules.start()
    defer { modules.stop() }
    // A linker can put other notes before the records.
    let start = try #require(source.records().first).offset
    return (object, start + offset, modules.moduleNames)
  }

  private let neighbours = ["LifecycleTests.FirstNeighbour", "LifecycleTests.SecondNeighbour"]

  @Test(arguments: [
    HostileModule("expected an object", ""),
    HostileModule("missing member 'module'", "{}"),
    HostileModule("expected an object", #"["module"]"#),
    HostileModule("expected the end", #"{"module":"A.B"}]"#),
    HostileModule("expected a string", #"{"module":["A.B"]}"#),
    HostileModule("expected a string", #"{"module":"A.B","level":1}"#),
    HostileModule("unknown activation 'lazy'", #"{"module":"A.B","activation":"lazy"}"#),
    HostileModule("unknown initialization ''", #"{"module":"A.B","initialization":""}"#),
    HostileModule("expected true or false", #"{"module":"A.B","catchUp":1}"#),
    HostileModule("expected a value", #"{"module":"A.B","catchUp":trve}"#),
    HostileModule("unknown level 'Basic'", #"{"module":"A.B","level":"Basic"}"#),
    HostileModule("expected a value", #"{"module":"A.B","priority":"high"}"#),
    HostileModule("expected a 64-bit integer, but found '1e3'", #"{"module":"A.B","priority":1e3}"#),
    HostileModule(
      "expected a 64-bit integer, but found '-9223372036854775809'",
      #"{"module":"A.B","priority":-9223372036854775809}"#),
    HostileModule("expected an array", #"{"module":"A.B","after":"A.C"}"#),
    HostileModule("expected a string", #"{"module":"A.B","after":["A.C",7]}"#),
    HostileModule("duplicate key 'after'", #"{"module":"A.B","after":[],"after":["A.C"]}"#),
    HostileModule("nesting deeper than 64", #"{"module":"A.B","x":"# + String(repeating: "{\"y\":", count: 100)),
    HostileModule("expected a string", #"{"module":"A.B","after":"# + String(repeating: "[", count: 100_000)),
    HostileModule(
      "invalid UTF-8 in a string", Array(#"{"module":"A."#.utf8) + [0xed, 0xa0, 0x80] + Array("\"}".utf8)),
  ])
  func `a malformed module record is reported with image and offset, and the others are started`(
    hostile: HostileModule
  ) throws {
    let (object, offset, modules) = try start { $0.record(hostile.json, kind: Self.module) }
    #expect(modules == neighbours)
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1)
    #expect(problem.code == .malformedRecord && problem.severity == .error)
    #expect(problem.subject == "record at offset \(offset)" && problem.image?.path == object.path)
    #expect(problem.message.contains(hostile.says), "\(problem.message)")
    #expect(problem.description.utf8.count <= 2_000)
  }

  @Test func `members that a record omits have their defaults`() throws {
    func module(_ json: String) throws -> ModuleAttributes {
      var json = json
      return try json.withUTF8 { try ModuleAttributes(UnsafeRawBufferPointer($0)) }
    }
    let least = try module(#"{"module":"A.B"}"#)
    #expect(least.module == "A.B" && least.level == .normal && least.priority == 0 && least.after.isEmpty)
    #expect(least.activation == .atLaunch && least.initialization == .inStart && !least.replaysMissedPhases)
    let most = try module(
      #"{"catchUp":true,"initialization":"inNextTurn","activation":"onFirstEvent","after":["A.C","A.D"],"priority":-3,"#
        + #""x":{"y":[1]},"level":"basic","module":"A.B"}"#)
    #expect(most.module == "A.B" && most.level == .basic && most.priority == -3 && most.after == ["A.C", "A.D"])
    #expect(most.activation == .onFirstEvent && most.initialization == .inNextTurn && most.replaysMissedPhases)
    func handler(_ json: String) throws -> HandlerAttributes {
      var json = json
      return try json.withUTF8 { try HandlerAttributes(UnsafeRawBufferPointer($0)) }
    }
    let plain = try handler(#"{"event":".a","handler":"A/B:1:1"}"#)
    #expect(plain.event == ".a" && plain.handler == "A/B:1:1" && plain.priority == 0 && !plain.once)
    let full = try handler(#"{"once":true,"x":[],"priority":7,"handler":"A/B:1:1","event":".a"}"#)
    #expect(full.event == ".a" && full.handler == "A/B:1:1" && full.priority == 7 && full.once)
  }

  @Test func `a truncated module record does not read the next one`() throws {
    for payload in [24, 32] as [UInt32] {
      let (_, _, modules) = try start {
        $0.record(Array("{}".utf8), kind: Self.module, payloadSize: payload, keep: 24)
      }
      #expect(modules == neighbours)
    }
    #expect(problems.diagnostics.map(\.code) == [.malformedRecord, .malformedRecord])
  }

  @Test func `strings of 1 MB are ignored or truncated, and the other modules are started`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let (object, _, modules) = try start {
      $0.record(#"{"module":"LifecycleTests.\#(long)"}"#, kind: Self.module)
      $0.record(#"{"module":"LifecycleTests.PluginModule","x":"\#(long)","after":["\#(long)"]}"#, kind: Self.module)
    }
    #expect(Set(modules) == Set(neighbours + ["LifecycleTests.PluginModule"]))
    #expect(Set(problems.diagnostics.map(\.code)) == [.unknownClass, .unknownAfter])
    #expect(problems.diagnostics.count == 2)
    #expect(problems.diagnostics.allSatisfy { $0.image?.path == object.path && $0.description.utf8.count <= 2_000 })
  }

  @Test func `any number of unknown names in after causes few reports`() throws {
    let names = (0..<20_000).map { "\"LifecycleTests.FirstNeighbou\($0)\"" }.joined(separator: ",")
    let (_, _, modules) = try start {
      $0.record("{\"module\":\"LifecycleTests.PluginModule\",\"after\":[\(names)]}", kind: Self.module)
    }
    #expect(Set(modules) == Set(neighbours + ["LifecycleTests.PluginModule"]))
    #expect(problems.diagnostics.map(\.code) == Array(repeating: .unknownAfter, count: 9))
    #expect(problems.diagnostics.first?.message.contains("did you mean 'LifecycleTests.FirstNeighbour'?") == true)
    #expect(problems.diagnostics.last?.message.contains("19992 more") == true)
  }

  @Test func `a name with few characters and very many marks is ignored like any other`() throws {
    // The text has 80 KB, but is one character in Swift.
    let marked = "LifecycleTests.FirstNeighbour" + String(repeating: "\u{301}", count: 40_000)
    let (_, _, modules) = try start {
      $0.record("{\"module\":\"LifecycleTests.PluginModule\",\"after\":[\"\(marked)\"]}", kind: Self.module)
      $0.record("{\"module\":\"\(marked)\"}", kind: Self.module)
    }
    #expect(Set(modules) == Set(neighbours + ["LifecycleTests.PluginModule"]))
    #expect(Set(problems.diagnostics.map(\.code)) == [.unknownAfter, .unknownClass])
    #expect(problems.diagnostics.allSatisfy { $0.description.utf8.count <= 2_000 })
  }

  // MARK: - Handlers

  private static let handler: UInt32 = 0x6576_6e74

  @Test(arguments: [
    HostileModule("expected an object", ""),
    HostileModule("missing member 'event'", #"{"handler":"A/B.swift:1:1"}"#),
    HostileModule("missing member 'handler'", #"{"event":".a"}"#),
    HostileModule("missing member 'handler'", #"{"event":".a","handler":""}"#),
    HostileModule(
      "malformed handler 'LifecycleTests.SecondNeighbour'",
      #"{"event":".a","handler":"LifecycleTests.SecondNeighbour"}"#),
    HostileModule("expected a string", #"{"event":7,"handler":"A/B.swift:1:1"}"#),
    HostileModule("expected a string", #"{"event":".a","handler":["A/B.swift:1:1"]}"#),
    HostileModule("expected a value", #"{"event":".a","handler":"A/B.swift:1:1","priority":"high"}"#),
    HostileModule(
      "expected a 64-bit integer, but found '1.0'", #"{"event":".a","handler":"A/B.swift:1:1","priority":1.0}"#),
    HostileModule("expected true or false", #"{"event":".a","handler":"A/B.swift:1:1","once":1}"#),
    HostileModule("expected true or false", #"{"event":".a","handler":"A/B.swift:1:1","once":"true"}"#),
    HostileModule("duplicate key 'once'", #"{"event":".a","handler":"A/B","once":true,"once":true}"#),
    HostileModule("expected the end", #"{"event":".a","handler":"A/B.swift:1:1"}x"#),
    HostileModule("nesting deeper than 64", #"{"event":".a","x":"# + String(repeating: "{\"y\":", count: 100)),
    HostileModule(
      "has no accessor", #"{"event":".a","handler":"A/B.swift:1:1","once":false,"level":[{}],"é":null}"#),
    HostileModule(
      "has no accessor", #"{"event":"\#(String(repeating: "x", count: 1 << 20))","handler":"A/\u0007"}"#),
  ])
  func `a malformed handler record is reported with image and offset, and the others are started`(
    hostile: HostileModule
  ) throws {
    let (object, offset, modules) = try start { $0.record(hostile.json, kind: Self.handler) }
    #expect(modules == neighbours)
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1)
    #expect(problem.code == .malformedRecord && problem.severity == .error)
    #expect(problem.subject == "record at offset \(offset)" && problem.image?.path == object.path)
    #expect(problem.message.contains(hostile.says), "\(problem.message)")
    #expect(problem.description.utf8.count <= 2_000)
  }

  @Test
  func `a wrong accessor of a handler is reported, and the other handlers are called`()
    throws
  {
    let object = try SharedObject(
      SharedObject.badAccessors(kind: Self.handler)
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideHandler(out, type) { $0.on(.hostile) { _ in ["served"] } }
        } + #"""
          /* Says which type it serves, and then that it gave it. */
          static bool empty(void *out, const void *type, uintptr_t reserved) { return type ? true : good(out, type, reserved); }
          static bool sulky(void *out, const void *type, uintptr_t reserved) { return type ? false : good(out, type, reserved); }
          RECORD(one, good, "{\"event\":\".a\",\"handler\":\"A/A:1:1\"}")
          RECORD(two, nothing, "{\"event\":\".a\",\"handler\":\"A/A:2:1\"}")
          RECORD(three, liar, "{\"event\":\".a\",\"handler\":\"A/A:3:1\"}")
          RECORD(four, empty, "{\"event\":\".a\",\"handler\":\"A/A:4:1\"}")
          RECORD(five, sulky, "{\"event\":\".a\",\"handler\":\"A/A:5:1\"}")
          RECORD(six, good, "{\"event\":\".a\",\"handler\":\"A/A:1:1\",\"x\":1}")
          """#, name: "odd_handlers")
    try object.open()
    let path = object.path
    let modules = ModuleManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    try modules.start()
    // Two of the handlers have the same name.
    #expect(modules.trigger(.hostile) == ["served", "served"])
    #expect(problems[.unavailable].map(\.subject) == ["A/A:2:1"])
    #expect(problems[.accessorRefused].map(\.subject) == ["A/A:3:1", "A/A:4:1", "A/A:5:1"])
    #expect(problems.diagnostics.count == 4 && problems.diagnostics.allSatisfy { $0.image?.path == path })
  }
}
