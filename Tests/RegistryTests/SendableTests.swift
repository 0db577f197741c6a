import TestSupport
import Testing

@testable import Registry

/// A protocol that is not `Sendable`, although some classes that conform to it are.
protocol Tally: AnyObject { var count: Int { get } }

/// A protocol whose types are all `Sendable`.
protocol Odometer: Sendable { var count: Int { get } }

final class ClickTally: Tally {
  var count = 0
}

final class FrozenTally: Tally, Sendable {
  let count = 9
}

struct FixedOdometer: Odometer {
  let count = 5
}

protocol ExportedTally { var count: Int { get } }

@ExportService(ExportedTally.self)
final class LooseTally: ExportedTally {
  var count = 1
  init() {}
}

@ExportService((any ExportedTally & Sendable).self, named: "frozen")
struct StrictTally: ExportedTally {
  var count = 2
  init() {}
}

@ExportService(Odometer.self)
struct ExportedOdometer: Odometer {
  var count = 3
  init() {}
}

private typealias SendableTally = any Tally & Sendable

private final class Dashboard {
  @Service var tally: SendableTally
  @Service var optional: SendableTally?
  @Service(cached: true) var cached: SendableTally?
  @Service var loose: (any Tally)?
}

/// The metadata of `any Tally` and `any Tally & Sendable` is the same, so a lookup of one type
/// finds the implementations of the other.
@Suite(.timeLimit(.minutes(20))) struct SendableTests {
  private let services = ServiceManager(onDiagnostic: { _ in })

  /// Returns the error of a lookup that must not return an instance.
  private func refusal<Result>(_ lookup: () throws -> Result) -> String {
    do { _ = try lookup() } catch { return "\(error)" }
    return "there is a result"
  }

  private func asyncRefusal<Result: Sendable>(_ lookup: () async throws -> Result) async -> String {
    do { _ = try await lookup() } catch { return "\(error)" }
    return "there is a result"
  }

  private func expectRefusals(
    _ services: ServiceManager, named name: String? = nil, location: SourceLocation = #_sourceLocation
  ) async {
    let errors = [
      refusal { try services.createService(for: SendableTally.self, named: name) },
      refusal { try services.createService(for: (any AnyObject & Tally & Sendable).self, named: name) },
      refusal { try services.createServices(for: SendableTally.self) },
      await asyncRefusal { try await services.service(for: SendableTally.self, named: name) },
      await MainActor.run { refusal { try services.createService(for: SendableTally.self, named: name) } },
    ]
    for error in errors { #expect(error.hasSuffix("[unsendable-service]"), "\(error)", sourceLocation: location) }
  }

  @Test func `a lookup of a sendable type refuses what was registered for a protocol that is not`() async throws {
    services.register(Tally.self) { @MainActor in ClickTally() }
    await expectRefusals(services)
    let services = services
    #expect(try await MainActor.run { try services.createService(for: Tally.self).count } == 0)
    await expectRefusals(services)
    services.register(Tally.self, named: "second") { ClickTally() }
    services.register(Tally.self, named: "third") { _ in ClickTally() }
    for name in ["second", "third"] {
      await expectRefusals(services, named: name)
      #expect(try services.createService(for: Tally.self, named: name).count == 0)
    }
    services.register((any AnyObject & ExportedTally).self) { LooseTally() }
    #expect(try services.createService(for: (any AnyObject & ExportedTally).self).count == 1)
    let error = refusal { try services.createService(for: (any AnyObject & ExportedTally & Sendable).self) }
    #expect(error.hasSuffix("[unsendable-service]"), "\(error)")
  }

  @Test func `an error states what is not sendable, and each fix`() async {
    services.register(Tally.self, fileID: "Shop/Tally.swift", line: 7) { ClickTally() }
    #expect(
      refusal { try services.createService(for: SendableTally.self) }
        == "the factory at Shop/Tally.swift:7 implements 'RegistryTests.Tally', which is not 'Sendable' where it is"
        + " registered, but the caller uses the service as a 'Sendable' type; declare it as 'Sendable' (in a generic"
        + " function, 'Service: Sendable'), register it as '(any Tally & Sendable).self', or look up"
        + " 'Tally.self' on the actor that uses the instance [unsendable-service]")
  }

  @Test func `an implementation in the lookup table is refused, also through a child`() async throws {
    let child = ServiceManager(parent: services)
    services.register(Tally.self) { ClickTally() }
    for _ in 0..<2 {
      // The first lookup adds the implementation to the table.
      #expect(try services.createService(for: Tally.self).count == 0)
      #expect(try child.createService(for: Tally.self).count == 0)
      await expectRefusals(services)
      await expectRefusals(child)
    }
    services.register(SendableTally.self, replacing: true) { FrozenTally() }
    #expect(try child.createService(for: SendableTally.self).count == 9)
  }

  @Test func `an exported service is refused if its protocol is not sendable`() throws {
    let services = ServiceManager(
      records: .records { $0.image.isOwn && ($0.name ?? "").contains("ExportedTally") }, onDiagnostic: { _ in })
    let child = ServiceManager(parent: services)
    for manager in [services, child, services, child] {
      #expect(try manager.createService(for: ExportedTally.self).count == 1)
      let error = refusal { try manager.createService(for: (any ExportedTally & Sendable).self) }
      #expect(error.hasPrefix("'RegistryTests.LooseTally' ("))
      #expect(error.contains("export it as '(any ExportedTally & Sendable).self', or look up 'ExportedTally.self'"))
    }
    #expect(try services.createService(for: (any ExportedTally & Sendable).self, named: "frozen").count == 2)
    #expect(try services.createService(for: ExportedTally.self, named: "frozen").count == 2)
    #expect(try services.createServices(for: ExportedTally.self).map(\.count).sorted() == [1, 2])
  }

  @Test func `overrides and registrations of scopes are refused like others`() async throws {
    services.register(SendableTally.self) { FrozenTally() }
    let services = services
    await services.withOverrides {
      $0.override(Tally.self) { ClickTally() }
    } operation: {
      await expectRefusals(services)
    }
    await services.withOverrides {
      $0.override(Tally.self) { @MainActor in ClickTally() }
    } operation: {
      await expectRefusals(services)
    }
    await services.withTestScope(.strict) {
      $0.override(Tally.self) { ClickTally() }
    } operation: {
      await expectRefusals(services)
    }
    await services.withTestScope {
      services.register(Tally.self, replacing: true) { ClickTally() }
      await expectRefusals(services)
    }
    try await services.withOverrides {
      $0.override(SendableTally.self) { @MainActor in FrozenTally() }
    } operation: { () async throws in
      #expect(try await services.service(for: SendableTally.self).count == 9)
    }
  }

  @Test func `a synchronous scope also distinguishes the types`() throws {
    services.register(SendableTally.self) { FrozenTally() }
    try services.withOverrides {
      $0.override(Tally.self) { ClickTally() }
    } operation: { () throws in
      #expect(refusal { try services.createService(for: SendableTally.self) }.hasSuffix("[unsendable-service]"))
      #expect(try services.createService(for: Tally.self).count == 0)
    }
    try services.withOverrides {
      $0.override(SendableTally.self) { FrozenTally() }
    } operation: { () throws in
      #expect(try services.createServices(for: SendableTally.self).map(\.count) == [9])
    }
    try services.withTestScope(.strict) {
      $0.override(SendableTally.self) { FrozenTally() }
    } operation: { () throws in
      #expect(try services.createService(for: SendableTally.self).count == 9)
    }
  }

  @Test func `a property of a sendable type is refused what is overridden for a protocol that is not`() {
    let problems = DiagnosticCollector()
    ServiceManager.shared.withTestScope {
      $0.override(Tally.self) { ClickTally() }
    } operation: {
      ServiceManager.shared.onDiagnostic = problems.handler
      let dashboard = Dashboard()
      #expect(dashboard.optional == nil && dashboard.cached == nil && dashboard.loose?.count == 0)
    }
    #expect(problems.codes == [.unmetNeed, .unmetNeed])
    #expect(problems.diagnostics.allSatisfy { $0.message.contains("[unsendable-service]") })
    ServiceManager.shared.withTestScope {
      $0.override(SendableTally.self) { FrozenTally() }
    } operation: {
      let dashboard = Dashboard()
      #expect([dashboard.tally.count, dashboard.optional?.count, dashboard.cached?.count] == [9, 9, 9])
    }
  }

  @Test func `a property that is not optional stops the program`() async {
    let plain = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ServiceManager.shared.register(Tally.self) { ClickTally() }
      print(Dashboard().tally)
    }
    // In a strict scope, the property would have the live service.
    let strict = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ServiceManager.shared.register(Tally.self) { ClickTally() }
      ServiceManager.shared.withTestScope(.strict) { print(Dashboard().tally) }
    }
    for (result, code) in [(plain, "[unsendable-service]"), (strict, "[live-service]")] {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains(code), "\(text)")
    }
  }

  /// A generic function that states what it requires.
  private func add<Service: Sendable>(_ type: Service.Type, _ make: @escaping @Sendable () -> Service) {
    services.register(type, factory: make)
  }

  @Test func `a protocol that is sendable is served by every registration and lookup`() async throws {
    services.register(Odometer.self) { FixedOdometer() }
    services.register(Odometer.self, named: "main") { @MainActor _ in FixedOdometer() }
    add(Odometer.self) { FixedOdometer() }
    let child = ServiceManager(parent: services)
    for services in [services, child] {
      #expect(try services.createService(for: Odometer.self).count == 5)
      #expect(try services.createService(for: (any Odometer & Sendable).self).count == 5)
      #expect(try await services.service(for: Odometer.self).count == 5)
      #expect(try await services.service(for: Odometer.self, named: "main").count == 5)
      #expect(try await MainActor.run { try services.createServices(for: Odometer.self).map(\.count) } == [5, 5, 5])
      try await services.withTestScope {
        $0.override(Odometer.self) { FixedOdometer() }
      } operation: { () async throws in
        #expect(try await services.service(for: Odometer.self).count == 5)
      }
    }
    let exporting = ServiceManager(
      records: .records { $0.image.isOwn && $0.name == "Odometer" }, onDiagnostic: { _ in })
    #expect(try exporting.createService(for: Odometer.self).count == 3)
    #expect(try exporting.createServices(for: Odometer.self).map(\.count) == [3])
  }

  @Test func `a record that does not state whether its service is sendable serves every lookup`() throws {
    // An older expansion of the attribute contained such an accessor.
    let source =
      SharedObject.badAccessors(kind: RecordKind.service.rawValue)
      + SharedObject.goodAccessor { out, type, _ in
        guard let out else { return false }
        return __provide(__service((any Tally).self), out, type, ClickTally.init)
      } + #"RECORD(old, good, "{\"protocol\":\"Tally\",\"class\":\"Old.Tally\"}")"#
    let object = try SharedObject(source, name: "oldrecord")
    try object.open()
    defer { object.close() }
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: { _ in })
    for _ in 0..<2 { #expect(try services.createService(for: SendableTally.self).count == 0) }
  }
}
