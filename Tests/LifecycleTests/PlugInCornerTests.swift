import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

private let twoModules = """
  #include "registry_export.h"
  REGISTRY_EXPORT_MODULE(LifecycleTests.LateA, after(LifecycleTests.LateB))
  REGISTRY_EXPORT_MODULE(LifecycleTests.LateB, priority(-100))
  """

/// A module that calls closures of the test in its set-up and its tear-down.
final class Doer: Module {
  static var inSetUp: (@MainActor (Context) throws -> Void)?
  static var inTearDown: (@MainActor (Context) throws -> Void)?
  func setUp(_ context: Context) throws { try Self.inSetUp?(context) }
  func tearDown(_ context: Context) throws { try Self.inTearDown?(context) }
}

protocol LateTag {}
final class PaperTag: LateTag, NamedExport {
  init() {}
}
final class OtherTag: LateTag, NamedExport {
  init() {}
}

extension ExportedModuleTests {
  private func manager(
    _ object: SharedObject, _ more: SharedObject? = nil, modules: [any Module.Type] = [], trace: Trace
  ) -> ModuleManager {
    let paths = [object.path, more?.path]
    return ModuleManager(
      modules: modules,
      records: .images { paths.contains($0.path) }, configuration: ContextValues { $0[.trace] = trace },
      onDiagnostic: problems.handler)
  }

  #if DEBUG
  @Test func `a plug-in that exports nothing is told`() throws {
    let objects = try ["", twoModules].map { try SharedObject($0, name: "nothing\($0.isEmpty)") }
    let modules = manager(objects[1], trace: Trace())
    try modules.start()
    let plugIns = try (objects + objects).map { try modules.openPlugIn(at: $0.path) }
    #expect(problems.codes == [.noRecords] && problems.diagnostics[0].subject == objects[0].path)
    for plugIn in plugIns { plugIn.close() }
    modules.stop()
  }
  #endif

  @Test func `a plug-in that a module opens in its set-up is set up by the end of the start`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "in_set_up"), Trace())
    let modules = manager(object, modules: [Doer.self], trace: trace)
    var plugIn: PlugIn?
    Doer.inSetUp = { _ in plugIn = try modules.openPlugIn(at: object.path) }
    defer { Doer.inSetUp = nil }
    try modules.start()
    #expect(plugIn?.moduleNames.count == 2)
    #expect(trace.lines == ["+LateB", "+LateA"])
    plugIn?.close()
  }

  @Test func `a plug-in is set up in order, although a diagnostic handler triggers events meanwhile`() throws {
    let source = """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateA, after(LifecycleTests.LateB))
      REGISTRY_EXPORT_MODULE(LifecycleTests.Doer)
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateB)
      """
    let (object, trace) = (try SharedObject(source, name: "triggering"), Trace())
    let modules = manager(object, modules: [Doer.self], trace: trace)
    modules.onDiagnostic = { [weak modules] _ in MainActor.assumeIsolated { modules?.trigger(.ping) } }
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(trace.lines == ["+LateB", "+LateA"])
    plugIn.close()
  }

  @Test func `an event sets up what a report found while a diagnostic handler triggered the event`() throws {
    let source = """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateB)
      REGISTRY_EXPORT_MODULE(LifecycleTests.Doer)
      """
    let (object, trace) = (try SharedObject(source, name: "reported"), Trace())
    let modules = manager(object, modules: [Doer.self], trace: trace)
    modules.onDiagnostic = { [weak modules] _ in MainActor.assumeIsolated { modules?.trigger(.ping) } }
    try modules.start()
    modules.trigger(.ping)
    try object.open()
    defer { object.close() }
    _ = modules.report()
    modules.trigger(.ping)
    #expect(trace.lines == ["+LateB"])
  }

  @Test func `a plug-in that is closed during the start is not set up`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "closed_in_set_up"), Trace())
    let modules = manager(object, modules: [Doer.self], trace: trace)
    let plugIn = try modules.openPlugIn(at: object.path)
    Doer.inSetUp = { _ in plugIn.close() }
    defer { Doer.inSetUp = nil }
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.Doer"] && trace.lines.isEmpty)
  }

  @Test func `a plug-in that a tear-down closes before its modules are added is not set up`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.Doer)"
    let (suite, extra) = (try SharedObject(source, name: "suite"), try SharedObject(twoModules, name: "extra"))
    let trace = Trace()
    let modules = manager(suite, extra, trace: trace)
    let plugIn = try modules.openPlugIn(at: suite.path)
    var other: PlugIn?
    Doer.inSetUp = { _ in other = try modules.openPlugIn(at: extra.path) }
    Doer.inTearDown = { _ in other?.close() }
    defer { (Doer.inSetUp, Doer.inTearDown) = (nil, nil) }
    // The plug-in keeps its manager, which keeps the handler.
    modules.on(.modulesDidSetUp) { [weak plugIn] _ in plugIn?.close() }
    try modules.start()
    #expect(other != nil && modules.moduleNames.isEmpty && trace.lines.isEmpty)
    plugIn.close()
    modules.stop()
  }

  @Test func `tear-downs can use the services of their plug-in, and handlers of the removal cannot`() throws {
    let source = """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.Doer)
      REGISTRY_EXPORT_SERVICE(LifecycleTests.LateTag, LifecycleTests.PaperTag)
      """
    let object = try SharedObject(source, name: "serving")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let modules = ModuleManager(
      services: services, records: .images { $0.path == path }, onDiagnostic: problems.handler)
    try modules.start()
    func isServed() -> Bool { (try? services.createService(for: LateTag.self)) != nil }
    var served: [Bool] = []
    Doer.inTearDown = { _ in served.append(isServed()) }
    defer { Doer.inTearDown = nil }
    modules.on(.moduleDidUnregister) { _, _ in served.append(isServed()) }
    try modules.openPlugIn(at: path).close()
    #expect(served == [true, false])

    // The services are removed outside all test scopes, too, with those that a module registered.
    Doer.inSetUp = { $0.services.register(LateTag.self) { PaperTag() } }
    defer { Doer.inSetUp = nil }
    let plugIn = try modules.openPlugIn(at: path)
    services.withTestScope {
      services.withTestScope { plugIn.close() }
      #expect(!isServed())
    }
    #expect(!isServed())
    modules.stop()
  }

  @Test func `a plug-in's services come and go at once if only the services read records`() throws {
    let objects = try ["PaperTag)", "OtherTag, replaces(LifecycleTests.PaperTag))"].map {
      try SharedObject(
        "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(LifecycleTests.LateTag, LifecycleTests.\($0)",
        name: "tag_\($0.prefix(5))")
    }
    defer { withExtendedLifetime(objects) {} }
    let paths = objects.map(\.path)
    let services = ServiceManager(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
    let modules = ModuleManager(services: services, onDiagnostic: problems.handler)
    try modules.start()
    let one = try modules.openPlugIn(at: paths[0])
    #expect(try services.createService(for: LateTag.self) is PaperTag)
    let two = try modules.openPlugIn(at: paths[1])
    #expect(try services.createService(for: LateTag.self) is OtherTag)
    two.close()
    #expect(try services.createService(for: LateTag.self) is PaperTag)
    one.close()
    #expect(throws: ServiceError.self) { try services.createService(for: LateTag.self) }
    modules.stop()
  }

  @Test func `closing a plug-in before the start removes its modules that depend on each other`()
    throws
  {
    let source = """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateA, after(LifecycleTests.LateB))
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateB, after(LifecycleTests.LateA))
      """
    let (object, trace) = (try SharedObject(source, name: "circle"), Trace())
    let modules = manager(object, trace: trace)
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(throws: ModuleError.self) { try modules.start() }
    #expect(modules.report().records.count == 2)
    plugIn.close()
    try modules.start()
    #expect(modules.moduleNames.isEmpty && trace.lines.isEmpty)
    modules.stop()
  }

  @Test func `a plug-in that a module reopens in its tear-down is set up again`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.Doer)"
    let (object, trace) = (try SharedObject(source, name: "reopen", swift: "public enum Anything {}"), Trace())
    let modules = manager(object, trace: trace)
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    var again: PlugIn?
    Doer.inTearDown = { _ in
      guard again == nil else { return }
      again = try modules.openPlugIn(at: object.path)
    }
    plugIn.close()
    Doer.inTearDown = nil
    modules.scanImages()
    #expect(modules.moduleNames == ["LifecycleTests.Doer"])
    again?.close()
    #expect(modules.moduleNames.isEmpty)
  }

  @Test func `a module that fails after its plug-in is reopened does not remove the new instance`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.Doer)"
    let (object, trace) = (try SharedObject(source, name: "anew", swift: "public enum Anything {}"), Trace())
    let modules = manager(object, trace: trace)
    try modules.start()
    let services = modules.context.services
    let opened = try services.openImage(at: object.path)
    var count = 0
    Doer.inSetUp = { _ in
      count += 1
      guard count == 1 else { return }
      opened.close()
      modules.scanImages()
      try services.openImage(at: object.path)
      modules.scanImages()
      throw Broken()
    }
    modules.scanImages()
    Doer.inSetUp = nil
    modules.scanImages()
    #expect(modules.moduleNames == ["LifecycleTests.Doer"])
    modules.stop()
    try services.openImage(at: object.path).close()
  }

  @Test func `a module that registers itself in its tear-down is registered`() throws {
    let modules = ModuleManager(modules: [Doer.self], onDiagnostic: problems.handler)
    try modules.start()
    Doer.inTearDown = { _ in
      Doer.inTearDown = nil
      modules.unregister(Doer.self)
      #expect(modules.adds { $0.register(Doer.self) })
    }
    modules.unregister(Doer.self)
    #expect(modules.moduleNames == ["LifecycleTests.Doer"])
  }

  @Test func `an expected module whose class is missing is reported as missing`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.Nobody)"
    let object = try SharedObject(source, name: "classless")
    let modules = manager(object, trace: Trace())
    try modules.openPlugIn(at: object.path)
    modules.require(modules: "LifecycleTests.Nobody")
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.map(\.image?.path) == [object.path])
    #expect(missing.first?.message.contains("'report()' of 'RegistryReports' contains the reason") == true)
  }
}
