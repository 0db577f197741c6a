import Registry
import Routing
import ShopAPI

struct CartScreen: Screen {
  let lines: [String]

  init(_ skus: [String]) {
    lines = skus.isEmpty ? ["the cart is empty"] : ["in the cart:"] + skus.map { "- \($0)" }
  }
}

// The route has a closure, because creating the screen takes more than calling an initializer.
#exportRoute(.cart) { _, request in
  CartScreen(await (try request.services.createService(for: CartService.self)).contents())
}
#needs(CartService.self)

#contribute(.menu, priority: 10) { MenuItem("Your cart", "shop://cart") }
