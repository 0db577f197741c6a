import Lifecycle
import Registry
import Routing
import ShopAPI

struct NoSuchProduct: Error, CustomStringConvertible {
  let sku: String
  var description: String { "no product has the SKU '\(sku)'" }
}

/// A screen that the router creates from the parameters of its route or of a link.
@ExportRoute(.product)
@MainActor final class ProductScreen: Screen {
  @Service private static var catalog: any CatalogService
  let lines: [String]

  init(_ link: ProductLink) throws {
    guard let product = Self.catalog.product(link.sku) else {
      throw NoSuchProduct(sku: link.sku)
    }
    let thanks = link.campaign.map { ["welcome to our \($0) sale"] } ?? []
    lines = ["\(product.title), \(price(product.cents, ModuleManager.shared.context))"] + thanks
  }
}

#contribute(.menu, priority: 20) { MenuItem("Tea of the day", "shop://product/tea") }
