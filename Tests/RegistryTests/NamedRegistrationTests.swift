import Registry
import TestSupport
import Testing

protocol ListedClock: Sendable { var text: String { get } }
final class ListedQuartz: ListedClock, NamedExport {
  let text = "quartz"
  init() {}
}
final class ListedSun: ListedClock, NamedExport {
  let text = "sun"
  init() {}
}
final class ListedStone: NamedExport { init() {} }

struct NamedRegistrationTests {
  let problems = DiagnosticCollector()
  private var services: ServiceManager { ServiceManager(onDiagnostic: problems.handler) }

  @Test func `a service is registered by names, before and after its type is first resolved`() throws {
    let services = services
    #expect(throws: ServiceError.self) { try ServiceManager(parent: services).createService(for: ListedClock.self) }
    let quartz = services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz")
    #expect(try services.createService(for: ListedClock.self).text == "quartz")
    let sun = services.register(
      service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun", scope: .shared, named: "sun")
    let shared = try services.createService(for: ListedClock.self, named: "sun") as? ListedSun
    #expect(try shared != nil && shared === services.createService(for: ListedClock.self, named: "sun") as? ListedSun)
    #expect(quartz.cancel() && !quartz.cancel())
    #expect(throws: ServiceError.self) { try services.createService(for: ListedClock.self) }
    #expect(sun.cancel())
    #expect(!services.contains(ListedClock.self, named: "sun"))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `the name of a class ends at its end, not at a zero byte`() {
    let services = services
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz\0")
    #expect(throws: ServiceError.self) { try services.createService(for: ListedClock.self) }
  }

  @Test func `a registration can be canceled before its first lookup, and the others of its name stay`() throws {
    let services = services
    let sun = services.register(
      service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun", priority: 9)
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz")
    #expect(sun.cancel() && !sun.cancel())
    #expect(try services.createServices(for: ListedClock.self).map(\.text) == ["quartz"])
  }

  @Test func `a test scope cancels a registration for itself, before its first lookup`() throws {
    let services = services
    let quartz = services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz")
    services.withTestScope {
      #expect(quartz.cancel() && !quartz.cancel())
      #expect(!services.contains(ListedClock.self))
    }
    #expect(try services.createService(for: ListedClock.self).text == "quartz")
    #expect(quartz.cancel())
  }

  @Test func `a tie of named classes is reported when their type is resolved`() throws {
    let services = services
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz")
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun")
    #expect(problems.diagnostics.isEmpty)
    #expect(try services.createService(for: ListedClock.self).text == "quartz")
    #expect(problems.codes == [.tie])
  }

  @Test func `the higher priority comes first, and earlier factories keep their precedence`() throws {
    let services = services
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedQuartz", priority: 1)
    services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun", priority: 2)
    #expect(try services.createServices(for: ListedClock.self).map(\.text) == ["sun", "quartz"])
  }

  @Test(arguments: [
    ("RegistryTests.NoSuchClock", Diagnostic.Code.unknownClass), ("RegistryTests.ListedStone", .notConforming),
    ("RegistryTests..ListedQuartz", .unknownClass), ("RegistryTests.ListedQuartz.", .unknownClass),
  ]) func `a class that cannot be used is reported at first use`(name: String, code: Diagnostic.Code) {
    let services = services
    services.register(service: "RegistryTests.ListedClock", class: name)
    #expect(problems.diagnostics.isEmpty)
    #expect(throws: ServiceError.self) { try services.createService(for: ListedClock.self) }
    #expect(problems.diagnostics.map(\.code) == [code])
    #expect(problems.diagnostics.first?.subject == name)
  }

  @Test func `a registration by name in a test scope belongs to the scope`() throws {
    let services = services
    try services.withTestScope { () throws in
      services.register(service: "RegistryTests.ListedClock", class: "RegistryTests.ListedSun")
      #expect(try services.createService(for: ListedClock.self).text == "sun")
    }
    #expect(!services.contains(ListedClock.self))
  }
}
