@testable import Lifecycle
import Registry
import TestSupport
import Testing

final class ListedModule: Traced {}
final class ListedBasicModule: Traced {}
final class ListedBrokenModule: Module { func setUp(_ context: Context) throws { throw Broken() } }
final class ListedNoModule {}

final class ListedGenericModule<Value>: Module {}
private final class ListedPrivateModule: Module {}
enum Listing { final class Nested: Module {} }

@MainActor struct NamedModuleTests {
  let trace = Trace()
  let problems = DiagnosticCollector()

  private func manager() -> ModuleManager {
    ModuleManager(configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  @Test func `a module is registered by its class name before the start, with its position in the order`() throws {
    let manager = manager()
    #expect(manager.register(named: "LifecycleTests.ListedModule", priority: 5))
    #expect(manager.register(named: "LifecycleTests.ListedBasicModule", level: .basic))
    try manager.start()
    #expect(manager.moduleNames == ["LifecycleTests.ListedBasicModule", "LifecycleTests.ListedModule"])
    #expect(manager.unregister(ListedModule.self))
    manager.stop()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a module that is registered by name after the start is set up immediately`() throws {
    let manager = manager()
    try manager.start()
    #expect(manager.register(named: "LifecycleTests.ListedModule"))
    #expect(trace.lines == ["ListedModule setUp", "ListedModule initialize"])
    #expect(!manager.register(named: "LifecycleTests.ListedBrokenModule"))
    #expect(problems.diagnostics.map(\.code) == [.setUpFailed])
    manager.stop()
  }

  @Test func `by default, a module is normal with priority zero, and receives no missed phases`() {
    let manager = manager()
    #expect(manager.register(named: "LifecycleTests.ListedModule"))
    #expect(manager.adds { $0.register(ListedBasicModule.self) })
    #expect(manager.registry.entries.all.count == 2)
    for attributes in manager.registry.entries.all.map(\.attributes) {
      #expect(attributes.level == .normal && attributes.priority == 0 && attributes.after.isEmpty)
      #expect(
        attributes.activation == .atLaunch && attributes.initialization == .inStart && !attributes.replaysMissedPhases)
    }
  }

  @Test(arguments: [
    ("LifecycleTests.NoSuchClass", Diagnostic.Code.unknownClass), ("LifecycleTests.ListedNoModule", .notConforming),
    ("", .unknownClass), ("ListedModule", .unknownClass), ("$s4main", .unknownClass), ("a.b.c.d.e.f", .unknownClass),
  ]) func `a name without a module class is reported and not registered`(name: String, code: Diagnostic.Code) throws {
    let manager = manager()
    #expect(!manager.register(named: name))
    #expect(problems.diagnostics.map(\.code) == [code])
    #expect(problems.diagnostics.first?.subject == name)
  }

  @Test func `registering an existing module by name is reported`() {
    let manager = manager()
    #expect(manager.adds { $0.register(ListedModule.self) })
    #expect(!manager.register(named: "LifecycleTests.ListedModule"))
    #expect(problems.diagnostics.map(\.code) == [.duplicate])
  }

  @Test func `classes that conform to a module are found by name without the runtime, as it finds them`() throws {
    let classes = NamedModuleClasses()
    for name in ["FirstNeighbour", "ListedBrokenModule", "ListedModule"] {
      #expect(classes.type(named: "LifecycleTests.\(name)") != nil, "\(name)")
    }
    for name in ["ListedGenericModule", "ListedPrivateModule", "Listing.Nested", "Nested", "ListedNoModule"] {
      #expect(classes.type(named: "LifecycleTests.\(name)") == nil, "\(name)")
    }
    // The runtime's search doesn't know which period belongs to a raw identifier.
    for name in classes.names.names.map(\.text) where !name.contains("v1.2") {
      let found = try #require(classes.type(named: name))
      #expect(ClassLookup.type(named: name).map { $0 == found } == true, "\(name)")
      // Calls through the witness table.
      #expect(found.__hasAsyncPhases == (ClassLookup.type(named: name) is any AsyncModule.Type), "\(name)")
    }
  }

  @Test func `an image can name any number of modules of every kind`() throws {
    var records = RecordBytes()
    let known = ["FirstNeighbour", "SecondNeighbour", "ListedBasicModule", "ListedModule", "Listing.Nested"]
    let unknown = ["ListedNoModule", "ListedPrivateModule", "ListedGenericModule", "NoSuchModule"]
    for name in known + unknown + ["FirstNeighbour"] {
      records.record(#"{"module":"LifecycleTests.\#(name)"}"#, kind: 0x6d6f_6475)
    }
    let object = try SharedObject(records: records, name: "named")
    try object.open()
    let path = object.path
    let modules = ModuleManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    try modules.start()
    #expect(modules.moduleNames == known.map { "LifecycleTests.\($0)" }.sorted())
    #expect(
      problems.diagnostics.map(\.code)
        == [.notConforming] + unknown.dropFirst().map { _ in .unknownClass } + [.duplicate])
    modules.stop()
  }
}
