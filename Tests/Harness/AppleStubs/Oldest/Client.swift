// Uses of the macros, whose expansions must compile in an app for the oldest supported systems.
import Lifecycle
import Registry
import Routing

struct OrderLink: Codable, Sendable { var id: Int }
protocol Screen: Sendable {}

extension Route where Parameters == OrderLink, Outcome == any Screen {
  static var order: Self { .init("shop.order", [#pattern("shop://order/:id(Int)")], access: .remote) }
}
extension Route where Parameters == Void, Outcome == Int { static var count: Self { .init("shop.count") } }
extension Event where Payload == Int, Outcome == Void { static var counted: Self { .init("shop.counted") } }

#exportRoute(.count) { 1 }
#exportRoute(.order) { link, request in OrderScreen(link) }
#exportAction("orders", "show") { (link: OrderLink) in link.id }
#onEvent(.counted) { count, _ in print(count) }

@ExportRoute(.order) @MainActor final class OrderScreen: Screen { init(_ link: OrderLink) {} }
@ExportRoute(.order) struct AsyncScreen: Screen { init(_ link: OrderLink, _ request: RouteRequest) async throws {} }
@available(iOS 18, macOS 15, *) @ExportRoute(.order) struct NewScreen: Screen { init(_ link: OrderLink) {} }
@available(iOS 18, macOS 15, *) #needs((any Counter).self)
@available(iOS 18, macOS 15, *) #exportRoute(.count) { Int(UInt128(2)) }
@available(iOS 18, macOS 15, *) #onEvent(.counted) { count, _ in print(UInt128(2)) }
@available(iOS 18, macOS 15, *) enum NewSpace {
  #exportRoute(.count) { Int(UInt128(2)) }
  #exportAction("orders", "count") { Int(UInt128(2)) }
  #onEvent(.counted) { count, _ in print(UInt128(2)) }
  @ExportRoute(.order) struct Inner: Screen { init(_ link: OrderLink) {} }
}

protocol Counter {}
@ExportService((any Counter).self) struct OldCounter: Counter {}
@available(iOS 18, macOS 15, *) @ExportService((any Counter).self) struct NewCounter: Counter { let count: UInt128 = 2 }
@ExportModule final class CounterModule: Module {
  init() {}
  static func subscribe(_ events: Subscriptions<CounterModule>) { events.on(.counted) { _, count, _ in print(count) } }
}

func show() async throws {
  let screen = try await Router.shared.open(.order, OrderLink(id: 7))
  print(screen, try await Router.shared.perform("orders", "show", ["id": 7], as: Int.self))
}
