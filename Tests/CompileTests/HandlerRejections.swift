// These are all the errors of `#onEvent`, and the compiler's errors for handlers of the wrong type.

private let events = """
  struct User: Sendable { let name: String }
  final class Box { var value = 1 }
  extension Event where Payload == User, Outcome == Void { static var userDidLogIn: Self { .init("a") } }
  extension Event where Payload == Box, Outcome == Void { static var box: Self { .init("b") } }
  extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("c") } }
  extension Event where Payload == String, Outcome == Bool { static var open: Self { .init("d", combining: .any) } }

  """

private func rejection(_ source: String, _ message: String, at place: String) -> Rejection {
  Rejection(source: events + source, message: message, place: .at(place))
}

/// The handlers that the plugin rejects.
let rejectedHandlers: [Rejection] = [
  rejection(
    "let ten = 10\n#onEvent(.ping, priority: ten) { _ in }",
    "'priority' must be an integer literal such as '10' or '-5'; the macro cannot evaluate "
      + "expressions [not-a-literal] (from macro 'onEvent')", at: "ten) {"),
  rejection(
    "let yes = true\n#onEvent(.ping, once: yes) { _ in }",
    "'once' must be written as 'true' or 'false'; the macro cannot evaluate expressions "
      + "[not-a-literal] (from macro 'onEvent')", at: "yes) {"),
  rejection(
    "#onEvent(.ping, once: !true) { _ in }",
    "'once' must be written as 'true' or 'false'; the macro cannot evaluate expressions "
      + "[not-a-literal] (from macro 'onEvent')", at: "!true"),
  rejection(
    "func f() { #onEvent(.ping) { _ in } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "func f() { let x = 1\n#onEvent(.ping) { _ in print(x) } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "struct A { init() { #onEvent(.ping) { _ in } } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "let f: @Sendable () -> Void = { #onEvent(.ping) { _ in } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "var v: Int { get { #onEvent(.ping) { _ in }; return 1 } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "func f() { enum A { #onEvent(.ping) { _ in } } }",
    "'#onEvent' cannot be used in a function, closure, or statement; move it to the top level of a "
      + "file or into a type, or subscribe with 'modules.on(…)' [local-declaration] (from macro "
      + "'onEvent')", at: "#onEvent"),
  rejection(
    "struct G<T> { #onEvent(.ping) { _ in } }",
    "'#onEvent' cannot be used in the generic type or constrained extension 'G'; move it to the "
      + "top level of the file [generic-type] (from macro 'onEvent')", at: "#onEvent"),
  rejection(
    "struct G<T> { enum A { #onEvent(.ping) { _ in } } }",
    "'#onEvent' cannot be used in the generic type or constrained extension 'G'; move it to the "
      + "top level of the file [generic-type] (from macro 'onEvent')", at: "#onEvent"),
  rejection(
    "extension Array where Element == Int { #onEvent(.ping) { _ in } }",
    "'#onEvent' cannot be used in the generic type or constrained extension 'Array'; move it to "
      + "the top level of the file [generic-type] (from macro 'onEvent')", at: "#onEvent"),
  rejection(
    "protocol Q { #onEvent(.ping) { _ in } }",
    "'#onEvent' cannot be used in the protocol 'Q'; move it to the top level of the file "
      + "[declared-in-protocol] (from macro 'onEvent')", at: "#onEvent"),
]

/// The handlers that the compiler rejects before it runs the plugin.
let misfittingHandlers: [Rejection] = [
  rejection(
    "#onEvent(.userDidLogIn) { user, _ in\n  print(user.nam)\n}",
    "value of type 'User' has no member 'nam'", at: "nam)"),
  rejection(
    "#onEvent(.open) { _, _ in }",
    "cannot convert value of type '()' to closure result type 'Bool'", at: "{ _, _"),
  rejection(
    "#onEvent(.open, taskPriority: .utility) { _ in }",
    "member chain produces result of type 'Event<String, Bool>' but contextual base was inferred "
      + "as 'Event<String, Void>'", at: "open, taskPriority"),
  rejection(
    "#onEvent(.box, taskPriority: .utility) { box in print(box.value) }",
    "type 'Box' does not conform to the 'Sendable' protocol", at: "onEvent(.box, taskPriority"),
  rejection(
    "#onEvent(.ping) { print(1) }",
    "contextual type for closure argument list expects 2 arguments, which cannot be implicitly "
      + "ignored", at: "{ print(1)"),
  rejection(
    "struct T { var x = 1; #onEvent(.ping) { _ in print(x) } }",
    "instance member 'x' cannot be used on type 'T'; did you mean to use a value of this type "
      + "instead?", at: "x) }"),
  rejection(
    "#onEvent() { _, _ in }",
    "missing argument for parameter #1 in macro expansion", at: ") { _, _"),
]
