import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 20)
final class CatalogModule: Module {
  @Service private var display: any Display

  static func subscribe(_ events: Subscriptions<CatalogModule>) {
    events.on(.discountsForOrder) { _, order, _ in
      order.products.contains { $0.sku == "tea" } ? [Discount(reason: "week of tea", cents: 50)] : []
    }
  }

  func tearDown(_ context: Context) { display.show("catalog: put away") }
}
