// Uses of every macro that writes records: services, modules, handlers of events, routes, and
// actions, and needs. They have every amount of padding after their JSON. Kinds.records lists the
// expected records, line by line.

import Lifecycle
import Registry
import Routing

protocol Greeter: Sendable { var greeting: String { get } }
@ExportService(Greeter.self, scope: .shared, named: "größte 漢字", priority: -5) struct Polite: Greeter {
  let greeting = "good day"
  init() {}
}
@ExportModule(level: .basic, after: ["Account.AccountModule"]) final class Door: Module {}

extension Event where Payload == Int, Outcome == Void {
  static var arrived: Self { .init("kinds.arrived") }
}
extension Event where Payload == Int, Outcome == [String] {
  static var gathered: Self { .init("kinds.gathered", combining: .collect) }
}

#onEvent(.arrived) { _, _ in }
#onEvent(.arrived, priority: 9_223_372_036_854_775_807, once: true) { number, context in }
enum Nested {
  #onEvent(.gathered, priority: -10) { number, _ in ["\(number)"] }
}

struct Item: Codable, Sendable { let id: Int }
extension Route where Parameters == Item, Outcome == String {
  static var item: Self { .init("kinds.item", [#pattern("kinds://item/:id(Int)")], access: .remote) }
}
extension Route where Parameters == Item, Outcome == Page {
  static var page: Self { .init("kinds.page") }
}

#exportRoute(.item) { item in "item \(item.id)" }
@ExportRoute(.page) @MainActor final class Page: Sendable {
  init(_ item: Item) {}
}

#exportAction("items", "show", access: .remote) { (item: Item) in "item \(item.id)" }
#exportAction("größte", "lösche \"alles\"") {}

struct Porch {
  @Service(named: "größte 漢字") var greeter: any Greeter
  @Service var other: (any Greeter)?
}
#needs(Greeter.self, optional: true)
#needs(module: Door.self)
#needs(route: .item)

enum Outer {
  struct Inner {
    @ExportModule(priority: 0x10) final class Nested: Module { init() {} }
  }
}
extension Outer.Inner {
  @ExportModule fileprivate final class Extended: Module { init() {} }
}

protocol Clock: AnyObject {}
protocol Timer: AnyObject {}
// These are two records on one type. The compiler writes the last one first.
@ExportService(Clock.self, named: "a")
@ExportService(Timer.self, named: #"q"\"#)
final class Both: Clock, Timer { init() {} }
@MainActor @ExportService(Clock.self, when: .flag("newer-clock")) final class MainClock: Clock { init() {} }
