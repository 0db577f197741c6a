import Lifecycle
import Routing
import ShopAPI

/// A screen that shows a refund.
struct RefundScreen: Screen {
  let lines: [String]
}

#exportRoute(.refund) { amount, request in
  RefundScreen(lines: [
    "\(price(amount.cents, ModuleManager.shared.context)) refunded, as requested by \(request.origin) code"
  ])
}
