import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 20)
final class CatalogModule: Module {
  static func subscribe(_ events: Subscriptions<CatalogModule>) {
    events.on(.discountsForOrder) { _, order, _ in
      order.products.contains { $0.sku == "tea" } ? [Discount(reason: "week of tea", cents: 50)] : []
    }
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("catalog: put away")
  }
}
