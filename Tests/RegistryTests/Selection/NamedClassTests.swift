import Registry
import RegistryReports
import TestSupport
import Testing

protocol `sales tax`: Sendable { var label: String { get } }

final class `spring tax`: `sales tax`, NamedExport {
  init() {}
  let label = "raw"
}

extension `spring tax` {
  final class `v2 (beta)`: `sales tax`, NamedExport {
    init() {}
    let label = "nested"
  }
}

final class `v1.2`: `sales tax`, NamedExport {
  init() {}
  let label = "period"
}

private final class HiddenTax: `sales tax`, NamedExport {
  init() {}
  let label = "hidden"
}

extension Swift.Int {
  final class ExtensionTax: `sales tax`, NamedExport {
    init() {}
    let label = "extension"
  }
}

/// Classes whose raw identifiers are spelled differently by code, the runtime, and the compiler.
@Suite(.timeLimit(.minutes(20))) struct NamedClassTests {
  @Test(arguments: [
    ("RegistryTests.spring tax", "raw"), ("RegistryTests.`spring tax`", "raw"),
    (String(reflecting: `spring tax`.self), "raw"), ("RegistryTests.spring tax.v2 (beta)", "nested"),
    (String(reflecting: `spring tax`.`v2 (beta)`.self), "nested"),
  ])
  func `a class is registered by its name however its name is spelled`(_ name: String, _ label: String) throws {
    let problems = DiagnosticCollector()
    for service in ["RegistryTests.sales tax", String(reflecting: (any `sales tax`).self)] {
      let services = ServiceManager(onDiagnostic: problems.handler)
      services.register(service: service, class: name)
      #expect(try services.createService(for: (any `sales tax`).self).label == label)
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(arguments: [
    String(reflecting: HiddenTax.self), "RegistryTests.HiddenTax", String(reflecting: Int.ExtensionTax.self),
    String(reflecting: `v1.2`.self),
  ])
  func `the error of a class that no name finds states so`(_ name: String) throws {
    let services = ServiceManager { _ in }
    services.register(service: "RegistryTests.sales tax", class: name)
    let error = #expect(throws: ServiceError.self) { try services.createService(for: (any `sales tax`).self) }
    #expect(try #require(error).description.contains("another module's type, cannot be found by name [unknown-class]"))
  }

  @Test func `no other text is read as a mangled name`() {
    for name in [
      "RegistryTests.spring`tax", "RegistryTests.spring\\tax", "RegistryTests.", "RegistryTests..spring tax",
      "RegistryTests.winter tax", "RegistryTests.v1.4", "RegistryTests.spring\ntax",
    ] {
      #expect(ClassLookup.type(named: name) == nil && ClassLookup.existential(named: name) == nil, "\(name)")
    }
    #expect(ClassLookup.absenceOfService("RegistryTests.A & RegistryTests.B") == nil)
  }
}
