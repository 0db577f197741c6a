// This file must not compile. See RejectedCode.swift.

/// Calls and macros with arguments of another kind, or of another call, which the compiler rejects
/// with the library's message.
let misplacedArguments = RejectedCode(
  "Arguments.swift",
  #"""
  import Foundation
  import Lifecycle
  import Registry
  import Routing

  extension ContributionPoint<[Screen]> { static var screens: Self { .init("a") } }
  extension ContributionPoint<[String: Screen]> { static var screensByKey: Self { .init("b") } }
  extension ContextKey where Value == Int { static var limit: Self { .init("limit") } }
  // 69: error: 'init(_:)' is unavailable: pass 'default:', or make the value optional, so that it is nil until it
  //   is set
  struct Answer: S {}
  #contribute(.screens, Screen())
  // 2: error: 'contribute(_:priority:_:when:group:)' is unavailable: pass a closure that creates the value:
  //   '#contribute(.point) { value }', or '{ { … } }' if the value is a closure
  #contribute(.screensByKey, key: "a", Screen())
  // 2: error: 'contribute(_:key:priority:_:when:group:make:)' is unavailable: pass a closure that creates the
  //   value: '#contribute(.point, key: "k") { value }'
  #contribute(.screensByKey, "a") { Screen() }
  // 12: error: missing argument label 'key:' in macro expansion
  #needs(S.self, route: .list)
  // 2: error: 'needs(_:route:_:optional:group:)' is unavailable: write one '#needs' for each route, and another
  //   for services
  #needs(route: .list, .number)
  // 2: error: 'needs(_:route:_:optional:group:)' is unavailable: write one '#needs' ...
  #needs(S.self, module: Handles.self)
  // 2: error: 'needs(_:module:_:optional:group:)' is unavailable: write one '#needs' for each module, and another
  //   for services
  #needs(module: Handles.self, Handles.self)
  // 2: error: 'needs(_:module:_:optional:group:)' is unavailable: write one '#needs' ...
  #needs(S.self, contributions: .screens)
  // 2: error: 'needs(_:contributions:_:group:)' is unavailable: write one '#needs' for each contribution point,
  //   and another for services
  #needs(contributions: .screens, .screensByKey)
  // 2: error: 'needs(_:contributions:_:group:)' is unavailable: write one '#needs' ...
  #needs([S.self])
  // 2: error: 'needs(_:optional:group:)' is unavailable: write each service as its type, without brackets:
  //   'P.self', and 'module:' before the name of a module
  #needs(.list)
  // 2: error: 'needs(_:optional:group:)' is unavailable: write 'route:' before the route
  #needs(.screens, optional: true)
  // 2: error: 'needs(_:optional:group:)' is unavailable: write 'contributions:' before the contribution point
  #exportRoute(.list) { request in print(request.origin) }
  // 2: error: 'exportRoute(_:group:handler:)' is unavailable: the request follows the parameters; if there are
  //   none, write '{ _, request in … }'
  #needs(event: .logIn)
  // 2: error: 'needs(event:)' is unavailable: an event works without handlers, so code cannot need one; remove
  //   this line
  #exportRoute(.list, access: .remote) {}
  // 2: error: 'exportRoute(_:access:group:handler:)' is unavailable: declare the access with the route:
  //   '.init("shop.order", […], access: .remote)'
  #exportRoute(.screen, access: .remote) { link, request in Screen() }
  // 2: error: 'exportRoute(_:access:group:handler:)' is unavailable: declare the access ...
  @ExportRoute(.list, access: .remote) struct Listed {}
  // 2: error: 'ExportRoute(_:access:group:)' is unavailable: declare the access ...
  // 2: error: 'ExportRoute(_:access:group:)' is unavailable: declare the access ...
  @ExportService("M.S") struct NamedByText: S {}
  // 16: error: the service must be written as 'P.self' or '(any P).self' [not-a-literal]
  @ExportService(named: "a") struct OnlyNamed: S {}
  // 1: error: '@ExportService' requires a service, as in '@ExportService(CartService.self)' [missing-argument]
  @ExportModule("M.Labeled") final class Labeled: Module {}
  // 15: error: an argument needs a label, such as 'level:' or 'after:'; the module has the name of its class,
  //   'Snippet.Labeled' [missing-argument]
  @ExportModule(.basic, priority: 5) final class Basic: Module {}
  // 15: error: an argument needs a label, such as 'level:' ...
  struct Reads {
    @Service(optional: true) var first: any S
  // 22: error: the type of 'first' states whether the service is optional; remove 'optional:', and write the type
  //   as '(any S)?' [invalid-property]
    @Service(S.self, optional: true) var second: (any S)?
  // 30: error: the type of 'second' states whether the service is optional; remove 'optional:' [invalid-property]
    @Contributions var screens: [Screen]
  // 3: error: '@Contributions' requires a point; write '@Contributions(.menu) var dishes: [Dish]'
  //   [missing-argument]
  }
  final class Handles: Module {
    static func subscribe(_ events: Subscriptions<Handles>) {
      events.on(.logIn, handler: logIn)
  // 12: error: 'on(_:_:handler:)' is unavailable: write a closure: '{ module, payload, context in
  //   module.method(payload) }'
      events.on(.logIn, logIn)
  // 12: error: 'on' is unavailable: write a closure: ...
      events.on(.ping, .afterApp, handler: ping)
  // 12: error: 'on(_:_:handler:)' is unavailable: write a closure: ...
      events.on(.mayShip, handler: mayShip)
  // 12: error: 'on(_:_:handler:)' is unavailable: write a closure: ...
      events.on(.mayShip, mayShip)
  // 12: error: 'on' is unavailable: write a closure: ...
      events.inNextTurn(.logIn, handler: logIn)
  // 12: error: 'inNextTurn(_:handler:)' is unavailable: write a closure: ...
      events.on(.logIn) { module in print(module) }
  // 25: error: contextual closure type '@MainActor @Sendable (Handles, User, Context) throws -> ()' expects 3
  //   arguments, but 1 was used in closure body
      events.on(.logIn) { module, user, _ in print(user.nam) }
  // 55: error: value of type 'User' has no member 'nam'
      events.inNextTurn(.open) { _, name, _ in return name.isEmpty }
  // 12: error: 'inNextTurn(_:handler:)' is unavailable: the turn after the event is too late for an answer;
  //   return it in 'on'
      events.inNextTurn(.mayShip) { _, _, _ in await load() }
  // 12: error: 'inNextTurn(_:handler:)' is unavailable: handlers of an 'AsyncEvent' begin in a later turn; use
  //   'on'
      events.inNextTurn(.open) { module, name, _ in module.open(name) }
    }
    @discardableResult func open(_ name: String) -> Bool { true }
    func logIn(_ user: User, _ context: Context) {}
    func ping(_ context: Context) {}
    func mayShip(_ user: User, _ context: Context) async -> Bool { true }
  }
  func pass(_ services: ServiceManager) {
    services.register(S.self, Answer.self)
  // 12: error: 'register(_:scope:named:priority:replacing:_:)' is unavailable: pass a closure that returns the
  //   instance: 'register(P.self) { instance }'
    services.register(S.self, with: Answer.self)
  // 12: error: 'register(_:scope:named:priority:replacing:with:)' is unavailable: pass a closure ...
    services.register(Answer())
  // 12: error: 'register' is unavailable: pass the service and a closure: 'register(P.self) { instance }'
    services.register { Answer() }
  // 12: error: 'register' is unavailable: pass the service ...
    services.contribute(to: .screens, Screen())
  // 12: error: 'contribute(to:priority:_:make:)' is unavailable: pass a closure that creates the value:
  //   'contribute(to: .point) { value }'
    services.contribute(to: .screensByKey, key: "a", Screen())
  // 12: error: 'contribute(to:key:priority:_:make:)' is unavailable: pass a closure that creates the value:
  //   'contribute(to: .point, key: "k") { value }'
    services.contribute(.screens) { Screen() }
  // 22: error: missing argument label 'to:' in call
    services.withOverrides { $0.override(S.self, Answer.self) } operation: {}
  // 31: error: 'override(_:scope:named:_:)' is unavailable: pass a closure that returns the instance:
  //   'override(P.self) { instance }'
    services.withOverrides { $0.contribute(to: .screens, Screen()) } operation: {}
  // 31: error: 'contribute(to:priority:_:make:)' is unavailable: pass a closure ...
    services.withOverrides { $0.allowLive("M.S") } operation: {}
  // 31: error: 'allowLive' is unavailable: write the service as its type: 'allowLive(P.self)'
  }
  @MainActor func pass(_ router: Router) async throws {
    try await router.open(.list, from: .remote)
  // 20: error: 'open(_:_:from:values:)' is unavailable: only a URL has an origin; remove 'from:', because code
  //   can open every route
    _ = try await router.open(.screen, Link(id: 1), from: .local)
  // 24: error: 'open(_:_:from:values:)' is unavailable: only a URL ...
    _ = router.canOpen(.list, from: .local)
  // 14: error: 'canOpen(_:from:)' is unavailable: pass a URL, or open the route with 'open(.order, parameters)'
    _ = try await router.object(for: .number, as: Int.self, from: .local)
  // 24: error: 'object(for:as:from:)' is unavailable: pass a URL, ...
    _ = try router.synchronousObject(for: .number, as: Int.self, from: .local)
  // 18: error: 'synchronousObject(for:as:from:)' is unavailable: pass a URL, ...
    router.register(.list, access: .remote) {}
  // 10: error: 'register(_:access:handler:)' is unavailable: declare the access ...
    router.register(.screen, access: .remote) { link, request in Screen() }
  // 10: error: 'register(_:access:handler:)' is unavailable: declare the access ...
  }
  """#)
