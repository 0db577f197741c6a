// These are all the errors of the export attributes. An error is at the attribute unless its
// `place` is set.

/// The attributes in positions that the plugin rejects.
let misplaced: [Rejection] = [
  Rejection(
    source: "@ExportService((any P).self) struct A<T>: P {}",
    message: "'@ExportService' cannot be applied to the generic type 'A', because its generic arguments are "
      + "unknown; export a type that is not generic and that wraps or inherits from 'A' [generic-type] "
      + "(from macro 'ExportService')"),
  Rejection(
    source: "struct Outer<T> { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A' in the generic type or constrained extension "
      + "'Outer'; move 'A' out of it [generic-type] (from macro 'ExportService')"),
  Rejection(
    source: "extension Array where Element == Int { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A' in the generic type or constrained extension "
      + "'Array'; move 'A' out of it [generic-type] (from macro 'ExportService')"),
  Rejection(
    source: "extension Dictionary { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A' in the generic type or constrained extension "
      + "'Dictionary'; move 'A' out of it [generic-type] (from macro 'ExportService')"),
  Rejection(
    source: "extension Swift.Array { @ExportModule final class A: Module { init() {} } }",
    message: "'@ExportModule' cannot be applied to 'A' in the generic type or constrained extension "
      + "'Swift.Array'; move 'A' out of it [generic-type] (from macro 'ExportModule ')"),
  Rejection(
    source: "extension Swift::Set { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A' in the generic type or constrained extension "
      + "'Set'; move 'A' out of it [generic-type] (from macro 'ExportService')"),
  Rejection(
    source: "func f() { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A', which is local to a function, closure, or "
      + "statement; move 'A' to the top level of a file or into a type [local-declaration] (from macro "
      + "'ExportService')"),
  Rejection(
    source: "let closure: @Sendable () -> Void = { @ExportService((any P).self) struct A: P {} }",
    message: "'@ExportService' cannot be applied to 'A', which is local to a function, closure, or "
      + "statement; move 'A' to the top level of a file or into a type [local-declaration] (from macro "
      + "'ExportService')"),
  Rejection(
    source: "var value: Int { @ExportService((any P).self) struct A: P {}; return 1 }",
    message: "'@ExportService' cannot be applied to 'A', which is local to a function, closure, or "
      + "statement; move 'A' to the top level of a file or into a type [local-declaration] (from macro "
      + "'ExportService')"),
  Rejection(
    source: "func f() { @ExportModule final class A: Module { init() {} } }",
    message: "'@ExportModule' cannot be applied to 'A', which is local to a function, closure, or "
      + "statement; move 'A' to the top level of a file or into a type [local-declaration] (from macro "
      + "'ExportModule ')"),
  Rejection(
    source: "@ExportService((any P).self) func f() {}",
    message: "'@ExportService' cannot be applied to a function; apply it to a class, struct, actor, or enum "
      + "[not-a-type] (from macro 'ExportService')"),
  Rejection(
    source: "@ExportService((any P).self) let value = 1",
    message: "'@ExportService' cannot be applied to a property; apply it to a class, struct, actor, or enum "
      + "[not-a-type] (from macro 'ExportService')"),
  Rejection(
    source: "struct A: P {}\n@ExportService((any P).self) extension A {}",
    message: "'@ExportService' cannot be applied to an extension; apply it to the declaration of the type "
      + "[not-a-type] (from macro 'ExportService')"),
  Rejection(
    source: "@ExportService((any P).self) protocol Q: P {}",
    message: "'@ExportService' cannot be applied to a protocol; apply it to a type that conforms to the "
      + "protocol [not-a-type] (from macro 'ExportService')"),
  Rejection(
    source: "@ExportService((any P).self) typealias A = Int",
    message: "'@ExportService' cannot be applied to a type alias; apply it to the declaration of the type "
      + "[not-a-type] (from macro 'ExportService')"),
  Rejection(
    source: "struct A: P { @ExportService((any P).self) init() {} }",
    message: "'@ExportService' cannot be applied to an initializer; apply it to the type [not-a-type] (from "
      + "macro 'ExportService')"),
  Rejection(
    source: "enum A: P { @ExportService((any P).self) case a }",
    message: "'@ExportService' cannot be applied to an enum case; apply it to the type [not-a-type] (from "
      + "macro 'ExportService')"),
  Rejection(
    source: "@ExportModule func f() {}",
    message: "'@ExportModule' cannot be applied to a function; apply it to a final class [not-a-type] (from "
      + "macro 'ExportModule ')"),
  Rejection(
    source: "@ExportModule struct A {}",
    message: "'@ExportModule' requires a final class, but 'A' is a struct; write 'final class A' "
      + "[not-a-final-class] (from macro 'ExportModule ')"),
  Rejection(
    source: "@ExportModule actor A {}",
    message: "'@ExportModule' requires a final class, but 'A' is an actor; write 'final class A' "
      + "[not-a-final-class] (from macro 'ExportModule ')"),
  Rejection(
    source: "@ExportModule class A {}",
    message: "'@ExportModule' requires a final class, but 'A' is not final; write 'final class A' "
      + "[not-a-final-class] (from macro 'ExportModule ')"),
  Rejection(
    source: "@ExportModule @ExportModule(priority: 1) final class A: Module { init() {} }",
    message: "'A' is already exported by another '@ExportModule' attribute; remove this one "
      + "[exported-twice] (from macro 'ExportModule ')"),
]

/// The attribute arguments that the plugin rejects.
let unreadableArguments: [Rejection] = [
  Rejection(
    source: "let type = (any P).self\n@ExportService(type) struct A: P {}",
    message: "the service must be written as 'P.self' or '(any P).self' [not-a-literal] (from macro "
      + "'ExportService')", place: .at("type) struct")),
  Rejection(
    source: "let scope = ServiceScope.shared\n@ExportService((any S).self, scope: scope) struct A: S {}",
    message:
      "'scope' must be written as '.transient', '.shared', '.weak', or '.cached(\"name\")'; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportService')", place: .at("scope) struct")),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) struct A: S {}",
    message: "scope '.weak' requires a class or an actor, but 'A' is a struct; use '.shared' or "
      + "'.transient' [weak-value] (from macro 'ExportService')", place: .at(".weak")),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) enum A: S { case a; init() { self = .a } }",
    message: "scope '.weak' requires a class or an actor, but 'A' is an enum; use '.shared' or '.transient' "
      + "[weak-value] (from macro 'ExportService')", place: .at(".weak")),
  Rejection(
    source: "@ExportService((any P).self, named: text) struct A: P {}",
    message: "'named' must be a string literal such as '\"name\"'; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportService')", place: .at("text)")),
  Rejection(
    source: "@ExportService((any P).self, named: \"a \\(text)\") struct A: P {}",
    message: "'named' must be a string literal without interpolation; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportService')", place: .at("\"a ")),
  Rejection(
    source: "@ExportService((any P).self, named: \"\") struct A: P {}",
    message: "'named' must not be empty [invalid-name] (from macro 'ExportService')", place: .at("\"\"")),
  Rejection(
    source: "@ExportService((any P).self, named: \"a\\n\") struct A: P {}",
    message: "'named' must not contain control characters such as line breaks [invalid-name] (from macro "
      + "'ExportService')", place: .at("\"a")),
  Rejection(
    source: "@ExportService((any P).self, priority: 1 + 1) struct A: P {}",
    message: "'priority' must be an integer literal such as '10' or '-5'; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportService')", place: .at("1 + 1")),
  Rejection(
    source: "@ExportService((any P).self, priority: 9_223_372_036_854_775_808) struct A: P {}",
    message: "'priority' does not fit in a signed 64-bit integer [integer-too-large] (from macro "
      + "'ExportService')", place: .at("9_223")),
  Rejection(
    source: "@ExportService((any P).self, replaces: text) struct A: P {}",
    message: "'replaces' must be a string literal such as '\"name\"'; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportService')", place: .at("text)")),
  Rejection(
    source: "@ExportService((any P).self, replaces: \"Snippet.A\") struct A: P {}",
    message: "'Snippet.A' cannot replace itself; remove it from 'replaces' [replaces-itself] (from macro "
      + "'ExportService')", place: .at("\"Snippet.A")),
  Rejection(
    source: "let new = ServiceCondition.test\n@ExportService((any P).self, when: new) struct A: P {}",
    message: "'when' must be written as '.debug', '.release', '.preview', '.test', or '.flag(\"name\")'; the "
      + "attribute cannot evaluate expressions [not-a-literal] (from macro 'ExportService')", place: .at("new) struct")),
  Rejection(
    source: "let level = ModuleLevel.basic\n@ExportModule(level: level) final class A: Module { init() {} }",
    message: "'level' must be written as '.basic' or '.normal'; the attribute cannot evaluate expressions "
      + "[not-a-literal] (from macro 'ExportModule')", place: .at("level) final")),
  Rejection(
    source: "let names = [\"A.B\"]\n@ExportModule(after: names) final class A: Module { init() {} }",
    message:
      "'after' must be an array literal of string literals such as '[\"Account.AccountModule\"]', or of types such as '[AccountModule.self]'; "
      + "the attribute cannot evaluate expressions [not-a-literal] (from macro 'ExportModule')",
    place: .at("names) final")),
  Rejection(
    source: "@ExportModule(after: [\"A.B\", text]) final class A: Module { init() {} }",
    message: "a name in 'after' must be a string literal such as '\"name\"'; the attribute cannot evaluate "
      + "expressions [not-a-literal] (from macro 'ExportModule')", place: .at("text]")),
  Rejection(
    source: "@ExportModule(after: [\"A.B\", #\"A.B\"#]) final class A: Module { init() {} }",
    message: "'after' contains 'A.B' twice; remove one of them [duplicate-name] (from macro 'ExportModule')",
    place: .at("#\"A.B")),
  Rejection(
    source: "@ExportModule(after: [\"Snippet.A\"]) final class A: Module { init() {} }",
    message: "module 'Snippet.A' cannot start after itself; remove it from 'after' [after-itself] (from "
      + "macro 'ExportModule')", place: .at("\"Snippet")),
]

/// The types that have two attributes for one service.
let exportedTwice: [Rejection] = [
  "@ExportService(P.self) @ExportService((any P).self) struct A: P {}",
  "@ExportService((any S).self, named: \"a\")\n@MainActor @Registry.ExportService((any S).self, named: \"a\", priority: 1)\n"
    + "final class A: S { init() {} }",
].map { source in
  let service = source.contains("any S") ? "S" : "P"
  return Rejection(
    source: source,
    message:
      "'A' is already exported as '\(service)' by another '@ExportService' attribute; remove this one, or pass a "
      + "different name as 'named:' [exported-twice] (from macro '\(service == "S" ? "Registry." : "")ExportService')",
    place: .at(service == "S" ? "@Registry" : "@ExportService((any P)"))
}

/// The types that only the type checker can reject.
let misfits: [Rejection] = [
  Rejection(
    source: "@ExportService((any P).self) struct A {}",
    message: "'__provide' is unavailable: the exported type must conform to the service; add the protocol "
      + "to the declaration of the type [missing-conformance]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self) @MainActor final class A { init() throws {} }",
    message: "'__provide' is unavailable: the exported type must conform to the service; add the protocol "
      + "to the declaration of the type [missing-conformance]",
    place: .name("class A")),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) actor A {}",
    message: "'__provideShared' is unavailable: the exported type must conform to the service; add the "
      + "protocol to the declaration of the type [missing-conformance]",
    place: .name("actor A")),
  Rejection(
    source: "@ExportService((any P).self) actor A { init() throws {} }",
    message: "'__provide' is unavailable: the exported type must conform to the service; add the protocol "
      + "to the declaration of the type [missing-conformance]",
    place: .name("actor A")),
  Rejection(
    source: "@ExportService((any P).self, scope: .shared) struct A: P {}",
    message:
      "'__provideShared' is unavailable: a service with scope '.shared', '.weak', or '.cached' must be sendable; "
      + "declare it as 'protocol P: Sendable' [not-sendable]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self, scope: .weak) actor A: P {}",
    message:
      "'__provideShared' is unavailable: a service with scope '.shared', '.weak', or '.cached' must be sendable; "
      + "declare it as 'protocol P: Sendable' [not-sendable]",
    place: .name("actor A")),
  Rejection(
    source: "enum Outer { @ExportService((any P).self, scope: .shared) @MainActor final class A: P {} }",
    message:
      "'__provideShared' is unavailable: a service with scope '.shared', '.weak', or '.cached' must be sendable; "
      + "declare it as 'protocol P: Sendable' [not-sendable]",
    place: .name("class A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { let x: Int }",
    message: "'__provide' is unavailable: the exported type has no initializer without parameters; write "
      + "'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) struct A: S { let x: Int; var y = 1 }",
    message: "'__provideShared' is unavailable: the exported type has no initializer without parameters; "
      + "write 'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self) final class A: Base, P {}",
    message: "'__provide' is unavailable: the exported type has no initializer without parameters; write "
      + "'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("class A")),
  Rejection(
    source: "@ExportService((any P).self) enum A: Int, P { case a }",
    message: "'__provide' is unavailable: the exported type has no initializer without parameters; write "
      + "'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("enum A")),
  Rejection(
    source: "@ExportService((any P).self) actor A: P { init(x: Int = 1) {} }",
    message: "'__provide' is unavailable: the exported type has no initializer without parameters; write "
      + "'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("actor A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { private init() {}; init(x: Int) {} }",
    message: "'__provide' is unavailable: the exported type has no initializer without parameters; write "
      + "'init() { … }' (parameters with default values do not count) [missing-initializer]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init?() { nil } }",
    message: "'__provide' is unavailable: the exported type's initializer is failable; write 'init() "
      + "throws' and throw an error instead of returning 'nil' [failable-initializer]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) @MainActor final class A: S { init!() { nil } }",
    message: "'__provideShared' is unavailable: the exported type's initializer is failable; write 'init() "
      + "throws' and throw an error instead of returning 'nil' [failable-initializer]",
    place: .name("class A")),
  Rejection(
    source: "@ExportService((any P).self) struct A { init(y: Int) {} }; extension A: P { init?() { nil } }",
    message: "'__provide' is unavailable: the exported type's initializer is failable; write 'init() "
      + "throws' and throw an error instead of returning 'nil' [failable-initializer]",
    place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init() async {} }",
    message: "'__provide' is unavailable: the exported type's initializer is asynchronous, and a lookup "
      + "cannot wait for it; write 'init()' and move the asynchronous work to a method "
      + "[async-initializer]", place: .name("struct A")),
  Rejection(
    source: "@ExportService((any P).self) actor A { init() async throws {} }",
    message: "'__provide' is unavailable: the exported type's initializer is asynchronous, and a lookup "
      + "cannot wait for it; write 'init()' and move the asynchronous work to a method "
      + "[async-initializer]", place: .name("actor A")),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) actor A: S { init?() async { nil } }",
    message: "'__provideShared' is unavailable: the exported type's initializer is asynchronous, and a "
      + "lookup cannot wait for it; write 'init()' and move the asynchronous work to a method "
      + "[async-initializer]", place: .name("actor A")),
  // No overload can replace these errors of the compiler.
  Rejection(
    source: "@ExportService((any P).self) struct A: P { private init() {} }",
    message: "'A' initializer is inaccessible due to 'private' protection level",
    place: .after("struct A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init(x: Int) {}; init(y: Int) {} }",
    message: "ambiguous use of 'init'",
    place: .after("struct A")),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init<T>(x: T) {} }",
    message: "generic parameter 'T' could not be inferred",
    place: .after("struct A")),
  Rejection(
    source: "@ExportService((any P).self) enum A: P { case a }",
    message: "'A' cannot be constructed because it has no accessible initializers",
    place: .after("enum A")),
  Rejection(
    source: "@ExportModule final class A { init() {} }",
    message: "'__provideModule' is unavailable: an exported module must conform to 'Module'; write 'final "
      + "class X: Module' [not-a-module]",
    place: .name("class A")),
]

/// The types with a conformance that only code on the main actor can use.
///
/// SE-0470 introduced isolated conformances. The compiler's own messages are clear.
let isolatedConformances = [
  "@ExportService((any P).self) @MainActor final class A: @MainActor P { nonisolated init() {}; func f() {} }",
  "@ExportService((any P).self) @MainActor final class A: @MainActor P { init() {}; func f() {} }",
  "@ExportService((any P & Sendable).self, scope: .weak) @MainActor final class A: @MainActor P { func f() {} }",
  """
  @ExportRoute(.a) @MainActor final class A: @MainActor P { nonisolated init() {}; func f() {} }
  extension Route where Parameters == Void, Outcome == any P & Sendable { nonisolated static var a: Self { .init("a") } }
  """,
]

/// The module conformances that the compiler rejects at the class itself.
let misfittingModules: [Rejection] = [
  Rejection(
    source: "@ExportModule final class A: Module { init(x: Int) {} }",
    message: "type 'A' does not conform to protocol 'Module'", place: .at("A: Module")),
  Rejection(
    source: "@ExportModule final class A: Module { init?() { nil } }",
    message: "non-failable initializer requirement 'init()' cannot be satisfied by a failable initializer "
      + "('init?')", place: .at("init?()")),
  Rejection(
    source: "@ExportModule final class A: Module { init() async {} }",
    message: "type 'A' does not conform to protocol 'Module'", place: .at("A: Module")),
]
