import Registry
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct StrictScopeTests {
  let shop = GadgetShop()
  let withheld = Withheld()
  var services: ServiceManager { shop.services }

  /// Returns the error that a lookup of a live service is expected to throw.
  private func liveService(_ error: (any Error)?, _ place: SourceLocation = #_sourceLocation) -> ServiceError? {
    let error = error as? ServiceError
    #expect(error?.code == .liveService, "\(error as Any)", sourceLocation: place)
    return error
  }

  @Test func `every lookup of a live service fails, and names the implementation and the fix`() async throws {
    let services = ServiceManager(records: .ownBinary, onDiagnostic: { _ in })
    await services.withTestScope(.strict.onLiveService(withheld.handler)) {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: SharedGreeter.self) }
      #expect(liveService(error)?.service == "RegistryTests.SharedGreeter")
      let message = error!.description
      #expect(message.hasPrefix("'RegistryTests.SharedGreeter' is neither overridden"))
      #expect(message.contains("override(SharedGreeter.self)") && message.contains("allowLive(SharedGreeter.self)"))
      let image = try! #require(RecordSource.ownBinary.records().first).image
      #expect(message.contains("'RegistryTests.ActorGreeter' (\(image.name))"))
      _ = liveService(#expect(throws: ServiceError.self) { try services.createServices(for: NamedClock.self) })
      _ = liveService(await #expect(throws: ServiceError.self) { try await services.service(for: Screen.self) })
      #expect(!services.contains(SharedGreeter.self))
    }
    #expect(withheld.messages.count == 3)
    #expect(try services.createService(for: SharedGreeter.self).greet() == "hello from an actor")
  }

  @Test func `a named lookup fails with the name in the fix`() throws {
    let services = ServiceManager(records: .ownBinary, onDiagnostic: { _ in })
    services.withTestScope(.strict) {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Greeter.self, named: "warm") }
      #expect(liveService(error)?.description.hasPrefix("'RegistryTests.Greeter' named 'warm' is neither") == true)
      #expect(error!.description.contains("allow 'RegistryTests.WarmGreeter' ("))
      #expect(error!.description.contains("override(Greeter.self, named: \"warm\")"))
    }
  }

  @Test func `an error that the caller ignores is reported once for each service and name`() {
    services.withTestScope(.strict.onLiveService(withheld.handler)) {
      for _ in 0..<3 {
        #expect((try? services.gadget()) == nil)
        #expect((try? services.held()) == nil)
        #expect((try? services.createService(for: Gadget.self, named: "spare")) == nil)
        #expect((try? services.createServices(for: Gadget.self)) == nil)
      }
    }
    #expect(withheld.messages.count == 3)
    #expect(withheld.messages.contains { $0.contains("Gadget") && $0.contains("ScopeSupport.swift") })
    #expect(shop.made.value == 0)
  }

  @Test func `services that are overridden, allowed, or registered in the scope are served`() throws {
    services.register(Gadget.self, named: "spare") { Widget("spare") }
    try services.withTestScope(.strict.onLiveService(withheld.handler)) {
      $0.override(Gadget.self) { Widget("fake") }
      $0.allowLive(Holder.self)
    } operation: { () throws in
      #expect(try services.held() == "fake")
      services.register(Greeter.self) { GruffGreeter() }
      #expect(try services.createService(for: Greeter.self).greet() == "what")
      // The live service of another name does not belong to the test.
      #expect(try services.createServices(for: Gadget.self).map(\.name) == ["fake"])
      #expect(services.contains(Gadget.self) && services.contains(Holder.self))
      #expect(!services.contains(Gadget.self, named: "spare"))
    }
    #expect(withheld.messages.isEmpty)
  }

  @Test func `a service of the scope takes precedence over a live one that is not allowed`() throws {
    try services.withTestScope(.strict) { () throws in
      // Ignore the diagnostic for the tie of the two implementations.
      services.onDiagnostic = { _ in }
      services.register(Gadget.self) { Widget("given") }
      #expect(try services.gadget() == "given")
    }
  }

  @Test func `an allowed service that resolves a live one fails, and the scope's handler is called`() throws {
    try services.withTestScope(.strict.onLiveService(withheld.handler)) {
      $0.allowLive(Holder.self)
    } operation: { () throws in
      let error = #expect(throws: ServiceError.self) { try services.held() }
      #expect(error?.code == .initializerFailed)
      #expect(liveService(error?.underlying)?.service == "RegistryTests.Gadget")
    }
    #expect(withheld.messages.count == 1)
  }

  @Test func `a service without an implementation fails in the same way, whatever is linked`() throws {
    protocol Nobody {}
    services.withTestScope(.strict.onLiveService(withheld.handler)) {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Nobody.self) }
      #expect(liveService(error)?.description.contains("nothing implements it outside the scope") == true)
      _ = liveService(#expect(throws: ServiceError.self) { try services.createServices(for: Nobody.self) })
    }
    #expect(withheld.messages.count == 1)
    try services.withTestScope(.strict.onLiveService(withheld.handler)) {
      $0.allowLive(Nobody.self)
    } operation: { () throws in
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Nobody.self) }
      #expect(error?.code == .noService)
      #expect(try services.createServices(for: Nobody.self).isEmpty)
    }
    #expect(withheld.messages.count == 1)
  }

  @Test func `a scope inside a strict one inherits the policy, unless it has its own`() throws {
    try services.withTestScope(.strict.onLiveService(withheld.handler)) {
      $0.allowLive(Gadget.self)
    } operation: { () throws in
      services.withTestScope { _ = liveService(#expect(throws: ServiceError.self) { try services.held() }) }
      #expect(withheld.messages.count == 1)
      #expect(try services.withTestScope { () throws in try services.gadget() } == "live 1")
      #expect(try services.withTestScope(.lenient) { () throws in try services.held() } == "live 2")
      try services.withOverrides {
        $0.allowLive(Holder.self)
      } operation: { () throws in
        #expect(try services.held() == "live 3")
      }
      let own = Withheld()
      services.withTestScope(.strict.onLiveService(own.handler)) { #expect((try? services.held()) == nil) }
      #expect(own.messages.count == 1)
      let inherited = TestScopePolicy.inherited(or: .lenient.onLiveService(own.handler))
      services.withTestScope(inherited) { #expect((try? services.held()) == nil) }
      #expect(own.messages.count == 2)
    }
    #expect(withheld.messages.count == 1)
    #expect(try services.withTestScope { () throws in try services.held() } == "live 4")
  }

  @Test func `a child's scope inside a strict one of its parent is strict`() throws {
    let child = ServiceManager(parent: services)
    services.withTestScope(.strict.onLiveService(withheld.handler)) {
      child.withTestScope { _ = liveService(#expect(throws: ServiceError.self) { try child.gadget() }) }
    }
    #expect(withheld.messages.count == 1)
    #expect(try child.withTestScope { () throws in try child.gadget() } == "live 1")
    // The innermost scope counts, and a scope of a sibling only isolates the common parent.
    child.withTestScope(.lenient) {
      services.withTestScope(.strict) {
        child.withTestScope { _ = liveService(#expect(throws: ServiceError.self) { try child.gadget() }) }
      }
    }
    let sibling = ServiceManager(parent: services)
    let found = try child.withTestScope(.strict) { () throws in
      try sibling.withTestScope { () throws in try sibling.gadget() }
    }
    #expect(found == "live 2")
  }

  @Test func `a lenient scope passes on the handler of the scope around it`() {
    services.withTestScope(.strict.onLiveService(withheld.handler)) {
      services.withTestScope(.lenient) { services.withTestScope(.strict) { #expect((try? services.held()) == nil) } }
    }
    #expect(withheld.messages.count == 1)
  }

  @Test func `the handler can resolve services and open scopes`() throws {
    let services = services
    let mode = TestScopePolicy.strict.onLiveService { [withheld] error in
      services.withTestScope(.lenient) { withheld.handler(error) }
      #expect(!services.contains(Gadget.self))
    }
    services.withTestScope(mode) { #expect((try? services.gadget()) == nil) }
    #expect(withheld.messages.count == 1)
  }
}
