// The compiler's messages for events that are declared, triggered, or handled in a way that cannot
// work, and for data races in handlers.

private func rejection(_ source: String, _ message: String, at place: String) -> Rejection {
  Rejection(
    source: """
      struct User: Sendable { let name: String }
      extension Event where Payload == User, Outcome == Void { static var logIn: Self { .init("a") } }
      extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("b") } }
      extension AsyncEvent where Payload == User, Outcome == Bool {
        static var mayShip: Self { .init("c", combining: .all) }
      }
      @MainActor var shown = 0
      func load() async {}

      """ + source, message: message, place: .at(place))
}

private func needsRule(_ declaration: String) -> Rejection {
  rejection(
    declaration,
    "'init(_:)' is unavailable: an event with an outcome needs a rule that combines the answers of its handlers; "
      + "pass 'combining:', for example '.all' or '.any' for 'Bool', '.first' for an optional, or "
      + "'.init(initial: 0) { $0 += $1 }' [missing-rule]", at: "init(\"d\")")
}

private func isAsynchronous(_ function: String, _ source: String, at place: String, _ solution: String) -> Rejection {
  rejection(
    source,
    "'\(function)' is unavailable: a handler of an 'Event' cannot wait, because 'trigger' returns its answer; "
      + "\(solution) [asynchronous-handler]", at: place)
}

private let inTask =
  "declare the event as an 'AsyncEvent', or, if it has no outcome, pass 'taskPriority:' to run the handler in a task"
private let startsTask = "start a 'Task' in the handler, or declare the event as an 'AsyncEvent'"

let misusedEvents: [Rejection] = [
  needsRule("extension Event where Payload == User, Outcome == Bool { static var a: Self { .init(\"d\") } }"),
  needsRule("extension Event where Payload == User, Outcome == Int { static var a: Self { .init(\"d\") } }"),
  needsRule("extension AsyncEvent where Payload == User, Outcome == [Int] { static var a: Self { .init(\"d\") } }"),
  rejection(
    "@MainActor func f(_ modules: ModuleManager) { modules.trigger(.logIn) }",
    "'trigger' is unavailable: the event has a payload; pass it after the event: 'trigger(event, payload)' "
      + "[missing-payload]", at: "trigger(.logIn)"),
  rejection(
    "@MainActor func f(_ modules: ModuleManager) async { await modules.trigger(.mayShip) }",
    "'trigger' is unavailable: the event has a payload; pass it after the event: 'await trigger(event, payload)' "
      + "[missing-payload]", at: "trigger(.mayShip)"),
  rejection(
    "@MainActor func f(_ modules: ModuleManager, _ user: User) { modules.trigger(.mayShip, user, host: { _ in true }) }",
    "'trigger(_:_:host:)' is unavailable: an asynchronous event calls the app with a closure for its answer, and passes "
      + "the outcome to 'completion:'; write 'trigger(event, payload, host: { answer in … }, completion: { outcome in … "
      + "})' [missing-completion]", at: "trigger(.mayShip"),
  isAsynchronous(
    "onEvent(_:_:priority:once:handler:)", "#onEvent(.logIn) { user, _ in await load() }", at: "onEvent(", inTask),
  isAsynchronous(
    "onEvent(_:_:priority:once:handler:)", "#onEvent(.ping) { _ in await load() }", at: "onEvent(", inTask),
  isAsynchronous(
    "on(_:_:priority:once:handler:)",
    "@MainActor func f(_ modules: ModuleManager) { modules.on(.logIn) { user, _ in await load() } }", at: "on(.logIn)",
    inTask),
  isAsynchronous(
    "on(_:_:priority:once:handler:)",
    "@MainActor func f(_ modules: ModuleManager) { modules.on(.ping) { _ in await load() } }", at: "on(.ping)", inTask),
  isAsynchronous(
    "on(_:_:handler:)",
    "final class A: Module { static func subscribe(_ e: Subscriptions<A>) { e.on(.logIn) { _, _, _ in await load() } } }",
    at: "on(.logIn)", startsTask),
  isAsynchronous(
    "on(_:_:handler:)",
    "final class A: Module { static func subscribe(_ e: Subscriptions<A>) { e.on(.ping) { _, _ in await load() } } }",
    at: "on(.ping)", startsTask),
  isAsynchronous(
    "on(_:_:call:)",
    """
    final class A: Module {
      static func subscribe(_ e: Subscriptions<A>) { e.on(.logIn, call: A.greet) }
      func greet(_ user: User, _ context: Context) async {}
    }
    """, at: "on(.logIn", startsTask),
  isAsynchronous(
    "on(_:_:call:)",
    """
    final class A: Module {
      static func subscribe(_ e: Subscriptions<A>) { e.on(.ping, call: A.answer) }
      func answer(_ context: Context) async {}
    }
    """, at: "on(.ping", startsTask),
]

/// Handlers that run off the main actor and change its state.
let racingHandlers: [Rejection] = [
  "#onEvent(.logIn, taskPriority: .utility) { _ in shown += 1 }",
  "#onEvent(.ping, taskPriority: .utility) { shown += 1 }",
  "#onEvent(.mayShip) { @concurrent _, _ in shown += 1; return true }",
  "@MainActor func f(_ modules: ModuleManager) { modules.on(.logIn, taskPriority: .utility) { _ in shown += 1 } }",
  "@MainActor func f(_ modules: ModuleManager) { modules.on(.ping, taskPriority: .utility) { shown += 1 } }",
  """
  import Routing
  extension Route where Parameters == User, Outcome == Void { static var user: Self { .init("user") } }
  func f(_ router: Router) { router.register(.user) { @concurrent _ in shown += 1 } }
  """,
  """
  import Routing
  extension Route where Parameters == Void, Outcome == Void { static var list: Self { .init("list") } }
  #exportRoute(.list) { @concurrent in shown += 1 }
  """,
  "import Routing\nfunc f(_ router: Router) { router.registerAction(\"a\", \"b\") { @concurrent in shown += 1 } }",
  "import Routing\n#exportAction(\"a\", \"b\") { @concurrent in shown += 1 }",
].map {
  rejection($0, "main actor-isolated var 'shown' can not be mutated from a nonisolated context", at: "shown += 1")
}
