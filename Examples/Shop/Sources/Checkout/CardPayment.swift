import Registry
import ShopAPI

struct CardRefused: Error {}

@ExportService(PaymentService.self)
struct CardPayment: PaymentService {
  init() {}

  func charge(_ user: User, cents: Int) async throws -> String {
    guard cents > 0 else { throw CardRefused() }
    return "receipt for \(user.name)"
  }
}
