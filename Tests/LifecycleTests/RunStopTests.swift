@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>
private typealias C = Worker<Tag.C>
private typealias D = Worker<Tag.D>

/// A module that stops its manager during its set-up.
private final class StopsInSetUp: Module {
  static var stop: () -> Void = {}
  func setUp(_ context: Context) throws { Self.stop() }
}

private final class StopsInInitialize: Module {
  func initialize(_ context: Context) { context.modules?.stop() }
}

private final class FailsInSetUp: Module {
  func setUp(_ context: Context) throws { throw Broken() }
}

/// The causes that end a run, and the guarantees for each.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct RunStopTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  /// Returns the module and the phase of an error.
  private func failure(_ error: (any Error)?) -> (module: String, phase: ModulePhase)? {
    guard let error = error as? ModuleError, error.code == .phaseFailed, error.underlying is Broken,
      let phase = error.phase.flatMap(ModulePhase.init)
    else { return nil }
    return (error.modules[0], phase)
  }

  // MARK: - Stops

  @Test func `a stop can be requested from any thread, repeatedly, and by a module`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["B run"] = { [unowned modules] in
      await Task.detached { for _ in 0..<10 { modules.triggerGracefulShutdown() } }.value
      modules.stop()
      try await untilCancelled()
    }
    let running = bench.run()
    try await running.value
    #expect(world.who("shutDown.") == ["B", "A"] && world.who("tearDown") == ["B", "A"])
    #expect(bench.problems.diagnostics.isEmpty)
    modules.stop()
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a stop while modules become ready cancels those in progress and begins no others`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: B.self)
    world.scripts["B becomeReady"] = { try await untilCancelled() }
    let running = bench.run()
    try await world.reach("B becomeReady")
    try await world.reach("A run")
    try await bench.stop(running)
    #expect(world.who("becomeReady") == ["A", "B"] && world.who("run") == ["A"])
    #expect(world.who("shutDown.") == ["B", "A"] && world.who("tearDown") == ["C", "B", "A"])
    #expect(world.place("B becomeReady!") < world.place("B shutDown"))
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a stop before run makes it return immediately, is reported, and applies once`() async throws {
    bench.add(A.self)
    modules.triggerGracefulShutdown()
    modules.triggerGracefulShutdown()
    try await modules.run()
    #expect(world.trace.isEmpty)
    #expect(bench.problems[.stoppedBeforeStart].count == 1)
    let running = bench.run()
    try await world.reach("A run")
    try await bench.stop(running)
    #expect(bench.problems.diagnostics.count == 1)
  }

  @Test func `a stop before start makes it throw once, without setting anything up`() async throws {
    bench.add(Plain<Tag.A>.self)
    modules.triggerGracefulShutdown()
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .stopped)
    #expect(world.trace.isEmpty && "\(error!)".contains("triggerGracefulShutdown()"))
    try modules.start()
    #expect(world.trace == ["A setUp"])
  }

  @Test func `a requested stop reaches a manager that was started without run`() async throws {
    bench.add(Plain<Tag.A>.self)
    try modules.start()
    modules.triggerGracefulShutdown()
    try await until("the modules are stopped") { modules.moduleNames.isEmpty }
    #expect(world.trace == ["A setUp", "A tearDown"])
    // The request is not observed before the manager stops, and does not apply to the next start.
    try modules.start()
    modules.triggerGracefulShutdown()
    modules.stop()
    try modules.start()
    for _ in 0..<20 { await Task.yield() }
    #expect(modules.moduleNames.count == 1 && bench.problems.diagnostics.isEmpty)
  }

  @Test func `stop before the first start is reported, and stop after a stop has no effect`() throws {
    modules.stop()
    #expect(bench.problems[.stoppedBeforeStart].count == 1)
    try modules.start()
    modules.stop()
    modules.stop()
    #expect(bench.problems.codes == [.stoppedBeforeStart, .nothingToStart])
  }

  @Test(arguments: [true, false])
  func `a stop during the start ends the start before the next module`(isRequest: Bool) async throws {
    StopsInSetUp.stop = { [modules] in isRequest ? modules.triggerGracefulShutdown() : modules.stop() }
    defer { StopsInSetUp.stop = {} }
    bench.add(Plain<Tag.A>.self, .basic)
    modules.register(StopsInSetUp.self, priority: 1)
    bench.add(Plain<Tag.B>.self)
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .stopped)
    #expect(world.trace == ["A setUp", "A tearDown"] && modules.moduleNames.isEmpty)
    bench.add(C.self)
    try await modules.run()
    #expect(world.trace == ["A setUp", "A tearDown", "A setUp", "A tearDown"])
    StopsInSetUp.stop = {}
    let running = bench.run()
    try await world.reach("C run")
    try await bench.stop(running)
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a stop during the start ends the start before the next event and the final checks`() throws {
    let events = Trace()
    modules.on(.modulesDidSetUp, priority: 1) { _ in events.add("set up") }
    modules.on(.modulesDidInitialize, priority: 1) { [unowned modules] _ in
      events.add("initialized")
      modules.stop()
    }
    modules.require(RunStopTests.self)
    func stops() -> Bool {
      do { try modules.start() } catch { return error.code == .stopped }
      return false
    }
    #expect(stops() && events.lines == ["set up", "initialized"])
    modules.register(StopsInInitialize.self)
    #expect(stops() && events.lines == ["set up", "initialized", "set up"])
    StopsInSetUp.stop = { [modules] in modules.stop() }
    defer { StopsInSetUp.stop = {} }
    modules.register(StopsInSetUp.self)
    #expect(stops() && events.lines.count == 3)
  }

  // MARK: - Cancellation

  @Test func `cancelling the task stops everything gracefully first and then throws`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["B shutDown"] = { #expect(!Task.isCancelled) }
    let running = bench.run()
    try await world.reach("B run")
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(world.who("shutDown.") == ["B", "A"] && world.who("tearDown") == ["B", "A"])
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a task that is cancelled before it runs sets nothing up`() async throws {
    bench.add(A.self)
    let running = bench.run()
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(world.trace.isEmpty)
  }

  // MARK: - Failures

  @Test func `a module that fails to become ready stops everything and is thrown by name`() async throws {
    bench.add(A.self)
    bench.add(B.self)
    bench.add(C.self, after: A.self)
    bench.add(D.self, after: C.self)
    world.scripts["B becomeReady"] = { try await untilCancelled() }
    world.scripts["C becomeReady"] = { [unowned world] in
      try await world.reach("B becomeReady")
      throw Broken()
    }
    let running = bench.run()
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(failure(error).map { $0 == (recordName(of: C.self), .becomeReady) } == true)
    // Modules whose phases have begun shut down, even if the phases did not end. The others do not
    // shut down.
    #expect(world.who("becomeReady") == ["A", "B", "C"] && world.who("becomeReady!").sorted() == ["B", "C"])
    #expect(
      world.who("shutDown").sorted() == ["A", "B", "C"] && world.place("C shutDown.") < world.place("A shutDown"))
    #expect(world.who("tearDown") == ["D", "C", "B", "A"])
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a module whose work throws stops everything and is thrown by name`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A run"] = {
      await gate.pass()
      throw Broken()
    }
    let running = bench.run()
    try await world.reach("B run")
    gate.open()
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(failure(error).map { $0 == (recordName(of: A.self), .run) } == true)
    #expect("\(error!)".contains("threw an error in 'run': Broken(); all modules are stopped"))
    #expect(world.who("shutDown.") == ["B", "A"] && world.who("tearDown") == ["B", "A"])
  }

  @Test func `the first failure is thrown and later ones are reported`() async throws {
    bench.add(A.self)
    bench.add(B.self)
    world.scripts["A run"] = { [unowned world] in
      try await world.reach("B run")
      throw Broken()
    }
    world.scripts["B run"] = {
      do { try await untilCancelled() } catch { throw Broken() }
    }
    let running = bench.run()
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(failure(error)?.module == recordName(of: A.self))
    #expect(bench.problems[.phaseFailed].map(\.subject) == [recordName(of: B.self)])
  }

  @Test(arguments: [false, true])
  func `work that throws while its module shuts down is the result of a requested stop`(isRemoved: Bool) async throws {
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A run"] = {
      await gate.pass()
      throw Broken()
    }
    world.scripts["A shutDown"] = { [unowned world] in
      gate.open()
      try await world.reach("A run!")
    }
    let running = bench.run()
    try await world.reach("A run")
    if isRemoved {
      // The failure of a removed module concerns only that module.
      modules.unregister(A.self)
      await modules.waitUntilIdle()
      try await bench.stop(running)
      #expect(bench.problems[.phaseFailed].map(\.subject) == [recordName(of: A.self)])
    } else {
      let error = await #expect(throws: ModuleError.self) { try await bench.stop(running) }
      #expect(failure(error).map { $0 == (recordName(of: A.self), .run) } == true)
      #expect(bench.problems.diagnostics.isEmpty)
    }
    #expect(world.trace.suffix(4) == ["A shutDown", "A run!", "A shutDown.", "A tearDown"])
  }

  @Test(arguments: [false, true])
  func `work that throws when a requested stop ends it is thrown, and further failures are reported`(
    isObserving: Bool
  ) async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: B.self)
    let context = modules.context
    for name in ["A", "B"] {
      world.scripts["\(name) run"] = {
        do {
          if isObserving { try await context.gracefulShutdown() } else { try await untilCancelled() }
        } catch {}
        throw Broken()
      }
    }
    let running = try await bench.begin()
    try await world.reach("B run")
    let error = await #expect(throws: ModuleError.self) { try await bench.stop(running) }
    #expect(failure(error).map { $0 == (recordName(of: B.self), .run) } == true)
    #expect(bench.problems[.phaseFailed].map(\.subject) == [recordName(of: A.self)])
    #expect(bench.problems.diagnostics.count == 1 && world.who("shutDown.") == ["C", "B", "A"])
    // The failure ends with its run.
    let again = try await bench.begin()
    try await bench.stop(again)
  }

  @Test func `an error of a cancellation is not a failure of a stop`() async throws {
    bench.add(A.self)
    let gate = Gate()
    world.scripts["A run"] = {
      await gate.pass()
      throw CancellationError()
    }
    world.scripts["A shutDown"] = { [unowned world] in
      gate.open()
      try await world.reach("A run!")
    }
    let running = try await bench.begin()
    try await world.reach("A run")
    try await bench.stop(running)
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a run in the background reports the failure of a module that completes its work`() async throws {
    var failure: (any Error)?
    world.scripts["A run"] = {
      try? await untilCancelled()
      throw Broken()
    }
    bench.add(A.self)
    try modules.runInBackground { failure = $0 }
    try await world.reach("A run")
    modules.stop()
    try await until("the failure is reported") { failure != nil }
    #expect(self.failure(failure).map { $0 == (recordName(of: A.self), .run) } == true)
  }

  @Test func `a module that throws in its shut-down is reported, and the others continue`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["B shutDown"] = { throw Broken() }
    let running = bench.run()
    try await world.reach("B run")
    try await bench.stop(running)
    #expect(world.who("shutDown") == ["B", "A"] && world.who("run!") == ["B", "A"])
    let problem = try #require(bench.problems.diagnostics.first)
    #expect(problem.code == .phaseFailed && problem.subject == recordName(of: B.self))
    #expect(problem.message.contains("shutDown") && bench.problems.diagnostics.count == 1)
  }

  @Test func `run throws a failed set-up as start does, and no module begins to become ready`() async throws {
    bench.add(A.self, .basic)
    bench.add(FailsInSetUp.self)
    let error = await #expect(throws: ModuleError.self) { try await modules.run() }
    #expect(error?.code == .setUpFailed)
    #expect(error?.modules == [recordName(of: FailsInSetUp.self)] && error?.phase == "setUp")
    #expect(world.trace == ["A setUp", "A tearDown"])
    modules.unregister(FailsInSetUp.self)
    let running = bench.run()
    try await world.reach("A run")
    try await bench.stop(running)
  }
}
