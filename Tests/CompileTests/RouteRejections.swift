// These are all the errors of `#exportRoute`, `@ExportRoute`, `#exportAction`, and `#pattern`, and
// the compiler's errors for code of the wrong type.

private let declarations = """
  import Routing
  struct Link: Codable, Sendable { var id: Int }
  struct Screen: Sendable {}
  final class Box { var value = 1 }
  extension Route where Parameters == Link, Outcome == Screen { static var screen: Self { .init("a") } }
  extension Route where Parameters == Void, Outcome == Int { static var number: Self { .init("b") } }

  """

private func rejection(_ source: String, _ message: String, at place: String) -> Rejection {
  Rejection(source: declarations + source, message: message, place: .at(place))
}

private func local(_ macro: String, _ atRunTime: String) -> String {
  "\(macro) stands at the top level of a file or in a type: move it out of the function, closure or statement, or register there "
    + "with '\(atRunTime)', which can be cancelled"
}

/// The routes that the plugin rejects.
let refusedRoutes: [Rejection] = [
  rejection(
    "func f() { #exportRoute(.number) { 1 } }", local("#exportRoute", "router.register(…)"), at: "#exportRoute"),
  rejection(
    "func f() { #exportAction(\"a\", \"b\") { 1 } }", local("#exportAction", "router.registerAction(…)"),
    at: "#exportAction"),
  rejection(
    "struct G<T> { #exportRoute(.number) { 1 } }",
    "#exportRoute cannot stand in 'G', which is generic or a constrained extension: move it to the top level of the file",
    at: "#exportRoute"),
  rejection(
    "protocol Q { #exportAction(\"a\", \"b\") { 1 } }",
    "#exportAction cannot stand in the protocol 'Q': move it to the top level of the file", at: "#exportAction"),
  rejection(
    "let name: StaticString = \"a\"\n#exportAction(name, \"b\") { 1 }",
    "'target' must be a string literal such as \"name\": it is read while the macro is expanded", at: "name, "),
  rejection("#exportAction(\"a\", \"\") { 1 }", "'action' must not hold an empty name", at: "\"\")"),
  rejection(
    "let access = RouteAccess.remote\n#exportAction(\"a\", \"b\", access: access) { 1 }",
    "'access' must be written out as .internal or .remote: it is read while the macro is expanded", at: "access) { 1"),
  rejection(
    "@ExportRoute(.number) func f() {}", "@ExportRoute goes on classes, structs, actors and enums; this is a function",
    at: "@ExportRoute"),
  rejection(
    "func f() { @ExportRoute(.screen) struct A { init(_ l: Link) {} } }",
    "@ExportRoute cannot export 'A', which exists only inside a function, a closure or a statement: move it to the top level of a "
      + "file or into a type", at: "@ExportRoute"),
  rejection(
    "@ExportRoute(.screen) struct G<T> { init(_ l: Link) {} }",
    "@ExportRoute cannot export the generic type 'G': which types it would be made with is not known; export a type that is not "
      + "generic and wraps or inherits it", at: "@ExportRoute"),
  rejection(
    "let p = #pattern(\"shop://a/**/tail\")",
    "this is no pattern of URLs: '**' matches all remaining segments and must be the last one; write '*' to match one segment",
    at: "tail\")"),
  rejection("let p = [#pattern(\"\")]", "'pattern' must not hold an empty name", at: "\"\")"),
]

/// The routes that the compiler rejects, either before it runs the plugin or in the expansion.
let misfittingRoutes: [Rejection] = [
  rejection(
    "#exportRoute(.screen) { link in\n  print(link.ide)\n  return Screen()\n}",
    "value of type 'Link' has no member 'ide'",
    at: "ide)"),
  rejection(
    "#exportRoute(.number) { \"text\" }", "cannot convert value of type 'String' to closure result type 'Int'",
    at: "\"text\" }"),
  rejection(
    "let p = #pattern(1)", "cannot convert value of type 'Int' to expected argument type 'StaticString'", at: "1)"),
  rejection(
    "#exportAction(\"a\", \"b\") { (box: Box) in box.value }",
    "macro 'exportAction(_:_:access:handler:)' requires that 'Box' conform to 'Decodable'", at: "#exportAction"),
]

/// The types that the type checker rejects in the expansion with a message of the library.
let misfittingRouteTypes: [Rejection] = ["", "init() {}", "init(_ l: Link, x: Int = 1) {}", "init?(_ l: Link) {}"].map {
  Rejection(
    source: declarations + "@ExportRoute(.screen) struct A: Sendable { \($0) }",
    message:
      "'make' is unavailable: the exported type has no initializer that takes the route's parameters and makes its outcome: write "
      + "'init(_ parameters: …) { … }' in its body", place: .inExpansion)
}
