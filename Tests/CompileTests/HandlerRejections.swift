// These are all the errors of `#onEvent`, and the compiler's errors for handlers of the wrong type.

private let events = """
  struct User: Sendable { let name: String }
  final class Box { var value = 1 }
  extension Event where Payload == User, Outcome == Void { static var userDidLogIn: Self { .init("a") } }
  extension Event where Payload == Box, Outcome == Void { static var box: Self { .init("b") } }
  extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("c") } }
  extension Event where Payload == String, Outcome == Bool { static var open: Self { .init("d") } }

  """

private func rejection(_ source: String, _ message: String, at place: String = "#onEvent") -> Rejection {
  Rejection(source: events + source, message: message, place: .at(place))
}

private let local =
  "#onEvent stands at the top level of a file or in a type: move it out of the function, closure or statement, or subscribe "
  + "there with 'modules.on(…)', which can be cancelled"

/// The handlers that the plugin rejects.
let refusedHandlers: [Rejection] = [
  rejection(
    "let ten = 10\n#onEvent(.ping, priority: ten) { _ in }",
    "'priority' must be an integer literal such as 10 or -5: it is read while the macro is expanded", at: "ten) {"),
  rejection(
    "let yes = true\n#onEvent(.ping, once: yes) { _ in }",
    "'once' must be written out as true or false: it is read while the macro is expanded", at: "yes) {"),
  rejection(
    "#onEvent(.ping, once: !true) { _ in }",
    "'once' must be written out as true or false: it is read while the macro is expanded", at: "!true"),
  rejection("func f() { #onEvent(.ping) { _ in } }", local),
  rejection("func f() { let x = 1\n#onEvent(.ping) { _ in print(x) } }", local),
  rejection("struct A { init() { #onEvent(.ping) { _ in } } }", local),
  rejection("let f: @Sendable () -> Void = { #onEvent(.ping) { _ in } }", local),
  rejection("var v: Int { get { #onEvent(.ping) { _ in }; return 1 } }", local),
  rejection("func f() { enum A { #onEvent(.ping) { _ in } } }", local),
  rejection(
    "struct G<T> { #onEvent(.ping) { _ in } }",
    "#onEvent cannot stand in 'G', which is generic or a constrained extension: move it to the top level of the file"),
  rejection(
    "struct G<T> { enum A { #onEvent(.ping) { _ in } } }",
    "#onEvent cannot stand in 'G', which is generic or a constrained extension: move it to the top level of the file"),
  rejection(
    "extension Array where Element == Int { #onEvent(.ping) { _ in } }",
    "#onEvent cannot stand in 'Array', which is generic or a constrained extension: move it to the top level of the file"
  ),
  rejection(
    "protocol Q { #onEvent(.ping) { _ in } }",
    "#onEvent cannot stand in the protocol 'Q': move it to the top level of the file"),
]

/// The handlers that the compiler rejects before it runs the plugin.
let misfittingHandlers: [Rejection] = [
  rejection(
    "#onEvent(.userDidLogIn) { user, _ in\n  print(user.nam)\n}", "value of type 'User' has no member 'nam'", at: "nam)"
  ),
  rejection(
    "#onEvent(.open) { _, _ in }", "cannot convert value of type '()' to closure result type 'Bool'", at: "{ _, _"),
  rejection(
    "#onEvent(.open, taskPriority: .utility) { _ in }", "member chain produces result of type", at: "open, taskPriority"
  ),
  rejection(
    "#onEvent(.box, taskPriority: .utility) { box in print(box.value) }",
    "type 'Box' does not conform to the 'Sendable' protocol",
    at: "onEvent(.box, taskPriority"),
  rejection("#onEvent(.ping) { print(1) }", "contextual type for closure argument list expects", at: "{ print(1)"),
  rejection(
    "struct S { var x = 1; #onEvent(.ping) { _ in print(x) } }", "instance member 'x' cannot be used on type 'S'",
    at: "x) }"),
  rejection("#onEvent() { _, _ in }", "missing argument for parameter #1 in macro expansion", at: ") { _, _"),
]
