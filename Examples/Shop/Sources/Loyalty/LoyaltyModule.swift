import Lifecycle
import Registry
import ShopAPI

@ExportModule
final class LoyaltyModule: Module {
  private var services = ServiceManager()
  @Service(in: \LoyaltyModule.services) private var display: any Display

  static func subscribe(_ events: Subscriptions<LoyaltyModule>) {
    events.on(.orderWasPaid) { _, order, _ in ["\(Points.earned(by: order)) loyalty points for \(order.user.name)"] }
  }

  func setUp(_ context: Context) { services = context.services }

  func tearDown(_ context: Context) { display.show("loyalty: points saved") }
}

// An exported handler that doesn't belong to a module.
#onEvent(.userDidLogIn, once: true) { user, context in
  try context.services.createService(for: Display.self).show("loyalty: welcome, \(user.name)")
}
