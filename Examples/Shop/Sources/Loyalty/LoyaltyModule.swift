import Lifecycle
import Registry
import ShopAPI

@ExportModule
final class LoyaltyModule: Module {
  @Service private var display: any Display

  static func subscribe(_ events: Subscriptions<LoyaltyModule>) {
    events.on(.orderWasPaid) { _, order, _ in ["\(Points.earned(by: order)) loyalty points for \(order.user.name)"] }
  }

  func tearDown(_ context: Context) { display.show("loyalty: points saved") }
}

@MainActor private struct Greeting {
  @Service var display: any Display
}

// An exported handler that belongs to no module.
#onEvent(.userDidLogIn, once: true) { user, _ in
  Greeting().display.show("loyalty: welcome, \(user.name)")
}
