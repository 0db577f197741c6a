import Lifecycle
import Registry
import TestSupport
import Testing

@Suite(.serialized) @MainActor struct ExportedModuleTests {
  let problems = DiagnosticCollector()

  private func manager() -> ModuleManager {
    ModuleManager(records: .loadedImages, onDiagnostic: problems.handler)
  }

  @Test func `modules are found in the binary, set up in order and told`() throws {
    let modules = manager()
    try modules.start()
    #expect(
      modules.modules == [
        "LifecycleTests.BasicModule", "LifecycleTests.OptionsModule", "LifecycleTests.LegacyModule",
        "LifecycleTests.Outer.NestedModule",
        "LifecycleTests.PlainModule",
      ])
    #expect(modules.trigger(.list) == ["basic", "legacy", "nested", "plain"])
    #expect(modules.trigger(.open, "plain:x"))
    #expect(!modules.trigger(.open, "other:x"))
    #expect(modules.image(of: "LifecycleTests.PlainModule") != nil)
  }

  @Test func `a misspelt after is reported with the nearest name`() throws {
    try manager().start()
    let problem = try #require(problems[.unknownAfter].first)
    #expect(problem.subject == "LifecycleTests.Outer.NestedModule")
    #expect(problem.message.contains("LifecycleTests.BasicModul,"))
    #expect(problem.message.contains("is LifecycleTests.BasicModule meant?"))
    #expect(problem.image != nil)
  }

  @Test func `records that name no module are reported`() throws {
    try manager().start()
    #expect(problems[.unknownClass].map(\.subject).contains("LifecycleTests.NoSuchModule"))
    #expect(problems[.notConforming].map(\.subject).contains("LifecycleTests.NotAModule"))
  }

  @Test func `a module of an image opened later is set up before the event reaches it, and goes with it`() throws {
    let modules = manager()
    try modules.start()
    #expect(!modules.trigger(.list).contains("plugin"))
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      REGISTRY_EXPORT_MODULE(LifecycleTests.PlainModule)
      """)
    try object.open()
    #expect(modules.trigger(.list).contains("plugin"))
    #expect(modules.image(of: "LifecycleTests.PluginModule")?.path == object.path)
    let duplicate = try #require(problems[.duplicate].first)
    #expect(duplicate.subject == "LifecycleTests.PlainModule" && duplicate.image?.path == object.path)
    object.close()
    #expect(!modules.trigger(.list).contains("plugin"))
  }

  @Test func `a report holds records of every kind and the problems of both managers`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let modules = ModuleManager(services: services, records: .loadedImages, onDiagnostic: problems.handler)
    let report = modules.report()
    #expect(report.records.contains { $0.kind == .module } && report.records.contains { $0.kind == .service })
    #expect(report.diagnostics.contains { $0.code == .unknownAfter })
    #expect(report.diagnostics.contains { $0.subject == "LifecycleTests.NoSuchModule" })
  }
}
