import Registry
import Routing
import ShopAPI

/// What is in the cart.
struct CartScreen: Screen {
  let lines: [String]

  init(_ skus: [String]) {
    lines = skus.isEmpty ? ["the cart is empty"] : ["in the cart:"] + skus.map { "- \($0)" }
  }
}

// A closure where making the screen takes more than an initializer. That it is a customer's is for others to see to.
#exportRoute(.cart) {
  CartScreen(try await ServiceManager.shared.createService(for: CartService.self).contents())
}
