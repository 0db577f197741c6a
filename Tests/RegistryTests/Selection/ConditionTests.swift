import RegistryReports
import TestSupport
import Testing

@testable import Registry

private protocol Bulb: Sendable { var name: String { get } }

@ExportService(Bulb.self)
private struct PlainBulb: Bulb { let name = "plain" }

@ExportService(Bulb.self, scope: .shared, replaces: "RegistryTests.PlainBulb", when: .flag("new-bulb"))
private struct NewBulb: Bulb { let name = "new" }

@ExportService(Bulb.self, priority: 1, when: .preview)
private struct PreviewBulb: Bulb { let name = "preview" }

@ExportService(Bulb.self, named: "build", when: .debug)
private struct DebugBulb: Bulb { let name = "debug" }

@ExportService(Bulb.self, named: "build", when: ServiceCondition.release)
private struct ReleaseBulb: Bulb { let name = "release" }

@ExportService(Bulb.self, named: "test", when: .test)
private struct TestBulb: Bulb { let name = "test" }

/// Implementations that exist only under a condition.
@Suite(.timeLimit(.minutes(20))) struct ConditionTests {
  let problems = DiagnosticCollector()
  let services: ServiceManager

  init() {
    services = ServiceManager(records: .records { $0.name == "Bulb" }, onDiagnostic: problems.handler)
  }

  @Test func `an implementation whose condition does not hold does not exist for lookups`() throws {
    services.conditions = []
    #expect(try services.createService(for: Bulb.self).name == "plain")
    #expect(!services.contains(Bulb.self, named: "test"))
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Bulb.self, named: "test") }
    #expect(error?.code == .noService && error?.available == ["build"])
    #expect(Set(try services.createServices(for: Bulb.self).map(\.name)).isDisjoint(with: ["new", "preview", "test"]))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a flag of the app and a preview select implementations`() throws {
    services.conditions = [.flag("new-bulb"), .flag("other")]
    #expect(try services.createService(for: Bulb.self).name == "new")
    // The conditions of a service are evaluated at its first use.
    services.conditions = [.preview]
    #expect(try services.createService(for: Bulb.self).name == "new")
    let other = ServiceManager(parent: services, records: .records { $0.name == "Bulb" })
    #expect(try other.createService(for: Bulb.self).name == "preview")
  }

  @Test(arguments: [false, true])
  func `a question or a lookup in a test scope does not evaluate the conditions outside`(creates: Bool) throws {
    services.conditions = []
    services.withTestScope {
      services.conditions = [.preview]
      #expect(creates ? (try? services.createService(for: Bulb.self).name) == "preview" : services.contains(Bulb.self))
    }
    services.conditions = [.flag("new-bulb")]
    #expect(try services.createService(for: Bulb.self).name == "new")
  }

  @Test func `canceling a registration of a test scope outside it does not evaluate the conditions there`() throws {
    services.conditions = []
    let (token, scope) = services.withTestScope {
      (services.register(Bulb.self, named: "own") { PlainBulb() }, OverrideScope.current)
    }
    #expect(!token.cancel())
    services.conditions = [.flag("new-bulb")]
    #expect(try services.createService(for: Bulb.self).name == "new")
    withExtendedLifetime(scope) {}
  }

  @Test func `the build of the exporting module decides, and not a condition that code sets`() throws {
    #if DEBUG
    let name = "debug"
    #else
    let name = "release"
    #endif
    services.conditions = [.debug, .release, .preview]
    #expect(services.conditions == [.preview])
    #expect(try services.createService(for: Bulb.self, named: "build").name == name)
  }

  @Test func `this process runs tests, unless the app says otherwise`() throws {
    #expect(services.conditions.contains(.test))
    let child = ServiceManager(parent: services)
    services.conditions.remove(.test)
    #expect(!child.conditions.contains(.test))
    child.conditions.insert(.test)
    #expect(child.conditions.contains(.test) && !services.conditions.contains(.test))
  }

  @Test func `a test scope evaluates the conditions again`() throws {
    services.conditions = [.preview]
    #expect(try services.createService(for: Bulb.self).name == "preview")
    try services.withTestScope { () throws in
      #expect(try services.createService(for: Bulb.self).name == "preview")
      services.conditions = [.flag("new-bulb")]
    }
    try services.withTestScope { () throws in
      services.conditions = [.flag("new-bulb")]
      #expect(try services.createService(for: Bulb.self).name == "new")
    }
    #expect(services.conditions == [.preview])
    #expect(try services.createService(for: Bulb.self).name == "preview")
  }

  @Test func `a report states the conditions that do not hold, before and after the first lookup`() throws {
    services.conditions = [.preview]
    func lines() -> [Substring] {
      services.report().description.split(separator: "\n").map { $0.drop { $0 == " " } }.filter {
        $0.contains("selected: ") && !$0.contains("DebugBulb") && !$0.contains("ReleaseBulb")
      }
    }
    let image = try #require(services.report().records.first?.image)
    let expected: [Substring] = [
      "selected: 'RegistryTests.PreviewBulb' (\(image)), transient, priority 1",
      "not selected: 'RegistryTests.PlainBulb' (\(image)), transient, priority 0: its priority is lower",
      "not selected: 'RegistryTests.NewBulb' (\(image)), shared, priority 0: its condition '.flag(\"new-bulb\")' does not hold",
      "not selected: 'RegistryTests.TestBulb' (\(image)), transient, priority 0: its condition '.test' does not hold",
    ]
    #expect(lines() == expected)
    _ = services.contains(Bulb.self)
    #expect(lines() == expected)
  }

  @Test func `unregister removes implementations whose condition does not hold, too`() throws {
    services.conditions = []
    _ = services.unregister(Bulb.self, named: "test")
    try services.withTestScope { () throws in
      services.conditions = [.test]
      #expect(!services.contains(Bulb.self, named: "test"))
    }
  }

  @Test func `unregister withdraws an implementation whose condition no longer holds from its instance`() throws {
    services.conditions = [.flag("new-bulb")]
    _ = try services.createService(for: Bulb.self)
    try services.withTestScope { () throws in
      services.conditions = []
      _ = services.contains(Bulb.self)
      let holders = services.core.current.state.withLock { state in
        state.groups[GroupKey(Bulb.self)]?.conditional.compactMap(\.holder) ?? []
      }
      try #require(holders.map(\.members) == [1])
      services.unregister(Bulb.self)
      #expect(holders.map(\.members) == [0])
    }
  }

  @Test(
    arguments: [
      ("/b/ShopPackageTests.xctest", [:], [.test]), ("/usr/bin/xctest", [:], [.test]),
      ("swiftpm-testing-helper", [:], [.test]), ("C:\\b\\ShopPackageTests.xctest.exe", [:], [.test]),
      ("/b/Shop", ["XCTestConfigurationFilePath": ""], [.test]), ("/b/Shop", ["XCTestBundlePath": "x"], [.test]),
      ("/b/Shop", ["XCODE_RUNNING_FOR_PREVIEWS": "1"], [.preview]),
      ("/b/Shop", ["XCODE_RUNNING_FOR_PREVIEWS": "0"], []),
      ("/b/Shop", ["REGISTRY_FLAGS": "new-cart, a b ,,"], [.flag("new-cart"), .flag("a b")]), ("", [:], []),
    ] as [(String, [String: String], Set<ServiceCondition>)])
  func `the environment and the executable decide which conditions hold in a process`(
    executable: String, environment: [String: String], expected: Set<ServiceCondition>
  ) {
    #expect(ProcessConditions.conditions(executable: executable) { environment[$0] } == expected)
  }

  @Test func `a condition in C, and one of an image that is loaded after the first lookup`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.SystemClock, when(flag(late-clock)))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.SystemClock, named(no), when(preview))
      """, name: "conditions")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    services.conditions = [.flag("late-clock")]
    #expect(!services.contains(NamedClock.self))
    let image = try services.openImage(at: path)
    #expect(try services.createService(for: NamedClock.self).now() == 9)
    #expect(!services.contains(NamedClock.self, named: "no"))
    image.close()
    #expect(!services.contains(NamedClock.self))
    #expect(!services.report().description.contains("SystemClock"))
  }

  @Test(arguments: [
    (#","when":"later""#, "unknown condition 'later'"), (#","when":"flag()""#, "unknown condition 'flag()'"),
    (#","when":"debug""#, "missing member 'build'"), (#","when":"debug","build":"fast""#, "unknown build 'fast'"),
  ])
  func `a record with an unknown condition is malformed`(members: String, problem: String) throws {
    var json = #"{"protocol":"P","class":"A.B"\#(members)}"#
    let error = json.withUTF8 { bytes in
      #expect(throws: JSONError.self) { try ServiceAttributes(UnsafeRawBufferPointer(bytes)) }
    }
    #expect("\(error as Any)".contains(problem), "\(error as Any)")
  }

  @Test func `a condition of a record is that of the attribute`() throws {
    for condition: ServiceCondition in [.debug, .release, .preview, .test, .flag("a)b")] {
      #expect(ServiceCondition(recordText: condition.description) == condition)
    }
  }
}
