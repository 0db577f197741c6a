import Lifecycle
import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

private final class Early: Module {
  var users: [String] = []
  static func subscribe(_ events: Subscriptions<Early>) {
    events.on(.userDidLogIn) { module, user, context in
      module.users.append(user.name)
      context.configuration[.trace].add("early \(user.name) \(context.event!.id)")
    }
    events.on(.open) { _, link, _ in link == "early" }
    events.on(.name) { _, number, _ in number == 1 ? "one" : nil }
    events.on(.list) { _, _ in ["a", "b"] }
    events.on(.bits) { _, bit, _ in Bits(rawValue: bit) }
    events.on(.largest) { _, number, _ in number }
  }
}

private final class Late: Module {
  static func subscribe(_ events: Subscriptions<Late>) {
    events.on(.userDidLogIn) { _, user, context in context.configuration[.trace].add("late \(user.name)") }
    events.on(.open) { _, link, _ in link == "late" }
    events.on(.name) { _, number, _ in "late \(number)" }
    events.on(.list) { _, _ in ["c"] }
    events.on(.bits) { _, bit, _ in Bits(rawValue: bit << 1) }
    events.on(.largest) { _, number, _ in number * 2 }
  }
}

private final class Throws: Module {
  static func subscribe(_ events: Subscriptions<Throws>) {
    events.on(.userDidLogIn) { _, _, _ in throw Broken() }
    events.on(.list) { _, _ in throw Broken() }
  }
}

private final class Mismatched: Module {
  static func subscribe(_ events: Subscriptions<Mismatched>) {
    events.on(Event<String, Void>("test.userDidLogIn")) { _, text, context in
      context.configuration[.trace].add("mismatched \(text)")
    }
  }
}

/// A module that changes the manager's modules during an event.
private final class Changes: Module {
  static var manager: ModuleManager?
  static var change: (ModuleManager) -> Void = { _ in }
  static func subscribe(_ events: Subscriptions<Changes>) {
    events.on(.userDidLogIn) { _, user, context in
      context.configuration[.trace].add("changes \(user.name)")
      if let manager { change(manager) }
    }
  }
}

private let number = Event<Int, Void>("test.numberOrText")
private let text = Event<String, Void>("test.numberOrText")

@Suite(.serialized) @MainActor struct EventTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func started(_ modules: [any Module.Type]) throws -> ModuleManager {
    let manager = ModuleManager(
      modules: modules, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
    try manager.start()
    return manager
  }

  @Test func `an event reaches its subscribers in order, with its payload and context`() throws {
    let modules = try started([Late.self, Early.self])
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["early Ada test.userDidLogIn", "late Ada"])
    #expect(modules.context.event == nil)
  }

  @Test func `outcomes are combined by the event's rule`() throws {
    let modules = try started([Early.self, Late.self])
    #expect(modules.trigger(.open, "late") && modules.trigger(.open, "early") && !modules.trigger(.open, "x"))
    #expect(modules.trigger(.name, 1) == "one")
    #expect(modules.trigger(.name, 2) == "late 2")
    #expect(modules.trigger(.list) == ["a", "b", "c"])
    #expect(modules.trigger(.bits, 1).rawValue == 3)
    #expect(modules.trigger(.largest, 4) == 8)
  }

  @Test func `an event without answers has its initial outcome`() throws {
    let modules = try started([])
    #expect(!modules.trigger(.open, "x"))
    #expect(modules.trigger(.name, 1) == nil && modules.trigger(.list).isEmpty && modules.trigger(.bits, 1).isEmpty)
    #expect(modules.trigger(.largest, 3) == 0)
  }

  @Test func `an event before the start is reported every time and not delivered`() {
    let modules = ModuleManager(modules: [Early.self], onDiagnostic: problems.handler)
    for _ in 0..<20 { #expect(modules.trigger(.list).isEmpty) }
    #expect(problems[.notStarted].map(\.subject) == Array(repeating: "test.list", count: 20))
  }

  @Test(.timeLimit(.minutes(20)))
  func `a failure of an event that a task of a diagnostic handler triggers is reported`() async throws {
    let modules = try started([Throws.self])
    let count = Counter()
    modules.onDiagnostic = { [unowned modules] _ in
      // The task inherits the task-local values of the handler, and is not nested in it.
      if count.increment() < 50 { Task { @MainActor in modules.trigger(.list) } }
    }
    modules.trigger(.list)
    try await until("every failure is reported") { count.value == 50 }
  }

  @Test func `a handler that throws is reported, every time, and does not stop the others`() throws {
    let modules = try started([Early.self, Throws.self, Late.self])
    modules.register(Throws.self)
    for _ in 0..<2 { #expect(modules.trigger(.list) == ["a", "b", "c"]) }
    #expect(problems[.handlerFailed].count == 2)
    #expect(problems[.handlerFailed].first?.subject == "LifecycleTests.Throws")
    #expect(problems[.handlerFailed].first?.message.contains("test.list") == true)
    #expect(modules.report().diagnostics.filter { $0.code == .handlerFailed }.count == 1)
  }

  @Test func `an event identifier with other types is reported and not delivered`() throws {
    let modules = try started([Early.self, Mismatched.self])
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["early Ada test.userDidLogIn"])
    #expect(problems[.eventMismatch].first?.subject == "LifecycleTests.Mismatched")
    modules.trigger(Event<Int, Void>("test.userDidLogIn"), 3)
    #expect(problems[.eventMismatch].last?.subject == "test.userDidLogIn")
    #expect(
      problems[.eventMismatch].last?.message
        == "the event was triggered with the type 'Swift.Int → ()', but it has the type"
        + " 'LifecycleTests.User → ()'; it is not delivered")
    #expect(trace.lines.count == 1)
  }

  @Test func `an event is not delivered if creating its module changes the event's types`() throws {
    final class First: Module {
      static func subscribe(_ events: Subscriptions<First>) { events.on(text) { _, _, _ in Issue.record() } }
    }
    final class Lazy: Module {
      static func subscribe(_ events: Subscriptions<Lazy>) { events.on(number) { _, _, _ in Issue.record() } }
      func setUp(_ context: Context) {
        context.modules?.register(First.self, priority: 9)
        context.trigger(Event<Void, Void>("test.other"))
      }
    }
    let modules = try started([])
    modules.register(Lazy.self, activation: .onFirstEvent)
    modules.trigger(number, 3)
    #expect(problems[.eventMismatch].map(\.subject) == ["LifecycleTests.EventTests.Lazy", "test.numberOrText"])
  }

  @Test func `a payload keeps its type if a handler adds a first handler of another type`() throws {
    let modules = try started([])
    modules.on(number) { value, context in
      context.modules?.on(text, priority: 9) { _, _ in }
      context.trigger(Event<Void, Void>("test.other"))
      #expect(context.event?.payload(as: Int.self) == value && context.event?.payload(as: String.self) == nil)
    }
    modules.trigger(number, 3)
    #expect(problems[.eventMismatch].count == 1)
  }

  @Test func `events with swapped payload and outcome types are distinguished`() throws {
    let modules = try started([])
    modules.on(Event<Int, String?>("test.swapped", combining: .first), priority: 1) { _, _ in nil }
    let swapped = Event<String?, Int>("test.swapped", combining: .init(initial: 0) { $0 += $1 })
    modules.on(swapped) { _, _ in 1 }
    #expect(modules.trigger(swapped, "x") == 0)
    let messages = problems[.eventMismatch].map(\.message)
    let (own, other) = ("Swift.Int → Swift.Optional<Swift.String>", "Swift.Optional<Swift.String> → Swift.Int")
    #expect(
      messages == [
        "its handler of 'test.swapped' has the type '\(other)', but the event has the type '\(own)'; the handler"
          + " is ignored",
        "the event was triggered with the type '\(other)', but it has the type '\(own)'; it is not delivered",
      ])
  }

  @Test func `a module that a handler removes does not receive the current event`() throws {
    let modules = try started([Changes.self, Late.self])
    Changes.manager = modules
    defer { Changes.manager = nil }
    Changes.change = { $0.unregister(Late.self) }
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["changes Ada"])
  }

  @Test func `a module that a handler adds receives the next event`() throws {
    let modules = try started([Changes.self])
    Changes.manager = modules
    defer { Changes.manager = nil }
    Changes.change = { _ = $0.register(Late.self) }
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines == ["changes Ada"])
    Changes.change = { _ in }
    modules.trigger(.userDidLogIn, User(name: "Bob"))
    #expect(trace.lines.suffix(2) == ["changes Bob", "late Bob"])
  }

  @Test func `a nested event is delivered immediately, and the context contains the current event`() throws {
    let modules = try started([Changes.self, Early.self])
    Changes.manager = modules
    defer { Changes.manager = nil }
    Changes.change = { modules in
      #expect(modules.trigger(.list) == ["a", "b"])
      #expect(modules.context.event?.id == "test.userDidLogIn")
    }
    modules.trigger(.userDidLogIn, User(name: "Ada"))
  }

  @Test func `endlessly nested events are stopped and reported`() throws {
    let modules = try started([Changes.self])
    Changes.manager = modules
    defer { Changes.manager = nil }
    Changes.change = { $0.trigger(.userDidLogIn, User(name: "again")) }
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(trace.lines.count == 100)
    let problem = try #require(problems[.tooDeep].first)
    #expect(problems[.tooDeep].count == 1 && problem.subject == "LifecycleTests.Changes")
    #expect(problem.message.hasPrefix("its handler of 'test.userDidLogIn' triggered 'test.userDidLogIn' more"))
    // Events are delivered as usual afterwards.
    Changes.change = { _ in }
    modules.trigger(.userDidLogIn, User(name: "Bob"))
    #expect(trace.lines.last == "changes Bob" && problems[.tooDeep].count == 1)
    // The next endless event is reported again.
    Changes.change = { $0.trigger(.userDidLogIn, User(name: "again")) }
    modules.trigger(.userDidLogIn, User(name: "Eve"))
    #expect(problems[.tooDeep].count == 2)
  }

  @Test func `the order of handlers is the same in a thousand runs`() throws {
    let modules = try started([Late.self, Early.self])
    for _ in 0..<1_000 { #expect(modules.trigger(.list) == ["a", "b", "c"]) }
  }
}
