import Registry
import RegistryReports
import TestSupport
import Testing

@Suite struct ParentTests {
  let shop = GadgetShop()
  let problems = DiagnosticCollector()
  var parent: ServiceManager { shop.services }

  @Test func `a child's own implementations come first, and then the parent's`() throws {
    let child = ServiceManager(parent: parent)
    #expect(try child.gadget() == "live 1")
    child.register(Gadget.self, scope: .shared) { Widget("own") }
    #expect(try child.gadget() == "own")
    #expect(try child.gadget() == "own")
    #expect(try child.createServices(for: Gadget.self).map(\.name) == ["own", "live 1"])
    #expect(try parent.gadget() == "live 1")
    #expect(try parent.createServices(for: Gadget.self).map(\.name) == ["live 1"])
    child.unregister(Gadget.self)
    #expect(try child.gadget() == "live 1")
  }

  @Test func `an error states why the child's own implementation cannot be used, and not the parent's`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent)
    for (services, name) in [(parent, "Nobody.Parent"), (child, "Nobody.Child")] {
      services.register(
        service: "RegistryTests.Gadget", class: name, scope: .transient, named: nil, priority: 0, location: "a.json")
    }
    let error = #expect(throws: ServiceError.self) { try child.createService(for: Gadget.self) }
    #expect(error?.diagnostics.map(\.subject) == ["Nobody.Child"])
  }

  @Test func `names are searched in the child and then in the parent`() throws {
    parent.register(Gadget.self, named: "spare") { Widget("spare") }
    let child = ServiceManager(parent: parent)
    child.register(Gadget.self, named: "own") { Widget("own") }
    #expect(try child.createService(for: Gadget.self, named: "spare").name == "spare")
    #expect(child.contains(Gadget.self, named: "spare") && child.contains(Gadget.self, named: "own"))
    #expect(!parent.contains(Gadget.self, named: "own") && !child.contains(Gadget.self, named: "none"))
    let error = #expect(throws: ServiceError.self) { try child.createService(for: Gadget.self, named: "none") }
    #expect(error?.service == "RegistryTests.Gadget" && error?.available == ["own", "spare"])
    #expect(error?.description.contains(" named 'none' was found; available names: ") == true)
  }

  @Test func `a shared instance of the parent belongs to the parent, and outlives the child`() throws {
    do {
      let child = ServiceManager(parent: parent)
      #expect(try child.held() == "live 1")
      child.register(Gadget.self, scope: .shared, replacing: true) { [freed = shop.freed] in
        Widget("own", onDeinit: { freed.increment() })
      }
      #expect(try child.gadget() == "own")
      // The factory of the parent looks services up in the parent.
      #expect(try child.held() == "live 1")
    }
    #expect(shop.freed.value == 1)
    #expect(try parent.gadget() == "live 1")
  }

  @Test func `a child keeps its parent alive, and a grandchild both`() throws {
    let freed = Counter()
    var grandchild: ServiceManager?
    do {
      let top = ServiceManager()
      top.register(Gadget.self, scope: .shared) { Widget("top", onDeinit: { freed.increment() }) }
      grandchild = ServiceManager(parent: ServiceManager(parent: top))
    }
    #expect(try grandchild?.gadget() == "top")
    #expect(freed.value == 0)
    grandchild = nil
    #expect(freed.value == 1)
  }

  @Test func `a child of a manager with records can have its own records`() throws {
    let parent = ServiceManager(
      records: .records { $0.typeName == "RegistryTests.PoliteGreeter" }, onDiagnostic: problems.handler)
    let child = ServiceManager(
      parent: parent, records: .records { $0.typeName?.hasSuffix("Greeter") == true && $0.name == "Greeter" })
    #expect(try parent.createServices(for: Greeter.self).map { $0.greet() } == ["good day"])
    #expect(try child.createServices(for: Greeter.self).count == 4)
    let names = child.report().records.compactMap(\.typeName).sorted()
    #expect(names == ["RegistryTests.GruffGreeter", "RegistryTests.PoliteGreeter", "RegistryTests.WarmGreeter"])
    #expect(parent.report().records.count == 1)
  }

  @Test func `a report contains the parent's problems, and the child uses the parent's handler`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(Greeter.self) { PoliteGreeter() }
    parent.register(Greeter.self) { GruffGreeter() }
    let child = ServiceManager(parent: parent)
    child.register(Gadget.self) { Widget("a") }
    child.register(Gadget.self) { Widget("b") }
    #expect(Set(child.report().diagnostics.map(\.subject)) == ["RegistryTests.Greeter", "RegistryTests.Gadget"])
    #expect(parent.report().diagnostics.map(\.subject) == ["RegistryTests.Greeter"])
    #expect(problems[.tie].count == 2)
  }

  @Test func `an error names a service that neither has, and why the parent's cannot be used`() throws {
    let parent = ServiceManager(
      records: .records {
        $0.name == "RegistryTests.AbsentClock" || $0.typeName == "RegistryTests.PoliteGreeter"
      },
      onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent)
    let unusable = #expect(throws: ServiceError.self) { try child.createService(for: AbsentClock.self) }
    #expect(unusable?.code == .unusableService && unusable?.diagnostics.map(\.code) == [.unknownClass])
    #expect(unusable?.description.contains(" named '") == false)
    protocol Greater {}
    let missing = #expect(throws: ServiceError.self) { try child.createService(for: Greater.self) }
    #expect(missing?.code == .noService && missing?.available == [])
    let image = try #require(RecordSource.ownBinary.records().first).image
    #expect(missing?.description.contains(" was found in '\(image.name)'; link the target") == true)
    #expect(missing?.description.contains("did you mean") == false)
  }

  // MARK: - Scopes

  @Test func `overrides of the parent apply in the child, and those of the child not in the parent`() throws {
    let child = ServiceManager(parent: parent)
    try parent.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try child.gadget() == "fake")
      #expect(try child.createServices(for: Gadget.self).map(\.name) == ["fake"])
    }
    try child.withOverrides {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: { () throws in
      #expect(try child.gadget() == "fake")
      #expect(try child.createServices(for: Gadget.self).map(\.name) == ["fake"])
      #expect(try parent.gadget() == "live 1")
    }
  }

  @Test func `a test scope of a child also isolates the services of its parents`() throws {
    let child = ServiceManager(parent: ServiceManager(parent: parent))
    #expect(try child.held() == "live 1")
    try child.withTestScope { () throws in
      #expect(try child.held() == "live 2")
      #expect(try parent.gadget() == "live 2")
    }
    #expect(try child.held() == "live 1")
    #expect(shop.freed.value == 1)
  }

  @Test func `a strict parent does not provide live services to a child`() throws {
    let withheld = Withheld()
    let child = ServiceManager(parent: parent)
    child.register(Gadget.self) { Widget("own") }
    try parent.withTestScope(.strict.onLiveService(withheld.handler)) { () throws in
      #expect(try child.gadget() == "own")
      #expect(try child.createServices(for: Gadget.self).map(\.name) == ["own"])
      let error = #expect(throws: ServiceError.self) { try child.held() }
      #expect(error?.code == .liveService && error?.service == "RegistryTests.Holder")
      #expect(error?.description.contains("'RegistryTests.Holder' is neither") == true)
      #expect(error?.description.contains("allow the factory at RegistryTests/") == true)
    }
    #expect(withheld.messages.count == 1)
    try child.withTestScope(.strict) {
      $0.allowLive(Holder.self)
      $0.allowLive(Gadget.self)
    } operation: { () throws in
      #expect(try child.held() == "live 1")
    }
    child.withTestScope(.strict) { #expect((try? child.gadget()) == nil) }
    child.unregister(Gadget.self)
    child.withTestScope(.strict) {
      let one = #expect(throws: ServiceError.self) { try child.gadget() }
      let all = #expect(throws: ServiceError.self) { try child.createServices(for: Gadget.self) }
      for error in [one, all] {
        #expect(error?.description.contains("allow the factory at RegistryTests/ScopeSupport.swift:") == true)
      }
    }
  }
}
