import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 20)
final class CatalogModule: Module {
  static func subscribe(_ events: Subscriptions<CatalogModule>) {
    events.on(.openLink, call: CatalogModule.open)
    events.on(.discountsForOrder) { _, order, _ in
      order.products.contains { $0.sku == "tea" } ? [Discount(reason: "week of tea", cents: 50)] : []
    }
  }

  private func open(_ link: String, _ context: Context) throws -> Bool {
    guard link.hasPrefix("shop://product/") else { return false }
    let catalog = try context.services.createService(for: CatalogService.self)
    return catalog.product(String(link.dropFirst("shop://product/".count))) != nil
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("catalog: put away")
  }
}
