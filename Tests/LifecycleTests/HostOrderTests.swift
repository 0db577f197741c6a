@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class Before: Module {
  static func subscribe(_ events: Subscriptions<Before>) {
    events.on(.list) { _, _ in ["before"] }
    events.on(.open) { _, _, _ in true }
  }
}

/// The first module in order, which receives the event before and after the host.
private final class Both: Module {
  static func subscribe(_ events: Subscriptions<Both>) {
    events.on(.list, .afterApp) { _, context in ["both after \(context.event!.id)"] }
    events.on(.list) { _, _ in ["both before"] }
    events.on(.userDidLogIn, .afterApp) { module, user, context in module.greet(user, context) }
    events.on(.ping, .afterApp) { module, context in module.hear(context) }
  }
  func greet(_ user: User, _ context: Context) { context.configuration[.trace].add("greet \(user.name)") }
  func hear(_ context: Context) { context.configuration[.trace].add("hear") }
}

private final class After: Module {
  static func subscribe(_ events: Subscriptions<After>) {
    events.on(.list, .afterApp) { _, _ in throw Broken() }
    events.on(.list, .afterApp) { _, _ in ["after"] }
  }
}

private final class Tomorrow: Module {
  static func subscribe(_ events: Subscriptions<Tomorrow>) {
    events.inNextTurn(.userDidLogIn) { _, user, context in
      context.configuration[.trace].add("next turn \(user.name), event \(context.event?.id ?? "none")")
      if user.name == "Eve" { throw Broken() }
    }
    events.inNextTurn(.list) { _, context in context.configuration[.trace].add("next turn list") }
    events.on(.userDidLogIn) { _, user, context in context.configuration[.trace].add("now \(user.name)") }
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct HostOrderTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func started(_ modules: [any Module.Type]) throws -> ModuleManager {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.context.configuration[.trace] = trace
    for (place, module) in modules.enumerated() { manager.register(module, priority: -place) }
    try manager.start()
    return manager
  }

  @Test func `the host's answer is between the others, and a handler that throws stops none`()
    throws
  {
    let manager = try started([Both.self, Before.self, After.self])
    let answers = manager.trigger(.list, ()) {
      #expect(manager.context.event?.id == "test.list")
      return ["host"]
    }
    #expect(answers == ["both before", "before", "host", "both after test.list", "after"])
    #expect(problems.codes == [.handlerFailed])
    #expect(manager.context.event == nil)
  }

  @Test func `without a host, the handlers after it are still called last`() throws {
    let manager = try started([Both.self, Before.self, After.self])
    #expect(manager.trigger(.list) == ["both before", "before", "both after test.list", "after"])
  }

  @Test func `methods can also run after the host`() throws {
    let manager = try started([Both.self])
    manager.trigger(.userDidLogIn, User(name: "Ada")) { _ in trace.add("host") }
    manager.trigger(.ping, ()) { trace.add("host") }
    #expect(trace.lines == ["host", "greet Ada", "host", "hear"])
  }

  @Test func `the host is called once without a subscriber, and if the manager is not started`() throws {
    let manager = try started([Both.self])
    var count = 0
    #expect(
      manager.trigger(.open, "x") {
        $0 == "x"
          ? {
            count += 1; return true
          }() : false
      })
    #expect(count == 1 && problems.codes.isEmpty)
    manager.stop()
    #expect(manager.trigger(.list, ()) { ["host"] } == ["host"])
    #expect(problems.codes == [.notStarted])
  }

  @Test func `the host can trigger events, and add and remove the handlers after it`() throws {
    let manager = try started([Both.self, Before.self, After.self])
    let answers = manager.trigger(.list, ()) {
      #expect(manager.trigger(.list) == ["both before", "before", "both after test.list", "after"])
      manager.unregister(Both.self)
      manager.register(PlainModule.self)
      #expect(manager.context.event?.id == "test.list")
      return ["host"]
    }
    #expect(answers == ["both before", "before", "host", "after"])
    #expect(manager.trigger(.list) == ["plain", "before", "after"])
  }

  @Test func `events that the host nests too deeply are reported as those of the app, and not of a module`() throws {
    let manager = try started([Both.self, Before.self])
    var count = 0
    func answer() -> [String] {
      count += 1
      // The app is called even if the event is not delivered.
      return count > 2 * EventDepth.limit ? [] : manager.trigger(.list, ()) { answer() }
    }
    _ = answer()
    let problem = try #require(problems[.tooDeep].first)
    #expect(problem.subject == "test.list" && problem.message.hasPrefix("the app's own handling of an event triggered"))
  }

  @Test func `the host can stop the manager`() throws {
    let manager = try started([Both.self, Before.self])
    let answers = manager.trigger(.list, ()) {
      manager.stop()
      return ["host"]
    }
    #expect(answers == ["both before", "before", "host"])
    try manager.start()
    #expect(manager.trigger(.list) == ["both before", "before", "both after test.list"])
  }

  @Test func `a host that triggers its own event endlessly is stopped at the hundredth`() throws {
    let manager = try started([Before.self])
    var depth = 0
    func again(_ link: String) -> Bool {
      depth += 1
      return depth < 1000 ? manager.trigger(.open, link, app: again) : false
    }
    #expect(manager.trigger(.open, "", app: again))
    #expect(depth == 1000)
    #expect(problems.codes.contains(.tooDeep))
  }

  @Test func `handlers of the next turn run after the event, in order, and do not delay it`() async throws {
    let manager = try started([Tomorrow.self, Both.self])
    await manager.waitUntilIdle()
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(manager.trigger(.list) == ["both before", "both after test.list"])
    #expect(trace.lines == ["now Ada", "greet Ada"])
    await manager.waitUntilIdle()
    #expect(trace.lines == ["now Ada", "greet Ada", "next turn Ada, event none", "next turn list"])
  }

  @Test func `a handler of the next turn can throw, and is not called after its module is removed`() async throws {
    let manager = try started([Tomorrow.self])
    manager.trigger(.userDidLogIn, User(name: "Eve"))
    await manager.waitUntilIdle()
    #expect(problems.codes == [.handlerFailed])
    #expect(problems.diagnostics.first?.message.contains("test.userDidLogIn") == true)
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    manager.stop()
    try manager.start()
    await manager.waitUntilIdle()
    #expect(!trace.lines.contains("next turn Ada, event none"))
  }
}
