import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 10, after: ["Account.AccountModule", "Catalog.CatalogModule"])
final class CartModule: Module {
  private var greeted = 0

  static func subscribe(_ events: Subscriptions<CartModule>) {
    events.on(.userDidLogIn) { module, user, context in
      module.greeted += 1
      let display = try context.services.createService(for: Display.self)
      display.show("cart: a cart for \(user.name)")
    }
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("cart: \(greeted) customer(s) served")
  }
}
