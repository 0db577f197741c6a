// These files must not compile. See RejectedCode.swift.

/// The export attributes that the plugin rejects.
let rejectedAttributes = RejectedCode(
  "Attributes.swift",
  #"""
  import Lifecycle
  import Registry
  import Routing

  @ExportService((any P).self) struct A1<T>: P {}
  // 1: error: '@ExportService' cannot be applied to the generic type 'A1', because its generic arguments are unknown;
  //   export a type that is not generic and that wraps or inherits from 'A1' [generic-type]
  struct OuterA2<T> { @ExportService((any P).self) struct A: P {} }
  // 21: error: '@ExportService' cannot be applied to 'A' in the generic type or constrained extension 'OuterA2'; move
  //   'A' out of it [generic-type]
  extension Array where Element == Int { @ExportService((any P).self) struct A: P {} }
  // 40: error: '@ExportService' cannot be applied to 'A' in the generic type ... [generic-type]
  extension Dictionary { @ExportService((any P).self) struct A: P {} }
  // 24: error: '@ExportService' cannot be applied to 'A' in the generic type ... [generic-type]
  extension Swift.Array { @ExportModule final class B: Module { init() {} } }
  // 25: error: '@ExportModule' cannot be applied to 'B' in the generic type ... [generic-type]
  extension Swift::Set { @ExportService((any P).self) struct A: P {} }
  // 24: error: '@ExportService' cannot be applied to 'A' in the generic type ... [generic-type]
  func fA7() { @ExportService((any P).self) struct A: P {} }
  // 14: error: '@ExportService' cannot be applied to 'A', which is local to a function, closure, or statement; move
  //   'A' to the top level of a file or into a type [local-declaration]
  let closure: @Sendable () -> Void = { @ExportService((any P).self) struct A: P {} }
  // 39: error: '@ExportService' cannot be applied to 'A', ... [local-declaration]
  var valueA9: Int { @ExportService((any P).self) struct A: P {}; return 1 }
  // 20: error: '@ExportService' cannot be applied to 'A', ... [local-declaration]
  func fA10() { @ExportModule final class A: Module { init() {} } }
  // 15: error: '@ExportModule' cannot be applied to 'A', ... [local-declaration]
  @ExportService((any P).self) func fA11() {}
  // 1: error: '@ExportService' cannot be applied to a function; apply it to a class, struct, actor, or enum
  //   [not-a-type]
  @ExportService((any P).self) let valueA12 = 1
  // 1: error: '@ExportService' cannot be applied to a property; apply it to a class, struct, actor, or enum
  //   [not-a-type]
  struct A13: P {}
  @ExportService((any P).self) extension A13 {}
  // 1: error: '@ExportService' cannot be applied to an extension; apply it to the declaration of the type
  //   [not-a-type]
  @ExportService((any P).self) protocol QA14: P {}
  // 1: error: '@ExportService' cannot be applied to a protocol; apply it to a type that conforms to the protocol
  //   [not-a-type]
  @ExportService((any P).self) typealias A15 = Int
  // 1: error: '@ExportService' cannot be applied to a type alias; apply it to the declaration of the type
  //   [not-a-type]
  struct A16: P { @ExportService((any P).self) init() {} }
  // 17: error: '@ExportService' cannot be applied to an initializer; apply it to the type [not-a-type]
  enum A17: P { @ExportService((any P).self) case a }
  // 15: error: '@ExportService' cannot be applied to an enum case; apply it to the type [not-a-type]
  @ExportModule func fA18() {}
  // 1: error: '@ExportModule' cannot be applied to a function; apply it to a final class [not-a-type]
  @ExportModule struct A19 {}
  // 1: error: '@ExportModule' requires a final class, but 'A19' is a struct; write 'final class A19'
  //   [not-a-final-class]
  @ExportModule actor A20 {}
  // 1: error: '@ExportModule' requires a final class, but 'A20' is an actor; write 'final class A20'
  //   [not-a-final-class]
  @ExportModule class A21 {}
  // 1: error: '@ExportModule' requires a final class, but 'A21' is not final; write 'final class A21'
  //   [not-a-final-class]
  @ExportModule @ExportModule(priority: 1) final class A22: Module { init() {} }
  // 1: error: 'A22' is already exported by another '@ExportModule' attribute; remove this one [exported-twice]
  @MainActor let type = (any P).self
  @ExportService(type) struct B1: P {}
  // 16: error: the service must be written as 'P.self' or '(any P).self' [not-a-literal]
  @ExportService struct A0: P {}
  // 1: error: '@ExportService' requires a service, as in '@ExportService(CartService.self)' [missing-argument]
  @ExportService((any P)?.self) struct B0: P {}
  // 16: error: an optional is not a service, and lookups of the type that it wraps do not find it; write the type
  //   without 'Optional' or the question mark [optional-service]
  let scope = ServiceScope.shared
  @ExportService((any S).self, scope: scope) struct B2: S {}
  // 37: error: 'scope' must be written as '.transient', '.shared', '.weak', or '.cached("name")'; the attribute
  //   cannot evaluate expressions [not-a-literal]
  @ExportService((any S).self, scope: .weak) struct B3: S {}
  // 37: error: scope '.weak' requires a class or an actor, but 'B3' is a struct; use '.shared' or '.transient'
  //   [weak-value]
  @ExportService((any S).self, scope: .weak) enum B4: S { case a; init() { self = .a } }
  // 37: error: scope '.weak' requires a class or an actor, but 'B4' is an enum; use '.shared' or '.transient'
  //   [weak-value]
  @ExportService((any P).self, named: text) struct B5: P {}
  // 37: error: 'named' must be a string literal on one line such as '"name"'; the attribute cannot evaluate expressions
  //   [not-a-literal]
  @ExportService((any P).self, named: "a \(text)") struct B6: P {}
  // 37: error: 'named' must be a string literal without interpolation; the attribute cannot evaluate expressions
  //   [not-a-literal]
  @ExportService((any P).self, named: "") struct B7: P {}
  // 37: error: 'named' must not be empty [invalid-name]
  @ExportService((any P).self, named: "a\n") struct B8: P {}
  // 37: error: 'named' must not contain control characters such as line breaks [invalid-name]
  @ExportService((any P).self, priority: 1 + 1) struct B9: P {}
  // 40: error: 'priority' must be an integer literal such as '10' or '-5'; the attribute cannot evaluate expressions
  //   [not-a-literal]
  @ExportService((any P).self, priority: 9_223_372_036_854_775_808) struct B10: P {}
  // 40: error: 'priority' does not fit in a signed 64-bit integer [integer-too-large]
  @ExportService((any P).self, replaces: text) struct B11: P {}
  // 40: error: 'replaces' must be a string literal on one line such as '"name"', or a type such as 'T.self'; ...
  //   [not-a-literal]
  @ExportService((any P).self, replaces: "Snippet.B12") struct B12: P {}
  // 40: error: 'Snippet.B12' cannot replace itself; remove it from 'replaces' [replaces-itself]
  let new = ServiceCondition.test
  @ExportService((any P).self, when: new) struct B13: P {}
  // 36: error: 'when' must be written as '.debug', '.release', '.preview', '.test', or '.flag("name")'; the attribute
  //   cannot evaluate expressions [not-a-literal]
  let level = ModuleLevel.basic
  @ExportModule(level: level) final class B14: Module { init() {} }
  // 22: error: 'level' must be written as '.basic' or '.normal'; the attribute cannot evaluate expressions
  //   [not-a-literal]
  @ExportService((any P).self, (any S).self) struct B19: P, S {}
  // 30: error: '@ExportService' takes one service; write another attribute for this one [missing-argument]
  @ExportService((any S).self, .shared) struct B20: S {}
  // 30: error: an argument after the service needs a label, such as 'scope:' [missing-argument]
  @ExportService((any S).self, "name") struct B23: S {}
  // 30: error: an argument after the service needs a label, such as 'scope:' [missing-argument]
  @ExportService((any P).self, when: .debug && .test) struct B21: P {}
  // 43: error: '&&' is unavailable: an implementation has one condition; ...
  // 36: error: 'when' must be written as '.debug', ... [not-a-literal]
  @ExportService((any P).self, group: text) struct B22: P {}
  // 37: error: 'group' must be a string literal on one line such as '"name"'; ... [not-a-literal]
  let names = ["A.B"]
  @ExportModule(after: names) final class B15: Module { init() {} }
  // 22: error: 'after' must be an array literal of string literals such as '["Account.AccountModule"]', or of types
  //   such as '[AccountModule.self]'; the attribute cannot evaluate expressions [not-a-literal]
  @ExportModule(after: ["A.B", text]) final class B16: Module { init() {} }
  // 30: error: a name in 'after' must be a string literal on one line such as '"name"'; the attribute cannot evaluate expressions
  //   [not-a-literal]
  @ExportModule(after: ["A.B", #"A.B"#]) final class B17: Module { init() {} }
  // 30: error: 'after' contains 'A.B' twice; remove one of them [duplicate-name]
  @ExportModule(after: ["Snippet.B18"]) final class B18: Module { init() {} }
  // 23: error: module 'Snippet.B18' cannot start after itself; remove it from 'after' [after-itself]
  @ExportService(P.self) @ExportService((any P).self) struct C1: P {}
  // 24: error: 'C1' is already exported as 'P' by another '@ExportService' attribute; remove this one, or pass a
  //   different name as 'named:' [exported-twice]
  @ExportService((any S).self, named: "a")
  @MainActor @Registry.ExportService((any S).self, named: "a", priority: 1)
  // 12: error: 'C2' is already exported as 'S' by another '@ExportService' attribute; ... [exported-twice]
  final class C2: S { init() {} }
  """#)

/// The types that only the type checker can reject.
///
/// Errors without a column are the compiler's own, which no overload can replace.
let rejectedTypes = RejectedCode(
  "Types.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  @ExportService((any P).self) struct N1 {}
  // 37: error: '__provide' is unavailable: the exported type must conform to the service; add the protocol to the
  //   declaration of the type [missing-conformance]
  @ExportService((any P).self) @MainActor final class N2 { init() throws {} }
  // 53: error: '__provide' is unavailable: ... [missing-conformance]
  @ExportService((any S).self, scope: .shared) actor N3 {}
  // 52: error: '__provide' is unavailable: ... [missing-conformance]
  @ExportService((any P).self) actor N4 { init() throws {} }
  // 36: error: '__provide' is unavailable: ... [missing-conformance]
  @ExportService((any P).self, scope: .shared) struct N5: P {}
  // 53: error: '__provide' is unavailable: a service with scope '.shared', '.weak', or '.cached' must be
  //   sendable; declare it as 'protocol P: Sendable' [not-sendable]
  @ExportService((any P).self, scope: .weak) actor N6: P {}
  // 50: error: '__provide' is unavailable: ... [not-sendable]
  enum OuterN7 { @ExportService((any P).self, scope: .shared) @MainActor final class A: P {} }
  // 84: error: '__provide' is unavailable: ... [not-sendable]
  @ExportService((any P).self) struct N8: P { let x: Int }
  // 37: error: '__provide' is unavailable: the exported type has no initializer that a manager can call; write 'init()
  //   { … }' or 'init(services: ServiceManager) { … }' in its declaration (other parameters with default values do not
  //   count) [missing-initializer]
  @ExportService((any S).self, scope: .shared) struct N9: S { let x: Int; var y = 1 }
  // 53: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) final class N10: Base, P {}
  // 42: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) enum N11: Int, P { case a }
  // 35: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) actor N12: P { init(x: Int = 1) {} }
  // 36: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) struct N13: P { private init() {}; init(x: Int) {} }
  // 37: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) struct N14: P { init?() { nil } }
  // 37: error: '__provide' is unavailable: the exported type's initializer is failable; write 'init() throws' and
  //   throw an error instead of returning 'nil' [failable-initializer]
  @ExportService((any S).self, scope: .shared) @MainActor final class N15: S { init!() { nil } }
  // 69: error: '__provide' is unavailable: ... [failable-initializer]
  @ExportService((any P).self) struct N16 { init(y: Int) {} }; extension N16: P { init?() { nil } }
  // 37: error: '__provide' is unavailable: ... [failable-initializer]
  @ExportService((any P).self) struct N17: P { init() async {} }
  // 37: error: '__provide' is unavailable: the exported type's initializer is asynchronous, and a lookup cannot wait
  //   for it; write 'init()' and move the asynchronous work to a method [async-initializer]
  @ExportService((any P).self) actor N18 { init() async throws {} }
  // 36: error: '__provide' is unavailable: ... [async-initializer]
  @ExportService((any S).self, scope: .weak) actor N19: S { init?() async { nil } }
  // 50: error: '__provide' is unavailable: ... [async-initializer]
  @ExportService((any P).self) struct N20: P { private init() {} }
  // error: 'N20' initializer is inaccessible due to 'private' protection level
  @ExportService((any P).self) struct N21: P { init(x: Int) {}; init(y: Int) {} }
  // error: ambiguous use of 'init'
  @ExportService((any P).self) struct N22: P { init<T>(x: T) {} }
  // 37: error: '__provide' is unavailable: the macro calls only 'init()' or an ... [missing-initializer]
  @ExportService((any P).self) enum N23: P { case a }
  // error: 'N23' cannot be constructed because it has no accessible initializers
  @ExportService((any P).self) struct N25: P { let services: ServiceManager }
  // 37: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) struct N26: P { init(_ services: ServiceManager) {} }
  // 37: error: '__provide' is unavailable: ... [missing-initializer]
  @ExportService((any P).self) struct N27: P { init(services: ServiceManager) async {} }
  // 37: error: '__provide' is unavailable: ... [async-initializer]
  @ExportService((any P).self) struct N28: P { init?(services: ServiceManager) {} }
  // 37: error: '__provide' is unavailable: ... [failable-initializer]
  @ExportService((any P).self) struct N29 { init(services: ServiceManager) {} }
  // 37: error: '__provide' is unavailable: ... [missing-conformance]
  @ExportService((any P).self, scope: .shared) struct N30: P { init(services: ServiceManager) {} }
  // 53: error: '__provide' is unavailable: ... [not-sendable]
  @ExportService((any P).self) struct N31: P { let x: Int }; extension N31 { init(services: ServiceManager) { x = 1 } }
  // 37: error: '__provide' is unavailable: the macro calls only 'init()' or an 'init(services: ServiceManager)' that
  //   the type's own declaration spells so; add one of them there [missing-initializer]
  @ExportService((any P).self) struct N32: P { nonisolated init() async {} }
  // 37: error: '__provide' is unavailable: ... [async-initializer]
  @ExportService((any P).self) struct N33: P { nonisolated init(services: ServiceManager) async {} }
  // 37: error: '__provide' is unavailable: ... [async-initializer]
  @ExportModule final class N24 { init() {} }
  // 27: error: '__provideModule(_:after:_:_:)' is unavailable: an exported module must conform to 'Lifecycle.Module';
  //   write 'final class X: Module', or 'Lifecycle.Module' if another 'Module' is visible [not-a-module]
  @ExportRoute(.shown) struct O1: S {  }
  // 29: error: 'make' is unavailable: the exported type has no initializer that takes the route's parameters and
  //   creates its outcome; write 'init(_ parameters: …) { … }' in its body [missing-route-initializer]
  @ExportRoute(.shown) struct O2: S { init() {} }
  // 29: error: 'make' is unavailable: ... [missing-route-initializer]
  @ExportRoute(.shown) struct O3: S { init(_ l: Link, x: Int = 1) {} }
  // 29: error: 'make' is unavailable: ... [missing-route-initializer]
  @ExportRoute(.shown) struct O4: S { init?(_ l: Link) {} }
  // 29: error: 'make' is unavailable: ... [missing-route-initializer]
  @ExportRoute(.shown) struct O5: Sendable { init(_ l: Link) {} }
  // 29: error: 'check' is unavailable: the exported type does not convert to the route's outcome; add the protocol of
  //   the outcome to the declaration of the type [missing-conformance]
  @ExportRoute(.shown) struct O6: Sendable { init(_ l: Link, _ r: RouteRequest) {} }
  // 29: error: 'check' is unavailable: ... [missing-conformance]
  @ExportRoute(.shown) struct O7: Sendable { init(_ l: Link) async throws {} }
  // 29: error: 'check' is unavailable: ... [missing-conformance]
  @ExportRoute(.shown) struct O8: Sendable {  }
  // 29: error: 'check' is unavailable: ... [missing-conformance]
  """)

/// The types that are their own services, for which the compiler does not run the macro.
///
/// The documentation of the macros explains these errors.
let circularServices = RejectedCode(
  "Circular.swift",
  """
  import Registry

  @ExportService(R1.self) final class R1 { init() {} }
  // 1: error: circular reference resolving attached macro 'ExportService'
  // 2: error: unknown attribute 'ExportService'
  enum Outer { @ExportService(Outer.R2.self) final class R2 { init() {} } }
  // 14: error: circular reference resolving attached macro 'ExportService'
  // 15: error: unknown attribute 'ExportService'
  @ExportService(Alias.self) final class R3 { init() {} }; typealias Alias = R3
  // 1: error: circular reference resolving attached macro 'ExportService'
  // 2: error: unknown attribute 'ExportService'
  """)

/// The types in an extension of a generic type.
///
/// The macro cannot detect that the type is generic, and there is no other position for a record. The
/// documentation of the macros explains these errors.
let attributesInGenericExtensions = RejectedCode(
  "GenericExtensions.swift",
  """
  import Lifecycle
  import Registry

  struct Generic<T> {}
  extension Generic { @ExportService((any P).self) struct R4: P {} }
  // 21: error: attribute @section cannot be used in a generic context
  // 21: error: attribute @used cannot be used in a generic context
  // 21: error: static stored properties not supported in generic types
  extension Generic { @ExportModule final class R5: Module { init() {} } }
  // 21: error: attribute @section cannot be used in a generic context
  // 21: error: attribute @used cannot be used in a generic context
  // 21: error: static stored properties not supported in generic types
  """)

/// A service without `any`, for which the compiler has a warning of its own.
let existentialService = RejectedCode(
  "Existential.swift",
  """
  import Registry

  @ExportService(P.self) struct Existential: P {}
  // 16: warning: use of protocol 'P' as a type must be written 'any P'; this will be an error in a future Swift
  //   language mode [#ExistentialAny]
  """)
