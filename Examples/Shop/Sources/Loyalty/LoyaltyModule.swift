import Lifecycle
import Registry
import ShopAPI

@ExportModule
final class LoyaltyModule: Module {
  static func subscribe(_ events: Subscriptions<LoyaltyModule>) {
    events.on(.orderWasPaid) { _, order, _ in ["\(Points.earned(by: order)) loyalty points for \(order.user.name)"] }
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("loyalty: points saved")
  }
}

// An exported handler that belongs to no module.
#onEvent(.userDidLogIn, once: true) { user, context in
  try context.services.createService(for: Display.self).show("loyalty: welcome, \(user.name)")
}
