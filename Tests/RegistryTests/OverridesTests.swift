import RegistryC
import TestSupport
import Testing

@testable import Registry

/// Several overrides in one scope.
@Suite(.timeLimit(.minutes(20))) struct OverridesTests {
  let shop = GadgetShop()
  var services: ServiceManager { shop.services }

  @Test func `several overrides apply at once, and end with their scope`() throws {
    #expect(try services.held() == "live 1")
    try services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
      $0.override(Gadget.self, named: "spare") { Widget("spare") }
      $0.override(Holder.self) { Keeper(Widget("held fake")) }
    } operation: { () throws in
      #expect(try services.gadget() == "fake")
      #expect(try services.createService(for: Gadget.self, named: "spare").name == "spare")
      #expect(try services.held() == "held fake")
      #expect(try services.createServices(for: Gadget.self).map(\.name) == ["fake", "spare"])
    }
    #expect(try services.gadget() == "live 1")
    #expect(try services.held() == "live 1")
    #expect(!services.contains(Gadget.self, named: "spare"))
  }

  @Test func `lookups are as fast as before when a scope ends`() throws {
    let counts = {
      self.services.core.state.withLock { state in
        (state.groups[GroupKey(Gadget.self)]?.overrides ?? 0, state.isolations)
      }
    }
    try services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      try services.withTestScope { () throws in
        #expect(try services.gadget() == "fake")
        #expect(counts() == (1, 1))
      }
    }
    // No override is in force, so lookups use the table again.
    #expect(counts() == (0, 0))
  }

  @Test func `other tasks look up an overridden service in the table`() throws {
    let live = try services.createService(for: Gadget.self)
    let child = ServiceManager(parent: services)
    try services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try services.gadget() == "fake")
      #expect(try child.gadget() == "fake")
      try #require(UInt(bitPattern: registry_find(services.cell, typeKey(Gadget.self))) & 7 == 4)
      // No lookup of the other thread acquires the manager's lock, except the child's own.
      services.core.state.withLock { _ in
        onThreads(1) { _ in
          for manager in [services, child] { #expect((try? manager.createService(for: Gadget.self)) === live) }
        }
      }
    }
    #expect(UInt(bitPattern: registry_find(services.cell, typeKey(Gadget.self))) & 7 == 0)
    #expect(try services.createService(for: Gadget.self) === live)
  }

  @Test func `other tasks create registered services while an override begins and ends`() throws {
    services.register(Ticket.self) { OtherTicket("live") }
    onThreads(8) { worker in
      for _ in 0..<300 {
        let ticket = { try? services.createService(for: Ticket.self) as? OtherTicket }
        guard worker < 3 else {
          #expect(ticket()?.label == "live")
          continue
        }
        services.withOverrides {
          $0.override(Ticket.self) { OtherTicket("fake") }
        } operation: {
          #expect(ticket()?.label == "fake")
        }
      }
    }
  }

  @Test func `an override calls a factory each time, a shared factory once, and returns an instance`() throws {
    let made = Counter()
    let instance = Keeper(Widget("own"))
    try services.withOverrides {
      $0.override(Gadget.self) { Widget("fake \(made.increment())") }
      $0.override(Gadget.self, scope: .shared, named: "shared") { Widget("fake \(made.increment())") }
      $0.override(Holder.self) { instance }
    } operation: { () throws in
      #expect(try services.gadget() == "fake 1")
      #expect(try services.gadget() == "fake 2")
      #expect(try services.createService(for: Gadget.self, named: "shared").name == "fake 3")
      #expect(try services.createService(for: Gadget.self, named: "shared").name == "fake 3")
      #expect(try services.createService(for: Holder.self) === instance)
    }
  }

  @Test func `the last override of a service applies, and an inner one before an outer one`() throws {
    try services.withOverrides {
      $0.override(Gadget.self) { Widget("first") }
      $0.override(Gadget.self) { Widget("last") }
    } operation: { () throws in
      #expect(try services.gadget() == "last")
      #expect(try services.createServices(for: Gadget.self).count == 1)
      try services.withOverrides {
        $0.override(Gadget.self) { Widget("inner") }
      } operation: { () throws in
        #expect(try services.gadget() == "inner")
      }
      #expect(try services.gadget() == "last")
    }
  }

  @Test func `overrides apply in child tasks and across suspensions, and not in detached tasks`() async throws {
    let services = services
    #expect(try services.gadget() == "live 1")
    try await services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () async throws in
      await Task.yield()
      #expect(try services.gadget() == "fake")
      async let child = services.gadget()
      #expect(try await child == "fake")
      #expect(try await Task { try services.gadget() }.value == "fake")
      #expect(try await Task.detached { try services.gadget() }.value == "live 1")
    }
  }

  @Test func `overrides end when collecting them throws, and when the operation throws`() throws {
    #expect(throws: Refused.self) {
      try services.withOverrides { _ in
        throw Refused()
      } operation: {
        Issue.record("it ran")
      }
    }
    #expect(throws: Refused.self) {
      try services.withOverrides {
        $0.override(Gadget.self) { Widget("fake") }
      } operation: {
        throw Refused()
      }
    }
    #expect(try services.gadget() == "live 1")
  }

  @Test func `another manager's overrides are not this one's`() throws {
    let other = GadgetShop()
    try other.services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try services.gadget() == "live 1")
      #expect(try other.services.gadget() == "fake")
    }
  }

  @Test func `an instance that is created under an override keeps it, except in a test scope`() throws {
    try services.withTestScope {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try services.held() == "fake")
    }
    #expect(try services.held() == "live 1")
    let other = GadgetShop()
    try other.services.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try other.services.held() == "fake")
    }
    #expect(try other.services.held() == "fake")
  }

  @Test(arguments: [false, true])
  func `removing or replacing services in a scope keeps its overrides`(isolating: Bool) throws {
    let check = { () throws in
      #expect(services.unregister(Gadget.self), "the live one")
      #expect(!services.unregister(Gadget.self) && !services.unregister(Gadget.self, named: "spare"))
      #expect(try services.gadget() == "fake" && services.contains(Gadget.self, named: "spare"))
      services.register(Gadget.self, replacing: true) { Widget("replacement") }
      #expect(try services.gadget() == "fake")
      #expect(try services.createServices(for: Gadget.self).map(\.name) == ["fake", "spare"])
    }
    let overrides = { (overrides: inout ServiceOverrides) in
      overrides.override(Gadget.self) { Widget("fake") }
      overrides.override(Gadget.self, named: "spare") { Widget("spare") }
    }
    if isolating {
      try services.withTestScope(.lenient, overrides: overrides, operation: check)
    } else {
      try services.withOverrides(overrides, operation: check)
    }
    #expect(try services.gadget() == (isolating ? "live 1" : "replacement"))
  }

  @Test func `a registration that an override precedes is no conflict`() {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.withTestScope {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: {
      for isReplacing in [false, true] {
        services.register(Gadget.self, priority: 10, replacing: isReplacing) { Widget("live") }
      }
      #expect((try? services.gadget()) == "fake")
    }
    #expect(problems.diagnostics.isEmpty)
  }
}
