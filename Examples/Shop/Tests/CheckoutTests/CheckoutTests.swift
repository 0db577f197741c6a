import Lifecycle
import Registry
import ShopTesting
import ShopAPI
import Testing

@testable import Checkout

@Suite(.services()) struct CheckoutTests {
  @Test(arguments: [(1, 0), (2, 100), (3, 100)])
  @MainActor func `two things or more are cheaper`(count: Int, cents: Int) throws {
    let modules = ModuleManager(modules: [CheckoutModule.self])
    try modules.start()
    let products = Array(repeating: Product(sku: "tea", title: "Tea", cents: 450), count: count)
    let discounts = modules.trigger(.discountsForOrder, Order(user: User(name: "Ada"), products: products))
    #expect(discounts.reduce(0) { $0 + $1.cents } == cents)
  }

  @Test(.services { $0.allowLive(PaymentService.self) })
  func `a card pays, but not nothing`() async throws {
    let payment = try ServiceManager.shared.createService(for: PaymentService.self)
    #expect(try await payment.charge(User(name: "Ada"), cents: 450) == "receipt for Ada")
    await #expect(throws: CardRefused.self) { try await payment.charge(User(name: "Ada"), cents: 0) }
  }
}
