import Lifecycle
import Registry
import Routing
import ShopAPI

struct RefundScreen: Screen {
  let lines: [String]
}

#exportRoute(.refund) { amount, request in
  let context = try request.services.createService(for: Context.self)
  return RefundScreen(lines: ["\(price(amount.cents, context)) refunded, as requested by \(request.origin) code"])
}
