import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 20)
final class CatalogModule: Module {
  private var services = ServiceManager()
  @Service(in: \CatalogModule.services) private var display: any Display

  static func subscribe(_ events: Subscriptions<CatalogModule>) {
    events.on(.discountsForOrder) { _, order, _ in
      order.products.contains { $0.sku == "tea" } ? [Discount(reason: "week of tea", cents: 50)] : []
    }
  }

  func setUp(_ context: Context) { services = context.services }

  func tearDown(_ context: Context) { display.show("catalog: put away") }
}
