@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>

/// The guarantees of a run that continues in the background.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct BackgroundRunTests {
  private struct Broken: Error {}

  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }

  @Test func `events reach the modules when the call returns, before the modules are ready`() async throws {
    let ready = Gate()
    world.scripts["A becomeReady"] = { await ready.pass() }
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    try modules.runInBackground { _ in Issue.record("nothing failed") }
    #expect(modules.trigger(.whoIsThere) == ["A", "B"])
    #expect(world.trace.prefix(4) == ["A setUp", "B setUp", "A initialize", "B initialize"])
    #expect(world.who("becomeReady.").isEmpty)
    try await world.reach("A becomeReady")
    ready.open()
    try await world.reach("B run")
    modules.stop()
    try await until("the modules are torn down") { modules.moduleNames.isEmpty && !modules.isStarted }
    #expect(world.trace.suffix(2) == ["B tearDown", "A tearDown"])
    #expect(bench.problems.diagnostics.isEmpty)
  }

  @Test func `a failure of an asynchronous phase is passed on after all modules are torn down`() async throws {
    world.scripts["B becomeReady"] = { throw Broken() }
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    var failures: [String] = []
    try modules.runInBackground { [world] error in failures.append("\(error), \(world.trace.last ?? "")") }
    try await until("the failure is passed on") { !failures.isEmpty }
    #expect(failures.count == 1)
    #expect(failures[0].contains("Broken()") && failures[0].hasSuffix("A tearDown"))
    #expect(!modules.isStarted)
  }

  @Test func `a manager that is released runs its modules until a stop is requested`() async throws {
    var bench: RunBench? = RunBench()
    let (world, context) = (bench!.world, bench!.modules.context)
    weak let manager = bench!.modules
    bench!.add(A.self)
    try bench!.modules.runInBackground { _ in Issue.record("nothing failed") }
    bench = nil
    try await world.reach("A run")
    #expect(manager?.isStarted == true)
    context.triggerGracefulShutdown()
    try await world.reach("A tearDown")
    try await until("the manager is released") { manager == nil }
  }

  @Test func `a second start throws, and a start after a requested shutdown throws`() async throws {
    bench.add(A.self)
    modules.triggerGracefulShutdown()
    #expect {
      try modules.runInBackground { _ in }
    } throws: { error in
      (error as? ModuleError)?.code == "stopped"
    }
    try modules.runInBackground { _ in }
    #expect {
      try modules.runInBackground { _ in }
    } throws: { error in
      (error as? ModuleError)?.code == "already-started"
    }
    modules.stop()
    try await until("the modules have stopped") { !modules.isStarted }
  }
}
