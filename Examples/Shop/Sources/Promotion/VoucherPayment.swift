import Registry
import ShopAPI

/// A second implementation of payments.
///
/// Although its priority is the highest, it was loaded later than the implementation in the app. So
/// lookups of a single payment still return the one in the app.
@ExportService(PaymentService.self, priority: 100)
struct VoucherPayment: PaymentService {
  init() {}

  func charge(_ user: User, cents: Int) async throws -> String { "voucher of \(user.name)" }
}
