import Registry
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

private protocol Label: Sendable { var text: String { get } }
private struct Text: Label { let text: String }

extension Event where Payload == String, Outcome == Void {
  fileprivate static var write: Self { .init("owned.write") }
  fileprivate static var writeLater: Self { .init("owned.writeLater") }
}
extension AsyncEvent where Payload == String, Outcome == [String] {
  fileprivate static var answer: Self { .init("owned.answer", combining: .collect) }
}
extension ContextKey where Value == Int {
  fileprivate static var number: Self { .init("owned.number", default: 0) }
}

extension Context {
  fileprivate func write(_ text: String) { services.register((any Label).self, named: text) { Text(text: text) } }
}

/// A module that registers services in its phases and handlers.
private final class Writer: AsyncModule {
  static nonisolated(unsafe) var count = 0
  /// The phase that throws.
  static var failing: ModulePhase?
  /// The manager as the module sees it.
  private(set) var services: ServiceManager?

  init() { Self.count += 1 }

  private func perform(_ phase: ModulePhase, _ context: Context) throws {
    context.write("\(phase)")
    if Self.failing == phase { throw Broken() }
  }

  func setUp(_ context: Context) throws {
    services = context.services
    let number = Self.count
    context.services.register((any Label).self) { Text(text: "run \(number)") }
    context.permanentServices.register((any Label).self, named: "permanent") { Text(text: "permanent") }
    context.observe(.number) { _, _ in context.configuration[.trace].add("run \(number) observes") }
    try perform(.setUp, context)
  }
  func initialize(_ context: Context) throws { try perform(.initialize, context) }
  func didFinishStarting(_ context: Context) throws { try perform(.didFinishStarting, context) }
  func becomeReady(_ context: Context) async throws {
    await Task.yield()
    try perform(.becomeReady, context)
  }
  func run(_ context: Context) async throws {
    await withTaskGroup(of: Void.self) { group in group.addTask { await context.write("child") } }
    try perform(.run, context)
    try await untilCancelled()
  }
  func shutDown(_ context: Context) async throws { try perform(.shutDown, context) }
  func tearDown(_ context: Context) throws {
    // The services of the module exist until its tear-down ends.
    #expect(context.services.contains((any Label).self))
    try perform(.tearDown, context)
  }

  static func subscribe(_ events: Subscriptions<Writer>) {
    events.on(.write) { _, text, context in context.write(text) }
    events.inNextTurn(.writeLater) { _, text, context in context.write(text) }
    events.on(.answer) { _, text, context in
      await Task.yield()
      context.write(text)
      return [text]
    }
  }
}

/// A module that registers another one in its set-up, and then a service.
private final class Registrar: Module {
  static weak var manager: ModuleManager?
  func setUp(_ context: Context) {
    Self.manager?.trigger(.write, "by a handler")
    context.write("registrar")
  }
}

/// A module that removes itself in one of its phases or closures, and registers a service there.
private final class Ending: Module {
  static var ending = ""
  private func end(_ name: String, _ context: Context) {
    guard Self.ending == name else { return }
    context.modules?.unregister(Ending.self)
    context.write(name)
  }
  func setUp(_ context: Context) {
    context.on(.write) { [self] _, context in end("handler", context) }
    context.observe(.number) { [self, unowned context] _, _ in end("observer", context) }
    context.on(.answer) { [self] _, context in
      end("answer", context)
      return []
    }
    end("setUp", context)
  }
  func initialize(_ context: Context) { end("initialize", context) }
  func didFinishStarting(_ context: Context) { end("didFinishStarting", context) }
  func tearDown(_ context: Context) {
    context.write("kept")
    context.configuration[.number] += 1
    #expect(Self.ending == "setUp" || context.services.contains((any Label).self, named: "kept"))
    end("tearDown", context)
    #expect(Ending.ending != "tearDown" || context.services.contains((any Label).self, named: "kept"))
  }
}

private final class Guest: Module {
  func tearDown(_ context: Context) { context.configuration[.number] += 1 }
}

/// A module whose observer and one-time handler are called while modules are torn down.
private final class Host: Module {
  func setUp(_ context: Context) {
    context.write("host")
    context.observe(.number) { _, _ in }
    context.on(.write, once: true) { _, _ in }
  }
  func tearDown(_ context: Context) {
    context.modules?.unregister(Guest.self)
    let label = try? context.services.createService(for: (any Label).self, named: "host")
    context.configuration[.trace].add(label?.text ?? "none")
  }
}

private final class Zoo: Module {
  func tearDown(_ context: Context) { context.trigger(.write, "") }
}

/// A module with handlers that run once.
private final class OnceWriter: Module {
  func setUp(_ context: Context) {
    context.on(.write, once: true) { text, context in
      context.write(text)
      if text == "observe" { context.observe(.number) { [weak context] _, _ in context?.write("observed") } }
    }
    context.on(.answer, once: true) { text, context in
      context.write(text)
      return []
    }
  }
}

/// A module whose handler waits at a gate.
private final class Waiter: Module {
  static var gate = Gate()
  static var log: [String] = []
  static func subscribe(_ events: Subscriptions<Waiter>) {
    events.on(.answer) { _, text, context in
      log.append("begin")
      await gate.pass()
      context.write(text)
      context.on(.write) { _, _ in log.append("handler") }
      context.observe(.number) { _, _ in log.append("observer") }
      log.append("end")
      return []
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct OwnedServiceTests {
  let problems = DiagnosticCollector()
  let trace = Trace()
  let services: ServiceManager
  let modules: ModuleManager

  init() {
    services = ServiceManager(onDiagnostic: problems.handler)
    let trace = trace
    modules = ModuleManager(
      services: services, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
    Writer.failing = nil
    Writer.count = 0
  }

  /// The names of the services that exist.
  private var names: Set<String> {
    get throws { Set(try services.createServices(for: (any Label).self).map(\.text)) }
  }

  private func run() async throws -> Task<Void, any Error> {
    let running = Task { try await modules.run(limits: .unlimited) }
    try await until("the modules run") { modules.runner.phases != nil }
    await modules.waitUntilIdle()
    try await until("the work has begun") { services.contains((any Label).self, named: "run") }
    return running
  }

  @Test func `what a module registers in its phases and handlers leaves with it, and returns with it`() async throws {
    modules.register(Writer.self)
    for number in 1...3 {
      let running = try await run()
      modules.trigger(.write, "handler")
      modules.trigger(.writeLater, "later")
      #expect(await modules.trigger(.answer, "answer") == ["answer"])
      await modules.waitUntilIdle()
      #expect(try services.createService(for: (any Label).self).text == "run \(number)")
      #expect(
        try names == [
          "run \(number)", "permanent", "setUp", "initialize", "didFinishStarting", "becomeReady", "run", "child",
          "handler", "later", "answer",
        ])
      modules.context.configuration[.number] = number
      modules.triggerGracefulShutdown()
      try await running.value
      #expect(try names == ["permanent"])
      modules.context.configuration[.number] = -number
      services.unregister((any Label).self, named: "permanent")
    }
    #expect(trace.lines == (1...3).map { "run \($0) observes" })
    // No implementation ties with one from an earlier run.
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `the services of a removed module are removed after its shutdown`() async throws {
    modules.register(Writer.self)
    let running = try await run()
    #expect(modules.unregister(Writer.self))
    #expect(try names.contains("run 1"))
    await modules.waitUntilIdle()
    #expect(try names == ["permanent"])
    modules.triggerGracefulShutdown()
    try await running.value
  }

  @Test(arguments: [ModulePhase.setUp, .initialize, .becomeReady, .run])
  func `the services of a module that fails are removed`(phase: ModulePhase) async throws {
    Writer.failing = phase
    modules.register(Writer.self)
    await #expect(throws: ModuleError.self) { try await modules.run() }
    #expect(try names == ["permanent"])
    // A module that is added later is removed alone.
    Writer.failing = nil
    let running = try await run()
    #expect(modules.unregister(Writer.self))
    Writer.failing = phase == .run ? .initialize : phase
    modules.register(Writer.self)
    await modules.waitUntilIdle()
    try await until("the module is removed") { try names == ["permanent"] }
    modules.triggerGracefulShutdown()
    try await running.value
  }

  @Test func `a contribution of a module leaves with it`() throws {
    let point = ContributionPoint<[String]>("owned.names")
    modules.context.services.contribute(to: point, priority: 1) { "app" }
    modules.register(PlainWriter.self)
    try modules.start()
    PlainWriter.last?.services?.contribute(to: point) { "module" }
    #expect(try modules.context.services.contributions(to: point) == ["app", "module"])
    modules.stop()
    #expect(try modules.context.services.contributions(to: point) == ["app"])
  }

  @Test func `a service belongs to the innermost module whose code is running`() throws {
    Registrar.manager = modules
    modules.register(PlainWriter.self)
    try modules.start()
    modules.register(Registrar.self)
    #expect(try names == ["by a handler", "registrar"])
    modules.unregister(PlainWriter.self)
    #expect(try names == ["registrar"])
    modules.unregister(Registrar.self)
    #expect(try names.isEmpty)
  }

  @Test func `in the app's own handling of an event, a service belongs to no module`() throws {
    modules.register(PlainWriter.self)
    try modules.start()
    modules.trigger(.write, "module") { [context = modules.context] _ in
      #expect(modules.context.currentOwner == nil)
      context.write("app")
    }
    #expect(try names == ["module", "after", "app"])
    modules.stop()
    #expect(try names == ["app"])
  }

  @Test func `a service of other code stays, and one of a handler leaves with the handler`() throws {
    let context = modules.context
    context.write("app")
    let token = modules.on(.write) { text, context in context.write("handler \(text)") }
    modules.on(.write, once: true) { text, context in context.write("once \(text)") }
    try modules.start()
    modules.trigger(.write, "1")
    #expect(try names == ["app", "handler 1", "once 1"])
    token.cancel()
    #expect(try names == ["app", "once 1"])
    modules.stop()
    #expect(try names == ["app"])
  }

  @Test(arguments: [false, true])
  func `thousands of handlers that run once keep nothing`(registers: Bool) throws {
    try modules.start()
    for _ in 0..<2_000 {
      modules.on(.write, once: true) { _, context in
        if registers { context.services.register((any Label).self) { Text(text: "") }.cancel() }
      }
      modules.trigger(.write, "")
    }
    #expect(try #require(modules.runner.removedHandlers).count <= 16)
  }

  @Test(arguments: [false, true])
  func `what an observer of the configuration registers belongs to its module`(isModulesChange: Bool) throws {
    modules.register(PlainWriter.self)
    try modules.start()
    let change = { (context: Context) in context.configuration[.number] += 1 }
    modules.on(.writeLater) { _, context in
      if isModulesChange { change(context) }
    }
    modules.trigger(.write, "observe")
    modules.trigger(.writeLater, "")
    if !isModulesChange { change(modules.context) }
    #expect(try names == ["observe", "observed"])
    modules.unregister(PlainWriter.self)
    #expect(try names.isEmpty)
  }

  @Test func `what an observer that a one-time handler added registers belongs to the handler's module`() throws {
    modules.register(OnceWriter.self)
    try modules.start()
    modules.trigger(.write, "observe")
    // A new list of handlers releases the old one, and with it the handler.
    modules.on(.write) { _, _ in }
    modules.trigger(.write, "")
    modules.context.configuration[.number] += 1
    #expect(try names == ["observe", "observed"])
    modules.unregister(OnceWriter.self)
    #expect(try names.isEmpty)
  }

  @Test(arguments: ["unregister", "stop"])
  func `what a handler registers after its module was torn down is removed`(end: String) throws {
    PlainWriter.end = { [modules] in
      if end == "stop" { modules.stop() } else { modules.unregister(PlainWriter.self) }
    }
    defer { PlainWriter.end = {} }
    for _ in 0..<2 {
      modules.register(PlainWriter.self)
      try? modules.start()
      modules.trigger(.write, "end")
      #expect(try names.isEmpty)
      modules.context.configuration[.number] += 1
      #expect(try names.isEmpty)
    }
    modules.register(PlainWriter.self)
    try? modules.start()
    modules.trigger(.write, "next")
    #expect(try names == ["next"])
  }

  @Test func `what a module registers stays until its teardown ends, whatever is called before`() throws {
    for module in [Guest.self, Host.self, Zoo.self] as [any Module.Type] { modules.register(module) }
    try modules.start()
    modules.stop()
    #expect(trace.lines == ["host"])
    #expect(try names.isEmpty)
  }

  @Test(arguments: ["setUp", "initialize", "didFinishStarting", "tearDown", "observer", "handler", "answer"])
  func `what a module registers after it removes itself is removed`(ending: String) async throws {
    Ending.ending = ending
    modules.register(Ending.self)
    try modules.start()
    await modules.waitUntilIdle()
    modules.context.configuration[.number] += 1
    modules.trigger(.write, "")
    _ = await modules.trigger(.answer, "")
    #expect(modules.unregister(Ending.self) == (ending == "tearDown"))
    #expect(try names.isEmpty)
  }

  @Test(arguments: [false, true], [false, true])
  func `what a handler without a module registers after its end is removed`(isLater: Bool, stops: Bool) async throws {
    var token: RegistrationToken?
    let end = { [unowned modules] (context: Context) in
      if stops { modules.stop() } else { token?.cancel() }
      context.write("late")
    }
    if isLater {
      token = modules.on(.answer) { _, context in
        end(context)
        return []
      }
    } else {
      token = modules.on(.write) { _, context in end(context) }
    }
    try modules.start()
    if isLater { _ = await modules.trigger(.answer, "") } else { modules.trigger(.write, "") }
    #expect(try names.isEmpty)
  }

  @Test(arguments: [false, true])
  func `what a module's one-time handler registers leaves with the module`(stops: Bool) async throws {
    modules.register(OnceWriter.self)
    try modules.start()
    modules.trigger(.write, "handler")
    _ = await modules.trigger(.answer, "answer")
    #expect(try names == ["handler", "answer"])
    if stops { modules.stop() } else { modules.unregister(OnceWriter.self) }
    #expect(try names.isEmpty)
  }

  @Test func `what an exported one-time handler registers after its plug-in was closed is removed`() throws {
    let exported = __EventHandlers()
    exported.on(.write) { [unowned modules] text, context in
      // Closing the plug-in removes its entries.
      for entry in modules.registry.entries.all { modules.runner.remove(entry) }
      context.write(text)
    }
    let entry = modules.registry.handlerEntry(
      exported.handlers[0], named: "Feature/Handlers.swift:1:1", priority: 0, once: true,
      image: try #require(RecordSource.loadedImages.records().first).image)
    #expect(modules.registry.insert(entry))
    try modules.start()
    modules.trigger(.write, "late")
    #expect(try names.isEmpty && !modules.registry.entries.contains(entry))
  }

  @Test func `what a task of an earlier run registers is removed`() async throws {
    (Waiter.gate, Waiter.log) = (Gate(), [])
    modules.register(Waiter.self)
    try modules.start()
    modules.trigger(.answer, "old") { _ in }
    try await until("the handler waits") { Waiter.log == ["begin"] }
    modules.stop()
    try modules.start()
    Waiter.gate.open()
    try await until("the handler ends") { Waiter.log.last == "end" }
    modules.trigger(.write, "")
    modules.context.configuration[.number] += 1
    #expect(try names.isEmpty && Waiter.log == ["begin", "end"])
  }

  @Test func `a handle of a module that was torn down registers nothing`() throws {
    modules.register(PlainWriter.self)
    try modules.start()
    let handle = try #require(PlainWriter.last?.services)
    handle.register((any Label).self, named: "kept") { Text(text: "kept") }
    #expect(try names == ["kept"])
    modules.stop()
    #expect(!handle.register((any Label).self, named: "late") { Text(text: "late") }.cancel())
    #expect(try names.isEmpty)
    // The handle still resolves the services of its manager.
    services.register((any Label).self) { Text(text: "other") }
    #expect(try handle.createService(for: (any Label).self).text == "other")
  }

  @Test func `a context of another manager does not attribute services to the module`() async throws {
    let other = ModuleManager(services: ServiceManager())
    try other.start()
    Visitor.other = other.context
    defer { Visitor.other = nil }
    modules.register(Visitor.self)
    let running = Task { try await modules.run(limits: .unlimited) }
    try await until("the module has visited") { other.context.services.contains((any Label).self, named: "visit") }
    modules.triggerGracefulShutdown()
    try await running.value
    #expect(other.context.services.contains((any Label).self, named: "visit"))
  }

  @Test func `registering and removing services for the whole run of a module keeps nothing`() throws {
    modules.register(PlainWriter.self)
    try modules.start()
    for number in 0..<1_000 {
      modules.trigger(.write, "\(number)")
      services.unregister((any Label).self, named: "\(number)")
      services.unregister((any Label).self, named: "after")
    }
    let entry = try #require(modules.registry.entries.all.first)
    #expect(try #require(entry.registrations).count <= 16)
  }
}

/// A module without asynchronous phases whose handlers register services.
private final class PlainWriter: Module {
  static weak var last: PlainWriter?
  static var end: () -> Void = {}
  private(set) var services: ServiceManager?
  func setUp(_ context: Context) {
    services = context.services
    Self.last = self
  }
  static func subscribe(_ events: Subscriptions<PlainWriter>) {
    events.on(.write) { _, text, context in
      if text == "end" { end() }
      context.write(text)
      if text != "observe", text != "end" { return }
      context.observe(.number) { [weak context] _, _ in context?.write("observed") }
    }
    events.on(.write, .afterApp) { _, text, context in if text == "module" { context.write("after") } }
  }
}

/// A module whose work uses the context of another manager.
private final class Visitor: AsyncModule {
  static var other: Context?
  func run(_ context: Context) async throws {
    Self.other?.write("visit")
    try await untilCancelled()
  }
}
