// These snippets must compile without a diagnostic.

import Foundation

/// A source file that exports types, without a warning in any mode of a client.
struct Fixture: Sendable {
  var name: String
  var source: String
  /// The number of records of each kind that the file does not make, although its text contains their
  /// attributes.
  var omitted: [String: Int] = [:]

  /// Returns the number of records of a kind, which is the number of attributes.
  fileprivate func count(_ kind: String) -> Int {
    let attributes = attributes[kind]!.map { source.components(separatedBy: $0).count - 1 }
    return attributes.reduce(0, +) - omitted[kind, default: 0]
  }
}

/// The start of each attribute that makes a record, by the kind of the record.
private let attributes = [
  "serv": ["@ExportService("], "modu": ["@ExportModule"], "evnt": ["onEvent("], "rout": ["xportRoute("],
  "actn": ["exportAction("], "need": ["@Service ", "@Service(", "@Contributions(", "#needs("],
  "cont": ["contribute("],
]

/// The number of records of each kind that all fixtures make.
let recordCounts = attributes.keys.sorted().map { kind in
  (kind: kind, count: fixtures.map { $0.count(kind) }.reduce(0, +))
}

/// Fixtures for each kind of type and each spelling of a service.
let kindsOfTypes = Fixture(
  name: "Types.swift",
  source: """
    import Registry
    public protocol P {}
    protocol Q {}
    protocol S: Sendable {}
    protocol Primary<X> { associatedtype X }
    protocol `class` {}
    typealias Both = P & Q
    enum Namespace { protocol Inner {} }

    @ExportService((any P).self) class Open: P { init() {} }
    @ExportService((any P).self) final class Derived: Open {}
    @ExportService((any P).self) final class Implied: P {}
    @ExportService((any P).self) public struct Public: P { public init() {} }
    @ExportService((any P).self, named: "x") @ExportService((any Q).self, named: "y", priority: -5)
    struct Two: P, Q {}
    @ExportService((any P).self, replaces: "Snippet.Two", when: .flag("new")) struct Replacing: P {}
    @ExportService((any P).self, replaces: Two.self, when: .debug) struct ReplacingType: P {}
    @ExportService((any S).self, scope: .shared, replaces: Hiding.Inner.self) actor ReplacingInner: S {}
    enum Hiding { @ExportService((any S).self, scope: .shared, when: .release) fileprivate struct Inner: S {} }
    @ExportService((any P & Q).self) struct Composed: P, Q { init() throws {} }
    @ExportService((any Both).self) struct Aliased: P, Q {}
    @ExportService((any S & Q).self, scope: .shared) struct SharedComposition: S, Q {}
    @ExportService((any Primary<Int>).self) private struct Constrained: Primary { typealias X = Int }
    @ExportService((any `class`).self) fileprivate struct `struct`: `class` { fileprivate init() {} }
    @ExportService((any Namespace.Inner).self, named: #"raw \\ "quoted""#) struct Qualified: Namespace.Inner {}
    @ExportService((any S).self, scope: .shared) actor Actor: S { init() {} }
    @ExportService((any S).self, scope: .shared) actor Unwritten: S {}
    @ExportService((any S).self, scope: .weak) actor Throwing: S { init() throws {} }
    @ExportService((any P).self) actor ThrowingTyped: P { init() throws(Failure) {} }
    @ExportService((any S).self, scope: .weak) @MainActor final class OnMain: S { init() {} }
    @ExportService((any S).self, scope: .shared) @MainActor struct OnMainToo: S { init() throws {} }
    @ExportService((any S).self, scope: .shared) actor MadeOnMain: S { @MainActor init() {} }
    @ExportService((any P).self) @MainActor final class Transient: P { init() {} }
    @ExportService((any P).self) nonisolated final class Nonisolated: P { init() {} }
    @ExportService((any P).self) enum Enum: P { case a; init() { self = .a } }
    @ExportService((any P).self) @available(macOS 14, iOS 17, *) struct New: P {}
    @ExportService((any P).self) @available(*, deprecated) struct Old: P {}
    @ExportService((any P).self) struct `Ünï·🦊`: P {}
    #if os(Linux) || os(macOS)
    @ExportService((any P).self)
    #endif
    struct Conditional: P {}
    struct Failure: Error {}
    enum Outer {
      @ExportService((any P).self) private final class Hidden: P {}
      struct Inner {
        @ExportService((any S).self, scope: .shared) enum Deep: S {
          case x
          init() throws(Failure) { self = .x }
        }
      }
    }
    extension Outer.Inner { @ExportService((any P).self) struct InExtension: P {} }
    @ExportService((any S).self) struct MadeInBuild: S {
      #if DEBUG
      init() {}
      #else
      init(services: ServiceManager) throws {}
      #endif
    }
    @ExportService((any P).self) @MainActor struct MadeInOtherBuild: P {
      init() {}
      #if DEBUG
      init(services: ServiceManager) {}
      #endif
    }
    @ExportService((any P).self) struct MadeInExtension: P { init(x: Int) {} }
    extension MadeInExtension { init() { self.init(x: 1) } }
    protocol MadeInProtocol { init(x: Int) }
    extension MadeInProtocol { init() { self.init(x: 1) } }
    @ExportService((any P).self) struct MadeByProtocol: P, MadeInProtocol { init(x: Int) {} }
    @ExportService((any S).self, scope: .shared) actor Both2: S { init() async {}; init() {}; init(x: Int = 1) {} }
    extension Open { @ExportService((any P).self) @MainActor final class InClass: P {} }
    """)

/// Types with names that the expansions use.
let shadowingTypes = Fixture(
  name: "Shadows.swift",
  source: """
    import Lifecycle
    import Registry
    struct Registry {}
    struct Lifecycle {}
    struct Routing {}
    struct Swift {}
    struct Bool {}
    struct UInt {}
    struct UInt32 {}
    struct UInt64 {}
    struct UnsafeRawPointer {}
    struct UnsafeMutableRawPointer {}
    func __provide() {}
    func __service() {}
    func __shared() {}
    func __provideReplaced() {}
    func __provideModule() {}
    func __provideRoute() {}
    func __function() {}
    protocol Shadow: Sendable {}
    @ExportService((any Shadow).self) struct Service: Shadow {}
    @ExportService((any Shadow).self, scope: .shared) struct service: Shadow {}
    @ExportService((any Shadow).self, scope: .shared) struct type: Shadow {}
    @ExportService((any Shadow).self, scope: .shared) struct out: Shadow {}
    @ExportService((any Shadow).self, replaces: out.self, when: .preview) struct condition: Shadow {}
    enum Around {
      struct Registry {}
      struct Swift {}
      @ExportService((any Shadow).self) struct Service: Shadow {}
      @ExportModule final class Module: ModuleAlias { init() {} }
    }
    """)

/// Types with more attributes than the macros declare names for, and types with the same name that
/// are private to two files.
let sameNames = [1, 2].map { number in
  Fixture(
    name: "Same\(number).swift",
    source: """
      import Lifecycle
      import Registry
      @ExportService((any Shadow).self) @ExportService((any Shadow).self, named: "1")
      @ExportService((any Shadow).self, named: "2") @ExportService((any Shadow).self, named: "3")
      @ExportService((any Shadow).self, named: "4") @ExportService((any Shadow).self, named: "5")
      private struct Same: Shadow {}
      @ExportModule @ExportService((any Module).self) private final class SameModule: Module { init() {} }
      extension Around { @ExportService((any Shadow).self) private struct Same: Shadow {} }
      """)
}

/// Modules in a file that does not import Registry.
let modules = Fixture(
  name: "Modules.swift",
  source: """
    import Lifecycle
    typealias ModuleAlias = Module
    @ExportModule final class Plain: Module { init() {} }
    @ExportModule(level: .basic, priority: 0x10, after: ["Account.AccountModule", "C.\\u{e9}"])
    final class Full: Module { init() throws {} }
    enum Around2 { @ExportModule(level: ModuleLevel.basic) fileprivate final class Nested: Module { init() {} } }
    extension Around2 { @ExportModule @MainActor final class InExtension: Module { init() {} } }
    @ExportModule(after: [Plain.self, Around2.InExtension.self], activation: .atLaunch)
    final class ByType: Module { init() {} }
    @ExportModule final class Phases: Module { init() {} }
    extension Phases: AsyncModule { func shutDown(_ context: Context) async throws {} }
    protocol PhasedModule: AsyncModule {}
    @ExportModule final class Phased: Module, PhasedModule { init() {}; func run(_ context: Context) async throws {} }
    nonisolated protocol Resettable { func initialize() }
    @ExportModule final class Reset: Module, Resettable { init() {}; nonisolated func initialize() {} }
    @ExportModule(activation: .onFirstEvent) final class `switch`: Module {
      init() {}
      static func subscribe(_ events: Subscriptions<`switch`>) {}
    }
    @ExportModule(activation: .onFirstEvent) final class HandlesInExtension: Module { init() {} }
    extension HandlesInExtension { static func subscribe(_ events: Subscriptions<HandlesInExtension>) {} }
    @ExportModule(activation: .onFirstEvent) final class HandlesGenerically: Module {
      init() {}
      static func subscribe<M: Module>(_ events: Subscriptions<M>) {}
    }
    protocol Handling: Module {}
    extension Handling { static func subscribe(_ events: Subscriptions<Self>) {} }
    @ExportModule(after: [`switch`.self], activation: .onFirstEvent) final class HandlesByProtocol: Handling { init() {} }
    @MainActor func require(_ modules: ModuleManager) {
      modules.require(Phases.self)
      modules.require((any Resettable).self, (any Module).self)
      modules.register(`switch`.self as any Module.Type)
    }
    @ExportModule final class Aliases: Module {
      init() {}
      typealias Self2 = Aliases
      static func subscribe(_ events: Subscriptions<Self2>) {}
    }
    """)

/// Classes that C records name.
let namedClasses = Fixture(
  name: "Named.swift",
  source: """
    import Registry
    nonisolated protocol Clocked: Sendable {}
    final class Named: Clocked, NamedExport { init() throws {} }
    nonisolated final class NamedAnywhere: Clocked, NamedExport { init() {} }
    @MainActor final class NamedOnMain: Clocked, MainActorNamedExport { init() throws {} }
    @MainActor final class MadeAnywhere: Clocked, NamedExport { nonisolated init() {} }
    """)

/// Handlers outside modules, in every position and spelling, in a file that does not import
/// Registry.
let handlers = Fixture(
  name: "Handlers.swift",
  source: """
    import Lifecycle
    struct User: Sendable { let name: String }
    extension Event where Payload == User, Outcome == Void { static var userDidLogIn: Self { .init("a.userDidLogIn") } }
    extension Event where Payload == Void, Outcome == Void { static var appDidWakeUp: Self { .init("a.appDidWakeUp") } }
    extension Event where Payload == String, Outcome == [Int] { static var list: Self { .init("a.list", combining: .collect) } }
    func upload(_ user: User) async throws {}
    @MainActor func greet(_ user: User) throws {}

    #onEvent(.userDidLogIn) { user, context in print(user.name) }
    #onEvent(.userDidLogIn, priority: -0x10, once: true) { user, context in
      try greet(user)
      context.environment = .test
    }
    #onEvent(.userDidLogIn, taskPriority: .utility) { user in try await upload(user) }
    #onEvent(.userDidLogIn, priority: 1, once: false, taskPriority: TaskPriority.high) { _ in await Task.yield() }
    #onEvent(Event<User, Void>.userDidLogIn) { _, _ in }; #onEvent(.appDidWakeUp) { context in print(context.environment) }
    #onEvent(.appDidWakeUp) { _ in }
    @MainActor func record(_ text: String) {}
    struct Here {}
    #onEvent(.appDidWakeUp) { _ in record("\\(Here())") }
    #onEvent(.appDidWakeUp, taskPriority: .background) { print("awake") }
    #onEvent(.list) { text, context in
      let numbers = text.utf8.map { Int($0) }
      guard text != "}\\"{" else { return [] }
      return numbers
    }
    #onEvent(.list, handler: { (text: String, _: Context) -> [Int] in [text.count] })
    #Lifecycle::onEvent(.appDidWakeUp, handler: { _ in })
    enum HandlerSpace {
      private static let secret = 1
      #onEvent(.appDidWakeUp) { context in print(secret, HandlerSpace.secret) }
      #onEvent(.appDidWakeUp) { context in print(secret) }
      struct Inner { #onEvent(.list) { _, _ in [] } }
    }
    extension HandlerSpace { #onEvent(.appDidWakeUp) { context in print(secret) } }
    extension HandlerSpace.Inner { #onEvent(.appDidWakeUp) { _ in } }
    extension Int { #onEvent(.appDidWakeUp) { context in print(Int.max) } }
    @MainActor final class OnMainSpace { #onEvent(.appDidWakeUp) { _ in } }
    actor ActorSpace { init() {}; #onEvent(.appDidWakeUp, taskPriority: .low) { _ = ActorSpace() } }
    @available(macOS 15, iOS 18, *) struct NewSpace { init() {}; #onEvent(.appDidWakeUp) { _ in _ = NewSpace() } }
    """)

/// Contributions in every position and isolation, in a file that imports only Registry.
let contributions = Fixture(
  name: "Contributions.swift",
  source: """
    import Registry
    nonisolated struct Dish: Sendable { init(_ name: String) {} }
    struct SettingsPage { let title: String; init(_ title: String) { self.title = title } }
    @MainActor final class SidePanel { init() {} }
    extension SettingsPage: Sendable {}
    extension ContributionPoint<[Dish]> {
      static var menu: Self { .init("kitchen.menu") }
      nonisolated static var specials: Self { .init("kitchen.specials") }
    }
    extension ContributionPoint<[SettingsPage]> { static var pages: Self { .init("settings.pages") } }
    extension ContributionPoint<[SidePanel]> { static var panels: Self { .init("editor.panels") } }
    extension ContributionPoint<[@MainActor @Sendable () -> Void]> { static var actions: Self { .init("a") } }
    extension ContributionPoint<[String: Dish]> { static var dishes: Self { .init("kitchen.dishes") } }
    #contribute(.menu) { Dish("soup") }
    #contribute(.menu, priority: -0x10, when: .debug) { Dish("test") }
    #contribute(.menu, when: .flag("winter"), make: { Dish("fondue") })
    #contribute(ContributionPoint<[Dish]>.specials, priority: 1) {
      let name = "bread"
      return Dish(name)
    }; #contribute(.dishes, key: "soup") { Dish("soup") }
    #contribute(.dishes, key: #"a "raw" key"#, priority: 3, when: .release) { try makeDish() }
    #Registry::contribute(.specials) { Dish("x") }
    #contribute(.panels) { @MainActor in SidePanel() }
    #contribute(.pages) { SettingsPage("general") }
    #contribute(.actions) { { @MainActor in _ = SidePanel() } }
    func makeDish() throws -> Dish { Dish("made") }
    enum Kitchen {
      #contribute(.menu) { Dish("in a type") }
      @MainActor final class Chef { #contribute(.panels) { @MainActor in SidePanel() } }
    }
    extension Kitchen.Chef { #contribute(.menu) { Dish("in an extension") } }
    @MainActor struct MenuScreen {
      @Contributions(.panels) var panels: [SidePanel]
      @Contributions(.menu) var menu: [Dish]
      @Contributions(ContributionPoint.specials) fileprivate var specials: [Dish]
      @Contributions(.dishes) var dishes: [String: Dish]
      @Contributions(.pages) static var pages: [SettingsPage]
      #needs(contributions: .specials)
    }
    actor MenuServer { @Contributions(.specials) nonisolated var specials: [Dish] }
    @MainActor func readPoints(_ services: ServiceManager) async throws {
      let dishes: [Dish] = try services.contributions(to: .menu)
      let panels = try await services.allContributions(to: .panels)
      for await dishes in services.contributionChanges(to: .dishes) { print(dishes.count, panels.count) }
      services.contribute(to: .menu, priority: dishes.count) { Dish("registered") }
    }
    """, omitted: ["cont": 1])

/// The fixtures, which compile into one module.
let fixtures =
  [
    kindsOfTypes, shadowingTypes, modules, namedClasses, handlers, routes, actionParameters, kindsOfNeeds,
    ownManagers, contributions,
  ] + sameNames
  + [script, unavailableTypes, specialTypes, regularExpressions, longRecord]
