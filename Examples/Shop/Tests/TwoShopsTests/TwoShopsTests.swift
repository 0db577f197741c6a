import Foundation
import Lifecycle
import Registry
import RegistryReports
import Routing
import ShopAPI
import Testing

/// A display that records lines instead of showing them.
@MainActor private final class RecordingDisplay: Display {
  private(set) var lines: [String] = []
  func show(_ line: String) { lines.append(line) }
}

/// A shop with all features and its own managers.
@MainActor private final class Shop {
  let display = RecordingDisplay()
  let services: ServiceManager
  let modules: ModuleManager
  var router: Router { services.router }

  init(customer: String, currency: String) throws {
    services = ServiceManager(records: .loadedImages)
    services.register(Display.self, scope: .shared, replacing: true) { [display] in display }
    modules = ModuleManager(services: services, records: .loadedImages)
    modules.context.configuration[.currency] = currency
    modules.requireAllNeeds()
    try modules.start(launch: ContextValues { $0[.customer] = customer })
  }

  func open(_ link: String) async throws -> [String] {
    let url = try #require(URL(string: link))
    return try await router.object(for: url, as: (any Screen).self, from: .remote).lines
  }
}

/// Tests that two shops with the same features run side by side in one process.
///
/// The features don't name managers; they use the managers that they receive.
@MainActor @Suite(.timeLimit(.minutes(20))) struct TwoShopsTests {
  private let (swiss, french): (Shop, Shop)

  init() throws {
    swiss = try Shop(customer: "Ada", currency: "CHF")
    french = try Shop(customer: "Grace", currency: "EUR")
  }

  @Test func `both shops have all modules and routes`() {
    #expect(swiss.modules.moduleNames.contains("Account.AccountModule"))
    #expect(swiss.modules.moduleNames == french.modules.moduleNames)
    #expect(swiss.router.routes.map(\.id) == french.router.routes.map(\.id))
    #expect(swiss.router.routes.map(\.id).contains("account.logIn"))
  }

  @Test func `a route has the services and the settings of its shop`() async throws {
    #expect(try await swiss.open("shop://product/tea") == ["Green tea, 4.50 CHF"])
    #expect(try await french.open("shop://product/tea") == ["Green tea, 4.50 EUR"])
    _ = try await swiss.services.createService(for: CartService.self).add("tea")
    #expect(try await swiss.open("shop://cart") == ["in the cart:", "- tea"])
    #expect(try await french.open("shop://cart") == ["the cart is empty"])
  }

  @Test func `a log-in and its event stay in their shop`() async throws {
    _ = try await french.open("shop://cart")
    #expect(
      french.display.lines == ["account: welcome, Grace", "cart: a cart for Grace", "loyalty: welcome, Grace"])
    #expect(swiss.display.lines.isEmpty)
    #expect(try await swiss.services.createService(for: AccountService.self).current == nil)
    _ = try await swiss.open("shop://cart")
    #expect(swiss.display.lines.first == "account: welcome, Ada")
    #expect(french.display.lines.count == 3)
  }

  @Test func `an event reaches the modules of its shop, and a stop ends only one shop`() async throws {
    let order = Order(
      user: User(name: "Ada"), products: [Product(sku: "cup", title: "Blue cup", cents: 1290)])
    #expect(swiss.modules.trigger(.orderWasPaid, order).contains("12 loyalty points for Ada"))
    swiss.modules.stop()
    #expect(swiss.display.lines.contains("account: logged out"))
    #expect(french.display.lines.isEmpty)
    #expect(french.modules.trigger(.orderWasPaid, order).contains("12 loyalty points for Ada"))
    #expect(try await french.open("shop://cart") == ["the cart is empty"])
    #expect(french.display.lines.contains("account: welcome, Grace"))
  }

  @Test func `neither shop reports a problem, and the shared managers have nothing to do`() async throws {
    for shop in [swiss, french] {
      _ = try await shop.open("shop://cart")
      shop.modules.stop()
      #expect(shop.modules.report().diagnostics.map(\.description) == [])
      #expect(shop.router.report().diagnostics.map(\.description) == [])
    }
  }
}
