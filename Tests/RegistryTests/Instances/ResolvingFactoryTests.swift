import Registry
import TestSupport
import Testing

/// Factories that receive the manager.
@Suite(.timeLimit(.minutes(20))) struct ResolvingFactoryTests {
  let problems = DiagnosticCollector()

  @Test func `a factory looks its services up in the manager that it receives`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Gadget.self, scope: .shared) { Widget("gadget") }
    services.register(Holder.self) { services in Keeper(try services.createService(for: Gadget.self)) }
    services.register(Holder.self, scope: .shared, named: "one") { Keeper(try $0.createService(for: Gadget.self)) }
    #expect(try services.held() == "gadget")
    let one = try services.createService(for: Holder.self, named: "one")
    #expect(try services.createService(for: Holder.self, named: "one") === one)
  }

  @Test func `a factory that receives its manager does not keep it alive`() throws {
    let freed = Counter()
    do {
      let services = ServiceManager(onDiagnostic: problems.handler)
      services.register(Gadget.self, scope: .shared) { Widget("gadget", onDeinit: { freed.increment() }) }
      services.register(Holder.self, scope: .shared) { Keeper(try $0.createService(for: Gadget.self)) }
      #expect(try services.held() == "gadget")
      #expect(freed.value == 0)
    }
    #expect(freed.value == 1)
  }

  @Test func `a factory that receives its manager finds the services of a test scope`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Gadget.self, scope: .shared) { Widget("live") }
    services.register(Holder.self, scope: .shared) { Keeper(try $0.createService(for: Gadget.self)) }
    try services.withTestScope {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try services.held() == "fake")
    }
    #expect(try services.held() == "live")
  }

  @Test func `a factory receives the manager that was asked, and a shared one the manager that keeps it`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(Gadget.self, scope: .shared) { Widget("parent's") }
    parent.register(Holder.self) { Keeper(try $0.createService(for: Gadget.self)) }
    let child = ServiceManager(parent: parent)
    child.register(Gadget.self, scope: .shared) { Widget("child's") }
    parent.register(Holder.self, scope: .shared, named: "kept") { Keeper(try $0.createService(for: Gadget.self)) }
    #expect(try child.held() == "child's" && parent.held() == "parent's")
    #expect(try child.createService(for: Holder.self, named: "kept").held.name == "parent's")
    #expect(try child.gadget() == "child's")
  }

  @Test func `a factory of the main actor receives its manager there`() async throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Gadget.self, scope: .shared) { Widget("gadget") }
    services.register(Holder.self, scope: .shared) { @MainActor services in
      MainActor.preconditionIsolated()
      return Keeper(try services.createService(for: Gadget.self))
    }
    #expect(throws: ServiceError.self) { try services.held() }
    #expect(try await services.service(for: Holder.self).held.name == "gadget")
  }

  @Test func `a type that is registered for a second protocol forwards to its first`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(NamedDeposits.self, scope: .shared) { NamedBank() }
    services.register(NamedStatements.self) { services in
      try #require(try services.createService(for: NamedDeposits.self) as? NamedBank)
    }
    #expect(
      try services.createService(for: NamedStatements.self) === services.createService(for: NamedDeposits.self))
  }
}
