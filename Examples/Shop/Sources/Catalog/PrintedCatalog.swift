import Registry
import ShopAPI

@ExportService(CatalogService.self, scope: .shared)
struct PrintedCatalog: CatalogService {
  private let products = [
    Product(sku: "tea", title: "Green tea", cents: 450),
    Product(sku: "cup", title: "Blue cup", cents: 1290),
  ]

  init() {}

  func product(_ sku: String) -> Product? { products.first { $0.sku == sku } }
}
