// These files must not compile. See RejectedCode.swift.

/// The handlers that the plugin rejects.
let rejectedHandlers = RejectedCode(
  "Handlers.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  let ten = 10
  #onEvent(.ping, priority: ten) { _ in }
  // 27: error: 'priority' must be an integer literal such as '10' or '-5'; the macro cannot evaluate expressions
  //   [not-a-literal]
  let yes = true
  #onEvent(.ping, once: yes) { _ in }
  // 23: error: 'once' must be written as 'true' or 'false'; the macro cannot evaluate expressions [not-a-literal]
  #onEvent(.ping, once: !true) { _ in }
  // 23: error: 'once' must be written as 'true' ... [not-a-literal]
  func fF4() { #onEvent(.ping) { _ in } }
  // 14: error: '#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a file or
  //   into a type, or subscribe with 'modules.on(…)' [local-declaration]
  func fF5() { let x = 1
  #onEvent(.ping) { _ in print(x) } }
  // 1: error: '#onEvent' cannot be used ... [local-declaration]
  struct F6 { init() { #onEvent(.ping) { _ in } } }
  // 22: error: '#onEvent' cannot be used ... [local-declaration]
  let fF7: @Sendable () -> Void = { #onEvent(.ping) { _ in } }
  // 35: error: '#onEvent' cannot be used ... [local-declaration]
  var v: Int { get { #onEvent(.ping) { _ in }; return 1 } }
  // 20: error: '#onEvent' cannot be used ... [local-declaration]
  func fF9() { enum A { #onEvent(.ping) { _ in } } }
  // 23: error: '#onEvent' cannot be used ... [local-declaration]
  struct GF10<T> { #onEvent(.ping) { _ in } }
  // 18: error: '#onEvent' cannot be used in the generic type or constrained extension 'GF10'; move it to the top
  //   level of the file [generic-type]
  struct GF11<T> { enum A { #onEvent(.ping) { _ in } } }
  // 27: error: '#onEvent' cannot be used in the generic type ... [generic-type]
  extension Array where Element == Int { #onEvent(.ping) { _ in } }
  // 40: error: '#onEvent' cannot be used in the generic type ... [generic-type]
  protocol QF13 { #onEvent(.ping) { _ in } }
  // 17: error: '#onEvent' cannot be used in the protocol 'QF13'; move it to the top level of the file
  //   [declared-in-protocol]
  """)

/// The handlers that the compiler rejects before it runs the plugin.
let unfitHandlers = RejectedCode(
  "UnfitHandlers.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  #onEvent(.logIn) { user, _ in
    print(user.nam)
  // 14: error: value of type 'User' has no member 'nam'
  }
  #onEvent(.open) { _, _ in }
  // 17: error: cannot convert value of type '()' to closure result type 'Bool'
  #onEvent(.open, taskPriority: .utility) { _ in }
  // 11: error: member chain produces result of type 'Event<String, Bool>' but contextual base was inferred as
  //   'Event<String, Void>'
  // 11: error: static property 'open' requires the types 'Void' and 'Bool' be equivalent
  #onEvent(.box, taskPriority: .utility) { box in print(box.value) }
  // 2: error: type 'Box' does not conform to the 'Sendable' protocol
  // 7: error: type 'Box' does not conform to the 'Sendable' protocol
  #onEvent(.ping) { print(1) }
  // 17: error: contextual type for closure argument list expects 2 arguments, which cannot be implicitly ignored
  struct TG6 { var x = 1; #onEvent(.ping) { _ in print(x) } }
  // 54: error: instance member 'x' cannot be used on type 'TG6'; did you mean to use a value of this type instead?
  #onEvent() { _, _ in }
  // 10: error: missing argument for parameter #1 in macro expansion
  """)

/// The events that are declared, triggered, or handled in a way that cannot work.
let misusedEvents = RejectedCode(
  "Events.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  extension Event where Payload == User, Outcome == Bool { static var a: Self { .init("d") } }
  // 80: error: 'init(_:)' is unavailable: an event without an outcome needs 'Outcome == Void' in its extension, and one
  //   with an outcome needs a rule that combines the answers of its handlers; pass 'combining:', for example '.all' or
  //   '.any' for 'Bool', '.first' for an optional, or '.init(initial: 0) { $0 += $1 }' [missing-rule]
  extension Event where Payload == Int { static var a: Self { .init("d") } }
  // 62: error: 'init(_:)' is unavailable: ... [missing-rule]
  extension Event where Payload == User, Outcome == Int { static var a: Self { .init("d") } }
  // 79: error: 'init(_:)' is unavailable: ... [missing-rule]
  extension AsyncEvent where Payload == User, Outcome == [Int] { static var a: Self { .init("d") } }
  // 86: error: 'init(_:)' is unavailable: ... [missing-rule]
  extension Event where Payload == User, Outcome == Bool {
    static var b: Self { .init("d", combining: .collect) }
  // 47: error: 'collect' is unavailable: 'collect' requires an array, a string, or another collection as the outcome
    static var c: Self { .init("d", combining: .first) }
  // 47: error: 'first' is unavailable: 'first' requires an optional as the outcome
    static var d: Self { .init("d", combining: .union) }
  // 47: error: 'union' is unavailable: 'union' requires a set as the outcome
  }
  @MainActor func fL4(_ modules: ModuleManager) { modules.trigger(.logIn) }
  // 57: error: 'trigger' is unavailable: the event has a payload; pass it after the event: 'trigger(event, payload)'
  //   [missing-payload]
  @MainActor func fL5(_ modules: ModuleManager) async { await modules.trigger(.mayShip) }
  // 55: warning: no 'async' operations occur within 'await' expression
  // 69: error: 'trigger' is unavailable: ... [missing-payload]
  @MainActor func fL6(_ modules: ModuleManager, _ user: User) { modules.trigger(.mayShip, user, app: { _ in true }) }
  // 71: error: 'trigger(_:_:app:)' is unavailable: an asynchronous event calls the app with a closure for its
  //   answer, and passes the outcome to 'completion:'; write 'trigger(event, payload, app: { answer in … },
  //   completion: { outcome in … })' [missing-completion]
  #onEvent(.logIn) { user, _ in await load() }
  // 2: error: 'onEvent(_:_:priority:once:group:handler:)' is unavailable: a handler of an 'Event' cannot wait, because
  //   'trigger' returns its answer; pass 'taskPriority:' if it has no outcome, or declare the event as an 'AsyncEvent';
  //   to finish work in the background, handle AppHost's '.finishInBackground'; the system suspends tasks
  //   [asynchronous-handler]
  // 7: error: 'on(_:_:priority:once:handler:)' is unavailable: ... [asynchronous-handler]
  #onEvent(.ping) { _ in await load() }
  // 2: error: 'onEvent(_:_:priority:once:group:handler:)' is unavailable: ... [asynchronous-handler]
  // 7: error: 'on(_:_:priority:once:handler:)' is unavailable: ... [asynchronous-handler]
  @MainActor func fL9(_ modules: ModuleManager) { modules.on(.logIn) { user, _ in await load() } }
  // 57: error: 'on(_:_:priority:once:handler:)' is unavailable: ... [asynchronous-handler]
  @MainActor func fL10(_ modules: ModuleManager) { modules.on(.ping) { _ in await load() } }
  // 58: error: 'on(_:_:priority:once:handler:)' is unavailable: ... [asynchronous-handler]
  final class L11: Module { static func subscribe(_ e: Subscriptions<L11>) { e.on(.logIn) { _, _, _ in await load() } } }
  // 78: error: 'on(_:_:handler:)' is unavailable: a handler of an 'Event' cannot wait, because 'trigger' returns its
  //   answer; start a 'Task' in it, or declare the event as an 'AsyncEvent'; to finish work in the background, handle
  //   AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
  final class L12: Module { static func subscribe(_ e: Subscriptions<L12>) { e.on(.ping) { _, _ in await load() } } }
  // 78: error: 'on(_:_:handler:)' is unavailable: ... [asynchronous-handler]
  """)

/// The handlers that run off the main actor and change its state.
let racingHandlers = RejectedCode(
  "Races.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  #onEvent(.logIn, taskPriority: .utility) { _ in shown += 1 }
  // 49: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  #onEvent(.ping, taskPriority: .utility) { shown += 1 }
  // 43: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  #onEvent(.mayShip) { @concurrent _, _ in shown += 1; return true }
  // 42: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  @MainActor func fM4(_ modules: ModuleManager) { modules.on(.logIn, taskPriority: .utility) { _ in shown += 1 } }
  // 99: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  @MainActor func fM5(_ modules: ModuleManager) { modules.on(.ping, taskPriority: .utility) { shown += 1 } }
  // 93: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  func fM6(_ router: Router) { router.register(.user) { @concurrent _ in shown += 1 } }
  // 72: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  #exportRoute(.list) { @concurrent in shown += 1 }
  // 38: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  func fM8(_ router: Router) { router.registerAction("a", "b") { @concurrent in shown += 1 } }
  // 79: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  #exportAction("a", "b") { @concurrent in shown += 1 }
  // 42: error: main actor-isolated var 'shown' can not be mutated from a nonisolated context
  """)
