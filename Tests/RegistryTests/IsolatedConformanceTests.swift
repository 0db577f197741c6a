import Registry
import TestSupport
import Testing

private protocol Brush { func stroke() -> String }

/// A class with a conformance that only code on the main actor can use.
///
/// SE-0470 introduced isolated conformances.
@MainActor private final class Canvas: @MainActor Brush {
  func stroke() -> String { "on the canvas" }
}

/// The protocol of a class that C code names.
protocol Ink { func flow() -> String }

final class IsolatedInk: NamedExport, @MainActor Ink {
  func flow() -> String { "on the main actor" }
}

final class PlainInk: NamedExport, Ink {
  func flow() -> String { "anywhere" }
}

final class NoInk: NamedExport {}

@MainActor final class DeskNoInk: MainActorNamedExport {}

private struct Pen: Ink, Sendable {
  func flow() -> String { "with a pen" }
}

@globalActor actor Studio {
  static let shared = Studio()
}

final class StudioInk: NamedExport, @Studio Ink {
  func flow() -> String { "in the studio" }
}

/// Another protocol of classes that C code names.
protocol Pigment { func shade() -> String }

final class PlainPigment: NamedExport, Pigment {
  func shade() -> String { "anywhere" }
}

@MainActor final class DeskInk: MainActorNamedExport, @MainActor Ink, @MainActor Pigment {
  func flow() -> String { "at the desk" }
  func shade() -> String { "at the desk" }
}

/// Services that conform to their protocol only on the main actor.
@Suite(.timeLimit(.minutes(20))) struct IsolatedConformanceTests {
  private let problems = DiagnosticCollector()
  private let services: ServiceManager

  init() {
    services = ServiceManager(onDiagnostic: problems.handler)
  }

  @Test func `A weak service that one thread cannot use still serves the others`() async throws {
    services.register((any Brush & Sendable).self, scope: .weak) { @MainActor in Canvas() }
    let services = services
    let held = try await MainActor.run { try services.createService(for: (any Brush & Sendable).self) }
    for _ in 0..<2 {
      do throws(ServiceError) {
        _ = try services.createService(for: (any Brush & Sendable).self)
        Issue.record("its conformance cannot be used here")
      } catch {
        guard error.code == .wrongIsolation, "\(error)".contains("isolated to 'MainActor'") else { throw error }
      }
      let again = try await MainActor.run { try services.createService(for: (any Brush & Sendable).self) }
      #expect(again as AnyObject === held as AnyObject)
      let awaited = try await services.service(for: (any Brush & Sendable).self)
      #expect(awaited as AnyObject === held as AnyObject)
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(arguments: ServiceScope.every)
  func `A named class that one thread cannot use still serves the others`(scope: ServiceScope) async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.IsolatedInk", scope: scope, priority: 1)
    let services = services
    for _ in 0..<2 {
      #expect(throws: ServiceError.self) { try services.createService(for: Ink.self) }
      #expect(throws: Never.self) { try services.createServices(for: Ink.self) }
    }
    #expect(problems.codes == [.notConforming])
    // The next implementation serves this thread, and the first one serves the main actor.
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.PlainInk")
    #expect(try services.createService(for: Ink.self).flow() == "anywhere")
    let onMainActor = try await MainActor.run { try services.createService(for: Ink.self).flow() }
    #expect(onMainActor == "on the main actor")
    #expect(problems.codes == [.notConforming])
  }

  private actor Elsewhere {
    func list(_ services: ServiceManager) -> Int? { try? services.createServices(for: Ink.self).count }
  }

  @Test func `Actors list services while others reject an implementation`() async {
    let services = services
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.IsolatedInk", priority: 1)
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.PlainInk")
    await withTaskGroup { group in
      for _ in 0..<4 {
        let actors = (0..<500).map { _ in Elsewhere() }
        group.addTask { for actor in actors { #expect(await actor.list(services) == 1) } }
      }
    }
    #expect(problems.codes == [.notConforming])
  }

  @Studio private static func lookUp(_ services: ServiceManager) throws(ServiceError) -> String {
    try services.createService(for: Ink.self).flow()
  }

  @Test func `A class of any global actor still serves that actor after lookups elsewhere`() async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.StudioInk")
    let services = services
    for _ in 0..<2 {
      #expect(throws: ServiceError.self) { try services.createService(for: Ink.self) }
      await #expect(throws: ServiceError.self) {
        try await MainActor.run { _ = try services.createService(for: Ink.self) }
      }
      #expect(try await Self.lookUp(services) == "in the studio")
    }
    #expect(problems.codes == [.notConforming])
  }

  @Test func `A test scope records the failed isolations of a class separately`() async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.StudioInk")
    let services = services
    #expect(throws: ServiceError.self) { try services.createService(for: Ink.self) }
    try await services.withTestScope { () async throws in
      #expect(throws: ServiceError.self) { try services.createService(for: Ink.self) }
      #expect(try await Self.lookUp(services) == "in the studio")
    }
    #expect(try await Self.lookUp(services) == "in the studio")
    #expect(problems.codes == [.notConforming])
  }

  @Test(arguments: ServiceScope.every.dropFirst())
  @MainActor func `A class whose instance lacks another service is skipped there`(scope: ServiceScope) throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.PlainInk", scope: scope)
    services.register(service: "RegistryTests.Pigment", class: "RegistryTests.PlainInk", scope: scope, priority: 1)
    let ink = try services.createService(for: Ink.self)
    #expect {
      try services.createService(for: Pigment.self)
    } throws: { error in
      (error as? ServiceError)?.code == .unusableService
    }
    #expect(problems.codes == [.notConforming])
    services.register(service: "RegistryTests.Pigment", class: "RegistryTests.PlainPigment")
    #expect(try services.createService(for: Pigment.self).shade() == "anywhere")
    #expect(try services.createServices(for: Pigment.self).count == 1)
    #expect(try services.createService(for: Ink.self) as AnyObject === ink as AnyObject)
  }

  @Test(arguments: ServiceScope.every.dropFirst())
  func `A service whose instance exists is found only on the actor of the instance`(scope: ServiceScope) async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.DeskInk", scope: scope)
    services.register(service: "RegistryTests.Pigment", class: "RegistryTests.DeskInk", scope: scope)
    let services = services
    let ink = try await MainActor.run { try services.createService(for: Ink.self) as! DeskInk }
    #expect {
      try services.createService(for: Pigment.self)
    } throws: { error in
      (error as? ServiceError)?.code == .wrongIsolation && "\(error)".contains("isolated to 'MainActor'")
    }
    #expect(try await MainActor.run { try services.createService(for: Pigment.self) as! DeskInk } === ink)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `A child awaits the actor of its parent's class if the preferred class does not conform`() async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.NoInk", priority: 1)
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.DeskInk")
    let child = ServiceManager(parent: services)
    #expect(try await child.service(for: (any Ink & Sendable).self) as AnyObject is DeskInk)
  }

  @Test func `A service is awaited on the next actor if a class of the first one does not conform`() async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.DeskNoInk", priority: 1)
    services.register((any Ink & Sendable).self) { @Studio in Pen() }
    #expect(try await services.service(for: (any Ink & Sendable).self).flow() == "with a pen")
    let services = services
    let flow = try await Task { @Studio in try services.createService(for: (any Ink & Sendable).self).flow() }.value
    #expect(flow == "with a pen")
    #expect(problems.codes == [.notConforming])
  }

  @Test func `On the main actor, a named class that does not conform is skipped permanently`() async throws {
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.NoInk", priority: 1)
    services.register(service: "RegistryTests.Ink", class: "RegistryTests.PlainInk")
    let services = services
    for _ in 0..<2 {
      let flow = try await MainActor.run { try services.createService(for: Ink.self).flow() }
      #expect(flow == "anywhere")
    }
    #expect(problems.codes == [.notConforming])
  }
}
