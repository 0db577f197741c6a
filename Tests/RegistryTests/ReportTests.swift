import Registry
import RegistryReports
import TestSupport
import Testing

private protocol Tool: Sendable {}
private protocol Missing {}
private struct Hammer: Tool {}

/// The text of a service manager's report.
@Suite struct ReportTests {
  let problems = DiagnosticCollector()

  @Test func `an empty report has all sections`() {
    #expect(
      ServiceManager().report().description == """
        Services:
          none
        Records:
          none
        Diagnostics:
          none

        """)
  }

  @Test func `an empty name is a name of its own in a report`() {
    let services = ServiceManager()
    services.register(Tool.self) { Hammer() }
    services.register(Tool.self, named: "") { Hammer() }
    services.register(Tool.self) { Hammer() }
    let lines = "\(services.report())".split(separator: "\n").dropFirst()
    #expect(lines.prefix { $0.hasPrefix("  ") }.count == 5)
    #expect(lines[1] == "  RegistryTests.Tool" && lines[4].hasPrefix("  RegistryTests.Tool, named ''"))
    #expect([2, 3, 5].map { lines[$0].prefix { $0 != ":" } } == ["    selected", "    not selected", "    selected"])
  }

  @Test func `a report states the selected implementation, and why the others are not selected`() {
    let services = ServiceManager(
      records: .records { $0.name == "Greeter" && $0.typeName != "RegistryTests.WarmGreeter" },
      onDiagnostic: problems.handler)
    _ = services.contains(Greeter.self)
    _ = services.contains(Missing.self)
    func add(_ line: UInt, named name: String? = nil, priority: Int = 0, replacing: Bool = false) {
      services.register(
        Tool.self, named: name, priority: priority, replacing: replacing, fileID: "Shop/Tools.swift", line: line
      ) { Hammer() }
    }
    services.register(Greeter.self, priority: 5, fileID: "Shop/Greeter.swift", line: 1) { GruffGreeter() }
    add(1)
    add(2, priority: 1)
    add(3, priority: 1)
    add(4, named: "big")
    let report = services.report()
    let image = report.records.first.map { "\($0.image)" } ?? ""
    #expect(
      report.description.hasPrefix(
        """
        Services:
          RegistryTests.Greeter
            selected: 'RegistryTests.PoliteGreeter' (\(image)), transient, priority 1
            not selected: 'RegistryTests.GruffGreeter' (\(image)), transient, priority -1: its priority is lower
            not selected: the factory at Shop/Greeter.swift:1, transient, priority 5: it was registered after the selected one existed; register it in code with 'replacing: true' to use it
          RegistryTests.Missing
            no implementation in this manager
          RegistryTests.Tool
            selected: the factory at Shop/Tools.swift:2, transient, priority 1
            not selected: the factory at Shop/Tools.swift:3, transient, priority 1: it has the same priority and was found later
            not selected: the factory at Shop/Tools.swift:1, transient, priority 0: its priority is lower
          RegistryTests.Tool, named 'big'
            selected: the factory at Shop/Tools.swift:4, transient, priority 0
        Records:
          serv {
        """), "\(report)")
    add(5, replacing: true)
    add(6, priority: 1)
    let tools = services.report().description.split(separator: "\n").filter {
      $0.contains("selected: the factory at Shop/T")
    }
    #expect(
      tools.map { $0.drop { $0 == " " } } == [
        "selected: the factory at Shop/Tools.swift:5, transient, priority 0",
        "not selected: the factory at Shop/Tools.swift:2, transient, priority 1: the selected one was registered later with 'replacing: true'",
        "not selected: the factory at Shop/Tools.swift:3, transient, priority 1: the selected one was registered later with 'replacing: true'",
        "not selected: the factory at Shop/Tools.swift:6, transient, priority 1: it was registered after the selected one existed; register it in code with 'replacing: true' to use it",
        "not selected: the factory at Shop/Tools.swift:1, transient, priority 0: the selected one was registered later with 'replacing: true'",
        "selected: the factory at Shop/Tools.swift:4, transient, priority 0",
      ])
  }

  @Test func `a report of nested scopes states that the inner override applies`() {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.withTestScope {
      $0.override(Tool.self) { Hammer() }
    } operation: {
      services.withTestScope {
        $0.override(Tool.self) { Hammer() }
      } operation: {
        let lines = "\(services.report())".split(separator: "\n").filter { $0.contains("selected: the override") }
        #expect(lines.count == 2 && lines[1].hasSuffix(": the test scope overrides it"), "\(lines)")
      }
    }
  }

  @Test func `a report states why no implementation of a C record can be used`() throws {
    let object = try SharedObject(
      "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, No.Such)", name: "unusable")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let reason =
      "no loaded image contains a class with this name; write the name as 'Module.Class', and load the image that contains"
      + " the class; a private or generic class, or one in an extension of another module's type, cannot be found by name"
    for _ in 0..<2 {
      #expect(
        services.report().description == """
          Services:
            RegistryTests.NamedClock
              not selected: 'No.Such' (libunusable.so), transient, priority 0: it cannot be used; \(reason) [unknown-class]
          Records:
            serv {"protocol":"RegistryTests.NamedClock","class":"No.Such"} in libunusable.so
          Diagnostics:
            error: No.Such (libunusable.so): \(reason) [unknown-class]

          """)
      // A lookup assigns the record to the protocol.
      #expect(!services.contains(NamedClock.self))
    }
  }

  @Test func `implementations of Swift and C records are one service before the first lookup`() throws {
    let object = try SharedObject(
      "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(RegistryTests.Greeter, RegistryTests.GruffGreeter)",
      name: "both")
    let path = object.path
    let services = ServiceManager(
      records: .records { $0.typeName == "RegistryTests.GruffGreeter" && ($0.image.isOwn || $0.image.path == path) },
      onDiagnostic: problems.handler)
    let own = try #require(services.report().records.first?.image)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let lines = services.report().description.split(separator: "\n").prefix(4)
    #expect(lines.count == 4 && lines[1] == "  RegistryTests.Greeter")
    #expect(lines[2] == "    selected: 'RegistryTests.GruffGreeter' (\(own)), transient, priority -1")
    #expect(
      lines[3].hasPrefix(
        "    not selected: 'RegistryTests.GruffGreeter' (libboth.so), transient, priority 0: it cannot be used"),
      "\(lines[3])")
  }

  @Test func `a report contains the C records whose protocol no image declares`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamdClock, RegistryTests.GruffGreeter)
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.GruffGreeter)
      REGISTRY_EXPORT_SERVICE(RegistryTests.GruffGreeter, RegistryTests.GruffGreeter)
      REGISTRY_EXPORT_SERVICE(Clock, RegistryTests.GruffGreeter)
      REGISTRY_EXPORT_SERVICE(RegistryTests.SystemClock, RegistryTests.NamedClock)
      """, name: "unknown")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let start = "'RegistryTests.GruffGreeter' (libunknown.so) is exported as its implementation, but"
    let found = services.report().diagnostics.filter { $0.code == .unknownProtocol }
    var expected = [
      "error: RegistryTests.NamdClock (libunknown.so): \(start) no loaded image declares a protocol or a class with this name,"
        + " so no lookup finds the implementation; write the name as 'Module.Protocol', and load the image that declares the"
        + " protocol [unknown-protocol]"
    ]
    #if !canImport(ObjectiveC)
    expected.append(
      "error: Clock (libunknown.so): \(start) a name without a module is the name of an Objective-C protocol, which this system"
        + " does not support; write the name of a Swift protocol as 'Module.Protocol' [unknown-protocol]")
    #endif
    #expect(found.map(\.description) == expected)
    #expect(
      services.report().diagnostics.contains {
        $0.subject == "RegistryTests.NamedClock"
          && $0.message == "the record names this protocol as its class; write the protocol first, and then the class"
      })
    // An image that is loaded later can declare the protocol, so the handler does not receive them.
    #expect(!problems.diagnostics.contains { $0.code == .unknownProtocol })
  }

  @Test func `the services of a parent follow those of the manager`() {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(Tool.self, fileID: "Shop/Tools.swift", line: 1) { Hammer() }
    let child = ServiceManager(parent: parent, onDiagnostic: problems.handler)
    #expect(
      child.report().description == """
        Services:
          none
        Services of a parent:
          RegistryTests.Tool
            selected: the factory at Shop/Tools.swift:1, transient, priority 0
        Records:
          none
        Diagnostics:
          none

        """)
  }
}
