import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

@ExportModule private final class SharedLoader: Traced {
  static func subscribe(_ events: Subscriptions<SharedLoader>) { events.on(.list) { _, _ in ["this file"] } }
}

private final class SharedModule: Traced {}

private final class SharedWorker: AsyncModule {
  func becomeReady(_ context: Context) async throws {
    await Task.yield()
    context.configuration[.trace].add("this becomeReady")
  }
  func shutDown(_ context: Context) async throws { await context.configuration[.identityGate]?.pass() }
}

extension ContextKey where Value == Gate? {
  fileprivate static var identityGate: Self { .init("test.identityGate") }
}

private final class Follower: AsyncModule {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("Follower setUp") }
  func becomeReady(_ context: Context) async throws { context.configuration[.trace].add("Follower becomeReady") }
}

/// The identity of modules, which is their type rather than their name.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ModuleIdentityTests {
  let trace = Trace()
  let problems = DiagnosticCollector()

  private func manager(_ records: RecordSource = .none) -> ModuleManager {
    ModuleManager(
      records: records, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  private func exported(_ name: String) -> ModuleManager {
    manager(.records { $0.typeName?.hasSuffix(name) == true })
  }

  private let loader = "LifecycleTests.SharedLoader"
  private let module = "LifecycleTests.SharedModule"

  // MARK: - Names that the macro and the runtime spell differently

  @Test func `a module in an extension of another module's type is found by its type and by both of its names`() throws
  {
    let modules = exported(".IdentityInner")
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.String.IdentityInner"])
    #expect(!modules.adds { $0.register(String.IdentityInner.self) })
    #expect(problems[.duplicate].count == 1)
    #expect(modules.unregister(String.IdentityInner.self))
    #expect(!modules.unregister(String.IdentityInner.self))
    #expect(modules.moduleNames.isEmpty)
    #expect(modules.adds { $0.register(String.IdentityInner.self) })
    #expect(trace.lines.filter { $0.hasSuffix("setUp") }.count == 2)
  }

  @Test func `a module in an extension of a type that has its module's name has two names`() throws {
    let recorded = "LifecycleTests.Inner.IdentityQualified"
    let atRunTime = "LifecycleTests.LifecycleTests.Inner.IdentityQualified"
    let modules = exported(".IdentityQualified")
    modules.require(modules: recorded, atRunTime)
    modules.register(Follower.self, priority: 1, after: [atRunTime])
    modules.register(SharedModule.self, priority: 2, after: [recorded])
    #expect(modules.report().diagnostics.isEmpty)
    #expect(modules.unregister(Follower.self))
    try modules.start()
    #expect(modules.moduleNames == [recorded, module])
    #expect(modules.image(of: recorded) != nil && modules.image(of: recorded) == modules.image(of: atRunTime))
    #expect(!modules.adds { $0.register(LifecycleTests.Inner.IdentityQualified.self) })
    let image = try #require(modules.image(of: recorded))
    #if DEBUG
    let fix =
      "; remove its registration at 'LifecycleTests/ModuleIdentityTests.swift:\(#line - 4)', and pass its attributes to"
      + " '@ExportModule'"
    #else
    let fix = ""
    #endif
    #expect(
      problems[.duplicate].map(\.message) == [
        "its class is already the module '\(recorded)', which is exported by '\(image)'; this module is ignored\(fix)"
      ])
    #if DEBUG
    // A manifest adds its entries like this.
    #expect(!modules.add(ModuleAttributes(module: recorded), location: "shop.json: modules[0]"))
    #expect(problems[.duplicate].last?.message.contains("; remove its registration at 'shop.json: modules[0]'") == true)
    #endif
    #expect(modules.unregister(named: atRunTime))
    #expect(!modules.unregister(LifecycleTests.Inner.IdentityQualified.self))
  }

  @Test func `a type that is passed to the manager is found by both of its names`() {
    let type = LifecycleTests.Inner.IdentityQualified.self
    let modules = ModuleManager(modules: [type], onDiagnostic: problems.handler)
    modules.register(type)
    #expect(problems.codes == [.duplicate])
    modules.require(modules: "LifecycleTests.Inner.IdentityQualified", recordName(of: type))
    #expect(throws: Never.self) { try modules.start() }
    #expect(modules.unregister(type) && modules.moduleNames.isEmpty)
  }

  @Test func `a cycle through the runtime's name is detected`() throws {
    let modules = exported(".IdentityQualified")
    modules.runner.scan()
    let entry = try #require(modules.registry.entries.all.first)
    #expect(entry.alias == "LifecycleTests.LifecycleTests.Inner.IdentityQualified")
    let late = ModuleEntry(
      attributes: ModuleAttributes(module: "A", after: ["A"]), image: nil,
      source: .type(Follower.self, location: "A.swift:1"))
    #expect(ModuleOrder(ModuleTable([entry, late])).cycle?.map(\.name) == ["A", "A"])
    let named = ModuleEntry(
      attributes: ModuleAttributes(module: "B", after: [entry.alias ?? entry.name]), image: nil,
      source: .type(SharedModule.self, location: "A.swift:1"))
    #expect(ModuleOrder(ModuleTable([named, entry])).modules.map(\.name) == [entry.name, "B"])
  }

  // MARK: - Names that several modules share

  @Test func `a type in after that no module has is not reported as an unknown name if a module has its name`() {
    var attributes = ModuleAttributes(module: "A")
    attributes.follow([SharedLoader.self])
    let entry = ModuleEntry(attributes: attributes, image: nil, source: .type(Follower.self, location: "A.swift:1"))
    let other = ModuleEntry(
      attributes: ModuleAttributes(module: loader), image: nil, source: .type(OtherFile.loader, location: "A.swift:2"))
    #expect(entry.resolve() == nil && other.resolve() == nil)
    let found = ModuleOrder(ModuleTable([entry, other])).diagnostics
    #expect(found.map(\.code) == [.unknownAfter])
    #expect(
      found.first?.message == "'after' names the type '\(loader)', but the modules with this name have other types; to"
        + " wait for those, write the name as a string")
  }

  @Test func `private modules with one name in two files are both set up`() throws {
    let modules = exported(".SharedLoader")
    try modules.start()
    #expect(modules.moduleNames == [loader, loader])
    #expect(modules.trigger(.list).sorted() == ["other file", "this file"])
    #expect(modules.image(of: loader) != nil)
    #expect(problems.diagnostics.isEmpty)
    #expect(modules.unregister(OtherFile.loader))
    #expect(modules.trigger(.list) == ["this file"])
    #expect(!modules.unregister(OtherFile.loader))
    #expect(modules.adds { $0.register(OtherFile.loader) })
    #expect(modules.moduleNames == [loader, loader])
    #expect(modules.unregister(named: loader))
    #expect(modules.moduleNames.isEmpty && modules.registry.entries.isEmpty)
  }

  @Test func `registering one of them again is a duplicate, and so is registering their name`() throws {
    let modules = exported(".SharedLoader")
    try modules.start()
    #expect(!modules.adds { $0.register(SharedLoader.self) })
    #expect(!modules.adds { $0.register(OtherFile.loader) })
    #expect(!modules.register(named: loader))
    // Each problem is reported only once. In release builds, the messages here are equal.
    #if DEBUG
    #expect(problems.diagnostics.map(\.code) == [.duplicate, .duplicate, .duplicate])
    #else
    #expect(problems.diagnostics.map(\.code) == [.duplicate])
    #endif
    #expect(problems.diagnostics.allSatisfy { $0.message.contains("a module with this name is already") })
    #expect(modules.moduleNames == [loader, loader])
  }

  @Test func `a name in after refers to all modules with it, and messages mention that there are several`() throws {
    let modules = manager()
    modules.register(Follower.self, priority: 10, after: [module])
    for type in [SharedModule.self, OtherFile.nameless] {
      #expect(modules.adds { $0.register(type, after: ["Nobody"]) })
    }
    #expect(modules.registry.entries.all(named: module).count == 2)
    #expect(modules.runner.order().map(\.name) == [module, module, "LifecycleTests.Follower"])
    let messages = problems[.unknownAfter].map(\.message)
    // Equal messages are reported only once.
    #expect(messages.count == 1)
    #expect(
      messages.allSatisfy { $0.hasSuffix("; this is one of several private types with this name") })
  }

  @Test func `a type in after refers to the module of this type only`() throws {
    let modules = manager()
    modules.register(OtherFile.nameless, priority: -20)
    modules.register(Follower.self, after: [SharedModule.self])
    _ = modules.runner.order()
    #expect(problems[.unknownAfter].map(\.subject) == ["LifecycleTests.Follower"])
    modules.register(SharedModule.self, priority: -10)
    #expect(modules.runner.order().map(\.name) == [module, "LifecycleTests.Follower", module])
    #expect(modules.runner.order().first?.identity == SharedModule.self)
  }

  @Test func `String(reflecting:) distinguishes private types with one name`() throws {
    let modules = exported(".SharedLoader")
    try modules.start()
    #expect(modules.image(of: String(reflecting: SharedLoader.self)) != nil)
    #expect(modules.unregister(named: String(reflecting: SharedLoader.self)))
    // The other module is not the one that the name describes.
    #expect(!modules.unregister(named: String(reflecting: SharedLoader.self)))
    #expect(modules.image(of: String(reflecting: SharedLoader.self)) == nil)
    #expect(modules.trigger(.list) == ["other file"])
    #expect(modules.unregister(named: String(reflecting: OtherFile.loader)) && modules.moduleNames.isEmpty)
  }

  @Test func `modules with one name have the same order, however they are registered`() {
    let types = [SharedModule.self, OtherFile.nameless]
    let orders = [types, types.reversed()].map { types in
      let modules = manager()
      for type in types { modules.register(type) }
      return modules.runner.order().map { ObjectIdentifier($0.identity!) }
    }
    #expect(orders[0] == orders[1] && orders[0].count == 2)
  }

  @Test func `a cycle through a shared name is reported with the module in it`() throws {
    let modules = manager()
    modules.register(SharedModule.self, after: ["LifecycleTests.Follower"])
    modules.register(OtherFile.nameless)
    modules.register(Follower.self, after: [module])
    let error = try #require(throws: ModuleError.self) { try modules.start() }
    #expect(error.code == .cycle)
    #expect(error.modules == ["LifecycleTests.Follower", module, "LifecycleTests.Follower"])
    #expect(modules.unregister(SharedModule.self))
    try modules.registry.computeOrder().cycle.map { _ in throw Broken() }
    #expect(modules.runner.order().map(\.name) == [module, "LifecycleTests.Follower"])
  }

  @Test func `a module becomes ready after all modules with a name in after`() async throws {
    let modules = manager()
    modules.register(SharedWorker.self)
    modules.register(OtherFile.worker)
    modules.register(Follower.self, priority: 10, after: ["LifecycleTests.SharedWorker"])
    let running = Task { try await modules.run(limits: .unlimited) }
    try await until("Follower becomes ready") { trace.lines.contains("Follower becomeReady") }
    #expect(modules.unregister(OtherFile.worker))
    #expect(modules.adds { $0.register(OtherFile.worker) })
    await modules.waitUntilIdle()
    modules.stop()
    try await running.value
    #expect(trace.lines.prefix(1) == ["Follower setUp"])
    #expect(trace.lines.dropFirst().prefix(2).sorted() == ["other becomeReady", "this becomeReady"])
    #expect(trace.lines.filter { $0 == "other becomeReady" }.count == 2)
  }

  @Test func `a module does not wait for the shutdown of another module of its name`() async throws {
    let modules = manager()
    let gate = Gate()
    modules.context.configuration[.identityGate] = gate
    modules.register(SharedWorker.self)
    modules.register(OtherFile.worker)
    let running = Task { try await modules.run(limits: .unlimited) }
    try await until("both modules become ready") { trace.lines.count >= 2 }
    await modules.waitUntilIdle()
    #expect(modules.unregister(SharedWorker.self) && modules.unregister(OtherFile.worker))
    #expect(modules.adds { $0.register(OtherFile.worker) })
    try await until("the new module becomes ready") { trace.lines.count >= 3 }
    #expect(trace.lines.filter { $0 == "other becomeReady" }.count == 2)
    gate.open()
    modules.stop()
    try await running.value
  }

  @Test func `private types with one name are two modules in one image, and one in two images`() {
    func entry(_ type: any Module.Type, _ serial: UInt64?) -> ModuleEntry {
      let image = serial.map { LoadedImage(path: "/\($0)", serial: $0, batch: 0) }
      let entry = ModuleEntry(
        attributes: ModuleAttributes(module: module), image: image, source: .type(type, location: "A.swift:1"))
      #expect(entry.resolve() == nil)
      return entry
    }
    let here = entry(SharedModule.self, 1)
    #expect(!here.isSame(as: entry(OtherFile.nameless, 1)))
    #expect(!here.isSame(as: entry(OtherFile.nameless, nil)))
    #expect(here.isSame(as: entry(OtherFile.nameless, 2)))
    #expect(here.isSame(as: entry(SharedModule.self, 2)))
    #expect(!here.isSame(as: entry(OtherFile.loader, 2)) && !here.isSame(as: entry(String.IdentityInner.self, 2)))
  }

  @Test func `a name without a type refers to every type with it, in either order`() {
    let attributes = ModuleAttributes(module: "LifecycleTests.ListedModule")
    let named = ModuleEntry(attributes: attributes, image: nil, source: .named(nil))
    #expect(named.resolve() == nil)
    // The type of this entry is another one, as if two types had this name.
    let typed = ModuleEntry(attributes: attributes, image: nil, source: .type(SharedModule.self, location: "A.swift:1"))
    #expect(typed.resolve() == nil)
    #expect(named.isSame(as: typed) && typed.isSame(as: named))
  }

  @Test func `a module table distinguishes modules that share a name`() {
    func entry(_ name: String, _ type: any Module.Type) -> ModuleEntry {
      ModuleEntry(attributes: ModuleAttributes(module: name), image: nil, source: .type(type, location: "A.swift:1"))
    }
    let (here, other) = (entry(module, SharedModule.self), entry(module, OtherFile.nameless))
    var table = ModuleTable([here])
    #expect(table.contains(here) && !table.contains(other) && !table.contains(entry("A", Follower.self)))
    #expect(!table.insert(other) && table.contains(here) && table.contains(other))
    let third = entry(module, SharedModule.self)
    #expect(!table.contains(third) && !table.insert(third))
    #expect(table.remove(third) && !table.remove(third) && table.contains(here) && table.contains(other))
    #expect(table.remove(here) && table.all(named: module).map(ObjectIdentifier.init) == [ObjectIdentifier(other)])
  }

  @Test func `a runtime name refers to all modules with that name until they are removed`() throws {
    let source = RecordSource.records { $0.typeName?.hasSuffix(".IdentityQualified") == true }
    let accessor = try #require(source.records(of: .module).first?.accessor)
    func entry(_ name: String) -> ModuleEntry {
      let entry = ModuleEntry(attributes: ModuleAttributes(module: name), image: nil, source: .accessor(accessor))
      #expect(entry.resolve() == nil)
      return entry
    }
    let (one, two) = (entry("One.Inner.IdentityQualified"), entry("Two.Inner.IdentityQualified"))
    let name = try #require(one.alias)
    #expect(two.alias == name && one.alias == name && one.name != name)
    var table = ModuleTable([one, two])
    #expect(table.all(named: name).map(\.name) == [one.name, two.name] && table.any(named: one.name) === one)
    #expect(table.remove(one) && table.all(named: name).map(\.name) == [two.name] && table.any(named: one.name) == nil)
    #expect(table.remove(two) && table.any(named: name) == nil && table.all(named: name).isEmpty && table.isEmpty)
    let three = entry("Three.Inner.IdentityQualified")
    table = ModuleTable([one, two, three])
    #expect(table.remove(one) && table.remove(three) && table.all(named: name).map(\.name) == [two.name])
    #expect(table.remove(two) && table.all(named: name).isEmpty)
  }

  @Test func `a type equals itself and its copies, and no other type with its name`() {
    #expect(isSameType(SharedModule.self, SharedModule.self))
    #expect(!isSameType(SharedModule.self, OtherFile.nameless))
    #expect(isPrivateType(SharedModule.self) && !isPrivateType(String.IdentityInner.self))
    #expect(recordName(of: SharedModule.self) == module && recordName(of: OtherFile.nameless) == module)
    #expect(recordName(of: String.IdentityInner.self) == "LifecycleTests.String.IdentityInner")
  }
}
