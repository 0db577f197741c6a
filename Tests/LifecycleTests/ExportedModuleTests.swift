@testable import Lifecycle
import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

@Suite(.serialized) @MainActor struct ExportedModuleTests {
  let problems = DiagnosticCollector()

  /// Creates a manager without the modules of other targets, of other suites' images, and of the
  /// suites about identity.
  ///
  /// - Parameter object: An image of the test, whose modules the manager also finds.
  private func manager(_ object: SharedObject? = nil) -> ModuleManager {
    let path = object?.path
    return ModuleManager(
      records: .records { record in
        guard record.image.isOwn || record.image.path == path else { return false }
        guard let name = record.typeName else { return record.kind != .need }
        guard !record.image.isOwn || name.hasPrefix("LifecycleTests.") else { return false }
        return !["Shared", "Identity", "Own", "Mistake"].contains { name.contains(".\($0)") }
      }, onDiagnostic: problems.handler)
  }

  @Test func `modules are found in the binary, set up in order, and receive events`() throws {
    let modules = manager()
    try modules.start()
    #expect(
      modules.moduleNames == [
        "LifecycleTests.BasicModule", "LifecycleTests.OptionsModule", "LifecycleTests.LegacyModule",
        "LifecycleTests.Outer.NestedModule",
        "LifecycleTests.PlainModule",
      ])
    #expect(modules.trigger(.list) == ["basic", "legacy", "nested", "plain"])
    #expect(modules.trigger(.open, "plain:x"))
    #expect(!modules.trigger(.open, "other:x"))
    #expect(modules.image(of: "LifecycleTests.PlainModule") != nil)
  }

  @Test func `a lookup of a service neither reads modules nor orders them`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let modules = ModuleManager(services: services, records: .loadedImages, onDiagnostic: problems.handler)
    #expect(!services.contains((any Module).self))
    #expect(modules.registry.entries.isEmpty && !modules.registry.isOrdered)
    _ = modules.inspect()
    #expect(!modules.registry.entries.isEmpty)
  }

  @Test func `a misspelled name in after is reported with the nearest name`() throws {
    try manager().start()
    let problem = try #require(problems[.unknownAfter].first)
    #expect(problem.subject == "LifecycleTests.Outer.NestedModule")
    #expect(problem.message.contains("'LifecycleTests.BasicModul',"))
    #expect(problem.message.contains("did you mean 'LifecycleTests.BasicModule'?"))
    #expect(problem.image != nil)
  }

  @Test func `records that do not name a module are reported`() throws {
    try manager().start()
    #expect(problems[.unknownClass].map(\.subject).contains("LifecycleTests.NoSuchModule"))
    #expect(problems[.notConforming].map(\.subject).contains("LifecycleTests.NotAModule"))
  }

  @Test func `unreadable module records are reported with their image, and the others are used`() throws {
    let object = try SharedObject(
      #"""
      #include "registry_export.h"
      #define RECORD(id, json) \
        __attribute__((used, aligned(8), section(".note.registry"))) static const struct { \
          uint32_t a, b, c; char n[12]; uint64_t f; char t[64]; \
        } id = {9, 72, 0x6d6f6475, "Registry", 0, json};
      RECORD(first, "{\"module\":\"Odd.Level\",\"level\":\"high\"}")
      RECORD(second, "{\"level\":\"basic\"}")
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      """#, name: "odd_modules")
    let path = object.path
    let modules = ModuleManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let plugIn = try modules.openPlugIn(at: path)
    defer { plugIn.close() }
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.PluginModule"])
    #expect(problems[.malformedRecord].count == 2 && problems.diagnostics.allSatisfy { $0.image?.path == path })
    #expect(problems.diagnostics.first?.message.contains("unknown level 'high'") == true)
  }

  @Test func `a module of a later image is set up before its first event, and is removed with the image`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      REGISTRY_EXPORT_MODULE(LifecycleTests.PlainModule)
      """)
    let modules = manager(object)
    try modules.start()
    #expect(!modules.trigger(.list).contains("plugin"))
    try object.open()
    #expect(modules.trigger(.list).contains("plugin"))
    #expect(modules.image(of: "LifecycleTests.PluginModule")?.path == object.path)
    let duplicate = try #require(problems[.duplicate].first)
    #expect(duplicate.subject == "LifecycleTests.PlainModule" && duplicate.image?.path == object.path)
    object.close()
    #expect(!modules.trigger(.list).contains("plugin"))
  }

  @Test func `a report contains records of every kind and the problems of both managers`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let modules = ModuleManager(services: services, records: .loadedImages, onDiagnostic: problems.handler)
    let report = modules.report()
    #expect(report.records.contains { $0.kind == .module } && report.records.contains { $0.kind == .service })
    #expect(report.diagnostics.contains { $0.code == .unknownAfter })
    #expect(report.diagnostics.contains { $0.subject == "LifecycleTests.NoSuchModule" })
  }

  @Test func `a manager with selected records sets up only those modules`() throws {
    let modules = ModuleManager(
      records: .records { $0.typeName == "LifecycleTests.BasicModule" || $0.typeName == "LifecycleTests.PlainModule" },
      onDiagnostic: problems.handler)
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.BasicModule", "LifecycleTests.PlainModule"])
    #expect(modules.trigger(.list) == ["basic", "plain"])
    // The message names the module that does not exist.
    #expect(problems[.unknownAfter].map(\.subject) == ["LifecycleTests.PlainModule"])
  }

  @Test func `a report contains each record of both managers once`() throws {
    let services = ServiceManager(records: .records { $0.kind == .service }, onDiagnostic: problems.handler)
    let basic = RecordSource.records { $0.typeName == "LifecycleTests.BasicModule" }
    let modules = ModuleManager(services: services, records: basic, onDiagnostic: problems.handler)
    let all = modules.report().records
    // Other suites open images at the same time, so use only the records of this image.
    let image = try #require(modules.image(of: "LifecycleTests.BasicModule"))
    let own = { (records: [ExportedRecord]) in records.filter { $0.image == image } }
    let records = own(all)
    #expect(records.filter { $0.kind == .module }.map(\.typeName) == ["LifecycleTests.BasicModule"])
    #expect(records.filter { $0.kind == .service }.count == own(services.report().records).count)
    let both = ModuleManager(
      services: ServiceManager(records: .loadedImages, onDiagnostic: problems.handler), records: .loadedImages,
      onDiagnostic: problems.handler)
    let reported = own(both.report().records)
    #expect(!reported.isEmpty && reported.count == own(RecordSource.loadedImages.records()).count)
  }

  @Test func `handlers resolve services in the scope of the task that triggers`() throws {
    let services = ServiceManager()
    services.register(Word.self, scope: .shared) { LiveWord() }
    let modules = ModuleManager(modules: [AskingModule.self], services: services)
    try modules.start()
    #expect(modules.trigger(.list) == ["live"])
    services.withTestScope(.strict) {
      $0.override(Word.self) { FakeWord() }
    } operation: {
      #expect(modules.trigger(.list) == ["fake"])
    }
    #expect(modules.trigger(.list) == ["live"])
  }

  @Test(.timeLimit(.minutes(20))) func `deferred work runs in the scope of the task that started the manager`()
    async throws
  {
    let services = ServiceManager()
    services.register(Word.self, scope: .shared) { LiveWord() }
    let modules = ModuleManager(modules: [AskingModule.self], services: services)
    try services.withTestScope {
      $0.override(Word.self) { FakeWord() }
    } operation: { () throws in
      try modules.start()
    }
    await modules.waitUntilIdle()
    #expect(modules.trigger(.list) == ["fake at the end of the start", "live"])
  }

  @Test(.timeLimit(.minutes(20))) func `a handler that follows the app's answer runs in the scope of the trigger`()
    async throws
  {
    let services = ServiceManager()
    services.register(Word.self) { LiveWord() }
    let modules = ModuleManager(modules: [AskingModule.self], services: services)
    let event = AsyncEvent<Void, [String]>("afterTheApp", combining: .collect)
    modules.on(event, .afterApp) { context in [try context.services.createService(for: Word.self).text] }
    try modules.start()
    var words: [String]?
    services.withTestScope {
      $0.override(Word.self) { FakeWord() }
    } operation: {
      modules.trigger(event, (), app: { answer in onThreads(1) { _ in answer([]) } }, completion: { words = $0 })
    }
    try await until("the event is answered") { words != nil }
    #expect(words == ["fake"])
  }

  @Test(.timeLimit(.minutes(20))) func `modules shut down in the scope of the task that runs them, whoever stops them`()
    async throws
  {
    let services = ServiceManager()
    services.register(Word.self) { LiveWord() }
    let modules = ModuleManager(modules: [PartingModule.self], services: services)
    (PartingModule.count, PartingModule.words) = (0, [])
    for count in 1...2 {
      await services.withTestScope {
        $0.override(Word.self) { FakeWord() }
      } operation: {
        let run = Task { try await modules.run(limits: .unlimited) }
        try? await until("the module runs") { PartingModule.count == count }
        await Task.detached { if count == 1 { run.cancel() } else { modules.triggerGracefulShutdown() } }.value
        _ = await run.result
      }
    }
    #expect(PartingModule.words == ["fake", "fake"])
  }
}

private protocol Word: Sendable { var text: String { get } }
private struct LiveWord: Word { var text: String { "live" } }
private struct FakeWord: Word { var text: String { "fake" } }

/// A module that looks a service up in its handler and when the start has finished.
private final class AskingModule: Module {
  private var heard: [String] = []
  static func subscribe(_ events: Subscriptions<AskingModule>) {
    events.on(.list) { module, context in
      module.heard + [try context.services.createService(for: Word.self).text]
    }
  }
  func didFinishStarting(_ context: Context) throws {
    heard = ["\(try context.services.createService(for: Word.self).text) at the end of the start"]
  }
}

/// A module that looks a service up when it shuts down.
private final class PartingModule: AsyncModule {
  static var count = 0
  static var words: [String] = []
  func run(_ context: Context) async throws {
    Self.count += 1
    try await context.gracefulShutdown()
  }
  func shutDown(_ context: Context) async throws {
    Self.words.append(try context.services.createService(for: Word.self).text)
  }
}
