import Lifecycle
import Registry
import Routing
import ShopAPI

extension Shop {
  /// Buys products for the customer who was given at launch.
  @MainActor static func purchase(
    _ skus: [String], coupon: String? = nil, _ modules: ModuleManager, _ services: ServiceManager
  ) async throws {
    let context = modules.context
    let user = try await Router.shared.open(.logIn)

    let cart = try services.createService(for: CartService.self)
    for sku in skus { print("  \(sku): \(await cart.add(sku)) in the cart") }

    let catalog = try services.createService(for: CatalogService.self)
    let order = Order(user: user, products: await cart.contents().compactMap(catalog.product))
    print("  sum: \(price(order.cents, context))")

    var discounts = modules.trigger(.discountsForOrder, order)
    if let coupon { discounts += discount(for: coupon, services) }
    var total = order.cents
    for discount in discounts {
      print("  less \(price(discount.cents, context)): \(discount.reason)")
      total -= discount.cents
    }
    let receipt = try await services.createService(for: PaymentService.self).charge(user, cents: total)
    print("  paid \(price(total, context)): \(receipt)")
    await cart.empty()
    for note in modules.trigger(.orderWasPaid, order) { print("  \(note)") }
  }

  /// Returns the discount for a coupon. Without a service for coupons, there is none.
  @MainActor static func discount(for coupon: String, _ services: ServiceManager) -> [Discount] {
    do throws(ServiceError) {
      let coupons = try services.createService(for: CouponService.self)
      if let discount = coupons.discount(for: coupon) { return [discount] }
      print("  coupon \(coupon): worth nothing here")
    } catch {
      print("  coupon \(coupon): \(error)")
    }
    return []
  }
}
