@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>
private typealias C = Worker<Tag.C>
private typealias D = Worker<Tag.D>

/// A module that gets its asynchronous conformance in an extension.
private final class Extended: Module {}
extension Extended: AsyncModule {}

/// The guarantees of a run in which no module fails.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct RunTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  @Test func `run sets modules up, makes them ready, and lets them work, and a stop reverses it`() async throws {
    bench.add(B.self, after: A.self)
    bench.add(A.self)
    let running = bench.run()
    try await world.reach("B run")
    #expect(world.trace.prefix(4) == ["A setUp", "B setUp", "A initialize", "B initialize"])
    #expect(
      world.trace.filter { $0.contains("becomeReady") } == [
        "A becomeReady", "A becomeReady.", "B becomeReady", "B becomeReady.",
      ])
    #expect(
      world.place("A becomeReady.") < world.place("A run") && world.place("B becomeReady.") < world.place("B run"))
    #expect(modules.trigger(.whoIsThere) == ["A", "B"])
    try await bench.stop(running)
    #expect(
      world.trace.suffix(8) == [
        "B shutDown", "B shutDown.", "B run!", "A shutDown", "A shutDown.", "A run!", "B tearDown", "A tearDown",
      ])
    #expect(modules.moduleNames.isEmpty && bench.problems.diagnostics.isEmpty)
    #expect(bench.time.sleeperCount == 0)
  }

  @Test func `independent modules become ready side by side, and shut down side by side`() async throws {
    let (up, down) = (Gate(), Gate())
    for name in ["A", "B"] {
      world.scripts["\(name) becomeReady"] = { await up.pass() }
      world.scripts["\(name) shutDown"] = { await down.pass() }
    }
    bench.add(A.self)
    bench.add(B.self)
    bench.add(C.self, after: A.self, B.self)
    let running = bench.run()
    try await world.reach("A becomeReady")
    try await world.reach("B becomeReady")
    #expect(world.who("becomeReady.").isEmpty && world.who("becomeReady") == ["A", "B"])
    up.open()
    try await world.reach("C run")
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown")
    try await world.reach("B shutDown")
    #expect(world.who("shutDown.") == ["C"])
    #expect(modules.workingModules == [recordName(of: A.self), recordName(of: B.self)])
    down.open()
    try await running.value
    #expect(modules.workingModules.isEmpty)
    #expect(world.who("becomeReady") == ["A", "B", "C"] && world.who("shutDown") == ["C", "B", "A"])
  }

  @Test func `basic modules are all ready before a normal one begins, and shut down after all normal ones`()
    async throws
  {
    let (up, down) = (Gate(), Gate())
    world.scripts["B becomeReady"] = { await up.pass() }
    world.scripts["D shutDown"] = { await down.pass() }
    bench.add(A.self, .basic)
    bench.add(B.self, .basic)
    bench.add(C.self)
    bench.add(D.self)
    let running = bench.run()
    try await world.reach("A run")
    try await world.reach("B becomeReady")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("becomeReady") == ["A", "B"])
    up.open()
    await modules.waitUntilIdle()
    #expect(world.who("becomeReady.") == ["A", "B", "C", "D"])
    modules.triggerGracefulShutdown()
    try await world.reach("C run!")
    #expect(world.who("shutDown") == ["D", "C"])
    down.open()
    try await running.value
    #expect(world.who("shutDown") == ["D", "C", "B", "A"])
  }

  @Test func `a module also waits for others through modules without asynchronous phases`() async throws {
    let gate = Gate()
    world.scripts["A becomeReady"] = { await gate.pass() }
    bench.add(C.self, after: Plain<Tag.E>.self)
    bench.add(Plain<Tag.E>.self, after: Plain<Tag.D>.self)
    bench.add(Plain<Tag.D>.self, after: A.self)
    bench.add(A.self)
    bench.add(B.self)
    let running = bench.run()
    try await world.reach("B run")
    #expect(world.who("becomeReady") == ["A", "B"])
    gate.open()
    try await world.reach("C run")
    try await bench.stop(running)
    #expect(world.place("C shutDown.") < world.place("A shutDown"))
    #expect(world.who("tearDown") == ["C", "B", "E", "D", "A"])
  }

  @Test func `a module works as soon as it is ready, also while another is not`() async throws {
    let gate = Gate()
    world.scripts["B becomeReady"] = { await gate.pass() }
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    let running = bench.run()
    try await world.reach("A run")
    try await world.reach("B becomeReady")
    #expect(world.who("becomeReady.") == ["A"])
    gate.open()
    try await world.reach("B run")
    try await bench.stop(running)
  }

  @Test func `work that returns early does not end the run`() async throws {
    world.scripts["A run"] = {}
    world.scripts["B run"] = {}
    bench.add(A.self)
    bench.add(B.self)
    let running = bench.run()
    try await world.reach("A run.")
    try await world.reach("B run.")
    for _ in 0..<20 { await Task.yield() }
    #expect(modules.moduleNames.count == 2 && world.who("shutDown").isEmpty)
    try await bench.stop(running)
    #expect(world.who("shutDown") == ["B", "A"])
  }

  @Test func `a module's work is canceled after its shut-down returns and not before`() async throws {
    let gate = Gate()
    world.scripts["A shutDown"] = { await gate.pass() }
    bench.add(A.self)
    let running = bench.run()
    try await world.reach("A run")
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("run!").isEmpty)
    gate.open()
    try await running.value
    #expect(world.place("A shutDown.") < world.place("A run!") && world.place("A run!") < world.place("A tearDown"))
  }

  @Test func `a shut-down can end the work itself`() async throws {
    let gate = Gate()
    world.scripts["A run"] = { await gate.pass() }
    world.scripts["A shutDown"] = { [unowned world] in
      gate.open()
      try await world.reach("A run.")
    }
    bench.add(A.self)
    let running = bench.run()
    try await world.reach("A run")
    try await bench.stop(running)
    #expect(world.trace.suffix(4) == ["A shutDown", "A run.", "A shutDown.", "A tearDown"])
  }

  @Test func `run works with modules without asynchronous phases, and without modules`() async throws {
    try await bench.stop(try await bench.begin())
    bench.add(Plain<Tag.A>.self)
    try await bench.stop(try await bench.begin())
    #expect(bench.problems.codes == [.nothingToStart] && world.trace == ["A setUp", "A tearDown"])
  }

  @Test func `a manager can run again, with new instances, and not while it runs`() async throws {
    bench.add(A.self)
    for round in 1...2 {
      let running = try await bench.begin()
      try await until("A works in round \(round)") { world.who("run").count >= round }
      await #expect(throws: ModuleError.self) { try await modules.run() }
      #expect(throws: ModuleError.self) { try modules.start() }
      try await bench.stop(running)
    }
    #expect(world.who("setUp") == ["A", "A"] && world.who("shutDown.") == ["A", "A"])
    modules.unregister(A.self)
    try modules.start()
    await #expect(throws: ModuleError.self) { try await modules.run() }
  }

  @Test func `start refuses modules with asynchronous phases by name before anything is set up`() throws {
    bench.add(Plain<Tag.B>.self)
    bench.add(A.self)
    bench.add(Extended.self)
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .needsRun)
    #expect(error?.modules == [recordName(of: Extended.self), recordName(of: A.self)])
    #expect("\(error!)".contains("run()") && "\(error!)".contains("Extended"))
    #expect(world.trace.isEmpty)
    modules.unregister(A.self)
    modules.unregister(Extended.self)
    try modules.start()
  }

  @Test func `phases have the manager's values, and a manager that has run is released`() async throws {
    let world = RunWorld()
    let launch = ContextKey<Int?>("launch")
    var manager: ModuleManager? = ModuleManager(
      modules: [A.self, B.self], environment: .test, configuration: ContextValues { $0[.runWorld] = world })
    let context = manager!.context
    world.scripts["A becomeReady"] = { [unowned context] in
      #expect(context.launch[launch] == 7 && context.environment == .test)
    }
    let (shutdown, running) = (
      context.shutdownRequest, Task { [manager] in try await manager?.run(launch: ContextValues { $0[launch] = 7 }) }
    )
    try await world.reach("B run")
    shutdown.begin()
    try await running.value
    weak let gone = manager
    manager = nil
    try await until("the manager is released") { gone == nil }
    shutdown.begin()
  }
}
