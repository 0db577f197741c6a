import Foundation
import Lifecycle
import Registry
import Routing
import ShopAPI
import Testing

@testable import Checkout

@Suite(.services()) struct CheckoutTests {
  @Test(arguments: [(1, 0), (2, 100), (3, 100)])
  @MainActor func `an order of two or more products has a discount`(count: Int, cents: Int) throws {
    let modules = ModuleManager(modules: [CheckoutModule.self])
    try modules.start()
    let products = Array(repeating: Product(sku: "tea", title: "Tea", cents: 450), count: count)
    let discounts = modules.trigger(.discountsForOrder, Order(user: User(name: "Ada"), products: products))
    #expect(discounts.reduce(0) { $0 + $1.cents } == cents)
  }

  @Test(.services { $0.allowLive(PaymentService.self) })
  func `a card pays amounts above zero only`() async throws {
    let payment = try ServiceManager.shared.createService(for: PaymentService.self)
    #expect(try await payment.charge(User(name: "Ada"), cents: 450) == "receipt for Ada")
    await #expect(throws: CardRefused.self) { try await payment.charge(User(name: "Ada"), cents: 0) }
  }
}

/// Tests of refunds, which only the app itself can request.
@Suite(.services { $0.override(Context.self, scope: .shared) { @MainActor in ModuleManager().context } })
@MainActor struct RefundTests {
  let router = Router(
    services: .shared, records: .records { $0.handlerName?.hasPrefix("Checkout/") == true }, onDiagnostic: { _ in })

  @Test func `the app opens a refund by its route and by its link`() async throws {
    #expect(
      try await router.open(.refund, Amount(cents: 450)).lines == ["4.50 EUR refunded, as requested by local code"])
    let url = try router.url(for: .refund, Amount(cents: 450))
    #expect(url.absoluteString == "shop://refund/450")
    #expect(try await router.open(url, from: .local).request.routeID == "checkout.refund")
  }

  @Test(arguments: [
    "shop://refund/450", "SHOP://REFUND/450", "shop://ref%75nd/450/", "shop://ada@refund/450",
    "shop://refund/450?access=remote",
    "shop://product/../refund/450",
  ])
  func `no link from outside the app opens a refund, in any spelling`(link: String) async throws {
    let url = try #require(URL(string: link))
    #expect(router.canOpen(url, from: .remote) == nil)
    let error = await #expect(throws: RouteError.self) { try await router.open(url, from: .remote) }
    #expect(error?.code == "route-not-found" && error?.reason == nil)
  }
}
