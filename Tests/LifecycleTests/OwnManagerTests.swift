import Registry
import TestSupport
import Testing

@testable import Lifecycle

extension ContextKey where Value == String {
  fileprivate static var owner: Self { .init("own.owner", default: "") }
}

extension Event where Payload == String, Outcome == [String] {
  fileprivate static var askOwners: Self { .init("own.askOwners", combining: .collect) }
}

extension Event where Payload == String, Outcome == Void {
  fileprivate static var ownerDidChange: Self { .init("own.ownerDidChange") }
}

extension AsyncEvent where Payload == Void, Outcome == [String] {
  fileprivate static var fetchOwner: Self { .init("own.fetchOwner", combining: .collect) }
}

private protocol Ledger: Sendable { var owner: String { get } }
private struct OwnedLedger: Ledger { let owner: String }
private protocol Journal: AnyObject, Sendable { var owner: String { get } }
private final class OwnedJournal: Journal {
  let owner: String
  init(_ owner: String) { self.owner = owner }
}

/// A feature that uses only what it is handed.
@ExportModule(priority: 3)
final class OwnFeature: Module {
  private var heard: [String] = []

  static func subscribe(_ events: Subscriptions<OwnFeature>) {
    events.on(.askOwners) { module, word, context in
      ["\(word) \(context.configuration[.owner]) \(module.heard.joined(separator: "+"))"]
    }
    events.on(.fetchOwner) { _, context in
      await Task.yield()
      return [context.configuration[.owner]]
    }
  }

  func setUp(_ context: Context) throws {
    let owner = context.configuration[.owner]
    context.services.register((any Journal).self, scope: .shared) { OwnedJournal(owner) }
    context.on(.ownerDidChange) { [unowned self] name, _ in heard.append(name) }
    context.on(.fetchOwner) { context in [try context.services.createService(for: (any Journal).self).owner] }
  }

  func initialize(_ context: Context) throws {
    context.trigger(.ownerDidChange, try context.services.createService(for: (any Ledger).self).owner)
  }
}

#onEvent(.askOwners, priority: -1) { word, context in
  ["exported " + (try context.services.createService(for: (any Ledger).self).owner)]
}

private final class LateFeature: Module {
  func setUp(_ context: Context) throws {
    let line = context.configuration[.owner]
    context.on(.ping) { context in context.configuration[.trace].add("ping \(line)") }
  }
}

private final class EarlyTrigger: Module {
  func setUp(_ context: Context) throws { context.trigger(.ping) }
}

@MainActor @Suite struct OwnManagerTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func app(_ owner: String) -> ModuleManager {
    let records = RecordSource.records { record in
      record.image.isOwn && (record.typeName == "LifecycleTests.OwnFeature" || record.attributes.contains(".askOwners"))
    }
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register((any Ledger).self) { OwnedLedger(owner: owner) }
    return ModuleManager(
      services: services, records: records, configuration: ContextValues { $0[.owner] = owner },
      onDiagnostic: problems.handler)
  }

  @Test func `two apps of the same features run side by side and never reach each other`() async throws {
    let (first, second) = (app("A"), app("B"))
    try first.start()
    try second.start()
    #expect(first.trigger(.askOwners, "hello") == ["hello A A", "exported A"])
    #expect(second.trigger(.askOwners, "hello") == ["hello B B", "exported B"])
    #expect(await first.trigger(.fetchOwner, timeLimit: 3_600) == ["A", "A"])
    #expect(await second.context.trigger(.fetchOwner, timeLimit: 3_600) == ["B", "B"])

    // Events and handlers.
    let token = first.context.on(.askOwners, priority: -2) { _, _ in ["first only"] }
    first.trigger(.ownerDidChange, "news")
    #expect(first.context.trigger(.askOwners, "x") == ["x A A+news", "exported A", "first only"])
    #expect(second.trigger(.askOwners, "x") == ["x B B", "exported B"])
    token.cancel()

    // Configuration and services.
    var changes: [String] = []
    second.context.observe(.owner) { _, new in changes.append(new) }
    first.context.configuration[.owner] = "A2"
    #expect(changes.isEmpty && second.context.configuration[.owner] == "B")
    let journals = try [first, second].map { try $0.context.services.createService(for: (any Journal).self) }
    #expect(journals.map(\.owner) == ["A", "B"])
    #expect(throws: ServiceError.self) { try ServiceManager.shared.createService(for: (any Journal).self) }

    // The end of one.
    first.stop()
    #expect(first.moduleNames.isEmpty && second.moduleNames == ["LifecycleTests.OwnFeature"])
    #expect(second.trigger(.askOwners, "x") == ["x B B", "exported B"])
    #expect(throws: ServiceError.self) { try first.context.services.createService(for: (any Journal).self) }
    #expect(try second.context.services.createService(for: (any Journal).self) === journals[1])
    second.triggerGracefulShutdown()
    try first.start()
    while second.isStarted { await Task.yield() }
    #expect(first.trigger(.askOwners, "y") == ["y A2 A", "exported A"])
    #expect(problems.diagnostics.isEmpty)
    first.stop()
  }

  @Test func `Two apps run their asynchronous phases side by side`() async throws {
    let (first, second) = (app("A"), app("B"))
    let runs = (Task { try await first.run() }, Task { try await second.run() })
    while !(first.hasFinishedStarting && second.hasFinishedStarting) { await Task.yield() }
    #expect(!first.context.isShuttingDownGracefully)
    first.context.triggerGracefulShutdown()
    try await runs.0.value
    #expect(!first.isStarted && second.isStarted && !second.context.isShuttingDownGracefully)
    #expect(second.trigger(.askOwners, "x") == ["x B B", "exported B"])
    second.stop()
    try await runs.1.value
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `A manager without services has those of its records`() throws {
    let modules = ModuleManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(modules.context.services.readsImages)
    #expect(!ModuleManager().context.services.readsImages)
    // Problems of its services go to the handler of the manager, even to a later one.
    let others = DiagnosticCollector()
    modules.onDiagnostic = others.handler
    modules.context.services.register((any Ledger).self, scope: .shared) { OwnedLedger(owner: "") }
    modules.context.services.register((any Ledger).self, scope: .shared) { OwnedLedger(owner: "") }
    _ = try modules.context.services.createService(for: (any Ledger).self)
    #expect(others.codes.contains(.tie) && problems.diagnostics.isEmpty)
  }

  @Test func `A handler of the context ends with its module, and one of the app stays`() throws {
    let modules = ModuleManager(
      modules: [LateFeature.self],
      configuration: ContextValues {
        $0[.trace] = trace; $0[.owner] = "M"
      },
      onDiagnostic: problems.handler)
    modules.context.on(.ping) { [trace] _ in trace.add("ping app") }
    for _ in 1...3 {
      try modules.start()
      modules.trigger(.ping)
      modules.stop()
    }
    #expect(trace.lines.filter { $0 == "ping M" }.count == 3)
    #expect(trace.lines.filter { $0 == "ping app" }.count == 3)
    try modules.start()
    modules.unregister(LateFeature.self)
    modules.context.trigger(.ping)
    #expect(trace.lines.filter { $0 == "ping M" }.count == 3)
    #expect(trace.lines.filter { $0 == "ping app" }.count == 4)
    #expect(problems.diagnostics.isEmpty)
    modules.stop()
  }

  @Test func `A handler that a module adds in its set-up receives the events of later modules`() throws {
    let modules = ModuleManager(
      configuration: ContextValues {
        $0[.trace] = trace; $0[.owner] = "M"
      }, onDiagnostic: problems.handler)
    modules.register(LateFeature.self)
    modules.register(EarlyTrigger.self, after: [LateFeature.self])
    try modules.start()
    #expect(trace.lines == ["ping M"])
    modules.stop()
  }

  @Test func `A context whose manager was released reports events`() async throws {
    var modules: ModuleManager? = ModuleManager(onDiagnostic: problems.handler)
    let context = try #require(modules?.context)
    #expect(context.modules === modules)
    modules = nil
    #expect(context.modules == nil)
    #expect(context.trigger(.askOwners, "x").isEmpty)
    #expect(await context.trigger(.fetchOwner).isEmpty)
    #expect(!context.on(.ping) { _ in }.cancel())
    #expect(problems.codes == [.notStarted, .notStarted, .notStarted])
    // The message fits events and handlers.
    for problem in problems.diagnostics {
      #expect(
        problem.message.hasPrefix("its handlers are not called, because code used the event through the context of a"))
    }
  }
}
