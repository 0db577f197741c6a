// These files must not compile. See RejectedCode.swift.

/// The module conformances that the compiler rejects at the class itself.
let unfitModules = RejectedCode(
  "Modules.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  @ExportModule final class K1: Module { init(x: Int) {} }
  // 27: error: type 'K1' does not conform to protocol 'Module'
  @ExportModule final class K2: Module { init?() { nil } }
  // 40: error: non-failable initializer requirement 'init()' cannot be satisfied by a failable initializer ('init?')
  @ExportModule(after: K3.self) final class K4: Module { init() {} }
  // 2: error: 'ExportModule(level:priority:after:afterNeeds:activation:initialization:replaysMissedPhases:group:)' is
  //   unavailable: 'after' must be an array of the names of modules, or of types that conform to 'Module', as in
  //   '[AccountModule.self]'; to list both, write all of them as names [mixed-after]
  // 2: error: 'ExportModule(level:priority:after:afterNeeds:activation:initialization:replaysMissedPhases:group:)' is
  //   unavailable: ... [mixed-after]
  @ExportModule final class K3: Module { init() async {} }
  // 27: error: type 'K3' does not conform to protocol 'Module'
  """)

/// The functions that almost match a requirement of modules.
let nearMisses = RejectedCode(
  "NearMisses.swift",
  """
  import Lifecycle
  import Registry

  @ExportModule final class Near1: Module {
    func setUp() {}
  // 8: warning: 'setUp()' is not called by the manager, because it does not match the requirement 'setUp(_:)' of
  //   'Module'; did you mean 'func setUp(_ context: Context) throws'? [near-miss]
  }
  @ExportModule final class Near2: Module {
    func subscribe(_ events: Subscriptions<Near1>) {}
  // 8: warning: 'subscribe(_:)' is not called by the manager, ... [near-miss]
  }
  @ExportModule final class Near3: Module {
    func setUp(_ context: Context) async throws {}
  // 8: warning: 'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of
  //   'Module', which is not asynchronous; conform to 'AsyncModule' and implement 'becomeReady(_:)' for asynchronous
  //   work [near-miss]
  }
  enum Game {
    struct Context {}
    @ExportModule final class Near9: Module {
      func setUp(_ context: Context) {}
  // 10: warning: '__checkContext' is deprecated: the manager does not call this function, because this 'Context' is
  //   another type; write 'Lifecycle.Context' [near-miss] [#DeprecatedDeclaration]
    }
    @ExportModule final class Near10: Module {
      func setUp(_ context: Lifecycle.Context) {}
      private func initialize(_ context: Context) {}
      func run(_ context: Context) {}
    }
    @ExportModule final class Near13: Module {
      func setUp(_ context: Lifecycle.Context) { setUp(Context()) }
      func setUp(_ context: Context) {}
    }
    @MainActor class Level { typealias Context = Lifecycle.Context }
    @ExportModule final class Near14: Level, Module {
      func setUp(_ context: Context) {}
    }
  }
  @ExportModule final class Near15: Module {
    enum Kind { struct Context {} }
    func setUp(_ context: Context) { struct Context {} }
  }
  @ExportModule final class Near16: Module {
    #if NEVER
    struct Context {}
    #endif
    func setUp(_ context: Context) {}
  }
  @ExportModule final class Near11: AsyncModule {
    struct Context {}
    func run(_ context: Context) async {}
  // 8: warning: '__checkContext' is deprecated: ... [near-miss] [#DeprecatedDeclaration]
  }
  @ExportModule final class Near12: Module {
    typealias Context = Lifecycle.Context
    func setUp(_ context: Context) {}
  }
  @ExportModule final class Near8: Module {
    func teardown(_ context: Context) async {}
  // 8: warning: 'teardown(_:)' is not called by the manager, because it does not match the requirement 'tearDown(_:)'
  //   of 'Module', which is not asynchronous; conform to 'AsyncModule' and implement 'shutDown(_:)' for asynchronous
  //   work [near-miss]
  }
  @ExportModule final class Near4: Module {
    static func subscribe(_: Subscriptions<Near1>) {}
  // 15: warning: 'subscribe(_:)' is not called by the manager, ... [near-miss]
  }
  @ExportModule final class Near9: AsyncModule {
    static func subscribe(_ events: Subscriptions<Near9>) throws {}
  // 15: warning: 'subscribe(_:)' is not called by the manager, because it does not match the requirement
  //   'subscribe(_:)' of 'Module'; did you mean 'static func subscribe(_ events: Subscriptions<Near9>)'? [near-miss]
    func run(_ services: ServiceManager) async throws {}
  // 8: warning: 'run(_:)' is not called by the manager, ... [near-miss]
    let failureTerminationBehavior = RunTermination.continues
  // 7: warning: 'failureTerminationBehavior' is not read by the manager, because it does not match the requirement
  //   'failureTerminationBehavior' of 'AsyncModule'; did you mean 'static let failureTerminationBehavior:
  //   RunTermination'? [near-miss]
  }
  @ExportModule(activation: .onFirstEvent) final class Idle: Module {}
  // 54: warning: 'subscribe' is deprecated: no event creates this module; declare 'subscribe(_:)' or omit 'activation'
  //   [#DeprecatedDeclaration]
  @ExportModule final class Near5: Module {
    func shutdown(_ context: Context) {}
  // 8: warning: 'shutdown(_:)' is not called by the manager, because only 'AsyncModule' has a requirement
  //   'shutDown(_:)'; conform to 'AsyncModule' instead of 'Module', and declare it as 'func shutDown(_ context:
  //   Context) async throws' [near-miss]
  }
  @ExportModule final class Near6: Module {
    func becomeReady(context: Context) {}
  // 8: warning: 'becomeReady(context:)' is not called by the manager, ... [near-miss]
  }
  @ExportModule final class Near7: Module {
    func shutDown(_ context: Context) async {}
  // 8: warning: 'shutDown(_:)' is called only if the class conforms to 'AsyncModule'; write 'AsyncModule' instead
  //   of 'Module' in its declaration [near-miss]
    func start(_ context: Context) {}
  // 8: warning: 'start(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of
  //   'Module'; did you mean 'func setUp(_ context: Context) throws'? [near-miss]
    func didEnterBackground(_ context: Context) {}
  // 8: warning: 'didEnterBackground(_:)' is not called by the manager, because 'didEnterBackground' is an event and
  //   not a phase; handle it in 'static func subscribe(_ events: Subscriptions<Near7>)', with
  //   'events.on(.didEnterBackground) { … }' [near-miss]
  }
  """)

/// The types with a conformance that only code on the main actor can use (SE-0470).
///
/// The errors are in the text of the expansion, so they have no column.
let isolatedConformances = RejectedCode(
  "Conformances.swift",
  """
  import Registry
  import Routing

  @ExportService((any Q).self) @MainActor final class P1: @MainActor Q { nonisolated init() {}; func f() {} }
  // error: main actor-isolated conformance of 'P1' to 'Q' cannot be used in nonisolated context
  //   [#IsolatedConformances]
  @ExportService((any Q).self) @MainActor final class P2: @MainActor Q { init() {}; func f() {} }
  // error: main actor-isolated conformance of 'P2' to 'Q' cannot be used in nonisolated context
  //   [#IsolatedConformances]
  @ExportService((any Q & Sendable).self, scope: .weak) @MainActor final class P3: @MainActor Q { func f() {} }
  // error: main actor-isolated conformance of 'P3' to 'Q' cannot be used in nonisolated context
  //   [#IsolatedConformances]
  @ExportRoute(.a) @MainActor final class P4: @MainActor Q { nonisolated init() {}; func f() {} }
  // error: main actor-isolated conformance of 'P4' to 'Q' cannot be used in nonisolated context
  //   [#IsolatedConformances]
  extension Route where Parameters == Void, Outcome == any Q & Sendable { nonisolated static var a: Self { .init("f") } }
  """)

/// A class of the main actor that C records cannot name.
let isolatedName = RejectedCode(
  "NamedExport.swift",
  """
  import Registry

  @MainActor final class Named: @MainActor NamedExport { init() {} }
  // 24: error: cannot form main actor-isolated conformance of 'Named' to SendableMetatype-inheriting protocol
  //   'NamedExport' [#IsolatedConformances]
  """)

/// The properties and needs that the plugin rejects.
let rejectedNeeds = RejectedCode(
  "Needs.swift",
  #"""
  import Lifecycle
  import Registry
  import Routing

  struct D1 { @Service let cart: any P }
  // 13: error: '@Service' requires a variable, because it looks 'cart' up at each use; write 'var' [invalid-property]
  struct D2<T> { @Service var cart: any P }
  // 16: error: '@Service' cannot be applied to 'cart' in the generic type or constrained extension 'D2'; write a
  //   computed property that calls 'createService(for:)', and state the need with '#needs' at the top level of the
  //   file [generic-type]
  func fD3() { @Service var cart: any P }
  // 14: error: '@Service' cannot be applied to 'cart', which is not in a type; call 'createService(for:)' in code,
  //   and state the need with '#needs' at the top level of a file or in a type [local-declaration]
  @Service var cart: any P
  // 1: error: '@Service' cannot be applied to 'cart', ... [local-declaration]
  struct D5 { @Service(named: text) var cart: any P }
  // 29: error: 'named' must be a string literal on one line such as '"name"'; the attribute cannot evaluate expressions
  //   [not-a-literal]
  struct D8 { @Service((any P).self) var cart: any P }
  // 22: error: '@Service' looks up the type of the property; remove this argument, or write 'named:' before the name of
  //   an implementation [invalid-property]
  struct D9 { @Service("gift") var cart: any P }
  // 22: error: '@Service' looks up the type of the property; ... [invalid-property]
  struct D18 { @Service(\.cart) var cart: any P }
  // 23: error: '@Service' looks up the type of the property; ... [invalid-property]
  struct D19 { @Service(\.shop.cart) var cart: any P }
  // 23: error: '@Service' looks up the type of the property; ... [invalid-property]
  struct D20 { @Contributions("all") var values: [Int] }
  // 29: error: '@Contributions' requires a point instead of its identifier; write '@Contributions(.menu) var dishes:
  //   [Dish]', and declare the point in 'extension ContributionPoint<[Dish]>' [missing-argument]
  extension String { static let all = "all" }
  struct D21 { @Contributions(.all) var values: [Int] }
  #needs((@Sendable () -> (any P)?).self)
  #needs((any P)?.self)
  // 8: error: an optional is not a service; write the type without 'Optional' or the question mark, and add 'optional:
  //   true' [optional-service]
  struct D10 { @Service var cart: (any P)! }
  // 14: error: '@Service' looks 'cart' up at each use, so '!' has no effect; remove it, or write '?' if the service can
  //   be missing [invalid-property]
  struct D11 { @Service(in: .shared) var cart: any P }
  // 27: error: 'in' must be a key path from the type that has the property, such as '\D11.services' [not-a-literal]
  struct D12 { static let own = ServiceManager(); @Service(in: D12.own) var cart: any P }
  // 62: error: 'in' must be a key path ... '\D12.services' [not-a-literal]
  struct D13 { let own = ServiceManager(); @Service(in: \D13.own) static var cart: any P }
  // 55: error: 'in' reads the manager from an instance, but 'cart' is static; remove 'static', or remove 'in' to use
  //   'ServiceManager.shared' [invalid-property]
  struct D14 { let d: D13; @Service(in: \D13.own) var cart: any P }
  // 39: error: 'in' must be a key path ... '\D14.services' [not-a-literal]
  struct D15 { @Contributions(.all) var values: [Int] = [] }
  // 14: error: '@Contributions' looks 'values' up, so the property cannot have a value or accessors, and it needs a
  //   declaration of its own; remove the text after the type [invalid-property]
  extension ContributionPoint<[Int]> { static var all: Self { .init("all") } }
  #needs(module: D8.self)
  // 2: error: 'needs(module:optional:group:)' is unavailable: 'module' must be a type that conforms to 'Module',
  //   written as 'CartModule.self', or the name of one; import 'Lifecycle' in this file [not-a-module]
  #needs("Snippet.D8")
  // 2: error: 'needs(_:optional:group:)' is unavailable: write each service as its type, without brackets: 'P.self',
  //   and 'module:' before the name of a module
  #contribute(.all, key: "one") { 1 }
  // 2: error: 'contribute(_:key:priority:when:group:make:)' is unavailable: the point is an array, whose values have no
  //   keys; remove 'key:'
  #contribute(.keyed) { 1 }
  // 2: error: 'contribute(_:priority:when:group:make:)' is unavailable: the point is a dictionary, whose values have
  //   keys; pass 'key:'
  extension ContributionPoint<[String: Int]> { static var keyed: Self { .init("keyed") } }
  func fD16(_ services: ServiceManager) {
    services.contribute(to: .all, key: "one") { 1 }
  // 12: error: 'contribute(to:key:priority:make:)' is unavailable: ...
    services.contribute(to: .keyed) { 1 }
  // 12: error: 'contribute(to:priority:make:)' is unavailable: ...
  }
  @MainActor func fD17(_ modules: ModuleManager, _ module: any Module) { modules.register(module) }
  // 80: error: 'register' is unavailable: the manager creates the module; pass its type:
  //   'register(CartModule.self)'
  @MainActor func fD19(_ modules: ModuleManager, _ module: any Module) { modules.register { module } }
  // 80: error: 'register' is unavailable: pass a type, or name the closure: 'register(named: "orders") { … }'
  #needs()
  // 1: error: '#needs' requires a service, as in '#needs(CartService.self)' [missing-argument]
  func fD7() { #needs((any P).self) }
  // 14: error: '#needs' cannot be used in a function, closure, or statement; move it to the top level of a file or
  //   into a type, or call 'modules.require(…)' [local-declaration]
  """#)

/// The properties and needs about which the compiler reports errors of its own as well.
let unfitNeeds = RejectedCode(
  "UnfitNeeds.swift",
  """
  import Lifecycle
  import Registry
  import Routing

  extension Base { @Service(cached: true) var cart: any P }
  // 18: error: 'cached: true' stores the instance of 'cart', but an extension cannot have stored properties; remove
  //   'cached', or declare the property in a class, struct, or actor [invalid-property]
  // 45: error: extensions must not contain stored properties
  typealias Maybe = (any P)?
  struct E2 { @Service var cart: Maybe }
  // 26: error: '__provideNeed' is unavailable: the macro cannot see that the type is optional; write it with a
  //   question mark, as in '(any CartService)?' [optional-alias]
  #needs(Maybe.self)
  // 1: error: '__provideNeed' is unavailable: ... [optional-alias]
  typealias All = [any P]
  struct E3 { @Service var all: All }
  // 26: error: '__provideNeed' is unavailable: the macro cannot see that the type is a collection, which is not a
  //   service; '@Service' needs brackets, as in '[any CartService]' for all implementations, and '#needs' the type of
  //   the elements [invalid-property]
  struct E4 { @Service var all: Array<any P> }
  // 26: error: '__provideNeed' is unavailable: the macro cannot see ... [invalid-property]
  typealias ByName = [String: any P]
  #needs(All.self, ByName.self)
  // 1: error: '__provideNeed' is unavailable: the macro cannot see ... [invalid-property]
  // 1: error: '__provideNeed' is unavailable: the macro cannot see ... [invalid-property]
  """)

/// A handler and a type in top-level statements.
///
/// The error for the handler is about the name of its expansion.
let rejectedScript = RejectedCode(
  "main.swift",
  """
  import Lifecycle
  import Registry

  do { #onEvent(.ping) { _ in } }
  // 6: error: cannot find type '$s7Snippet...onEventfMf_8RegistryfMu_' in scope
  do { @ExportService((any P).self) struct A: P {} }
  // 6: error: '@ExportService' cannot be applied to 'A', which is local to a function, closure, or statement; move
  //   'A' to the top level of a file or into a type [local-declaration]
  """)
