import Registry
import ShopAPI

/// A service that no other feature in the shop implements.
@ExportService(CouponService.self, scope: .shared)
struct PaperCoupons: CouponService {
  init() {}

  func discount(for code: String) -> Discount? {
    code == "SPRING" ? Discount(reason: "coupon SPRING", cents: 200) : nil
  }
}
