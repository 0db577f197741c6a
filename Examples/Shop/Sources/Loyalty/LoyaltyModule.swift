import Lifecycle
import Registry
import ShopAPI

@ExportModule
final class LoyaltyModule: Module {
  static func subscribe(_ events: Subscriptions<LoyaltyModule>) {
    events.on(.discountsForOrder) { _, order, _ in
      [Discount(reason: "loyalty of \(order.user.name)", cents: Points.worth(of: order))]
    }
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("loyalty: points saved")
  }
}
