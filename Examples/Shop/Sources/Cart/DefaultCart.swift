import Registry
import ShopAPI

@ExportService(CartService.self, scope: .shared)
actor DefaultCart: CartService {
  private var skus: [String] = []

  func add(_ sku: String) -> Int {
    skus.append(sku)
    return skus.count
  }

  func contents() -> [String] { skus }

  func empty() { skus = [] }
}
