import Registry
import ShopAPI

/// A service that nothing else in the shop offers.
@ExportService(CouponService.self, scope: .shared)
struct PaperCoupons: CouponService {
  init() {}

  func discount(for code: String) -> Discount? {
    code == "SPRING" ? Discount(reason: "coupon SPRING", cents: 200) : nil
  }
}
