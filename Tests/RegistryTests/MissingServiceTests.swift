import Registry
import Testing

/// A service that nothing exports.
private protocol Ferry: Sendable {}

/// A type whose property has a service of the main actor, off the main actor.
private struct Lighthouse {
  @Service var screen: any Screen
}

// A property whose service cannot be created stops the program, so each test runs it in a process
// of its own.
@Suite(.timeLimit(.minutes(20))) struct MissingServiceTests {
  /// Returns the last line that a process printed when it stopped.
  private func message(_ result: ExitTest.Result?) throws -> String {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return try #require(output.split(separator: "\n").last { $0.contains("Fatal error: ") }.map(String.init))
  }

  @Test func `A property without a service stops the program with the need and the fix`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: any Ferry = __injected("Harbors.Pier", "Harbors/Pier.swift:4:3")
    }
    let text = try message(result)
    #expect(
      text.contains(
        "Fatal error: swift-section-registry: Harbors/Pier.swift:4:3: 'Harbors.Pier' needs a service that cannot be created: "
          + "no implementation of 'RegistryTests.Ferry'"))
    #expect(
      text.hasSuffix(
        "; call 'modules.requireAllNeeds()' before 'start()' to find this when the app starts [unmet-need]"))
  }

  @Test func `A property of all services stops the program if one cannot be created`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let services = ServiceManager()
      services.register(Ferry.self) { throw NoStock() }
      let _: [any Ferry] = __injectedAll(in: services, "Harbors.Pier", "Harbors/Pier.swift:4:3")
    }
    #expect(try message(result).contains("'Harbors.Pier' needs a service that cannot be created: "))
  }

  #if DEBUG
  @Test func `A property whose manager was never set says so`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: any Ferry = __injected(in: ServiceManager(), "Harbors.Pier", "Harbors/Pier.swift:4:3")
    }
    let fix = "its manager has none; if the type is a module, set the manager to 'context.services' in 'setUp': "
    #expect(try message(result).contains(fix))
  }
  #endif

  @Test func `A property with a service of the main actor stops the program off the main actor`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.detached { _ = Lighthouse().screen }.value
    }
    let text = try message(result)
    #expect(text.contains("MissingServiceTests.swift:9:3: 'RegistryTests.Lighthouse' needs a service"))
    #expect(text.contains("is isolated to 'MainActor'"))
    #expect(text.contains("; isolate the property to that actor to use the service without waiting [unmet-need]"))
  }
}
