@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class Middle: Module {
  static func subscribe(_ events: Subscriptions<Middle>) {
    events.on(.list) { _, _ in ["module"] }
  }
}
private final class Other: Module {
  static func subscribe(_ events: Subscriptions<Other>) {
    events.on(.list) { _, _ in ["other"] }
  }
}
private final class Third: Module {
  static func subscribe(_ events: Subscriptions<Third>) {
    events.on(.list) { _, _ in ["third"] }
  }
}

private final class Held: Sendable {}

/// Handlers that subscribe while the app runs.
@Suite(.timeLimit(.minutes(20))) @MainActor struct EventSubscriptionTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func started(_ modules: [any Module.Type] = []) throws -> ModuleManager {
    let modules = ModuleManager(modules: modules, onDiagnostic: problems.handler)
    try modules.start()
    return modules
  }

  @Test func `a subscription has its position among the modules, and canceling removes it`() throws {
    let modules = try started([Middle.self])
    modules.on(.list, priority: -1) { _ in ["late"] }
    let early = modules.on(.list, priority: 1) { _, _ in ["early"] }
    #expect(modules.trigger(.list) == ["early", "module", "late"])
    #expect(early.cancel() && !early.cancel())
    #expect(modules.trigger(.list) == ["module", "late"])
    #expect(modules.moduleNames == ["LifecycleTests.Middle"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `by default, each form of subscription has priority zero and is permanent`() async throws {
    let modules = try started()
    let trace = trace
    modules.on(.userDidLogIn) { user, _ in trace.add("payload") }
    modules.on(.ping) { _ in trace.add("none") }
    modules.on(.userDidLogIn, taskPriority: .low) { user in trace.add("task, payload") }
    modules.on(.ping, taskPriority: .low) { trace.add("task, none") }
    for _ in 0..<2 {
      modules.trigger(.userDidLogIn, User(name: "Ada"))
      modules.trigger(.ping)
    }
    await modules.waitUntilIdle()
    #expect(trace.lines.sorted() == ["none", "payload", "task, none", "task, payload"].flatMap { [$0, $0] })
    #expect(modules.runner.order().map(\.attributes.priority) == [0, 0, 0, 0])
  }

  @Test func `a handler that runs once or in a task can follow the app`() async throws {
    let (modules, trace) = (try started(), trace)
    modules.on(.ping, .afterApp, once: true) { _ in trace.add("once") }
    let token = modules.on(.ping, .afterApp, taskPriority: .high) { trace.add("task") }
    modules.trigger(.ping, ()) {
      trace.add("app")
      token.cancel()
    }
    await modules.waitUntilIdle()
    #expect(trace.lines == ["app", "once"], "a handler that the app removes creates no task")
  }

  @Test func `a subscription waits for the start, and survives a stop`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.on(.list) { _ in ["here"] }
    try modules.start()
    #expect(modules.trigger(.list) == ["here"])
    modules.stop()
    #expect(modules.trigger(.list) == [])
    try modules.start()
    #expect(modules.trigger(.list) == ["here"])
  }

  @Test func `many subscriptions at one source location are all called, in order`() throws {
    let modules = try started()
    let names = (0..<120).map { "\($0)" }
    let subscriptions = names.map { name in modules.on(.list) { _ in [name] } }
    #expect(modules.trigger(.list) == names)
    for subscription in subscriptions.prefix(60) { subscription.cancel() }
    modules.on(.list, priority: 1) { _ in ["first"] }
    #expect(modules.trigger(.list) == ["first"] + names.suffix(60))
  }

  @Test func `a subscription for one call is canceled by its first event, before it runs`() throws {
    let modules = try started()
    let trace = trace
    let subscription = modules.on(.ping, once: true) { [weak modules] _ in
      trace.add("once")
      modules?.trigger(.ping)
    }
    modules.on(.ping) { _ in trace.add("always") }
    modules.trigger(.ping)
    modules.trigger(.ping)
    #expect(trace.lines == ["once", "always", "always", "always"])
    #expect(!subscription.cancel())
    modules.stop()
    try modules.start()
    modules.trigger(.ping)
    #expect(trace.lines.last == "always" && trace.lines.count == 5)
  }

  @Test func `a subscription for one call that throws counts as called`() throws {
    let modules = try started()
    let subscription = modules.on(.ping, once: true) { _ in throw Broken() }
    modules.trigger(.ping)
    modules.trigger(.ping)
    #expect(problems[.handlerFailed].count == 1 && problems.diagnostics.count == 1)
    #expect(problems.diagnostics.first?.subject.hasPrefix("LifecycleTests/EventSubscriptionTests.swift:") == true)
    #expect(!subscription.cancel())
  }

  @Test func `an event reaches neither the subscriptions that it cancels nor those that it adds`() throws {
    let modules = try started()
    let trace = trace
    var last: RegistrationToken?
    modules.on(.ping, priority: 1) { [weak modules] _ in
      trace.add("first")
      last?.cancel()
      modules?.on(.ping, once: true) { _ in trace.add("new") }
      // Collecting the handlers of the event again releases the canceled one.
      modules?.trigger(.list)
    }
    last = modules.on(.ping) { _ in trace.add("last") }
    modules.trigger(.ping)
    #expect(trace.lines == ["first"])
    modules.trigger(.ping)
    #expect(trace.lines == ["first", "first", "new"])
  }

  @Test func `a subscription that cancels itself is not released while it runs`() throws {
    let modules = try started()
    let trace = trace
    weak var held: Held?
    var own: RegistrationToken?
    do {
      let object = Held()
      held = object
      own = modules.on(.ping) { [object] _ in
        own?.cancel()
        trace.add("\(type(of: object))")
      }
    }
    modules.trigger(.ping)
    modules.trigger(.ping)
    #expect(trace.lines == ["Held"] && held == nil)
  }

  @Test func `a canceled subscription is released, also before the start`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    for isStarted in [false, true] {
      if isStarted { try modules.start() }
      weak var held: Held?
      do {
        let object = Held()
        held = object
        let subscription = modules.on(.ping) { [object] _ in withExtendedLifetime(object) {} }
        modules.trigger(.ping)
        #expect(held != nil && subscription.cancel())
      }
      modules.trigger(.ping)
      #expect(held == nil)
    }
  }

  @Test func `a subscription with other types than its event is dropped and reported`() throws {
    let modules = try started([Middle.self])
    let event = Event<Int, Void>("test.list")
    modules.on(event, priority: -1) { _, _ in }
    #expect(modules.trigger(.list) == ["module"])
    #expect(problems.diagnostics.map(\.code) == [.eventMismatch])
    #expect(problems.diagnostics.first?.subject.hasPrefix("LifecycleTests/EventSubscriptionTests.swift:") == true)
  }

  @Test func `handlers at one source location are distinguished by numbers`() throws {
    let modules = try started()
    for _ in 0..<3 { modules.on(.ping) { _ in throw Broken() } }
    modules.trigger(.ping)
    let subjects = problems[.handlerFailed].map(\.subject)
    let place = try #require(subjects.first)
    #expect(subjects == [place, place + "#2", place + "#3"])
  }

  @Test func `a handler follows those that were added before at its source location`() throws {
    let (modules, trace) = (try started(), trace)
    func add(_ name: String) -> RegistrationToken { modules.on(.ping) { _ in trace.add(name) } }
    let tokens = ["a", "b", "c"].map(add)
    tokens[0].cancel()
    _ = add("d")
    tokens[2].cancel()
    _ = add("e")
    modules.trigger(.ping)
    #expect(trace.lines == ["b", "d", "e"])
  }

  @Test func `the tasks of several events are all awaited, and their errors are reported`() async throws {
    let modules = try started()
    let trace = trace
    modules.on(.userDidLogIn, taskPriority: .high) { user in
      for _ in 0..<20 { await Task.yield() }
      if user.name == "bad" { throw Broken() }
      trace.add(user.name)
    }
    modules.on(.ping, once: true, taskPriority: .low) { trace.add("ping") }
    for number in 0..<50 { modules.trigger(.userDidLogIn, User(name: number == 7 ? "bad" : "\(number)")) }
    modules.trigger(.ping)
    modules.trigger(.ping)
    await modules.waitUntilIdle()
    #expect(Set(trace.lines) == Set((0..<50).filter { $0 != 7 }.map(String.init) + ["ping"]) && trace.lines.count == 50)
    #expect(problems.diagnostics.map(\.code) == [.handlerFailed])
  }

  @Test func `a task outlives the cancellation of its subscription`() async throws {
    let modules = try started()
    let trace = trace
    let subscription = modules.on(.ping, taskPriority: .utility) {
      for _ in 0..<1_000 { await Task.yield() }
      trace.add("ended")
      throw Broken()
    }
    modules.trigger(.ping)
    subscription.cancel()
    // The module's didFinishStarting phase is deferred.
    modules.register(Middle.self)
    await modules.waitUntilIdle()
    #expect(trace.lines == ["ended"] && problems.diagnostics.map(\.code) == [.handlerFailed])
  }

  @Test func `a subscription does not retain its manager, and detects its release`() throws {
    var modules: ModuleManager? = try started()
    weak let gone = modules
    let subscription = try #require(modules).on(.ping) { _ in }
    modules = nil
    #expect(gone == nil && !subscription.cancel())
  }

  @Test func `the order is the same in a thousand runs, in any order of registration`() throws {
    var generator = SeededGenerator(seed: 7)
    var orders: Set<[String]> = []
    for _ in 0..<Effort.count("ORDERS", default: 1_000) {
      let modules = ModuleManager(onDiagnostic: problems.handler)
      // Each subscription is on a separate line, because its source location identifies it. The
      // steps run in random order, before or after the start.
      var steps: [@MainActor () -> Void] = [
        { modules.on(.list) { _ in ["a"] } },
        { modules.on(.list, priority: 2) { _ in ["b"] } },
        { modules.on(.list) { _ in ["c"] } },
        { modules.on(.list, priority: -3) { _ in ["d"] } },
        { modules.register(Middle.self) },
        { modules.register(Other.self, priority: 2) },
        { modules.register(Third.self, after: ["LifecycleTests.Middle"]) },
      ]
      steps.shuffle(using: &generator)
      let starts = generator.below(steps.count)
      for (number, step) in steps.enumerated() {
        if number == starts { try modules.start() }
        step()
      }
      orders.insert(modules.trigger(.list))
      modules.stop()
    }
    #expect(orders == [["other", "b", "module", "third", "a", "c", "d"]])
    #expect(Set(problems.codes) == [.unknownAfter])
  }
}
