import Lifecycle
import Registry
import Routing
import ShopAPI

extension Shop {
  @Service private static var cart: any CartService
  @Service private static var catalog: any CatalogService
  @Service private static var payment: any PaymentService
  @Service private static var coupons: (any CouponService)?

  /// Buys products for the customer named at launch.
  @MainActor static func purchase(
    _ skus: [String], coupon: String? = nil, _ modules: ModuleManager
  ) async throws {
    let context = modules.context
    let user = try await context.services.router.open(.logIn)

    for sku in skus { print("  \(sku): \(await cart.add(sku)) in the cart") }

    let order = Order(user: user, products: await cart.contents().compactMap(catalog.product))
    print("  sum: \(price(order.cents, context))")

    var discounts = modules.trigger(.discountsForOrder, order)
    if let coupon { discounts += discount(for: coupon) }
    var total = order.cents
    for discount in discounts {
      print("  less \(price(discount.cents, context)): \(discount.reason)")
      total -= discount.cents
    }
    let receipt = try await payment.charge(user, cents: total)
    print("  paid \(price(total, context)): \(receipt)")
    await cart.empty()
    for note in modules.trigger(.orderWasPaid, order) { print("  \(note)") }
  }

  /// Returns the discount for a coupon, or an empty array if no service accepts coupons.
  @MainActor static func discount(for coupon: String) -> [Discount] {
    guard let coupons else {
      print("  coupon \(coupon): no plug-in accepts coupons")
      return []
    }
    if let discount = coupons.discount(for: coupon) { return [discount] }
    print("  coupon \(coupon): worth nothing here")
    return []
  }
}
