// These files must not compile. See RejectedCode.swift.

/// The routes, actions, and patterns that the plugin rejects.
let rejectedRoutes = RejectedCode(
  "Routes.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  func fH1() { #exportRoute(.number) { 1 } }
  // 14: error: '#exportRoute' cannot be used in a function, closure, or statement; move it to the top level of a file
  //   or into a type, or register the handler with 'router.register(…)' [local-declaration]
  func fH2() { #exportAction("a", "b") { 1 } }
  // 14: error: '#exportAction' cannot be used in a function, closure, or statement; move it to the top level of a
  //   file or into a type, or register the action with 'router.registerAction(…)' [local-declaration]
  struct GH3<T> { #exportRoute(.number) { 1 } }
  // 17: error: '#exportRoute' cannot be used in the generic type or constrained extension 'GH3'; move it to the top
  //   level of the file [generic-type]
  protocol QH4 { #exportAction("a", "b") { 1 } }
  // 16: error: '#exportAction' cannot be used in the protocol 'QH4'; move it to the top level of the file
  //   [declared-in-protocol]
  let name: StaticString = "a"
  #exportAction(name, "b") { 1 }
  // 15: error: 'target' must be a string literal on one line such as '"name"'; the macro cannot evaluate expressions
  //   [not-a-literal]
  #exportAction("a", "") { 1 }
  // 20: error: 'action' must not be empty [invalid-name]
  let access = RouteOrigin.remote
  #exportAction("a", "b", access: access) { 1 }
  // 33: error: 'access' must be written as '.local' or '.remote'; the macro cannot evaluate expressions
  //   [not-a-literal]
  @ExportRoute(.number) func fH8() {}
  // 1: error: '@ExportRoute' cannot be applied to a function; apply it to a class, struct, actor, or enum
  //   [not-a-type]
  func fH9() { @ExportRoute(.screen) struct A { init(_ l: Link) {} } }
  // 14: error: '@ExportRoute' cannot be applied to 'A', which is local to a function, closure, or statement; move 'A'
  //   to the top level of a file or into a type [local-declaration]
  @ExportRoute(.screen) struct GH10<T> { init(_ l: Link) {} }
  // 1: error: '@ExportRoute' cannot be applied to the generic type 'GH10', because its generic arguments are unknown;
  //   export a type that is not generic and that wraps or inherits from 'GH10' [generic-type]
  @ExportRoute(.shown)
  @ExportRoute( .shown ) struct H11: S { init(_ l: Link) {} }
  // 1: error: 'H11' is already exported for the route '.shown' by another '@ExportRoute' attribute; remove this one
  //   [exported-twice]
  extension Optional { @ExportRoute(.screen) struct A { init(_ l: Link) {} } }
  // 22: error: '@ExportRoute' cannot be applied to 'A' in the generic type or constrained extension 'Optional'; move
  //   'A' out of it [generic-type]
  let pH13 = #pattern("shop://a/**/tail")
  // 34: error: malformed URL pattern: '**' matches all remaining segments and must be the last one; write '*' to
  //   match one segment [malformed-pattern]
  let pH14 = [#pattern("")]
  // 22: error: malformed URL pattern: missing scheme; write the whole pattern, as in 'shop://order/:id'
  //   [malformed-pattern]
  let pH15 = #pattern("shop://order/[0-9]+")
  // 35: error: malformed URL pattern: a pattern is not a regular expression; write a parameter such as ':id(Int)', or
  //   '%5B' and '%5D' for literal brackets [malformed-pattern]
  let pH16 = #pattern("shop://order/:id(\\\\d+)")
  // 21: error: malformed URL pattern: a pattern is not a regular expression; write a parameter such as ':id(Int)', or
  //   '%5C' for the literal character [malformed-pattern]
  let pH17 = #pattern("shop://order/:id?")
  // 38: error: malformed URL pattern: a question mark does not make a parameter optional; write its segment as
  //   '(/:name)' [malformed-pattern]
  let pH18 = #pattern("http(s)://shop.example")
  // 26: error: malformed URL pattern: a scheme cannot vary; write a pattern for each scheme of the route
  //   [malformed-pattern]
  """)

/// The routes that the compiler rejects, either before it runs the plugin or in the expansion.
///
/// The message for a handler with a request, but without the types of its parameters, is about the
/// overload without a request. An overload with a better message would hide other errors in the
/// bodies of handlers.
let unfitRoutes = RejectedCode(
  "UnfitRoutes.swift",
  """
  import Foundation
  import Lifecycle
  import Registry
  import Routing

  func fI1(_ url: URL) async throws { try await Router.shared.open(url) }
  // 61: error: 'open(_:values:)' is unavailable: a URL has no default origin; pass 'from: .remote' for a link from
  //   outside the app, or 'from: .local' for a URL that the app has created [missing-origin]
  func fI2(_ url: URL) -> Bool { Router.shared.canOpen(url) == nil }
  // 57: error: missing argument for parameter 'from' in call
  func fI3(_ url: URL) async throws -> Int { try await Router.shared.object(for: url)}
  // 83: error: missing argument for parameter 'from' in call
  @MainActor func fI4(_ url: URL) throws -> Int { try Router.shared.synchronousObject(for: url)}
  // 93: error: missing argument for parameter 'from' in call
  #exportRoute(.screen) { link in
    print(link.ide)
  // 14: error: value of type 'Link' has no member 'ide'
    return Screen()
  }
  #exportRoute(.number) { "text" }
  // 25: error: cannot convert value of type 'String' to closure result type 'Int'
  let pI7 = #pattern(1)
  // 20: error: cannot convert value of type 'Int' to expected argument type 'StaticString'
  #exportAction("a", "b") { (box: Box) in box.value }
  // 1: error: macro 'exportAction(_:_:access:group:handler:)' requires that 'Box' conform to 'Decodable'
  func fI9(_ router: Router) async throws { try await router.open(.screen) }
  // 60: error: 'open(_:values:)' is unavailable: the route has parameters; pass them, as in 'open(.order,
  //   OrderLink(id: 7))' [missing-route-parameters]
  func fI10(_ router: Router) { router.intercept { _ in .redirect(.screen) } }
  // 56: error: 'redirect' is unavailable: ... [missing-route-parameters]
  func fI11(_ router: Router) { router.intercept { _ in .handOff(.screen) } }
  // 56: error: 'handOff' is unavailable: ... [missing-route-parameters]
  func fI12(_ router: Router, _ url: URL) async throws { try await router.open(url, 5) }
  // 73: error: 'open' is unavailable: a URL contains the parameters; open the route in place of the URL, as in
  //   'open(.order, 5)', or pass the origin of the URL, as in 'open(url, from: .local)'
  func fI13(_ router: Router) { router.onNotFound { print($0) } }
  func fI17(_ router: Router) { router.onNotFound { _ in throw CancellationError() } }
  func fI18(_ router: Router) { router.onNotFound { if $0.origin == .local { 1 } else { 2 } } }
  func fI14(_ router: Router) { router.onNotFound { _ in nil } }
  func fI15(_ router: Router) { router.onNotFound { _ in Screen() } }
  @MainActor func fI16(_ modules: ModuleManager) { print(modules.report()) }
  // 64: error: 'report()' is unavailable: add 'import RegistryReports' to this file, and the product to its target
  @MainActor func fI19(_ modules: ModuleManager) { print(modules.snapshot()) }
  // 64: error: 'snapshot()' is unavailable: add 'import RegistryAnalysis' to this file, and the product to its target
  @ExportRoute(.list) struct I20 {}
  // 28: error: 'make' is unavailable: the route has no outcome, so it cannot create the exported type; declare it with
  //   another outcome than 'Void', or export a handler with '#exportRoute' [missing-conformance]
  @ExportRoute(.user) final class I21 { init(_ user: User) {} }
  // 33: error: 'make' is unavailable: the route has no outcome, ... [missing-conformance]
  struct PlainI12: Sendable {}
  let route = Route<PlainI12, Int>("d", [#pattern("a://b/:c")])
  // 32: error: 'init(_:_:access:)' is unavailable: the parameters of a route with patterns are decoded from a URL, so
  //   their type must conform to 'Decodable'; add the conformance, or remove the patterns [parameters-not-decodable]
  #exportRoute(.screen) { (id: Int, request) in Screen() }
  // 25: error: contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2
  //   were used in closure body
  #exportRoute(.screen) { link, request in
  // 25: error: contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2
  //   were used in closure body
    print(link.ide)
    return Screen()
  }
  #exportRoute(.screen) { (link: Link, request: RouteRequest) in
    print(link.ide)
  // 14: error: value of type 'Link' has no member 'ide'
    return Screen()
  }
  let tokenJ4 = Router().register(.screen) { (id: Int, request) in Screen() }
  // 44: error: contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2
  //   were used in closure body
  let tokenJ5 = Router().register(.screen) { link, request in
  // 44: error: contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2
  //   were used in closure body
    print(link.ide)
    return Screen()
  }
  let tokenJ6 = Router().register(.screen) { (link: Link, request: RouteRequest) in
    print(link.ide)
  // 14: error: value of type 'Link' has no member 'ide'
    return Screen()
  }
  """)
