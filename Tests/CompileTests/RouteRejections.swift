// These are all the errors of `#exportRoute`, `@ExportRoute`, `#exportAction`, and `#pattern`, and
// the compiler's errors for code of the wrong type.

private let declarations = """
  import Routing
  struct Link: Codable, Sendable { var id: Int }
  struct Screen: Sendable {}
  final class Box { var value = 1 }
  extension Route where Parameters == Link, Outcome == Screen { static var screen: Self { .init("a") } }
  extension Route where Parameters == Void, Outcome == Int { static var number: Self { .init("b") } }
  extension Route where Parameters == Link, Outcome == any S { static var shown: Self { .init("c") } }

  """

private func rejection(_ source: String, _ message: String, at place: String) -> Rejection {
  Rejection(source: declarations + source, message: message, place: .at(place))
}

/// The routes that the plugin rejects.
let rejectedRoutes: [Rejection] = [
  rejection(
    "func f() { #exportRoute(.number) { 1 } }",
    "'#exportRoute' cannot be used in a function, closure, or statement; move it to the top level "
      + "of a file or into a type, or register the handler with 'router.register(…)' "
      + "[local-declaration] (from macro 'exportRoute')", at: "#exportRoute"),
  rejection(
    "func f() { #exportAction(\"a\", \"b\") { 1 } }",
    "'#exportAction' cannot be used in a function, closure, or statement; move it to the top level "
      + "of a file or into a type, or register the action with 'router.registerAction(…)' "
      + "[local-declaration] (from macro 'exportAction')", at: "#exportAction"),
  rejection(
    "struct G<T> { #exportRoute(.number) { 1 } }",
    "'#exportRoute' cannot be used in the generic type or constrained extension 'G'; move it to "
      + "the top level of the file [generic-type] (from macro 'exportRoute')", at: "#exportRoute"),
  rejection(
    "protocol Q { #exportAction(\"a\", \"b\") { 1 } }",
    "'#exportAction' cannot be used in the protocol 'Q'; move it to the top level of the file "
      + "[declared-in-protocol] (from macro 'exportAction')", at: "#exportAction"),
  rejection(
    "let name: StaticString = \"a\"\n#exportAction(name, \"b\") { 1 }",
    "'target' must be a string literal such as '\"name\"'; the macro cannot evaluate expressions "
      + "[not-a-literal] (from macro 'exportAction')", at: "name, "),
  rejection(
    "#exportAction(\"a\", \"\") { 1 }",
    "'action' must not be empty [invalid-name] (from macro 'exportAction')", at: "\"\")"),
  rejection(
    "let access = RouteAccess.remote\n#exportAction(\"a\", \"b\", access: access) { 1 }",
    "'access' must be written as '.internal' or '.remote'; the macro cannot evaluate expressions "
      + "[not-a-literal] (from macro 'exportAction')", at: "access) { 1"),
  rejection(
    "@ExportRoute(.number) func f() {}",
    "'@ExportRoute' cannot be applied to a function; apply it to a class, struct, actor, or enum "
      + "[not-a-type] (from macro 'ExportRoute')", at: "@ExportRoute"),
  rejection(
    "func f() { @ExportRoute(.screen) struct A { init(_ l: Link) {} } }",
    "'@ExportRoute' cannot be applied to 'A', which is local to a function, closure, or statement; "
      + "move 'A' to the top level of a file or into a type [local-declaration] (from macro "
      + "'ExportRoute')", at: "@ExportRoute"),
  rejection(
    "@ExportRoute(.screen) struct G<T> { init(_ l: Link) {} }",
    "'@ExportRoute' cannot be applied to the generic type 'G', because its generic arguments are "
      + "unknown; export a type that is not generic and that wraps or inherits from 'G' [generic-type] "
      + "(from macro 'ExportRoute')", at: "@ExportRoute"),
  rejection(
    "@ExportRoute(.shown)\n@ExportRoute( .shown ) struct A: S { init(_ l: Link) {} }",
    "'A' is already exported for the route '.shown' by another '@ExportRoute' attribute; remove this one "
      + "[exported-twice] (from macro 'ExportRoute')", at: "@ExportRoute( "),
  rejection(
    "extension Optional { @ExportRoute(.screen) struct A { init(_ l: Link) {} } }",
    "'@ExportRoute' cannot be applied to 'A' in the generic type or constrained extension 'Optional'; move 'A' out of "
      + "it [generic-type] (from macro 'ExportRoute')", at: "@ExportRoute"),
  rejection(
    "let p = #pattern(\"shop://a/**/tail\")",
    "malformed URL pattern: '**' matches all remaining segments and must be the last one; write '*' to match one "
      + "segment [malformed-pattern] (from macro 'pattern')", at: "tail\")"),
  rejection(
    "let p = [#pattern(\"\")]",
    "malformed URL pattern: missing scheme; write the whole pattern, as in 'shop://order/:id' [malformed-pattern] "
      + "(from macro 'pattern')", at: "\"\")"),
]

/// The routes that the compiler rejects, either before it runs the plugin or in the expansion.
let misfittingRoutes: [Rejection] = [
  rejection(
    "import Foundation\nfunc f(_ url: URL) async throws { try await Router.shared.open(url) }",
    "'open(_:values:)' is unavailable: a URL has no default origin; pass 'from: .remote' for a link from outside the "
      + "app, or 'from: .local' for a URL that the app has created [missing-origin]", at: "open(url)"),
  rejection(
    "import Foundation\nfunc f(_ url: URL) -> Bool { Router.shared.canOpen(url) == nil }",
    "missing argument for parameter 'from' in call", at: ") =="),
  rejection(
    "import Foundation\nfunc f(_ url: URL) async throws -> Int { try await Router.shared.object(for: url)}",
    "missing argument for parameter 'from' in call", at: ")}"),
  rejection(
    "import Foundation\n@MainActor func f(_ url: URL) throws -> Int { try Router.shared.object(for: url)}",
    "missing argument for parameter 'from' in call", at: ")}"),
  rejection(
    "#exportRoute(.screen) { link in\n  print(link.ide)\n  return Screen()\n}",
    "value of type 'Link' has no member 'ide'", at: "ide)"),
  rejection(
    "#exportRoute(.number) { \"text\" }",
    "cannot convert value of type 'String' to closure result type 'Int'", at: "\"text\" }"),
  rejection(
    "let p = #pattern(1)",
    "cannot convert value of type 'Int' to expected argument type 'StaticString'", at: "1)"),
  rejection(
    "#exportAction(\"a\", \"b\") { (box: Box) in box.value }",
    "macro 'exportAction(_:_:access:handler:)' requires that 'Box' conform to 'Decodable'", at: "#exportAction"),
  rejection(
    "func f(_ router: Router) async throws { try await router.open(.screen) }",
    "'open(_:values:)' is unavailable: the route has parameters; pass them, as in 'open(.order, OrderLink(id: 7))' "
      + "[missing-route-parameters]", at: "open(.screen)"),
  rejection(
    "func f(_ router: Router) { router.intercept { _ in .redirect(.screen) } }",
    "'redirect' is unavailable: the route has parameters; pass them, as in 'redirect(.order, OrderLink(id: 7))' "
      + "[missing-route-parameters]", at: "redirect(.screen)"),
  rejection(
    "func f(_ router: Router) { router.intercept { _ in .handOff(.screen) } }",
    "'handOff' is unavailable: the route has parameters; pass them, as in 'handOff(.order, OrderLink(id: 7))' "
      + "[missing-route-parameters]", at: "handOff(.screen)"),
  rejection(
    "struct Plain: Sendable {}\nlet route = Route<Plain, Int>(\"d\", [#pattern(\"a://b/:c\")])",
    "'init(_:_:access:)' is unavailable: the parameters of a route with patterns are decoded from a URL, so their type "
      + "must conform to 'Decodable'; add the conformance, or remove the patterns [parameters-not-decodable]",
    at: ">(\"d\""),
]

/// The handlers for which the compiler's message is about the overload without a request.
///
/// An overload with a better message would hide other errors in the bodies of handlers. With the
/// types of its parameters, a handler gets the message for its own error.
let misreportedRoutes: [Rejection] = ["#exportRoute(.screen)", "let token = Router().register(.screen)"].flatMap {
  use in
  [
    rejection(
      "\(use) { (id: Int, request) in Screen() }",
      "contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2 were used "
        + "in closure body", at: "(id: Int"),
    rejection(
      "\(use) { link, request in\n  print(link.ide)\n  return Screen()\n}",
      "contextual closure type '@MainActor @Sendable (Link) async throws -> Screen' expects 1 argument, but 2 were used "
        + "in closure body", at: "link, request"),
    rejection(
      "\(use) { (link: Link, request: RouteRequest) in\n  print(link.ide)\n  return Screen()\n}",
      "value of type 'Link' has no member 'ide'", at: "ide)"),
  ]
}

/// The types that the type checker rejects in the expansion with a message of the library.
let misfittingRouteTypes: [Rejection] =
  ["", "init() {}", "init(_ l: Link, x: Int = 1) {}", "init?(_ l: Link) {}"].map {
    misfit(
      "@ExportRoute(.shown) struct A: S { \($0) }",
      "'make' is unavailable: the exported type has no initializer that takes the route's parameters "
        + "and creates its outcome; write 'init(_ parameters: …) { … }' in its body [missing-route-initializer]")
  }
  + ["init(_ l: Link) {}", "init(_ l: Link, _ r: RouteRequest) {}", "init(_ l: Link) async throws {}", ""].map {
    misfit(
      "@ExportRoute(.shown) struct A: Sendable { \($0) }",
      "'check' is unavailable: the exported type does not convert to the route's outcome; add the protocol of the "
        + "outcome to the declaration of the type [missing-conformance]")
  }

private func misfit(_ source: String, _ message: String) -> Rejection {
  Rejection(
    source: declarations + source, message: message,
    place: .name("struct A"))
}
