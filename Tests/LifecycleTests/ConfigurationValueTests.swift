import Lifecycle
import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

private enum Theme: String, CaseIterable, Sendable { case light, dark }
private enum Size: Int, CaseIterable, Sendable { case small = 38, large = 44 }
/// A type with more values than a message names.
private struct Letter: RawRepresentable, CaseIterable, Sendable {
  static let allCases = (1...30).map { Letter(number: $0) }
  let rawValue: String
  init?(rawValue: String) { return nil }
  private init(number: Int) { rawValue = "\(number)" }
}
private struct Percent: RawRepresentable, Sendable, Equatable {
  let rawValue: Int
  init?(rawValue: Int) {
    guard (0...100).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }
}
private struct Colour: ConfigurationReadable, Sendable, Equatable {
  let red: UInt8
  init(_ value: PropertyValue) throws(ConfigurationMismatch) { red = try value.read(as: [UInt8].self)[0] }
}
private struct PlainSetting: Sendable {}

@MainActor struct PropertyValueTests {
  let problems = DiagnosticCollector()

  private func read<Value: Sendable & Equatable>(_ given: PropertyValue, _ standard: Value) throws -> Value {
    let key = ContextKey("key", default: standard)
    let values = ContextValues(["key": given])
    #expect(try values[key] == values.value(of: key))
    #expect(try ContextValues().value(of: key) == key.defaultValue)
    return values[key]
  }

  @Test func `a key reads the value under its name as its type`() throws {
    #expect(try read("CHF", "EUR") == "CHF")
    #expect(try read(true, false))
    #expect(try read(7, 0) == 7)
    #expect(try read(7, 0.5) == 7)
    #expect(try read(2.0, 0) == 2)
    #expect(try read(0.25, Float(0)) == 0.25)
    #expect(try read(255, UInt8(0)) == 255)
    func reads<Integer: FixedWidthInteger & Sendable>(_ type: Integer.Type) throws -> Bool {
      try read(7, Integer(0)) == 7
    }
    let signed: [any (FixedWidthInteger & Sendable).Type] = [Int8.self, Int16.self, Int32.self, Int64.self]
    for type in signed + [UInt.self, UInt16.self, UInt32.self, UInt64.self] { #expect(try reads(type), "\(type)") }
    #expect(try read(["a", "b"], [String]()) == ["a", "b"])
    #expect(try read([1, nil], [Int?]()) == [1, nil])
    #expect(try read(["a": [1]], [String: [Int]]()) == ["a": [1]])
    #expect(try read(nil, Optional(3)) == nil)
    #expect(try read(4, Optional(3)) == 4)
    #expect(try read("dark", Theme.light) == .dark)
    #expect(try read(["dark", "light"], [Theme]()) == [.dark, .light])
    #expect(try read(40, Percent(rawValue: 0)!) == Percent(rawValue: 40))
    #expect(try read([9], Colour([1])) == Colour([9]))
    #expect(try read(["x": 1.5], PropertyValue.null) == ["x": 1.5])
  }

  private func mismatch<Value: Sendable>(_ given: PropertyValue, _ standard: Value) -> String {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    let key = ContextKey("the.key", default: standard)
    manager.context.configuration[named: "the.key"] = given
    let error = #expect(throws: ConfigurationMismatch.self) { try manager.context.configuration.value(of: key) }
    #expect(problems.diagnostics.isEmpty)
    _ = manager.context.configuration[key]
    _ = manager.context.configuration[key]
    let found = problems[.configurationMismatch]
    #expect(found.count == 1)
    #expect(found.first?.subject == "the.key")
    #expect(found.first?.message.hasPrefix("\(error!)") == true)
    #expect(manager.report().diagnostics == found)
    return "\(error!)"
  }

  @Test(
    arguments: [
      ("8080", "expected 'Swift.Int' for 'the.key', but found the string \"8080\""),
      (1.5, "expected 'Swift.Int' for 'the.key', but found the number 1.5"),
      (1e300, "expected 'Swift.Int' for 'the.key', but found the number 1e+300"),
      (true, "expected 'Swift.Int' for 'the.key', but found true"),
      (nil, "expected 'Swift.Int' for 'the.key', but found null"),
      ([1], "expected 'Swift.Int' for 'the.key', but found an array with 1 element"),
      (["a": 1], "expected 'Swift.Int' for 'the.key', but found an object with 1 member"),
    ] as [(PropertyValue, String)])
  func `a value that is not an integer is reported, and the default is used`(
    given: PropertyValue, message: String
  ) {
    #expect(mismatch(given, 5) == message)
  }

  @Test func `a number is not a Boolean value, and a Boolean value is not a number`() {
    #expect(mismatch(1, false) == "expected 'Swift.Bool' for 'the.key', but found the integer 1")
  }

  @Test func `a nested value of the wrong type is named by its path`() {
    #expect(
      mismatch(["CHF", 3], [String]()) == "expected 'Swift.String' for 'the.key[1]', but found the integer 3")
  }

  @Test func `of several values of the wrong type, the first by name is reported`() {
    let members = Dictionary(uniqueKeysWithValues: "hgfedcba".map { ("\($0)", PropertyValue.string("x")) })
    #expect(mismatch(.dictionary(members), [String: Int]()).contains(" for 'the.key.a', "))
  }

  @Test func `the path to a value of the wrong type is escaped`() {
    #expect(mismatch(["a\nb": "x"], [String: Int]()).contains("'the.key.a\\u{a}b'"))
  }

  @Test func `a value that is too large for its integer type is reported`() {
    #expect(mismatch(["a": [300]], [String: [UInt8]]()).hasSuffix(" for 'the.key.a[0]', but found the integer 300"))
  }

  @Test func `a text that is not a case of an enum is reported with the cases`() {
    #expect(mismatch("blue", Theme.light).contains("Theme' (one of 'light', 'dark') for 'the.key', but found "))
  }

  @Test func `cases are named by their values`() {
    #expect(mismatch(40, Size.small).contains("Size' (one of '38', '44') for 'the.key', but found "))
  }

  @Test func `no more than twenty cases are named`() {
    let names = (1...20).map { "'\($0)'" }.joined(separator: ", ")
    #expect(mismatch("x", Letter.allCases[0]).contains("Letter' (one of \(names)) for 'the.key', but found "))
  }

  @Test func `a type that cannot be read is reported with the missing conformance`() {
    let message = mismatch("x", PlainSetting())
    #expect(message.contains("PlainSetting' (which does not conform to 'ConfigurationReadable') for 'the.key'"))
  }

  @Test func `a value under a key comes before a named value, and a later named value before both`() {
    let text = ContextKey("a", default: "")
    let number = ContextKey("a", default: 0)
    var values = ContextValues(["a": 7, "b": 1])
    #expect(values.contains(text) && values[number] == 7)
    values[text] = "set"
    #expect(values[text] == "set" && values[number] == 7)
    values[named: "a"] = "given"
    #expect(values[text] == "given" && values[named: "a"] == "given")
    values.remove(text)
    #expect(!values.contains(text) && values[text] == "" && values.names == ["b"])
    let before = values
    values.merge(ContextValues { $0[text] = "merged\nc = 2" })
    #expect(values.contains(text) && values.names == ["a", "b"])
    #expect(before.names == ["b"])
    #expect(values.description == "a = merged\\u{a}c = 2\nb = 1")
  }

  @Test func `merged values replace those that were set under keys with their names`() {
    let text = ContextKey("a", default: "")
    var values = ContextValues { $0[text] = "set" }
    values.merge(ContextValues(["a": "given"]))
    #expect(values[text] == "given" && values[named: "a"] == "given")
    var both = ContextValues(["a": "named", "b\nc": 1])
    both[text] = "keyed"
    values.merge(both)
    #expect(values[text] == "keyed" && values[named: "a"] == "named")
    #expect(values.description == "a = keyed\nb\\u{a}c = 1")
    let manager = ModuleManager(configuration: ContextValues { $0[text] = "set" }, onDiagnostic: problems.handler)
    manager.context.configuration.merge(ContextValues(["a": "read"]))
    #expect(manager.context.configuration[text] == "read")
  }

  @Test func `a configuration that replaces another one reports to the manager`() {
    let (manager, others) = (ModuleManager(onDiagnostic: problems.handler), DiagnosticCollector())
    let other = ModuleManager(configuration: ContextValues(["port": "80"]), onDiagnostic: others.handler)
    for configuration in [ContextValues(["port": "80"]), other.context.configuration] {
      manager.context.configuration = configuration
      #expect(manager.context.configuration[ContextKey("port", default: 443)] == 443)
      #expect(problems[.configurationMismatch].map(\.subject) == ["port"] && others.diagnostics.isEmpty)
    }
  }

  @Test func `a mismatch that another thread finds is reported on the main actor`() async throws {
    let reports = Locked<[Bool]>([])
    let manager = ModuleManager(configuration: ContextValues(["port": "80"])) { _ in
      reports.withLock { $0.append(MainActor.shared.isCurrent) }
    }
    let values = manager.context.configuration
    #expect(await Task.detached { values[ContextKey("port", default: 443)] }.value == 443)
    try await until("the mismatch is reported") { reports.withLock { !$0.isEmpty } }
    #expect(reports.withLock { $0 } == [true])
  }

  @Test func `launch values report to the manager as the configuration does`() throws {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    try manager.start(launch: ContextValues(["port": "80"]))
    #expect(manager.context.launch[ContextKey("port", default: 443)] == 443)
    #expect(problems[.configurationMismatch].map(\.subject) == ["port"])
    manager.stop()
  }
}
