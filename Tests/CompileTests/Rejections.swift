// These are all the errors of the export attributes. An error is at the attribute unless its
// `place` is set.

private let literal = "it is read while the attribute is expanded"
/// The attributes in positions that the plugin rejects.
let misplaced: [Rejection] = [
  Rejection(
    source: "@ExportService((any P).self) struct A<T>: P {}",
    message:
      "@ExportService cannot export the generic type 'A': which types it would be made with is not known; "
      + "export a type that is not generic and wraps or inherits it"),
  Rejection(
    source: "struct Outer<T> { @ExportService((any P).self) struct A: P {} }",
    message:
      "@ExportService cannot export 'A', because 'Outer' around it is generic or a constrained extension: "
      + "move 'A' out of it"),
  Rejection(
    source: "extension Array where Element == Int { @ExportService((any P).self) struct A: P {} }",
    message:
      "@ExportService cannot export 'A', because 'Array' around it is generic or a constrained extension: "
      + "move 'A' out of it"),
  Rejection(
    source: "func f() { @ExportService((any P).self) struct A: P {} }",
    message:
      "@ExportService cannot export 'A', which exists only inside a function, a closure or a statement: "
      + "move it to the top level of a file or into a type"),
  Rejection(
    source: "let closure: @Sendable () -> Void = { @ExportService((any P).self) struct A: P {} }",
    message:
      "@ExportService cannot export 'A', which exists only inside a function, a closure or a statement: "
      + "move it to the top level of a file or into a type"),
  Rejection(
    source: "var value: Int { @ExportService((any P).self) struct A: P {}; return 1 }",
    message:
      "@ExportService cannot export 'A', which exists only inside a function, a closure or a statement: "
      + "move it to the top level of a file or into a type"),
  Rejection(
    source: "func f() { @ExportModule final class A: Module { init() {} } }",
    message:
      "@ExportModule cannot export 'A', which exists only inside a function, a closure or a statement: "
      + "move it to the top level of a file or into a type"),
  Rejection(
    source: "@ExportService((any P).self) func f() {}",
    message: "@ExportService goes on classes, structs, actors and enums; this is a function"),
  Rejection(
    source: "@ExportService((any P).self) let value = 1",
    message: "@ExportService goes on classes, structs, actors and enums; this is a property"),
  Rejection(
    source: "struct A: P {}\n@ExportService((any P).self) extension A {}",
    message: "@ExportService goes on classes, structs, actors and enums; this is an extension: put it on the "
      + "declaration of the type"),
  Rejection(
    source: "@ExportService((any P).self) protocol Q: P {}",
    message:
      "@ExportService goes on classes, structs, actors and enums; this is a protocol: put it on the type "
      + "that implements it"),
  Rejection(
    source: "@ExportService((any P).self) typealias A = Int",
    message: "@ExportService goes on classes, structs, actors and enums; this is a typealias: put it on the "
      + "declaration of the type"),
  Rejection(
    source: "struct A: P { @ExportService((any P).self) init() {} }",
    message:
      "@ExportService goes on classes, structs, actors and enums; this is an initializer: put it on the type"),
  Rejection(
    source: "enum A: P { @ExportService((any P).self) case a }",
    message:
      "@ExportService goes on classes, structs, actors and enums; this is an enum case: put it on the enum"),
  Rejection(
    source: "@ExportModule func f() {}", message: "@ExportModule goes on final classes; this is a function"),
  Rejection(
    source: "@ExportModule struct A {}",
    message: "@ExportModule goes on final classes: make the struct 'A' a final class"),
  Rejection(
    source: "@ExportModule actor A {}",
    message: "@ExportModule goes on final classes: make the actor 'A' a final class"),
  Rejection(
    source: "@ExportModule class A {}",
    message: "an exported module must be final: write 'final class A'"),
  Rejection(
    source: "@ExportModule @ExportModule(priority: 1) final class A: Module { init() {} }",
    message: "'A' is exported as a module already: remove this @ExportModule"),
]

/// The attribute arguments that the plugin rejects.
let unreadableArguments: [Rejection] = [
  Rejection(
    source: "let type = (any P).self\n@ExportService(type) struct A: P {}",
    message: "the service must be written out as 'P.self' or '(any P).self'", place: .at("type) struct")),
  Rejection(
    source: "let scope = ServiceScope.shared\n@ExportService((any S).self, scope: scope) struct A: S {}",
    message: "'scope' must be written out as .transient, .shared or .weak: \(literal)",
    place: .at("scope) struct")),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) struct A: S {}",
    message:
      "'.weak' is for classes and actors, which can be held weakly, and 'A' is a struct: use .shared or "
      + ".transient", place: .at(".weak")),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) enum A: S { case a; init() { self = .a } }",
    message:
      "'.weak' is for classes and actors, which can be held weakly, and 'A' is an enum: use .shared or "
      + ".transient", place: .at(".weak")),
  Rejection(
    source: "@ExportService((any P).self, named: text) struct A: P {}",
    message: "'named' must be a string literal such as \"name\": \(literal)", place: .at("text)")),
  Rejection(
    source: "@ExportService((any P).self, named: \"a \\(text)\") struct A: P {}",
    message: "'named' must be a string literal without interpolation: \(literal)", place: .at("\"a ")),
  Rejection(
    source: "@ExportService((any P).self, named: \"\") struct A: P {}",
    message: "'named' must not hold an empty name", place: .at("\"\"")),
  Rejection(
    source: "@ExportService((any P).self, named: \"a\\n\") struct A: P {}",
    message: "'named' must not hold control characters such as line breaks", place: .at("\"a")),
  Rejection(
    source: "@ExportService((any P).self, priority: 1 + 1) struct A: P {}",
    message: "'priority' must be an integer literal such as 10 or -5: \(literal)", place: .at("1 + 1")),
  Rejection(
    source: "@ExportService((any P).self, priority: 9_223_372_036_854_775_808) struct A: P {}",
    message: "'priority' does not fit into 64 bits", place: .at("9_223")),
  Rejection(
    source: "let level = ModuleLevel.basic\n@ExportModule(level: level) final class A: Module { init() {} }",
    message: "'level' must be written out as .basic or .normal: \(literal)", place: .at("level) final")),
  Rejection(
    source: "let names = [\"A.B\"]\n@ExportModule(after: names) final class A: Module { init() {} }",
    message:
      "'after' must be an array literal of string literals such as [\"Account.AccountModule\"]: \(literal)",
    place: .at("names) final")),
  Rejection(
    source: "@ExportModule(after: [\"A.B\", text]) final class A: Module { init() {} }",
    message: "'after' must be a string literal such as \"name\": \(literal)", place: .at("text]")),
  Rejection(
    source: "@ExportModule(after: [\"A.B\", #\"A.B\"#]) final class A: Module { init() {} }",
    message: "'after' names \"A.B\" twice: remove one of them", place: .at("#\"A.B")),
  Rejection(
    source: "@ExportModule(after: [\"Snippet.A\"]) final class A: Module { init() {} }",
    message: "\"Snippet.A\" cannot come after itself: remove it from 'after'", place: .at("\"Snippet")),
]

private let nonconforming =
  "is unavailable: the exported type must conform to the service: add the protocol to the declaration of the type"
private let notSendable =
  "'__provideShared' is unavailable: a service of scope .shared or .weak goes to whoever asks: write "
  + "'protocol P: Sendable' where it is declared"
private let noInitializer =
  "is unavailable: the exported type has no initializer without parameters: write 'init() { … }' (parameters with default "
  + "values do not count)"
private let failable =
  "is unavailable: the exported type's initializer is failable: write 'init() throws' and throw an error in place of nil"
private let asynchronous =
  "is unavailable: the exported type's initializer is async, and a lookup cannot wait for it: write 'init()' and move the "
  + "waiting to a method"

/// The types that only the type checker can reject.
let misfits: [Rejection] = [
  Rejection(
    source: "@ExportService((any P).self) struct A {}", message: "'__provide' \(nonconforming)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) @MainActor final class A { init() throws {} }",
    message: "'__provide' \(nonconforming)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) actor A {}",
    message: "'__provideShared' \(nonconforming)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) actor A { init() throws {} }",
    message: "'__provide' \(nonconforming)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self, scope: .shared) struct A: P {}", message: notSendable,
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self, scope: .weak) actor A: P {}", message: notSendable,
    place: .inExpansion),
  Rejection(
    source: "enum Outer { @ExportService((any P).self, scope: .shared) @MainActor final class A: P {} }",
    message: notSendable, place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { let x: Int }",
    message: "'__provide' \(noInitializer)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) struct A: S { let x: Int; var y = 1 }",
    message: "'__provideShared' \(noInitializer)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) final class A: Base, P {}", message: "'__provide' \(noInitializer)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) enum A: Int, P { case a }", message: "'__provide' \(noInitializer)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) actor A: P { init(x: Int = 1) {} }", message: "'__provide' \(noInitializer)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { private init() {}; init(x: Int) {} }",
    message: "'__provide' \(noInitializer)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init?() { nil } }", message: "'__provide' \(failable)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any S).self, scope: .shared) @MainActor final class A: S { init!() { nil } }",
    message: "'__provideShared' \(failable)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A { init(y: Int) {} }; extension A: P { init?() { nil } }",
    message: "'__provide' \(failable)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init() async {} }", message: "'__provide' \(asynchronous)",
    place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) actor A { init() async throws {} }",
    message: "'__provide' \(asynchronous)", place: .inExpansion),
  Rejection(
    source: "@ExportService((any S).self, scope: .weak) actor A: S { init?() async { nil } }",
    message: "'__provideShared' \(asynchronous)", place: .inExpansion),
  // No overload can replace these errors of the compiler.
  Rejection(
    source: "@ExportService((any P).self) struct A: P { private init() {} }",
    message: "'A' initializer is inaccessible due to 'private' protection level", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init(x: Int) {}; init(y: Int) {} }",
    message: "ambiguous use of 'init'", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) struct A: P { init<T>(x: T) {} }",
    message: "generic parameter 'T' could not be inferred", place: .inExpansion),
  Rejection(
    source: "@ExportService((any P).self) enum A: P { case a }",
    message: "'A' cannot be constructed because it has no accessible initializers", place: .inExpansion),
  Rejection(
    source: "@ExportModule final class A { init() {} }",
    message: "'__provideModule' is unavailable: an exported module must conform to Module: write "
      + "'final class X: Module'", place: .inExpansion),
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
    message: "non-failable initializer requirement 'init()' cannot be satisfied by a failable initializer ('init?')",
    place: .at("init?()")),
  Rejection(
    source: "@ExportModule final class A: Module { init() async {} }",
    message: "type 'A' does not conform to protocol 'Module'", place: .at("A: Module")),
]
