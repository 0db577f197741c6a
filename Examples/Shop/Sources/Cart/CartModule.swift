import Lifecycle
import Registry
import ShopAPI

@ExportModule(priority: 10, after: ["Account.AccountModule", "Catalog.CatalogModule"])
final class CartModule: Module {
  private var services = ServiceManager()
  @Service(in: \CartModule.services) private var display: any Display
  private var greeted = 0

  static func subscribe(_ events: Subscriptions<CartModule>) {
    events.on(.userDidLogIn) { module, user, _ in
      module.greeted += 1
      module.display.show("cart: a cart for \(user.name)")
    }
  }

  func setUp(_ context: Context) { services = context.services }

  func tearDown(_ context: Context) { display.show("cart: \(greeted) customer(s) served") }
}
