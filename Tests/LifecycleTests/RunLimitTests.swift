@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>
private typealias C = Worker<Tag.C>

/// Modules whose phases exceed their time limits.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct RunLimitTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  /// Returns whether an error reports that a phase of a module exceeded its time limit.
  private func isTimeOut(_ error: (any Error)?, _ module: any Module.Type, _ phase: ModulePhase, _ seconds: Double)
    -> Bool
  {
    guard let error = error as? ModuleError, error.code == .timedOut else { return false }
    return error.modules == [recordName(of: module)] && error.phase == phase.rawValue
      && error.description.contains("the time limit of \(seconds) s")
  }

  /// Advances the time when a task waits for it.
  private func pass(_ seconds: Double) async throws {
    try await bench.time.sleepers(1)
    bench.time.advance(seconds: seconds)
  }

  @Test func `a module that becomes ready too slowly is reported and thrown, and everything stops`()
    async throws
  {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: B.self)
    world.scripts["B becomeReady"] = { try await untilCancelled() }
    let running = bench.run()
    try await world.reach("B becomeReady")
    try await pass(29.9)
    for _ in 0..<20 { await Task.yield() }
    #expect(world.who("becomeReady!").isEmpty)
    try await pass(0.2)
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(isTimeOut(error, B.self, .becomeReady, 30) && "\(error!)".contains("limit of 30.0 s in 'becomeReady'"))
    #expect(bench.problems[.timedOut].map(\.subject) == [recordName(of: B.self)])
    #expect(world.who("becomeReady") == ["A", "B"] && world.who("shutDown.") == ["B", "A"])
    #expect(world.who("tearDown") == ["C", "B", "A"] && bench.time.sleeperCount == 0)
  }

  @Test func `a module that ignores cancellation is not awaited, and is still shut down`()
    async throws
  {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["B becomeReady"] = { await gate.pass() }
    let running = bench.run(limits: PhaseLimits(becomeReady: 1, shutDown: 2))
    try await world.reach("B becomeReady")
    try await pass(1)
    try await until("B is reported to take too long") { !bench.problems[.timedOut].isEmpty }
    #expect(world.who("shutDown").isEmpty)
    try await pass(2)
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect(isTimeOut(error, B.self, .becomeReady, 1))
    #expect(world.who("shutDown.") == ["B", "A"] && bench.problems[.timedOut].count == 2)
    // The late end of the phase has no effect.
    let before = world.trace
    gate.open()
    try await world.reach("B becomeReady.")
    for _ in 0..<20 { await Task.yield() }
    #expect(world.trace == before + ["B becomeReady."])
  }

  @Test func `a shut-down that takes too long is reported and canceled, and the others continue`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: A.self)
    world.scripts["B shutDown"] = {
      await gate.pass()
      #expect(Task.isCancelled)
      throw Broken()
    }
    let running = bench.run()
    try await world.reach("B run")
    try await world.reach("C run")
    modules.triggerGracefulShutdown()
    try await world.reach("B shutDown")
    try await world.reach("C run!")
    #expect(!world.who("shutDown").contains("A"))
    try await pass(10)
    try await running.value
    #expect(world.who("shutDown.") == ["C", "A"] && world.who("run!").sorted() == ["A", "B", "C"])
    let problem = try #require(bench.problems.diagnostics.first)
    #expect(problem.code == .timedOut && problem.subject == recordName(of: B.self))
    #expect(problem.message.contains("10.0 s in 'shutDown'") && bench.problems.diagnostics.count == 1)
    // The late end of the phase has no effect.
    gate.open()
    try await world.reach("B shutDown!")
    for _ in 0..<20 { await Task.yield() }
    #expect(bench.problems.diagnostics.count == 1)
  }

  @Test func `work that continues after its cancellation is reported and not awaited`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["B run"] = {
      await gate.pass()
      throw Broken()
    }
    let running = bench.run()
    try await world.reach("B run")
    modules.triggerGracefulShutdown()
    try await world.reach("B shutDown.")
    try await pass(10)
    try await running.value
    #expect(world.who("shutDown.") == ["B", "A"] && world.who("tearDown") == ["B", "A"])
    #expect(bench.problems[.timedOut].map(\.subject) == [recordName(of: B.self)])
    #expect(bench.problems[.timedOut].first?.message.contains("in 'run'") == true)
    gate.open()
    try await world.reach("B run!")
    #expect(bench.problems.diagnostics.count == 1)
  }

  @Test func `canceling the run gives no more time to work that is already canceled`() async throws {
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A run"] = {
      try? await untilCancelled()
      world.note("A is canceled")
      await gate.pass()
    }
    let running = try await bench.begin()
    modules.triggerGracefulShutdown()
    try await world.reach("A is canceled")
    try await pass(6)
    running.cancel()
    try await until("the cancellation is seen") { modules.runner.phases?.limits.gracePeriod == 0 }
    bench.time.advance(seconds: 4)
    try await until("the run ends") { !modules.isStarted }
    gate.open()
    try await running.value
    #expect(bench.problems.codes == [.timedOut])
  }

  @Test func `each module has the whole limit from its own beginning`() async throws {
    let (first, second) = (Gate(), Gate())
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A becomeReady"] = { await first.pass() }
    world.scripts["B becomeReady"] = { await second.pass() }
    let running = bench.run()
    try await world.reach("A becomeReady")
    try await pass(20)
    first.open()
    try await world.reach("B becomeReady")
    try await pass(20)
    second.open()
    try await world.reach("B run")
    try await bench.stop(running)
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `infinity is no limit, and NaN is zero`() async throws {
    #expect(PhaseLimits() == PhaseLimits(becomeReady: 30, shutDown: 10))
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A becomeReady"] = { await gate.pass() }
    let running = bench.run(limits: PhaseLimits(becomeReady: .infinity, shutDown: .infinity))
    try await world.reach("A becomeReady")
    for _ in 0..<20 { await Task.yield() }
    #expect(bench.time.sleeperCount == 0)
    gate.open()
    try await world.reach("A run")
    try await bench.stop(running)
    world.scripts["A becomeReady"] = { try await untilCancelled() }
    let again = bench.run(limits: PhaseLimits(becomeReady: .nan))
    await #expect(throws: ModuleError.self) { try await again.value }
  }
}
