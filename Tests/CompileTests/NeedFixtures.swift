/// Properties with services in each kind of type, and needs without a property.
let kindsOfNeeds = Fixture(
  name: "Needs.swift",
  source: """
    import Lifecycle
    import Registry
    import Routing
    protocol NeededP {}
    protocol NeededS: Sendable {}
    protocol NeededBox<X> { associatedtype X }
    @MainActor protocol NeededMain: Sendable {}
    class NeededBase {}
    extension Route where Parameters == Void, Outcome == Int {
      nonisolated static var needed: Self { .init("needed") }
    }
    final class NeededModule: Module { init() {} }

    final class NeedsClass {
      @Service var p: any NeededP
      @Service private var s: any NeededS
      @Service(named: "x") fileprivate var named: any NeededP
      @Service(named: #"raw "x""#, cached: true) var raw: any NeededS
      @Service var optional: (any NeededP)?
      @Service var all: [any NeededP]
      @Service var allShared: [any NeededS & NeededP]
      @Service(cached: true) var cachedOptional: (any NeededS)?
      @Service static var shared: any NeededS
      @Service static var p: any NeededP
      @Service var box: any NeededBox<Int>
      @Service var both: any NeededP & NeededS
      @Service var base: NeededBase
      @Service var `class`: any NeededP
      @Service var größe: any NeededP
      @Service(cached: true) var `a name with spaces`: any NeededP
      @available(macOS 14, iOS 17, *) @Service var new: any NeededP
      #needs((any NeededP).self)
    }
    struct NeedsStruct: Equatable {
      @Service var p: any NeededP
      @Service(cached: true) var s: any NeededS
      var text = ""
    }
    enum NeedsEnum {
      case only
      @Service var p: any NeededP
      @Service static var s: any NeededS
    }
    actor NeedsActor {
      @Service var p: any NeededP
      @Service(cached: true) var s: any NeededS
      @Service nonisolated var free: any NeededS
    }
    @MainActor final class NeedsMain {
      @Service var main: any NeededMain
      @Service(cached: true) var cached: any NeededMain
      @Service nonisolated var free: any NeededS
    }
    final class NeedsSendable: Sendable {
      @Service var s: any NeededS
      @Service(cached: true) var cached: any NeededS
    }
    extension NeedsStruct { @Service var inExtension: any NeededP }
    enum NeedsOuter { struct Inner { @Service var p: any NeededP } }
    #needs((any NeededP).self, named: "x")
    #needs((any NeededP).self, optional: true)
    #needs((any NeededP).self, named: "x", optional: true)
    #needs(route: .needed)
    #needs(route: .needed, optional: true)
    #needs(module: NeededModule.self)
    #needs(module: "Account.AccountModule", optional: true)
    #needs(
      NeededBase.self
    )
    """)

/// Types that use a manager of their own, and records in groups.
let ownManagers = Fixture(
  name: "OwnManagers.swift",
  source: """
    import Lifecycle
    import Registry
    import Routing
    protocol OwnP {}
    protocol OwnS: Sendable {}
    nonisolated struct OwnUser: Sendable { let name: String }
    nonisolated struct OwnLink: Codable, Sendable { var id: Int }
    nonisolated struct OwnDish: Sendable {}
    extension ContributionPoint<[OwnDish]> { nonisolated static var ownDishes: Self { .init("own.dishes") } }
    extension ContributionPoint<[String: OwnDish]> { nonisolated static var ownNames: Self { .init("own.names") } }
    extension Event where Payload == OwnUser, Outcome == Void { nonisolated static var ownUser: Self { .init("own.user") } }
    extension Event where Payload == Void, Outcome == Void { nonisolated static var ownPing: Self { .init("own.ping") } }
    extension Route where Parameters == OwnLink, Outcome == OwnScreen {
      nonisolated static var ownScreen: Self { .init("own.screen") }
    }
    extension Route where Parameters == Void, Outcome == Int { nonisolated static var ownCount: Self { .init("own.count") } }

    @ExportService((any OwnS).self, scope: .shared, group: "document") final class OwnClass: OwnS {
      init(services: ServiceManager) {}
    }
    @ExportService((any OwnP).self) struct OwnStruct: OwnP { init(services manager: ServiceManager) throws {} }
    @ExportService((any OwnS).self) actor OwnActor: OwnS {
      init() {}
      init(services: Registry::ServiceManager = .shared) {}
    }
    @ExportService((any OwnS).self, scope: .weak) @MainActor final class OwnMain: OwnS { init(services: ServiceManager) {} }
    @ExportService((any OwnP).self) final class OwnPrivate: OwnP { init() {}; private init(services: ServiceManager) {} }
    @ExportService((any OwnS).self) @ExportService((any OwnS).self, group: "document") final class OwnTwice: OwnS {
      init() {}
    }
    @ExportModule(group: "document") final class OwnModule: Module { init() {} }
    #onEvent(.ownUser, priority: 5, group: "document") { user, context in print(user.name) }
    #onEvent(.ownPing, group: "document", handler: { _ in })
    #onEvent(.ownPing, .afterApp, group: nil) { _ in }
    #exportRoute(.ownCount, group: "document") { 1 }
    @ExportRoute(.ownScreen, group: "document") struct OwnScreen: Sendable { init(_ link: OwnLink) {} }
    #exportAction("own", "print", group: "document") { print(1) }
    #contribute(.ownDishes, priority: 3, group: "document") { OwnDish() }
    #contribute(.ownNames, key: "x", group: "document", make: { OwnDish() })
    #needs((any OwnS).self, group: "document")
    #needs(module: OwnModule.self, group: "document")
    #needs(contributions: .ownDishes, group: "document")

    final class OwnCart {
      let services: ServiceManager
      init(services: ServiceManager) { self.services = services }
      @Service(in: \\OwnCart.services) var s: any OwnS
      @Service(in: \\Snippet.OwnCart.services, named: "x") var named: any OwnS
      @Service(in: \\OwnCart.services, cached: true) var cached: any OwnS
      @Service(in: \\OwnCart.services) var optional: (any OwnP)?
      @Service(in: \\OwnCart.services) var all: [any OwnP]
      @Contributions(.ownDishes, in: \\OwnCart.services) var dishes: [OwnDish]
      struct Inner {
        let cart: OwnCart
        @Service(in: \\OwnCart.Inner.cart.services) var s: any OwnS
        @Service(in: \\Inner.cart.services) var p: any OwnP
      }
    }
    extension OwnCart { @Service(in: \\OwnCart.services) var more: any OwnS }
    actor OwnServer {
      let services = ServiceManager.shared
      @Service(in: \\OwnServer.services) var s: any OwnS
    }
    struct OwnValue {
      var services = ServiceManager.shared
      @Service(in: \\OwnValue.services, cached: true) var s: any OwnS
    }
    final class OwnSelf {
      let services = ServiceManager.shared
      @Service(in: \\Self.services) var s: any OwnS
    }
    """)
