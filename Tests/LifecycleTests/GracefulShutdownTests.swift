import Registry
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

private typealias A = Worker<Tag.A>
private typealias B = Worker<Tag.B>
private typealias C = Worker<Tag.C>

/// The work of modules that observes a graceful shutdown.
///
/// The names of tests of swift-service-lifecycle with the same expectation follow some tests.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct GracefulShutdownTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }
  var modules: ModuleManager { bench.modules }
  var context: Context { bench.modules.context }

  /// Lets tasks run, so that what must not happen could happen.
  private func settle() async { for _ in 0..<50 { await Task.yield() } }

  private func pass(_ seconds: Double) async throws {
    try await bench.time.sleepers(1)
    bench.time.advance(seconds: seconds)
  }

  // testTaskShutdownGracefully
  @Test func `work that drains its queue is not canceled`() async throws {
    let (queue, jobs) = AsyncStream.makeStream(of: Int.self)
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A run"] = {
      try await context.withGracefulShutdownHandler {
        for await job in queue {
          await gate.pass()
          try Task.checkCancellation()
          world.note("job \(job)")
        }
      } onGracefulShutdown: {
        jobs.finish()
      }
    }
    let running = try await bench.begin()
    for job in 1...3 { jobs.yield(job) }
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown.")
    await settle()
    #expect(!world.trace.contains("A run!") && world.who("tearDown").isEmpty)
    gate.open()
    try await running.value
    #expect(world.trace.suffix(5) == ["job 1", "job 2", "job 3", "A run.", "A tearDown"])
    #expect(problems.isEmpty && bench.time.sleeperCount == 0)
  }

  private var problems: [Diagnostic.Code] { bench.problems.codes }

  // testWithGracefulShutdownHandler_whenNested
  @Test func `nested handlers are called from the outside to the inside, also in child tasks`() async throws {
    let lines = Trace()
    let context = context
    bench.add(A.self)
    world.scripts["A run"] = {
      try await context.withGracefulShutdownHandler {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              try await context.withGracefulShutdownHandler {
                lines.add("operation")
                try await context.gracefulShutdown()
              } onGracefulShutdown: {
                lines.add("inner")
              }
            }
          }
          try await group.waitForAll()
        }
      } onGracefulShutdown: {
        lines.add("outer")
      }
    }
    let running = try await bench.begin()
    try await until("the operations wait") { lines.lines.count == 2 }
    try await bench.stop(running)
    #expect(lines.lines == ["operation", "operation", "outer", "inner", "inner"])
    #expect(world.who("run.") == ["A"])
  }

  // testWithGracefulShutdownHandler_cleansUpHandlerAfterScopeExit
  @Test func `a handler is released when its operation ends, and is not called later`() async throws {
    final class Resource: Sendable {}
    weak var released: Resource?
    let calls = Trace()
    bench.add(A.self)
    world.scripts["A run"] = {
      let resource = Resource()
      released = resource
      await context.withGracefulShutdownHandler {
      } onGracefulShutdown: {
        calls.add("\(resource)")
      }
      world.note("operation ended")
    }
    let running = try await bench.begin()
    try await world.reach("operation ended")
    try await until("the handler is released") { released == nil }
    try await bench.stop(running)
    #expect(calls.lines.isEmpty)
  }

  // testIsShuttingDownGracefully, testGracefulShutdownOrdering
  @Test func `a module observes its own shutdown, after the modules that wait for it have ended`() async throws {
    let gate = Gate()
    let context = context
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    for name in ["A", "B"] {
      world.scripts["\(name) run"] = {
        #expect(!context.isShuttingDownGracefully)
        try await context.gracefulShutdown()
        #expect(context.isShuttingDownGracefully)
        world.note("\(name) drains")
        if name == "B" { await gate.pass() }
      }
    }
    let running = try await bench.begin()
    #expect(!context.isShuttingDownGracefully)
    modules.triggerGracefulShutdown()
    try await world.reach("B drains")
    await settle()
    #expect(!world.trace.contains("A drains") && context.isShuttingDownGracefully)
    gate.open()
    try await running.value
    let end = world.trace.filter { !$0.hasPrefix("A setUp") }.drop { $0 != "B drains" }
    #expect(
      end.filter { $0 != "B shutDown" && $0 != "A shutDown" && !$0.hasSuffix("shutDown.") }
        == ["B drains", "B run.", "A drains", "A run.", "B tearDown", "A tearDown"])
    #expect(!context.isShuttingDownGracefully)
  }

  // testWaitForGracefulShutdown_WhenAlreadyShutdown
  @Test func `waiting and handlers take effect at once when the shutdown has begun`() async throws {
    let calls = Trace()
    let gate = Gate()
    bench.add(A.self)
    world.scripts["A run"] = {
      #expect(!context.isShuttingDownGracefully)
      await gate.pass()
      try await context.gracefulShutdown()
      await context.withGracefulShutdownHandler {
        calls.add("operation")
      } onGracefulShutdown: {
        calls.add("handler")
      }
    }
    let running = try await bench.begin()
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown.")
    gate.open()
    try await running.value
    #expect(calls.lines == ["handler", "operation"] && world.who("run.") == ["A"])
  }

  // testWaitForGracefulShutdown_Cancellation
  @Test func `waiting for a shutdown ends when the task is canceled`() async throws {
    let context = context
    let waiting = Task { try await context.gracefulShutdown() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  // testGracefulShutdownEscalation
  @Test func `work that drains too long is canceled when its grace period ends`() async throws {
    bench.add(A.self)
    world.scripts["A run"] = {
      try await context.gracefulShutdown()
      world.note("A drains")
      try await untilCancelled()
    }
    let running = bench.run(limits: PhaseLimits(gracePeriod: 3))
    try await world.reach("A run")
    await modules.waitUntilIdle()
    modules.triggerGracefulShutdown()
    try await world.reach("A drains")
    try await world.reach("A shutDown.")
    try await pass(2.9)
    await settle()
    #expect(world.who("run!").isEmpty)
    try await pass(0.2)
    try await running.value
    #expect(world.trace.suffix(2) == ["A run!", "A tearDown"])
    #if DEBUG
    #expect(problems == [.timedOut])
    #endif
    #expect(bench.time.sleeperCount == 0)
  }

  @Test func `the grace period is ten seconds for work that observes the shutdown, and none for other work`()
    async throws
  {
    bench.add(A.self)
    bench.add(B.self)
    world.scripts["A run"] = {
      try await context.gracefulShutdown()
      try await untilCancelled()
    }
    let running = try await bench.begin()
    try await world.reach("A run")
    modules.triggerGracefulShutdown()
    try await world.reach("B run!")
    try await world.reach("A shutDown.")
    try await pass(9.9)
    await settle()
    #expect(world.who("run!") == ["B"])
    try await pass(0.2)
    try await running.value
    #expect(world.who("run!") == ["B", "A"])
  }

  @Test func `work that only queries the shutdown has a grace period, too`() async throws {
    let (gate, context) = (Gate(), context)
    bench.add(A.self)
    world.scripts["A run"] = {
      #expect(!context.isShuttingDownGracefully)
      await gate.pass()
      try Task.checkCancellation()
    }
    let running = try await bench.begin()
    try await world.reach("A run")
    modules.triggerGracefulShutdown()
    try await world.reach("A shutDown.")
    await settle()
    gate.open()
    try await running.value
    #expect(world.who("run.") == ["A"] && problems.isEmpty)
  }

  // testRun_whenServiceThrows_andShutdownGracefully
  @Test func `work completes after another module has failed, and its error is reported`() async throws {
    let gate = Gate()
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A run"] = {
      try await context.gracefulShutdown()
      throw Broken()
    }
    world.scripts["B run"] = {
      await gate.pass()
      throw Broken()
    }
    let running = try await bench.begin()
    try await world.reach("A run")
    gate.open()
    let error = await #expect(throws: ModuleError.self) { try await running.value }
    #expect("\(error!)".contains("Tag.B"))
    #expect(problems == [.phaseFailed] && world.who("tearDown") == ["B", "A"])
  }

  // testCancellationSignal_afterGracefulShutdownSignal
  @Test(arguments: [true, false])
  func `a cancellation ends grace periods, before or during a graceful shutdown`(isDuring: Bool) async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    for name in ["A", "B"] {
      world.scripts["\(name) run"] = {
        try await context.gracefulShutdown()
        world.note("\(name) drains")
        try await untilCancelled()
      }
    }
    let running = try await bench.begin()
    try await world.reach("B run")
    if isDuring {
      modules.triggerGracefulShutdown()
      try await world.reach("B drains")
      try await world.reach("B shutDown.")
      await settle()
      #expect(world.who("run!").isEmpty)
    }
    running.cancel()
    _ = await running.result
    #expect(world.who("run!") == ["B", "A"] && world.who("tearDown") == ["B", "A"])
    // The first reason counts.
    if isDuring {
      try await running.value
    } else {
      await #expect(throws: CancellationError.self) { try await running.value }
    }
  }

  @Test func `a module that is removed observes its shutdown, and the manager does not shut down`() async throws {
    let context = context
    bench.add(A.self)
    bench.add(B.self)
    for name in ["A", "B"] {
      world.scripts["\(name) run"] = {
        try await context.gracefulShutdown()
        world.note("\(name) drains \(context.isShuttingDownGracefully)")
      }
    }
    let running = try await bench.begin()
    try await world.reach("B run")
    modules.unregister(B.self)
    try await world.reach("B drains true")
    #expect(!context.isShuttingDownGracefully && !world.trace.contains("A drains true"))
    try await bench.stop(running)
    #expect(world.trace.contains("A drains true"))
  }

  // testNestedServiceLifecycle
  @Test func `work that uses another manager observes the shutdown of that manager`() async throws {
    let other = ModuleManager()
    try other.start()
    let context = context
    bench.add(A.self)
    world.scripts["A run"] = {
      try await other.context.gracefulShutdown()
      world.note("the other one stops \(context.isShuttingDownGracefully)")
      try await untilCancelled()
    }
    let running = try await bench.begin()
    try await world.reach("A run")
    other.stop()
    try await world.reach("the other one stops false")
    running.cancel()
    _ = await running.result
  }

  // testTriggerGracefulShutdown
  @Test func `a module stops its manager through the context`() async throws {
    let context = context
    bench.add(A.self)
    world.scripts["A run"] = {
      context.triggerGracefulShutdown()
      try await context.gracefulShutdown()
    }
    try await bench.run().value
    #expect(
      world.trace.suffix(2) == ["A run.", "A tearDown"] || world.trace.suffix(2) == ["A shutDown.", "A tearDown"])
  }

  @Test func `modules do not observe the shutdown of the module whose work stops the manager`() async throws {
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A run"] = {
      context.triggerGracefulShutdown()
      try await untilCancelled()
    }
    world.scripts["B shutDown"] = { world.note("B observes \(context.isShuttingDownGracefully)") }
    let running = bench.run()
    try await world.reach("B observes true")
    // The work has not observed its shutdown, so it has no grace period.
    try await world.reach("A run!")
    try await running.value
    #expect(bench.time.sleeperCount == 0 && problems.isEmpty)
  }

  @Test func `code of the app does not observe the shutdown of the module whose task cancels or starts a run`()
    async throws
  {
    let context = context
    var running: Task<Void, any Error>?
    bench.add(A.self)
    world.scripts["A run"] = {
      Task {
        try await world.reach("A tearDown")
        running?.cancel()
        _ = await running?.result
        bench.add(B.self)
        try modules.runInBackground { _ in world.note("failed \(context.isShuttingDownGracefully)") }
      }
      try await untilCancelled()
    }
    world.scripts["B becomeReady"] = { throw Broken() }
    modules.on(.modulesWillTearDown) { [world, unowned context] _ in
      Task { world.note("later \(context.isShuttingDownGracefully)") }
    }
    running = try await bench.begin()
    modules.unregister(A.self)
    try await world.reach("later false")
    try await world.reach("failed false")
  }

  @Test func `a module does not observe the shutdown of the module whose work registers it`() async throws {
    bench.add(A.self)
    world.scripts["A run"] = {
      bench.add(B.self)
      try await untilCancelled()
    }
    for phase in ["becomeReady", "shutDown"] {
      world.scripts["B \(phase)"] = { world.note("B observes \(context.isShuttingDownGracefully)") }
    }
    let running = try await bench.begin()
    try await world.reach("B observes false")
    modules.triggerGracefulShutdown()
    try await world.reach("B observes true")
    try await world.reach("A run!")
    try await running.value
  }

  @Test func `handlers that answer or run later do not observe the shutdown of the module whose work triggers them`()
    async throws
  {
    let context = context
    modules.on(.shutdownQuestion) { _ in
      await Task.yield()
      return [context.isShuttingDownGracefully]
    }
    modules.register(ObservesLater.self)
    bench.add(A.self, after: ObservesLater.self)
    world.scripts["A run"] = {
      #expect(await modules.trigger(.shutdownQuestion) == [false])
      modules.trigger(.shutdownNotice)
      try await untilCancelled()
    }
    let running = try await bench.begin()
    try await world.reach("later false")
    modules.triggerGracefulShutdown()
    try await world.reach("A run!")
    try await running.value
  }

  @Test func `handlers and phases do not observe the shutdown of the module whose work calls them`() async throws {
    let (gate, seen, context) = (Gate(), Trace(), context)
    modules.on(.shutdownNotice) { _, context in seen.add("handler \(context.isShuttingDownGracefully)") }
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    world.scripts["A run"] = {
      modules.register(named: "plain") { [unowned context] in
        seen.add("phase \(context.isShuttingDownGracefully)")
        return Plain<Tag.C>()
      }
      await gate.pass()
      modules.trigger(.shutdownNotice)
      try await untilCancelled()
    }
    world.scripts["B shutDown"] = {
      gate.open()
      try await until("the handler is called") { seen.lines.count == 2 }
    }
    let running = try await bench.begin()
    modules.triggerGracefulShutdown()
    // The work has not observed its shutdown, so it has no grace period.
    try await world.reach("A run!")
    try await running.value
    #expect(seen.lines == ["phase false", "handler true"] && bench.time.sleeperCount == 0)
  }

  @Test func `modules without asynchronous phases observe a stop`() throws {
    let seen = Trace()
    let context = context
    modules.on(.modulesWillTearDown) { _ in seen.add("\(context.isShuttingDownGracefully)") }
    try modules.start()
    #expect(!context.isShuttingDownGracefully)
    modules.stop()
    #expect(seen.lines == ["true"] && !context.isShuttingDownGracefully)
  }
}

extension AsyncEvent where Payload == Void, Outcome == [Bool] {
  fileprivate static var shutdownQuestion: Self { .init("test.shutdownQuestion", combining: .collect) }
}

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var shutdownNotice: Self { .init("test.shutdownNotice") }
}

/// A module whose handler observes the shutdown in the next turn.
private final class ObservesLater: Module {
  static func subscribe(_ events: Subscriptions<ObservesLater>) {
    events.inNextTurn(.shutdownNotice) { _, context in
      context.configuration[.runWorld]!.note("later \(context.isShuttingDownGracefully)")
    }
  }
}

/// The time limit of a whole shutdown.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct WholeShutdownTests {
  let bench = RunBench()
  var world: RunWorld { bench.world }

  // testGracefulShutdownWithMaximumDuration
  @Test func `one deadline ends the shutdown of all modules, however many are slow`() async throws {
    let (gate, context, seen) = (Gate(), bench.modules.context, Trace())
    // It has nothing to shut down, so it is torn down without a report.
    bench.add(Plain<Tag.D>.self)
    bench.add(A.self)
    bench.add(B.self, after: A.self)
    bench.add(C.self, after: B.self, Plain<Tag.D>.self)
    world.scripts["B run"] = {
      await gate.pass()
      seen.add(context.isShuttingDownGracefully ? "shutdown" : "no shutdown")
    }
    world.scripts["C shutDown"] = { await gate.pass() }
    let running = bench.run(limits: PhaseLimits(shutDown: 60, totalShutdown: 8))
    try await world.reach("C run")
    await bench.modules.waitUntilIdle()
    bench.modules.triggerGracefulShutdown()
    try await world.reach("C shutDown")
    try await bench.time.sleepers(2)
    bench.time.advance(seconds: 7.9)
    for _ in 0..<50 { await Task.yield() }
    #expect(world.who("tearDown").isEmpty)
    bench.time.advance(seconds: 0.2)
    try await running.value
    #expect(world.who("tearDown") == ["C", "B", "A", "D"] && world.who("shutDown") == ["C"])
    let reported = bench.problems[.timedOut]
    let names = [recordName(of: C.self), recordName(of: B.self), recordName(of: A.self)]
    #expect(reported.map(\.subject) == names)
    #expect(reported[0].message.contains("time limit of 8.0 s: 'shutDown' has not returned"))
    #expect(reported[1].message.contains("its 'shutDown' was not called"))
    #expect(bench.time.sleeperCount == 0)
    // The late end of the phases has no effect.
    gate.open()
    try await world.reach("C shutDown.")
    #expect(bench.problems[.timedOut].count == 3)
    // A 'run' that was abandoned knows that it must end.
    try await until("the run ends") { !seen.lines.isEmpty }
    #expect(seen.lines == ["shutdown"])
  }

  @Test func `a shutdown within the deadline leaves no timer, and the manager can run again`() async throws {
    bench.add(A.self)
    for _ in 0..<2 {
      let running = bench.run(limits: PhaseLimits(totalShutdown: 8))
      try await until("the module runs") { world.who("run").count > world.who("tearDown").count }
      await bench.modules.waitUntilIdle()
      try await bench.stop(running)
      #expect(bench.time.sleeperCount == 0)
    }
    #expect(world.who("tearDown").count == 2 && bench.problems.codes.isEmpty)
  }

  @Test func `thousands of handlers of a shutdown are removed in linear time`() {
    let shutdown = GracefulShutdown()
    let handlers = (0..<10_000).compactMap { _ in shutdown.add {} }
    // It takes several seconds if each removal visits all handlers.
    #expect(processorSeconds { for handler in handlers { shutdown.remove(handler) } } < 1)
  }
}
