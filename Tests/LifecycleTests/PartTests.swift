import Registry
import TestSupport
import Testing

@testable import Lifecycle

/// The parts of a module manager, tested separately.
@Suite @MainActor struct PartTests {
  private let problems = DiagnosticCollector()
  private var log: DiagnosticLog { DiagnosticLog(handler: problems.handler) }

  // MARK: - The dispatcher

  /// A preparation with subscribers that a test sets.
  private final class Preparation: EventPreparation {
    var deliversEvents = true
    var isOrdered = true
    var isCollectionRequired = true
    var isSettingUp = false
    var hasPendingModules = false
    var subscribers: [Subscriber] = []
    /// The subscribers to add to the others.
    var added: [Subscriber]?
    var calls: [String] = []

    func prepareForEvent() { calls.append("prepare") }
    func subscribersInOrder(all: Bool) -> (subscribers: [Subscriber], areAll: Bool) {
      calls.append("order")
      isCollectionRequired = !isOrdered
      return (added ?? subscribers, added == nil)
    }
    func activateModules(for handlers: EventHandlers) -> Bool {
      calls.append("activate")
      return false
    }
  }

  private final class Target {}

  private func dispatcher(_ preparation: Preparation) -> EventDispatcher {
    let stack = DispatchStack()
    let context = Context(
      environment: .test, appKey: "", configuration: ContextValues(), services: ServiceManager(), deliveries: stack,
      time: .system, log: log)
    let dispatcher = EventDispatcher(stack, context)
    dispatcher.preparation = preparation
    return dispatcher
  }

  private func subscriber(_ name: String, _ instance: AnyObject?, _ timing: HandlerTiming = .beforeApp) -> Subscriber {
    let subscriber = Subscriber(name: name, image: nil)
    subscriber.handlers = [
      EventHandler(of: Event<Int, [String]>("part.list", combining: .collect), timing) { (_: AnyObject, number, _) in
        ["\(name) \(number)"]
      }
    ]
    subscriber.receiver = instance
    return subscriber
  }

  @Test func `a dispatcher prepares events until its handlers are collected, and again after a change`() {
    let preparation = Preparation()
    let target = Target()
    preparation.subscribers = [subscriber("b", target, .afterApp), subscriber("a", target), subscriber("none", nil)]
    let dispatcher = dispatcher(preparation)
    let event = Event<Int, [String]>("part.list", combining: .collect)
    #expect(dispatcher.trigger(event, 1) == ["a 1", "b 1"])
    #expect(preparation.calls == ["prepare", "order"])
    #expect(dispatcher.trigger(event, 2) { ["host \($0)"] } == ["a 2", "host 2", "b 2"])
    #expect(preparation.calls == ["prepare", "order"])
    dispatcher.requirePreparation()
    #expect(dispatcher.trigger(event, 3) == ["a 3", "b 3"])
    #expect(preparation.calls == ["prepare", "order", "prepare"])
    preparation.subscribers = []
    preparation.isCollectionRequired = true
    dispatcher.requirePreparation()
    #expect(dispatcher.trigger(event, 4) == [])
    #expect(preparation.calls == ["prepare", "order", "prepare", "prepare", "order"])
    withExtendedLifetime(target) {}
  }

  @Test func `a dispatcher adds the handlers of new subscribers at their positions`() {
    let preparation = Preparation()
    let target = Target()
    func add(_ name: String, _ position: Int32, _ timing: HandlerTiming = .beforeApp) -> Subscriber {
      let subscriber = subscriber(name, target, timing)
      subscriber.position = position
      return subscriber
    }
    preparation.subscribers = [add("b", 1), add("c", 2, .afterApp), add("d", 3)]
    let dispatcher = dispatcher(preparation)
    let event = Event<Int, [String]>("part.list", combining: .collect)
    #expect(dispatcher.trigger(event, 1) { ["app \($0)"] } == ["b 1", "d 1", "app 1", "c 1"])
    preparation.added = [add("e", 4), add("a", 0, .afterApp), add("cd", 2), add("f", 5, .afterApp)]
    preparation.isCollectionRequired = true
    dispatcher.requirePreparation()
    #expect(
      dispatcher.trigger(event, 2) { ["app \($0)"] } == ["b 2", "cd 2", "d 2", "e 2", "app 2", "a 2", "c 2", "f 2"])
    withExtendedLifetime(target) {}
  }

  @Test func `a dispatcher whose order changed while it collected prepares the next event`() {
    let preparation = Preparation()
    preparation.isOrdered = false
    let dispatcher = dispatcher(preparation)
    _ = dispatcher.trigger(Event<Int, [String]>("part.list", combining: .collect), 1)
    _ = dispatcher.trigger(Event<Int, [String]>("part.list", combining: .collect), 2)
    #expect(preparation.calls == ["prepare", "order", "prepare", "order"])
  }

  @Test func `a dispatcher activates modules once for each collection`() {
    let preparation = Preparation()
    let inactive = subscriber("late", nil)
    inactive.isInactive = true
    preparation.subscribers = [inactive]
    let dispatcher = dispatcher(preparation)
    for number in 0..<3 { _ = dispatcher.trigger(Event<Int, [String]>("part.list", combining: .collect), number) }
    #expect(preparation.calls == ["prepare", "order", "activate"])
  }

  @Test func `a dispatcher that delivers nothing reports the event`() {
    let preparation = Preparation()
    preparation.deliversEvents = false
    #expect(dispatcher(preparation).trigger(Event<Int, [String]>("part.list", combining: .collect), 1) == [])
    #expect(preparation.calls.isEmpty && problems.codes == [.notStarted])
  }

  // MARK: - The registry

  private final class First: Module {}
  private final class Second: Module {}

  private func entry(_ type: any Module.Type, after: [String] = []) -> ModuleEntry {
    ModuleEntry(
      attributes: ModuleAttributes(module: recordName(of: type), after: after), image: nil,
      source: .type(type, location: "A.swift:1"))
  }

  @Test func `a registry orders modules, reports changes, and knows which modules are pending`() {
    let registry = ModuleRegistry(log: log)
    let before = registry.changeCount
    var changes: Int { registry.changeCount - before }
    let second = entry(Second.self)
    let first = entry(First.self, after: [second.name])
    #expect(registry.insert(first) && registry.insert(second) && changes == 2)
    #expect(!registry.insert(entry(First.self)) && problems.codes == [.duplicate] && changes == 2)
    #expect(registry.pending.count == 2 && !registry.isOrdered)
    #expect(registry.pendingInOrder().map(\.name) == [second.name, first.name])
    func isAwaited(_ entry: ModuleEntry) -> Bool { !registry.followers(of: entry).isEmpty }
    #expect(registry.isOrdered && isAwaited(second) && !isAwaited(first))
    registry.remove(first)
    #expect(changes == 3 && !isAwaited(second) && !registry.isOrdered)
    #expect(registry.order(removesCycles: true).map(\.name) == [second.name])
  }

  @Test func `a registry removes the modules that complete a cycle only on request`() {
    let registry = ModuleRegistry(log: log)
    let names = [recordName(of: First.self), recordName(of: Second.self)]
    #expect(
      registry.insert(entry(First.self, after: [names[1]])) && registry.insert(entry(Second.self, after: [names[0]])))
    #expect(registry.order(removesCycles: false).isEmpty && registry.entries.all.count == 2)
    #expect(registry.order(removesCycles: true).isEmpty && registry.entries.isEmpty)
    #expect(problems[.cycle].count == 2)
  }
}
