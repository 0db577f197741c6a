import Registry
import RegistryReports
import TestSupport
import Testing

protocol Deposits: AnyObject, Sendable {}
protocol Statements: AnyObject, Sendable {}
protocol Audits: AnyObject, Sendable {}

/// A type that is exported for several services with one scope.
@ExportService(Deposits.self, scope: .shared)
@ExportService(Statements.self, scope: .shared)
@ExportService(Statements.self, scope: .shared, named: "yearly")
@ExportService(Audits.self, scope: .shared, separateInstance: true)
final class Bank: Deposits, Statements, Audits { init() {} }

/// A type whose services have the scopes that are not shared.
@ExportService(Deposits.self, scope: .weak)
@ExportService(Statements.self, scope: .weak)
@ExportService(Audits.self, scope: .cached("session"))
@ExportService((Audits & Statements).self, scope: .cached("session"))
final class Vault: Deposits, Statements, Audits { init() {} }

/// A service that needs its own type as another service.
@ExportService(Deposits.self, scope: .shared)
@ExportService(Statements.self, scope: .shared)
final class Circular: Deposits, Statements {
  @TaskLocal static var services = ServiceManager()
  init() throws { _ = try Self.services.createService(for: Statements.self) }
}

@MainActor protocol Counters: Sendable {}
protocol Signs: Sendable {}

@ExportService(Counters.self, scope: .shared)
@ExportService(Signs.self, scope: .shared)
@MainActor final class Teller: Counters, Signs {
  init() {}
}

protocol Rates: Sendable { var source: Widget { get } }
protocol Fees: Sendable { var source: Widget { get } }

@ExportService(Rates.self, scope: .shared)
@ExportService(Fees.self, scope: .shared)
struct Prices: Rates, Fees {
  let source = Widget("prices")
  init() {}
}

protocol NamedDeposits: AnyObject, Sendable {}
protocol NamedStatements: AnyObject, Sendable {}
final class NamedBank: NamedDeposits, NamedStatements, NamedExport { init() {} }

@Suite(.timeLimit(.minutes(20))) struct SharedInstanceTests {
  let problems = DiagnosticCollector()

  private func services(_ type: String) -> ServiceManager {
    ServiceManager(records: .records { $0.typeName == "RegistryTests.\(type)" }, onDiagnostic: problems.handler)
  }

  @Test func `a type that exports several protocols has one shared instance`() throws {
    let services = services("Bank")
    let deposits = try services.createService(for: Deposits.self)
    for _ in 0..<2 {
      #expect(try services.createService(for: Statements.self) === deposits)
      #expect(try services.createService(for: Statements.self, named: "yearly") === deposits)
      #expect(try services.createServices(for: Statements.self).allSatisfy { $0 === deposits })
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a service with a separate instance shares it with no other`() throws {
    let services = services("Bank")
    let audits = try services.createService(for: Audits.self)
    #expect(try services.createService(for: Deposits.self) !== audits)
    #expect(try services.createService(for: Audits.self) === audits)
  }

  @Test func `threads that look up different services of a type get one instance`() throws {
    for _ in 0..<50 {
      let services = services("Bank")
      let made = Counter()
      services.observeIntervals { if !$0.hasEnded { made.increment() } }
      onThreads(4) { index in
        if index % 2 == 0 {
          _ = try! services.createService(for: Deposits.self)
        } else {
          _ = try! services.createService(for: Statements.self)
        }
      }
      #expect(made.value == 1)
    }
  }

  @Test func `a type that needs itself as another service is a cycle`() {
    let services = services("Circular")
    Circular.$services.withValue(services) {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Deposits.self) }
      let type = "RegistryTests.Circular"
      #expect(error?.stepNames == [["Deposits", type], ["Statements", type]], "\(error as Any)")
    }
  }

  @Test func `a weak instance lives while code holds any of its services`() throws {
    let services = services("Vault")
    weak var last: (any Deposits)?
    do {
      let deposits = try services.createService(for: Deposits.self)
      let statements = try services.createService(for: Statements.self)
      #expect(statements === deposits)
      last = deposits
    }
    #expect(last == nil)
    _ = try services.createService(for: Statements.self)
  }

  @Test func `services of a type with different scopes have different instances`() throws {
    let services = services("Vault")
    let deposits = try services.createService(for: Deposits.self)
    let audits = try services.createService(for: Audits.self)
    #expect(deposits !== audits)
    #expect(try services.createService(for: (any Audits & Statements).self) === audits)
  }

  @Test func `a structure that exports several protocols is created once`() throws {
    let services = services("Prices")
    let rates = try services.createService(for: Rates.self)
    #expect(try services.createService(for: Fees.self).source === rates.source)
  }

  @Test func `an instance of the main actor is found as another service on every actor`() async throws {
    let services = services("Teller")
    #expect(throws: ServiceError.self) { try services.createService(for: Signs.self) }
    let teller = try await services.service(for: Counters.self)
    #expect(try services.createService(for: Signs.self) as AnyObject === teller as AnyObject)
  }

  @Test func `a test scope has its own instance for all services of a type`() throws {
    let services = services("Bank")
    let live = try services.createService(for: Deposits.self)
    try services.withTestScope { () throws in
      let statements = try services.createService(for: Statements.self)
      #expect(statements !== live)
      #expect(try services.createService(for: Deposits.self) === statements)
      #expect(try services.createService(for: Audits.self) !== statements)
    }
    #expect(try services.createService(for: Statements.self) === live)
  }

  @Test func `a service that stays keeps the instance when another one is removed`() throws {
    let services = services("Bank")
    let deposits = try services.createService(for: Deposits.self)
    #expect(try services.createService(for: Statements.self) === deposits)
    services.unregister(Deposits.self)
    #expect(try services.createService(for: Statements.self, named: "yearly") === deposits)
    #expect(try services.createService(for: Statements.self) === deposits)
  }

  @Test func `a service that was never looked up keeps the instance when another one is removed`() throws {
    let services = services("Bank")
    let deposits = try services.createService(for: Deposits.self)
    services.unregister(Deposits.self)
    #expect(try services.createService(for: Statements.self) === deposits)
  }

  @Test func `a class that C records export as several protocols has one shared instance`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedDeposits, RegistryTests.NamedBank, scope(shared))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedStatements, RegistryTests.NamedBank, scope(shared))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedStatements, RegistryTests.NamedBank, scope(cached(day)), named(day))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedDeposits, RegistryTests.NamedBank, scope(shared), named(own),
                              separateInstance(yes))
      """, name: "bank")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let statements = try services.createService(for: NamedStatements.self)
    #expect(try services.createService(for: NamedDeposits.self) === statements)
    let day = try services.createService(for: NamedStatements.self, named: "day")
    #expect(day !== statements)
    #expect(services.resetCache("day"))
    #expect(try services.createService(for: NamedStatements.self, named: "day") !== day)
    let own = try services.createService(for: NamedDeposits.self, named: "own")
    #expect(own !== statements && own !== day)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a class of C records need not conform to each of their protocols`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedDeposits, RegistryTests.NamedBank, scope(shared))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.NamedBank, scope(shared))
      """, name: "partbank")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let deposits = try services.createService(for: NamedDeposits.self)
    #expect(throws: ServiceError.self) { try services.createService(for: NamedClock.self) }
    #expect(problems.diagnostics.map(\.code) == [.notConforming])
    #expect(try services.createService(for: NamedDeposits.self) === deposits)
  }

  @Test func `a class that is registered again by name gets a new instance`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    func register(_ service: String) -> RegistrationToken {
      services.register(service: "RegistryTests.\(service)", class: "RegistryTests.NamedBank", scope: .shared)
    }
    let tokens = [register("NamedDeposits"), register("NamedStatements")]
    let first = try services.createService(for: NamedDeposits.self)
    #expect(try services.createService(for: NamedStatements.self) === first)
    for token in tokens { token.cancel() }
    _ = register("NamedDeposits")
    #expect(try services.createService(for: NamedDeposits.self) !== first)
  }

  @Test func `a report states which services have one instance, before and after the first lookup`() throws {
    let services = services("Bank")
    func lines() -> [Substring] {
      services.report().description.split(separator: "\n").filter { $0.contains("selected: 'RegistryTests.Bank'") }
    }
    for _ in 0..<2 {
      let lines = lines()
      let names =
        "(RegistryTests.Deposits) and (RegistryTests.Statements) and (RegistryTests.Statements, named 'yearly')"
      let end = "one instance for \(names); for one each, pass 'separateInstance: true'"
      #expect(lines.filter { $0.hasSuffix("shared, priority 0, \(end)") }.count == 3, "\(lines)")
      #expect(lines.filter { $0.hasSuffix("shared, priority 0, separate instance") }.count == 1, "\(lines)")
      _ = try services.createService(for: Statements.self)
    }
    let many = ServiceManager(onDiagnostic: problems.handler)
    for name in "abcdefghij" {
      many.register(
        service: "RegistryTests.NamedDeposits", class: "RegistryTests.NamedBank", scope: .shared, named: "\(name)")
    }
    #expect(many.report().description.contains("named 'h') and 2 more"))
  }
}
