import TestSupport
import Testing

@testable import Registry

private protocol Walks {}
private protocol Talks: Sendable {}
private protocol Store<Item> { associatedtype Item }
private class Machine {}
private enum Zoo {
  protocol Keeper {}
}
private protocol `2nd` {}
private protocol `spring offers` {}
private protocol `v2.0 (alpha)` {}
private struct Robot: Walks, Talks {}
private struct Shop: Store { typealias Item = Int }
private enum Other { protocol Keeper {} }

/// Tests of what errors of lookups suggest.
@Suite struct AdviceTests {
  private func error<Service>(
    of type: Service.Type, named name: String? = nil, in services: ServiceManager
  ) throws -> String {
    let error = #expect(throws: ServiceError.self) { try services.createService(for: type, named: name) }
    return try #require(error).description
  }

  #if DEBUG
  @Test func `an error names an implemented service that code can confuse with the missing one`() throws {
    let services = ServiceManager { _ in }
    services.register((any Walks & Talks).self) { Robot() }
    services.register((any Store<Int>).self) { Shop() }
    services.register(Zoo.Keeper.self) { fatalError() }
    services.register(Other.Keeper.self) { fatalError() }
    services.unregister(Other.Keeper.self)
    #expect(try error(of: Walks.self, in: services).contains("; did you mean 'RegistryTests.Talks & "))
    #expect(try error(of: (any Store).self, in: services).contains("; did you mean 'any RegistryTests.Store<"))
    #expect(try !error(of: Other.Keeper.self, in: services).contains("did you mean"))
  }
  #endif

  @Test func `an error shows the type as the caller would write it, or not at all`() throws {
    let services = ServiceManager(records: .ownBinary) { _ in }
    func error<Service>(_ type: Service.Type) throws -> (found: String, live: String) {
      let live = try services.withTestScope(.strict) { try self.error(of: type, in: services) }
      return (try self.error(of: type, in: services), live)
    }
    let spelled: [(Any.Type, [String])] = [
      ((any Walks).self, ["Walks.self"]), (Zoo.Keeper.self, ["Zoo.Keeper.self"]), (Machine.self, ["Machine.self"]),
      ((any Walks & Sendable).self, ["Walks.self"]),
      ((any Walks & Talks).self, ["(any Walks & Talks).self", "(any Talks & Walks).self"]),
      ((any Machine & Walks).self, ["(any Machine & Walks).self", "(any Walks & Machine).self"]),
    ]
    for (type, spellings) in spelled {
      let (found, live) = try error(type)
      #expect(spellings.contains { found.contains("export one with '@ExportService(\($0))', or register") }, "\(found)")
      #expect(spellings.contains { live.contains("override it with 'override(\($0)) { … }'") }, "\(live)")
    }
    let unspelled: [Any.Type] = [
      (any Store<Int>).self, Set<Int>.self, (Int, String).self, (() -> Int).self, [Int].self, Any.self,
      `spring offers`.self, `v2.0 (alpha)`.self, `2nd`.self,
    ]
    for type in unspelled where type != Any.self {
      let (found, live) = try error(type)
      #expect(found.contains("; link the target that exports it, or register one with"), "\(found)")
      #expect(!found.contains(".self") && !live.contains(".self") && !found.contains("@ExportService"), "\(live)")
    }
  }

  @Test func `the error of a manager that reads no records does not concern images`() throws {
    let parent = ServiceManager { _ in }
    for services in [parent, ServiceManager(parent: parent)] {
      let text = try error(of: (any Walks).self, in: services)
      #expect(
        text == "no implementation of 'RegistryTests.Walks' was found, and this manager reads no records; create it"
          + " with 'records: .loadedImages' or 'parent: .shared', use 'ServiceManager.shared', pass 'services:"
          + " .shared' to the 'ModuleManager' in a test, or register one with"
          + " 'register(_:factory:)' [no-service]")
    }
    let child = ServiceManager(parent: ServiceManager(records: .ownBinary) { _ in })
    #expect(try error(of: (any Walks).self, in: child).contains("was found in '"))
  }

  @Test func `the error of a manager without images still advises to link and to export`() throws {
    let parent = ServiceManager(records: .images { _ in false }) { _ in }
    let texts = try [parent, ServiceManager(parent: parent), ServiceManager(parent: parent, records: .none)].map {
      try error(of: (any Walks).self, in: $0)
    }
    let byName = #expect(throws: ServiceError.self) { try parent.createService(protocolNamed: "RegistryTests.None") }
    for text in texts {
      #expect(text.contains("was found, because the filter of the manager's records selects 0 of "))
    }
    #expect(
      try #require(byName).description.contains(
        "was found, and no image from which the manager reads exports records; link the target that exports it"))
  }

  @Test func `an error for a name states that an implementation without a name exists`() throws {
    let parent = ServiceManager { _ in }
    parent.register((any Walks).self) { Robot() }
    for services in [parent, ServiceManager(parent: parent)] {
      let text = try error(of: (any Walks).self, named: "fast", in: services)
      #expect(
        text
          == "no implementation of 'RegistryTests.Walks' named 'fast' was found, but one without a name exists; leave"
          + " out 'named:' to use it [no-service]")
    }
    parent.register((any Walks).self, named: "slow") { Robot() }
    #expect(
      try error(of: (any Walks).self, named: "fast", in: parent)
        == "no implementation of 'RegistryTests.Walks' named 'fast' was found; available names: 'slow'; another one has"
        + " no name [no-service]")
    parent.unregister((any Walks).self)
    parent.unregister((any Walks).self, named: "slow")
    #expect(try !error(of: (any Walks).self, named: "fast", in: parent).contains("did you mean"))
    // The record of an export spells the protocol without its module.
    let exported = ServiceManager(records: .records { $0.name == "Ticket" }) { _ in }
    #expect(
      try error(of: Ticket.self, named: "fast", in: exported).contains("but one without a name exists"))
  }

  @Test func `a name with quotes is escaped in the code that an error shows`() throws {
    let services = ServiceManager(records: .ownBinary) { _ in }
    let text = try error(of: (any Walks).self, named: #"a "b" \c"#, in: services)
    #expect(text.contains(##"'@ExportService(Walks.self, named: "a \"b\" \\c")'"##), "\(text)")
  }

  @Test func `an optional is reported as no service`() throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register((any Walks)?.self) { Robot() }
    #expect(problems.codes == [.optionalService])
    #expect(problems.diagnostics.first?.subject == "Swift.Optional<RegistryTests.Walks>")
    #expect(try error(of: (any Walks).self, in: services).contains("'RegistryTests.Walks'"))
    #expect(
      try error(of: (any Talks)?.self, in: services).contains(
        "an optional is not a service, so look up the type that it wraps"))
    #expect(try services.createServices(for: Optional<Machine>.self).isEmpty)
    #expect(problems.codes == [.optionalService, .optionalService, .optionalService])
  }
}
