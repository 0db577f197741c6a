import Lifecycle
import Registry
import TestSupport
import Testing

/// A module that reads the payload of its event, also during a nested event.
private final class Looks: Module {
  static var kept: CurrentEvent?
  static func subscribe(_ events: Subscriptions<Looks>) {
    events.on(.userDidLogIn) { _, _, context in
      let outer = context.event!
      kept = outer
      let trace = context.configuration[.trace]
      trace.add("\(outer.id) \(outer.payload(as: User.self)?.name ?? "-") \(outer.payload(as: String.self) ?? "-")")
      guard let manager = context.configuration[.manager] else { return }
      manager.trigger(.open, "inner")
      trace.add("after \(context.event?.payload(as: User.self)?.name ?? "-")")
    }
    events.on(.open) { _, _, context in
      let inner: String? = context.event?.payload()
      // The outer event is still in progress.
      context.configuration[.trace].add("\(inner ?? "-") in \(kept?.payload(as: User.self)?.name ?? "-")")
      return true
    }
    events.on(.ping) { _, context in
      context.configuration[.trace].add("void \(context.event?.payload(as: Void.self) != nil)")
    }
  }
}

extension ContextKey where Value == ModuleManager? {
  fileprivate static var manager: Self { .init("test.manager") }
}

@Suite(.serialized) @MainActor struct ContextTests {
  @Test func `the current event returns a copy of its payload, and nil after it ends`() throws {
    let trace = Trace()
    let manager = ModuleManager(
      modules: [Looks.self], appKey: "shop", configuration: ContextValues { $0[.trace] = trace },
      onDiagnostic: { Issue.record("\($0)") })
    manager.context.configuration[.manager] = manager
    #expect(manager.context.appKey == "shop" && manager.context.event == nil)
    try manager.start()
    manager.trigger(.userDidLogIn, User(name: "Ada"))
    manager.trigger(.ping)
    #expect(trace.lines == ["test.userDidLogIn Ada -", "inner in Ada", "after Ada", "void true"])
    #expect(Looks.kept?.payload(as: User.self) == nil)
    #expect(manager.context.event == nil)
    manager.context.configuration.remove(.manager)
    // The next event has the same address as the previous one.
    let old = Looks.kept
    manager.trigger(.userDidLogIn, User(name: "Bob"))
    #expect(trace.lines.last == "test.userDidLogIn Bob -")
    #expect(old?.payload(as: User.self) == nil)
    manager.stop()
    Looks.kept = nil
  }

  @Test func `an ended event is distinguished from the next one`() throws {
    let (modules, trace) = (ModuleManager(), Trace())
    var first: CurrentEvent?
    modules.on(.userDidLogIn) { _, context in
      let event = first ?? context.event
      first = event
      trace.add(event?.payload(as: User.self)?.name ?? "it is over")
    }
    try modules.start()
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(first != nil && first?.payload(as: User.self) == nil)
    modules.trigger(.userDidLogIn, User(name: "Bob"))
    #expect(trace.lines == ["Ada", "it is over"])
  }

  @Test func `the app key is empty and the environment is production unless the host sets them`() {
    let context = ModuleManager().context
    #expect(context.appKey.isEmpty && context.environment == .production)
    let environments: [Context.Environment] = [.development, .test, .staging, .production]
    #expect(environments.map(\.text) == ["development", "test", "staging", "production"])
    context.appKey = "shop"
    #expect(context.appKey == "shop")
  }
}
