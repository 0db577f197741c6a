import Registry
import RegistryReports
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct IsolationTests {
  let shop = GadgetShop()
  var services: ServiceManager { shop.services }

  @Test func `a scope creates its own shared instances once, and they stay in the scope`() throws {
    #expect(try services.gadget() == "live 1")
    try services.withTestScope { () throws in
      #expect(try services.gadget() == "live 2")
      #expect(try services.gadget() == "live 2")
      #expect(try services.held() == "live 2")
      #expect(try services.createServices(for: Gadget.self).map(\.name) == ["live 2"])
    }
    #expect(try services.gadget() == "live 1")
    #expect(try services.held() == "live 1")
  }

  @Test func `the instances of a scope are released with it`() throws {
    try services.withTestScope { () throws in
      #expect(try services.held() == "live 1")
      #expect(shop.freed.value == 0)
    }
    #expect(shop.freed.value == 1)
    for _ in 0..<1_000 { _ = try services.withTestScope { () throws in try services.held() } }
    #expect(shop.made.value == 1_001 && shop.freed.value == 1_001)
  }

  @Test func `instances from before, inside, and after a scope are not shared across its boundary`() throws {
    // The group of the first service is in the table already. The other group is created while a
    // scope is in force.
    #expect(try services.gadget() == "live 1")
    try services.withTestScope { () throws in
      services.register(Greeter.self) { PoliteGreeter() }
      onThreads(1) { [services] _ in
        // A new thread has no scope.
        #expect((try? services.gadget()) == "live 1")
        #expect((try? services.held()) == "live 1")
        #expect((try? services.held()) == "live 1")
        #expect(!services.contains(Greeter.self))
      }
      #expect(try services.held() == "live 2")
      #expect(try services.gadget() == "live 2")
    }
    #expect(try services.held() == "live 1")
  }

  @Test func `weak instances also belong to the scope`() throws {
    services.register(Kept.self, scope: .weak) { KeptClass() }
    let outside = try services.createService(for: Kept.self)
    try services.withTestScope { () throws in
      let inside = try services.createService(for: Kept.self)
      #expect(inside !== outside)
      #expect(try services.createService(for: Kept.self) === inside)
    }
    #expect(try services.createService(for: Kept.self) === outside)
  }

  @Test func `exported services are isolated like registered ones`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: { _ in })
    let outside = try services.createService(for: SharedGreeter.self) as? ActorGreeter
    try services.withTestScope { () throws in
      let inside = try services.createService(for: SharedGreeter.self) as? ActorGreeter
      #expect(inside != nil && inside !== outside)
      #expect(try services.createService(for: SharedGreeter.self) as? ActorGreeter === inside)
      #expect(try services.createService(for: NamedClock.self).now() == 9)
    }
    #expect(try services.createService(for: SharedGreeter.self) as? ActorGreeter === outside)
  }

  @Test func `an error names what the scope registered`() {
    services.withTestScope {
      services.register(Gadget.self, named: "spare") { Widget("spare") }
      services.unregister(Gadget.self)
      let error = #expect(throws: ServiceError.self) { try services.gadget() }
      #expect(error?.available == ["spare"])
    }
  }

  @Test func `a registration in a scope has the same precedence as one outside`() throws {
    let services = ServiceManager(records: .records { $0.image.isOwn && $0.name == "RegistryTests.Greeter" }) {
      _ in
    }
    func greetings() throws -> [String] { try services.createServices(for: Greeter.self).map { $0.greet() } }
    services.register(Greeter.self) { GruffGreeter() }
    let outside = try greetings()
    #expect(outside.last == "what")
    try services.withTestScope { () throws in
      // The services of images are not duplicated in the scope either.
      services.register(Greeter.self) { WarmGreeter() }
      #expect(try greetings() == outside + ["my dear"])
    }
    services.register(Greeter.self, replacing: true) { GruffGreeter() }
    try services.withTestScope { () throws in
      services.register(Greeter.self, replacing: true) { WarmGreeter() }
      #expect(try greetings() == ["my dear", "what"] + outside)
    }
    #expect(try greetings() == ["what"] + outside)
  }

  @Test func `an override applies to a shared service that was created before the scope`() throws {
    #expect(try services.held() == "live 1")
    try services.withTestScope {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try services.held() == "fake")
    }
  }

  @Test func `registrations and removals in a scope affect only the scope`() throws {
    let registration = services.register(Gadget.self, named: "spare") { Widget("spare") }
    try services.withTestScope { () throws in
      services.register(Gadget.self, replacing: true) { Widget("fake") }
      #expect(registration.cancel())
      #expect(!registration.cancel())
      #expect(services.unregister(Holder.self))
      #expect(try services.gadget() == "fake")
      #expect(!services.contains(Gadget.self, named: "spare") && !services.contains(Holder.self))
    }
    #expect(try services.gadget() == "live 1")
    #expect(services.contains(Gadget.self, named: "spare") && services.contains(Holder.self))
    #expect(registration.cancel())
  }

  @Test func `diagnostics of a scope reach the handler, but not the manager's report`() throws {
    let problems = DiagnosticCollector()
    let own = DiagnosticCollector()
    services.onDiagnostic = problems.handler
    services.withTestScope {
      services.register(Gadget.self) { Widget("rival") }
      services.onDiagnostic = own.handler
      services.register(Gadget.self) { Widget("other rival") }
      #expect(services.report().diagnostics.map(\.code) == [.tie, .tie])
    }
    #expect(problems[.tie].count == 1 && own[.tie].count == 1)
    #expect(services.report().diagnostics.isEmpty)
  }

  @Test func `a nested scope has the outer overrides and registrations, and its own instances`() throws {
    try services.withTestScope {
      $0.override(Gadget.self, scope: .shared) { [made = shop.made] in Widget("fake \(made.increment())") }
    } operation: { () throws in
      services.register(Gadget.self, named: "spare") { Widget("spare") }
      #expect(try services.held() == "fake 1")
      try services.withTestScope { () throws in
        #expect(try services.held() == "fake 2")
        #expect(try services.gadget() == "fake 2")
        #expect(services.contains(Gadget.self, named: "spare"))
      }
      try services.withTestScope {
        $0.override(Gadget.self) { Widget("inner") }
      } operation: { () throws in
        #expect(try services.held() == "inner")
        #expect(try services.createServices(for: Gadget.self).map(\.name) == ["inner", "spare"])
      }
      try services.withOverrides {
        $0.override(Gadget.self) { Widget("innermost") }
      } operation: { () throws in
        #expect(try services.gadget() == "innermost")
        #expect(try services.withTestScope { () throws in try services.held() } == "innermost")
      }
      #expect(try services.held() == "fake 1")
    }
  }

  @Test func `a task that outlives its scope stays in it, and releases the scope at its end`() async throws {
    let services = services
    let (ended, gate) = AsyncStream.makeStream(of: Void.self)
    let task = try services.withTestScope { () throws in
      #expect(try services.gadget() == "live 1")
      return Task {
        for await _ in ended { break }
        return try services.gadget()
      }
    }
    #expect(try services.gadget() == "live 2")
    #expect(shop.freed.value == 0)
    gate.yield()
    #expect(try await task.value == "live 1")
    #expect(try await Task.detached { try services.gadget() }.value == "live 2")
  }

  @Test @MainActor func `asynchronous lookups call factories without an actor on the caller's actor`() async throws {
    let services = ServiceManager()
    services.register(Screen.self) { @MainActor in MainScreen() }
    services.register(Gadget.self) { services in
      _ = try services.createService(for: Screen.self)
      return Widget("main")
    }
    let token = services.contribute(to: .menu) { Dish(try services.gadget()) }
    #expect(try await services.service(for: Gadget.self).name == "main")
    #expect(try await services.allContributions(to: .menu) == [Dish("main")])
    token.cancel()
  }

  @Test func `scopes apply across suspensions, in child tasks, and in service(for:)`() async throws {
    let services = services
    services.register(Screen.self, scope: .shared) { @MainActor in MainScreen() }
    let outside = try await services.service(for: Screen.self)
    try await services.withTestScope {
      $0.override(Gadget.self, scope: .shared) { @MainActor in Widget("fake of the main actor") }
    } operation: {
      await Task.yield()
      let inside = try await services.service(for: Screen.self)
      #expect(inside as AnyObject !== outside as AnyObject)
      async let again = services.service(for: Screen.self)
      #expect(try await again as AnyObject === inside as AnyObject)
      #expect(try await services.service(for: Gadget.self).name == "fake of the main actor")
    }
    #expect(try await services.service(for: Screen.self) as AnyObject === outside as AnyObject)
  }

  @Test func `service(for:) of a child switches to the actor of its parent's override`() async throws {
    let (services, child) = (services, ServiceManager(parent: services))
    services.register(Screen.self, scope: .shared) { @MainActor in MainScreen() }
    let outside = try await services.service(for: Screen.self)
    try await services.withOverrides {
      $0.override(Screen.self) { @MainActor in MainScreen() }
    } operation: { () async throws in
      #expect(try await child.service(for: Screen.self) as AnyObject !== outside as AnyObject)
    }
  }
}

extension LateImageTests {
  @Test func `an image that is opened in a scope is found in it`() throws {
    let services = ServiceManager(records: .images { $0.name == "libscoped.so" }, onDiagnostic: { _ in })
    #expect(!services.contains(LateClock.self))
    try services.withTestScope { () throws in
      let object = try SharedObject(
        """
        #include "registry_export.h"
        REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
        """, name: "scoped")
      try object.open()
      #expect(try services.createService(for: LateClock.self).now() == 12)
    }
  }
}
