import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

private typealias A = Worker<Tag.A>

/// A module that may fail. Its scripts have the name "Optional".
private final class OptionalWorker: AsyncModule {
  static var failureTerminationBehavior: RunTermination { .continues }
  static func subscribe(_ events: Subscriptions<OptionalWorker>) {
    events.on(.whoIsThere) { _, _ in ["optional"] }
  }
  func becomeReady(_ context: Context) async throws { try await perform("becomeReady", context) }
  func run(_ context: Context) async throws { try await perform("run", context) }
  func shutDown(_ context: Context) async throws { try await perform("shutDown", context) }
  private func perform(_ phase: String, _ context: Context) async throws {
    try await context.configuration[.runWorld]?.perform("Optional", phase)
  }
}

/// A module that performs the only task of its process.
private final class OnlyTask: AsyncModule {
  static var successTerminationBehavior: RunTermination { .stopsManager }
  func run(_ context: Context) async throws { try await context.configuration[.runWorld]?.perform("Task", "run") }
  func shutDown(_ context: Context) async throws {
    try await context.configuration[.runWorld]?.perform("Task", "shutDown")
  }
}

/// A module that a test registers several times.
private final class Consumer: AsyncModule {
  private let queue: String
  init() { queue = "default" }
  init(_ queue: String) { self.queue = queue }
  static func subscribe(_ events: Subscriptions<Consumer>) {
    events.on(.whoIsThere) { module, _ in [module.queue] }
  }
  func becomeReady(_ context: Context) async throws {
    try await context.configuration[.runWorld]?.perform(queue, "becomeReady")
  }
  func shutDown(_ context: Context) async throws {
    try await context.configuration[.runWorld]?.perform(queue, "shutDown")
  }
  func tearDown(_ context: Context) { context.configuration[.runWorld]?.note("\(queue) tearDown") }
}

/// Modules that fail or finish, and several modules of one class.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct RunTerminationTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  // testRun_whenServiceThrows_andIgnore
  @Test func `an optional module fails, and the others continue`() async throws {
    bench.add(A.self)
    bench.add(OptionalWorker.self)
    world.scripts["Optional run"] = { throw Broken() }
    let running = try await bench.begin()
    try await until("the failure is reported") { bench.problems.codes == [.phaseFailed] }
    #expect(world.who("shutDown").isEmpty && modules.trigger(.whoIsThere) == ["optional", "A"])
    try await bench.stop(running)
    #expect(world.who("shutDown.").sorted() == ["A", "Optional"] && world.who("run!") == ["Optional", "A"])
  }

  @Test func `an optional module that does not become ready is removed, and those that wait for it begin`()
    async throws
  {
    bench.add(OptionalWorker.self)
    bench.add(A.self, after: OptionalWorker.self)
    world.scripts["Optional becomeReady"] = { throw Broken() }
    let running = try await bench.begin()
    try await world.reach("A run")
    #expect(bench.problems.codes.first == .setUpFailed)
    #expect(bench.problems.diagnostics[0].message.contains("it is removed, and the other modules continue"))
    #expect(modules.trigger(.whoIsThere) == ["A"])
    try await bench.stop(running)
  }

  @Test func `an optional module that becomes ready too slowly is removed`() async throws {
    bench.add(OptionalWorker.self)
    bench.add(A.self, after: OptionalWorker.self)
    world.scripts["Optional becomeReady"] = { try await untilCancelled() }
    let running = bench.run(limits: PhaseLimits(becomeReady: 1))
    try await world.reach("Optional becomeReady")
    try await bench.time.sleepers(1)
    bench.time.advance(seconds: 1)
    try await world.reach("A run")
    #expect(bench.problems[.timedOut].count == 1)
    try await bench.stop(running)
  }

  // testRun_whenServiceExitsEarly_andShutdownGracefully
  @Test func `the end of the only task stops the other modules gracefully`() async throws {
    bench.add(A.self)
    bench.add(OnlyTask.self)
    world.scripts["Task run"] = {}
    world.scripts["A run"] = { [context = modules.context] in try await context.gracefulShutdown() }
    try await bench.run().value
    #expect(world.who("run.") == ["Task", "A"] && world.who("tearDown") == ["A"] && bench.problems.codes.isEmpty)
  }

  @Test func `the end of a task that is removed stops nothing`() async throws {
    bench.add(A.self)
    bench.add(OnlyTask.self)
    world.scripts["Task run"] = { [context = modules.context] in try await context.gracefulShutdown() }
    // Keep the module in its shutdown until its run has returned.
    world.scripts["Task shutDown"] = { [world] in try await world.reach("Task run.") }
    let running = try await bench.begin()
    try await world.reach("Task run")
    #expect(modules.unregister(OnlyTask.self))
    try await world.reach("Task shutDown.")
    await modules.waitUntilIdle()
    #expect(modules.isStarted && !world.who("shutDown").contains("A"))
    try await bench.stop(running)
  }

  #if DEBUG
  @Test func `a report says that a module's run has ended, until the module shuts down`() async throws {
    bench.add(A.self)
    bench.add(OptionalWorker.self)
    world.scripts["A run"] = {}
    let running = try await bench.begin()
    try await world.reach("Optional run")
    let told =
      "set up; its 'run' has returned or it has none, which does not stop the manager; to stop it then, return"
      + " '.stopsManager' from 'successTerminationBehavior'"
    try await until("the run has ended") { modules.report().description.contains(told) }
    #expect(modules.report().description.ranges(of: told).count == 1)
    try await bench.stop(running)
    #expect(!modules.report().description.contains(told))
  }
  #endif

  // testRun_whenServiceExitsEarly_andIgnore
  @Test func `a module that finishes early stops nothing`() async throws {
    bench.add(A.self)
    world.scripts["A run"] = {}
    let running = try await bench.begin()
    try await world.reach("A run.")
    #expect(modules.trigger(.whoIsThere) == ["A"] && world.who("shutDown").isEmpty)
    try await bench.stop(running)
  }

  // testRun_whenServiceExitsEarly_andServiceName
  @Test func `two modules of one class have two names, and each runs and stops in order`() async throws {
    #expect(modules.adds { $0.register(named: "orders.eu") { Consumer("orders.eu") } })
    #expect(modules.adds { $0.register(named: "invoices", after: ["orders.eu"]) { Consumer("invoices") } })
    bench.add(A.self, after: Consumer.self)
    let running = try await bench.begin()
    #expect(modules.moduleNames == ["orders.eu", "invoices", recordName(of: A.self)])
    #expect(modules.trigger(.whoIsThere) == ["orders.eu", "invoices", "A"])
    try await bench.stop(running)
    #expect(world.who("becomeReady") == ["orders.eu", "invoices", "A"])
    #expect(world.who("shutDown") == ["A", "invoices", "orders.eu"])
    #expect(world.who("tearDown") == ["A", "invoices", "orders.eu"])
  }

  @Test func `a name is used once, and the class refers to all of its modules`() throws {
    modules.register(named: "orders") { Consumer("orders") }
    #expect(!modules.adds { $0.register(named: "orders") { Consumer("other") } })
    #expect(bench.problems.codes == [.duplicate])
    #expect(modules.adds { $0.register(named: "invoices") { Consumer("invoices") } })
    #expect(modules.adds { $0.register(Consumer.self) })
    #expect(!modules.adds { $0.register(Consumer.self) })
    #expect(modules.unregister(named: "orders") && !modules.unregister(named: "orders"))
    #expect(modules.unregister(Consumer.self) && !modules.unregister(Consumer.self))
    #expect(modules.adds { $0.register(named: "invoices") { Consumer("invoices") } })
  }

  @Test func `a failure names the module, and each run creates a new one`() throws {
    var count = 0
    modules.register(
      named: "or\nders",
      create: { () throws -> PlainConsumer in
        count += 1
        if count == 1 { throw Broken() }
        return PlainConsumer()
      })
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect("\(error!)".contains("'or\\u{a}ders'"))
    for _ in 0..<2 {
      try modules.start()
      modules.stop()
    }
    #expect(count == 3)
  }
}

private final class PlainConsumer: Module {}
