import Lifecycle
import NamesAPI
import Registry
import Routing

@ExportService(Greeter.self, scope: .shared)
struct PoliteGreeter: Greeter {
  init() {}
  func greeting(for name: String) -> String { "Good day, \(name)." }
}

@ExportService(CartService.self, scope: .shared)
actor DefaultCart: CartService {
  init() {}
  nonisolated var kind: String { "default" }
}

@ExportService(CartService.self, named: "gift", priority: 5)
struct GiftCart: CartService {
  init() {}
  var kind: String { "gift" }
}

@ExportService(Screen.self)
@MainActor final class HomeScreen: Screen {
  init() {}
  var title: String { "home" }
}

@ExportModule(priority: 10)
final class GreetingModule: Module {
  static func subscribe(_ events: Subscriptions<GreetingModule>) {
    events.on(.visitorCame) { module, name, context in
      let greeter = try context.services.createService(for: Greeter.self)
      print(greeter.greeting(for: name))
    }
  }
}

@ExportModule(level: .basic, priority: 10, after: ["Feature.BaseModule"])
final class LinkModule: Module {
  static func subscribe(_ events: Subscriptions<LinkModule>) {
    events.on(.openLink, call: LinkModule.open)
  }
  func setUp(_ context: Context) throws { print("links are set up") }
  func open(_ link: String, _ context: Context) -> Bool { link.hasPrefix("shop:") }
}

// Records in C export these three types.

final class BaseModule: Module {
  func setUp(_ context: Context) throws { print("the base is set up") }
}

final class SystemClock: Clock, NamedExport {
  init() {}
  func now() -> String { "nine o'clock" }
}

final class FakeClock: Clock, NamedExport {
  init() {}
  func now() -> String { "never" }
}

#onEvent(.userDidLogIn, priority: 10) { user, context in print("logged in: \(user.name)") }
#onEvent(.userDidLogIn, once: true) { user, context in print("once: \(user.name)") }

@ExportRoute(.orderDetail) @MainActor final class OrderScreen: Screen {
  let id: Int
  init(_ parameters: OrderLink) {
    id = parameters.id
    print("the screen of order \(id)")
  }
  var title: String { "order \(id)" }
}

#exportRoute(.orderList) { request in ["order 7"] }
