@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>
private typealias C = Worker<Tag.C>
private typealias D = Worker<Tag.D>

extension ContextKey where Value == Gate {
  /// The gate at which the late client waits in its shutdown.
  fileprivate static var lateGate: Self { .init("test.lateGate", default: Gate()) }
}

/// A module that a record of a plug-in names, like those below.
final class LateBase: Module {
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("LateBase tearDown") }
}
final class LateServer: AsyncModule {
  func becomeReady(_ context: Context) async throws { context.configuration[.trace].add("LateServer becomeReady") }
  func run(_ context: Context) async throws {
    defer { context.configuration[.trace].add("LateServer run.") }
    try await untilCancelled()
  }
  func shutDown(_ context: Context) async throws {
    await Task.yield()
    context.configuration[.trace].add("LateServer shutDown")
  }
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("LateServer tearDown") }
}
final class LateClient: AsyncModule {
  func becomeReady(_ context: Context) async throws { context.configuration[.trace].add("LateClient becomeReady") }
  func shutDown(_ context: Context) async throws {
    await context.configuration[.lateGate].pass()
    context.configuration[.trace].add("LateClient shutDown")
  }
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("LateClient tearDown") }
}

private final class Splashing: AsyncModule {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("setUp") }
  func initialize(_ context: Context) throws { context.configuration[.trace].add("initialize") }
  func didFinishStarting(_ context: Context) throws { context.configuration[.trace].add("didFinishStarting") }
  func becomeReady(_ context: Context) async throws { context.configuration[.trace].add("becomeReady") }
}

private final class Draft: Module {
  static func subscribe(_ events: Subscriptions<Draft>) {
    events.on(.ping) { _, context in context.configuration[.runWorld]?.note("draft saved") }
  }
}

/// Modules that are registered and removed while a manager runs.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct RunLateTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  // MARK: - Registration during a run

  @Test func `a node waits for what the nodes that it depends on wait for`() {
    let nodes = (0..<4).map { PhaseNode(number: $0) }
    nodes[0].depend(on: nodes[1])
    nodes[1].depend(on: nodes[2])
    nodes[0].depend(on: nodes[3])
    #expect(nodes[0].allAwaited == [1, 2, 3] && nodes[1].allAwaited == [2] && nodes[2].allAwaited.isEmpty)
    // The nodes refer to each other until they are unlinked.
    for node in nodes { _ = node.unlink() }
  }

  @Test func `a late module becomes ready in the background, and modules that name it wait`()
    async throws
  {
    let gate = Gate()
    bench.add(A.self, after: D.self)
    let running = bench.run()
    try await world.reach("A run")
    world.scripts["B becomeReady"] = { await gate.pass() }
    #expect(bench.add(B.self) && bench.add(C.self, after: B.self) && bench.add(D.self))
    #expect(world.who("setUp") == ["A", "B", "C", "D"])
    try await world.reach("D run")
    try await world.reach("B becomeReady")
    #expect(!world.who("becomeReady").contains("C"))
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.who("becomeReady.").contains("C"))
    #expect(modules.trigger(.whoIsThere).sorted() == ["A", "B", "C", "D"])
    try await bench.stop(running)
    #expect(world.place("A run!") < world.place("D shutDown") && world.place("C run!") < world.place("B shutDown"))
    #expect(world.who("shutDown.").count == 4 && bench.problems[.unknownAfter].count == 1)
  }

  @Test func `in a stop, a late module waits only for the modules that name it`() async throws {
    let gate = Gate()
    bench.add(B.self)
    bench.add(D.self, after: A.self)
    world.scripts["B shutDown"] = { await gate.pass() }
    let running = try await bench.begin()
    bench.add(A.self)
    try await world.reach("A run")
    modules.triggerGracefulShutdown()
    try await world.reach("B shutDown")
    try await world.reach("A shutDown.")
    #expect(world.who("shutDown.") == ["D", "A"])
    gate.open()
    try await running.value
  }

  @Test func `a late basic module shuts down after all normal ones`() async throws {
    bench.add(A.self)
    bench.add(B.self)
    let running = try await bench.begin()
    bench.add(C.self, .basic)
    try await world.reach("C run")
    try await bench.stop(running)
    #expect(world.who("shutDown").last == "C" && world.place("C shutDown") > world.place("A run!"))
  }

  @Test func `a handler that is added during a shutdown receives the next event`() async throws {
    bench.add(A.self)
    world.scripts["A shutDown"] = { [modules, world] in
      modules.on(.ping, once: true) { _ in world.note("handler") }
      modules.trigger(.ping)
    }
    let running = try await bench.begin()
    try await bench.stop(running)
    #expect(world.place("handler") < world.place("A tearDown"))
  }

  @Test func `a module that a diagnostics handler removes, too, is torn down after its shutdown`() async throws {
    let running = try await bench.begin()
    modules.onDiagnostic = { [weak modules] problem in
      MainActor.assumeIsolated { _ = modules?.unregister(named: problem.subject) }
    }
    world.scripts["A becomeReady"] = { throw Broken() }
    bench.add(A.self)
    await modules.waitUntilIdle()
    #expect(world.trace.suffix(3) == ["A shutDown", "A shutDown.", "A tearDown"])
    try await bench.stop(running)
  }

  @Test func `an event during a shutdown activates a module, but none with asynchronous phases`() async throws {
    bench.add(A.self)
    modules.register(Draft.self, activation: .onFirstEvent)
    modules.register(B.self, activation: .onFirstEvent)
    world.scripts["A shutDown"] = { [modules, world] in
      modules.trigger(.ping)
      world.note("\(modules.trigger(.whoIsThere)) is there")
    }
    let running = try await bench.begin()
    try await bench.stop(running)
    #expect(world.who("saved") == ["draft"] && world.trace.contains("[\"A\"] is there"))
  }

  @Test func `a handler of its removal can register a module again that waits for another one`() async throws {
    let gate = Gate()
    world.scripts["A becomeReady"] = { await gate.pass() }
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    modules.on(.moduleDidUnregister) { _, context in context.modules?.register(B.self) }
    let running = bench.run()
    try await world.reach("A becomeReady")
    modules.unregister(B.self)
    #expect(world.who("setUp") == ["A", "B", "B"] && bench.problems.codes.isEmpty)
    gate.open()
    try await world.reach("B run")
    try await bench.stop(running)
  }

  @Test(arguments: [true, false])
  func `a late module that fails to become ready is reported and dropped alone`(isSlow: Bool) async throws {
    bench.add(A.self)
    let running = bench.run()
    try await world.reach("A run")
    world.scripts["B becomeReady"] = {
      if isSlow { try await untilCancelled() }
      throw Broken()
    }
    #expect(bench.add(B.self) && bench.add(C.self, after: B.self))
    try await world.reach("B becomeReady")
    if isSlow {
      try await bench.time.sleepers(1)
      bench.time.advance(seconds: 30)
    }
    await modules.waitUntilIdle()
    // The work of the module begins in a separate task, which `waitUntilIdle()` does not wait for.
    try await world.reach("C run")
    #expect(modules.trigger(.whoIsThere) == ["A", "C"])
    #expect(world.who("shutDown.") == ["B"] && world.who("tearDown") == ["B"])
    let problems = bench.problems[isSlow ? .timedOut : .setUpFailed]
    #expect(problems.map(\.subject) == [recordName(of: B.self)] && problems[0].message.contains("is removed"))
    try await bench.stop(running)
    #expect(world.who("shutDown.") == ["B", "C", "A"])
  }

  @Test func `a module that activates on an event and fails to become ready is dropped alone`() async throws {
    bench.add(A.self)
    world.scripts["B becomeReady"] = { throw Broken() }
    modules.register(B.self, activation: .onFirstEvent)
    let running = try await bench.begin()
    #expect(modules.trigger(.whoIsThere) == ["A", "B"])
    try await world.reach("B tearDown")
    #expect(bench.problems.diagnostics.map(\.subject) == [recordName(of: B.self)])
    #expect(bench.problems.codes == [.setUpFailed] && modules.trigger(.whoIsThere) == ["A"])
    try await bench.stop(running)
    #expect(world.who("shutDown.") == ["B", "A"])
  }

  @Test(arguments: [false, true])
  func `a module has finished starting before it becomes ready`(isLate: Bool) async throws {
    let trace = Trace()
    modules.context.configuration[.trace] = trace
    if !isLate { modules.register(Splashing.self) }
    let running = try await bench.begin()
    if isLate { modules.register(Splashing.self) }
    await modules.waitUntilIdle()
    #expect(trace.lines == ["setUp", "initialize", "didFinishStarting", "becomeReady"])
    try await bench.stop(running)
  }

  @Test func `an error in the work of a late module stops everything, as for other modules`() async throws {
    bench.add(A.self)
    let running = bench.run()
    try await world.reach("A run")
    world.scripts["B run"] = { throw Broken() }
    bench.add(B.self)
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(error?.code == .phaseFailed)
    #expect(error?.modules == [recordName(of: B.self)] && error?.phase == "run")
    #expect(world.who("shutDown.").sorted() == ["A", "B"])
  }

  @Test func `the dependencies of a removed module shut down after the modules that depended on it`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: B.self)
    let running = try await bench.begin()
    try await world.reach("C run")
    let (middle, last) = (Gate(), Gate())
    world.scripts["B shutDown"] = { await middle.pass() }
    world.scripts["C shutDown"] = { await last.pass() }
    modules.unregister(B.self)
    try await world.reach("B shutDown")
    modules.triggerGracefulShutdown()
    try await world.reach("C shutDown")
    middle.open()
    try await world.reach("B tearDown")
    for _ in 0..<50 { await Task.yield() }
    #expect(world.who("shutDown") == ["B", "C"])
    last.open()
    try await running.value
    #expect(world.who("shutDown.") == ["B", "C", "A"])
  }

  @Test func `a removed module can be registered again after its tear-down`() async throws {
    bench.add(A.self)
    bench.add(B.self)
    let running = try await bench.begin()
    modules.unregister(A.self)
    try await world.reach("A tearDown")
    #expect(bench.add(A.self))
    try await until("A becomes ready again") { world.who("becomeReady.").filter { $0 == "A" }.count == 2 }
    try await bench.stop(running)
  }

  @Test func `a manager that was only started rejects a late module with asynchronous phases`() throws {
    try modules.start()
    #expect(!bench.add(A.self) && bench.add(Plain<Tag.B>.self))
    #expect(world.trace == ["B setUp"])
    let problem = try #require(bench.problems.diagnostics.first)
    #expect(problem.code == .needsRun && problem.subject == recordName(of: A.self) && problem.message.contains("run()"))
  }

  @Test func `a module that is added during a stop waits for the next start`() async throws {
    bench.add(A.self)
    world.scripts["A shutDown"] = { [bench] in #expect(bench.add(B.self)) }
    let running = bench.run()
    try await world.reach("A run")
    try await bench.stop(running)
    #expect(!world.trace.contains("B setUp"))
    world.scripts["A shutDown"] = nil
    let again = bench.run()
    try await world.reach("B run")
    try await bench.stop(again)
  }

  // MARK: - Removal during a run

  @Test func `a removed module shuts down in the background and is then torn down`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A shutDown"] = { await gate.pass() }
    let running = bench.run()
    try await world.reach("B run")
    #expect(modules.unregister(A.self) && !modules.unregister(A.self))
    #expect(modules.trigger(.whoIsThere) == ["B"] && world.who("tearDown").isEmpty)
    try await world.reach("A shutDown")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("run!").isEmpty)
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.trace.suffix(4) == ["A shutDown", "A shutDown.", "A run!", "A tearDown"])
    try await bench.stop(running)
    #expect(world.who("shutDown.") == ["A", "B"] && world.who("tearDown") == ["A", "B"])
  }

  @Test func `a module that is removed while it becomes ready is canceled and shut down`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A becomeReady"] = { try await untilCancelled() }
    let running = bench.run()
    try await world.reach("A becomeReady")
    modules.unregister(A.self)
    try await world.reach("B run")
    await modules.waitUntilIdle()
    #expect(world.who("shutDown.") == ["A"] && world.who("tearDown") == ["A"] && world.who("run") == ["B"])
    #expect(bench.problems.diagnostics.isEmpty)
    try await bench.stop(running)
  }

  @Test func `a removed module does not receive the current event`() async throws {
    bench.add(A.self)
    bench.add(B.self)
    modules.on(.whoIsThere, priority: 1) { [unowned modules] _ in
      modules.unregister(A.self)
      return ["first"]
    }
    let running = try await bench.begin()
    #expect(modules.trigger(.whoIsThere) == ["first", "B"])
    try await bench.stop(running)
  }

  @Test func `a removed module that waits for others is canceled if it becomes ready too slowly`()
    async throws
  {
    let gate = Gate()
    bench.add(C.self, after: A.self)
    let running = bench.run(limits: PhaseLimits(becomeReady: 5, shutDown: 60))
    try await world.reach("C run")
    world.scripts["A becomeReady"] = {
      do { try await untilCancelled() } catch { throw Broken() }
    }
    world.scripts["C shutDown"] = { await gate.pass() }
    bench.add(A.self)
    try await world.reach("A becomeReady")
    modules.unregister(C.self)
    modules.unregister(A.self)
    try await world.reach("C shutDown")
    try await bench.time.sleepers(2)
    bench.time.advance(seconds: 5)
    try await world.reach("A becomeReady!")
    try await until("A's failure is reported") { !bench.problems[.phaseFailed].isEmpty }
    #expect(bench.problems[.phaseFailed].map(\.subject) == [recordName(of: A.self)])
    #expect(bench.problems[.timedOut].isEmpty && world.who("shutDown") == ["C"])
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.who("shutDown.") == ["C", "A"] && world.who("tearDown") == ["C", "A"])
    try await bench.stop(running)
  }

  @Test func `a module does not wait for a module that names it and was removed before`() async throws {
    let gate = Gate()
    bench.add(C.self, after: A.self)
    // This module depends on the same module and stays.
    bench.add(D.self, after: A.self)
    world.scripts["C shutDown"] = { await gate.pass() }
    let running = bench.run()
    try await world.reach("C run")
    try await world.reach("D run")
    modules.unregister(C.self)
    try await world.reach("C shutDown")
    bench.add(A.self)
    try await world.reach("A run")
    modules.unregister(A.self)
    try await world.reach("A tearDown")
    #expect(world.who("tearDown") == ["A"])
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.who("tearDown") == ["A", "C"])
    try await bench.stop(running)
  }

  @Test func `a module becomes ready after a removed module with its name is torn down`() async throws {
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A shutDown"] = { await gate.pass() }
    let running = bench.run()
    try await world.reach("A run")
    modules.unregister(A.self)
    #expect(bench.add(A.self))
    try await world.reach("A shutDown")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("setUp").count == 2 && world.who("becomeReady").count == 1)
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.who("becomeReady.").count == 2)
    let second = world.trace.lastIndex(of: "A becomeReady")!
    #expect(world.place("A tearDown") < second)
    try await bench.stop(running)
    #expect(world.who("shutDown.").count == 2 && world.who("tearDown").count == 2)
  }

  @Test func `run returns after the modules that were shutting down when it was stopped`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self)
    world.scripts["A shutDown"] = { await gate.pass() }
    let running = try await bench.begin()
    modules.unregister(A.self)
    try await world.reach("A shutDown")
    modules.triggerGracefulShutdown()
    try await world.reach("B run!")
    #expect(world.who("tearDown").isEmpty)
    gate.open()
    try await running.value
    #expect(world.who("tearDown") == ["A", "B"] && world.who("shutDown.").count == 2)
  }

  @Test func `removing a module keeps the order of the modules that depended on each other through it`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(Plain<Tag.E>.self, after: A.self)
    bench.add(C.self, after: Plain<Tag.E>.self)
    bench.add(B.self, after: C.self)
    world.scripts["B shutDown"] = { await gate.pass() }
    let running = try await bench.begin()
    modules.unregister(C.self)
    modules.unregister(Plain<Tag.E>.self)
    await modules.waitUntilIdle()
    #expect(world.who("tearDown") == ["C", "E"])
    modules.triggerGracefulShutdown()
    try await world.reach("B shutDown")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("shutDown") == ["C", "B"])
    gate.open()
    try await running.value
    #expect(world.who("shutDown") == ["C", "B", "A"] && world.who("tearDown") == ["C", "E", "B", "A"])
  }

  @Test func `modules that waited for each other through a removed one also shut down in order when they are removed`()
    async throws
  {
    let gate = Gate()
    bench.add(A.self)
    bench.add(D.self)
    bench.add(Plain<Tag.E>.self, after: A.self, D.self)
    bench.add(B.self, after: Plain<Tag.E>.self)
    bench.add(C.self, after: Plain<Tag.E>.self)
    world.scripts["B shutDown"] = { await gate.pass() }
    let running = try await bench.begin()
    modules.unregister(Plain<Tag.E>.self)
    modules.unregister(B.self)
    try await world.reach("B shutDown")
    modules.unregister(A.self)
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("shutDown") == ["B"])
    gate.open()
    await modules.waitUntilIdle()
    #expect(world.who("shutDown") == ["B", "A"] && world.who("tearDown") == ["E", "B", "A"])
    try await bench.stop(running)
    #expect(world.who("tearDown").count == 5)
  }

  @Test func `a module that is removed after its shut-down in a stop is torn down immediately`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A shutDown"] = { await gate.pass() }
    let running = try await bench.begin()
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown")
    #expect(modules.unregister(B.self) && world.who("tearDown") == ["B"])
    gate.open()
    try await running.value
    #expect(world.who("tearDown") == ["B", "A"])
  }

  @Test
  func `a plug-in that is closed shuts its modules down in reverse, and tears each down after those that need it`()
    async throws
  {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateBase)
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateServer, after(LifecycleTests.LateBase))
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateClient, after(LifecycleTests.LateServer))
      """, name: "server")
    let (trace, gate, path) = (Trace(), Gate(), object.path)
    let configuration = ContextValues {
      $0[.trace] = trace
      $0[.lateGate] = gate
    }
    let modules = ModuleManager(
      records: .images { $0.path == path }, configuration: configuration, onDiagnostic: bench.problems.handler)
    let running = Task { try await modules.run(limits: .unlimited) }
    try await until("the modules run") { modules.runner.phases != nil }
    let plugIn = try modules.openPlugIn(at: object.path)
    await modules.waitUntilIdle()
    #expect(trace.lines == ["LateServer becomeReady", "LateClient becomeReady"])
    plugIn.close()
    #expect(trace.lines.count == 2 && modules.moduleNames.isEmpty)
    gate.open()
    await modules.waitUntilIdle()
    #expect(
      trace.lines.dropFirst(2) == [
        "LateClient shutDown", "LateClient tearDown", "LateServer shutDown", "LateServer run.", "LateServer tearDown",
        "LateBase tearDown",
      ])
    // The filter selects no record until the image is opened, so a running manager can report that.
    #expect(bench.problems.codes.allSatisfy { $0 == .nothingToStart })
    modules.triggerGracefulShutdown()
    try await running.value
  }
}
