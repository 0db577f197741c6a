import Registry
import Routing
import ShopAPI

/// A screen that exists while the plug-in is open.
@ExportRoute(.promotion)
struct PromotionScreen: Screen {
  let lines = ["promotion: a tenth off, and two units off with a coupon"]

  init() {}
}

// The menu has this entry while the plug-in is open.
#contribute(.menu, priority: 15) { MenuItem("Our promotion", "shop://promotion") }
