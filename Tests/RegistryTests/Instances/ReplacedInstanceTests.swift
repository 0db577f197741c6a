import Registry
import RegistryReports
import TestSupport
import Testing

/// Registrations that come after lookups, and how a report lists registrations.
@Suite(.timeLimit(.minutes(20))) struct ReplacedInstanceTests {
  let problems = DiagnosticCollector()
  let services: ServiceManager

  init() {
    services = ServiceManager(onDiagnostic: problems.handler)
  }

  @Test(arguments: [ServiceScope.shared, .cached("session")])
  func `replacing a service after it was handed out is reported with both places`(scope: ServiceScope) throws {
    services.register(Gadget.self, scope: scope, fileID: "Shop/Live.swift", line: 1) { Widget("live") }
    let held = try services.createService(for: Gadget.self)
    services.register(Gadget.self, scope: scope, replacing: true, fileID: "Shop/Fake.swift", line: 2) { Widget("fake") }
    #expect(try held.name == "live" && services.gadget() == "fake")
    let problem = try #require(problems[.replacedInUse].first)
    #expect(problem.subject == "RegistryTests.Gadget")
    #expect(
      problem.message
        == "the factory at Shop/Fake.swift:2 replaces the factory at Shop/Live.swift:1, whose instance lookups"
        + " have already returned, and code that holds the instance keeps it; register the replacement before the first"
        + " lookup")
  }

  @Test func `replacing a service before its first lookup is not reported`() throws {
    services.register(Gadget.self, scope: .shared) { Widget("live") }
    services.register(Gadget.self, scope: .shared, replacing: true) { Widget("fake") }
    #expect(try services.gadget() == "fake")
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `replacing a transient service is not reported`() throws {
    services.register(Gadget.self) { Widget("live") }
    _ = try services.gadget()
    services.register(Gadget.self, replacing: true) { Widget("fake") }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a service with another name replaces nothing`() throws {
    services.register(Gadget.self, scope: .shared) { Widget("live") }
    _ = try services.gadget()
    services.register(Gadget.self, scope: .shared, named: "other", replacing: true) { Widget("fake") }
    services.register(Gadget.self, scope: .shared, priority: -1) { Widget("later") }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a contribution that precedes others in a list replaces none of them`() throws {
    let list = ContributionPoint<[Int]>("tests.replaced.list")
    services.contribute(to: list) { 1 }
    #expect(try services.contributions(to: list) == [1])
    services.contribute(to: list, priority: 5) { 2 }
    #expect(try services.contributions(to: list) == [2, 1])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a cache that was reset can be replaced`() throws {
    services.register(Gadget.self, scope: .cached("session")) { Widget("live") }
    _ = try services.gadget()
    services.resetCache("session")
    services.register(Gadget.self, scope: .cached("session"), replacing: true) { Widget("fake") }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a report lists the registrations of code with their files and lines`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(Holder.self, fileID: "Shop/Parent.swift", line: 1) { Keeper(Widget("held")) }
    let services = ServiceManager(parent: parent)
    services.register(Gadget.self, scope: .shared, named: "big", priority: 3, fileID: "Shop/Main.swift", line: 7) {
      Widget("big")
    }
    services.register(
      service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun", scope: .cached("day"),
      fileID: "Shop/Clocks.swift", line: 9)
    services.register(
      service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz", priority: -1,
      fileID: "Shop/Clocks.swift", line: 10)
    let report = "\(services.report())"
    for line in [
      "RegistryTests.Gadget, named 'big'\n    selected: the factory at Shop/Main.swift:7, shared, priority 3\n",
      "    selected: 'RegistryTests.ListedSun' registered at Shop/Clocks.swift:9, cached(day), priority 0\n",
      "    not selected: 'RegistryTests.ListedQuartz' registered at Shop/Clocks.swift:10, transient, priority -1: ",
      "Services of a parent:\n  RegistryTests.Holder\n    selected: the factory at Shop/Parent.swift:1, transient",
    ] {
      #expect(report.contains(line), "\(line) in \(report)")
    }
  }
}
