import Lifecycle
import Registry
import ShopAPI

@ExportModule(after: ["Cart.CartModule"])
final class CheckoutModule: Module {
  private var services = ServiceManager()
  @Service(in: \CheckoutModule.services) private var display: any Display

  static func subscribe(_ events: Subscriptions<CheckoutModule>) {
    events.on(.discountsForOrder) { _, order, _ in
      order.products.count >= 2 ? [Discount(reason: "two or more", cents: 100)] : []
    }
    events.on(.orderWasPaid) { _, order, _ in ["\(order.products.count) parcel(s) on their way"] }
  }

  func setUp(_ context: Context) { services = context.services }

  func tearDown(_ context: Context) { display.show("checkout: till closed") }
}
