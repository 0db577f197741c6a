import Lifecycle
import Registry
import ShopAPI

/// A plug-in's module. Its code looks the same as in a feature that the app links.
@ExportModule(after: ["Catalog.CatalogModule"])
final class PromotionModule: Module {
  private var services = ServiceManager()
  @Service(in: \PromotionModule.services) private var display: any Display
  private var orders = 0

  static func subscribe(_ events: Subscriptions<PromotionModule>) {
    events.on(.discountsForOrder) { module, order, _ in
      module.orders += 1
      return [Discount(reason: "promotion", cents: order.cents / 10)]
    }
  }

  func setUp(_ context: Context) {
    services = context.services
    display.show("promotion: a tenth off everything")
  }

  func tearDown(_ context: Context) { display.show("promotion: over after \(orders) order(s)") }
}
