import Lifecycle
import Registry
import Routing
import ShopAPI

struct NoSuchProduct: Error, CustomStringConvertible {
  let sku: String
  var description: String { "no product has the SKU '\(sku)'" }
}

/// A screen that the router creates from the parameters of a route or link.
@ExportRoute(.product)
@MainActor final class ProductScreen: Screen {
  let lines: [String]

  init(_ link: ProductLink, _ request: RouteRequest) throws {
    let catalog = try request.services.createService(for: CatalogService.self)
    guard let product = catalog.product(link.sku) else { throw NoSuchProduct(sku: link.sku) }
    let context = try request.services.createService(for: Context.self)
    let thanks = link.campaign.map { ["welcome to our \($0) sale"] } ?? []
    lines = ["\(product.title), \(price(product.cents, context))"] + thanks
  }
}

#needs(CatalogService.self)

#contribute(.menu, priority: 20) { MenuItem("Tea of the day", "shop://product/tea") }
