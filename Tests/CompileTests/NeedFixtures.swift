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
