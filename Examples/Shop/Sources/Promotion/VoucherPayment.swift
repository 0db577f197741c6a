import Registry
import ShopAPI

/// A second implementation of the payment service.
///
/// Its priority is the highest, but it's loaded later than the app's implementation, so lookups of
/// a single payment service still return the app's.
@ExportService(PaymentService.self, priority: 100)
struct VoucherPayment: PaymentService {
  init() {}

  func charge(_ user: User, cents: Int) async throws -> String { "voucher of \(user.name)" }
}
