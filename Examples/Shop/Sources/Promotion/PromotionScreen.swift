import Routing
import ShopAPI

/// There as long as the plug-in is.
@ExportRoute(.promotion)
struct PromotionScreen: Screen {
  let lines = ["promotion: a tenth off, and two units off with a coupon"]

  init() {}
}
