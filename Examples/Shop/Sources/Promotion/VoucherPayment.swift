import Registry
import ShopAPI

/// A second way to pay. Its priority is the highest, but it came later than the one in the app: whoever asks for "the"
/// payment still gets that one.
@ExportService(PaymentService.self, priority: 100)
struct VoucherPayment: PaymentService {
  init() {}

  func charge(_ user: User, cents: Int) async throws -> String { "voucher of \(user.name)" }
}
