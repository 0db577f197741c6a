import Foundation
import Lifecycle
import Registry
import Routing
import ShopAPI
import Testing

@testable import Catalog

/// Tests that open a product's screen by its route and by links.
@Suite(
  .services {
    $0.allowLive(CatalogService.self)
    $0.override(Context.self, scope: .shared) { @MainActor in ModuleManager().context }
  })
@MainActor struct CatalogTests {
  let router = Router(services: .shared, records: .records { $0.typeName == "Catalog.ProductScreen" })

  private func lines(_ link: String) async throws -> [String] {
    let url = try #require(URL(string: link))
    return try await router.object(for: url, as: (any Screen).self, from: .remote).lines
  }

  @Test func `a product is opened by its route`() async throws {
    let screen = try await router.open(.product, ProductLink(sku: "cup", campaign: "spring"))
    #expect(screen is ProductScreen)
    #expect(screen.lines == ["Blue cup, 12.90 EUR", "welcome to our spring sale"])
  }

  @Test(arguments: ["shop://product/tea", "SHOP://Product/tea/", "https://shop.example/products/tea.html"])
  func `a link from outside the app opens a product`(link: String) async throws {
    #expect(try await lines(link) == ["Green tea, 4.50 EUR"])
  }

  @Test func `the query contains the source of the link, and not the product`() async throws {
    #expect(
      try await lines("shop://product/tea?campaign=poster&sku=cup") == [
        "Green tea, 4.50 EUR", "welcome to our poster sale",
      ])
  }

  @Test func `a generated link opens the same product`() async throws {
    let url = try router.url(for: .product, ProductLink(sku: "tea", campaign: "a & b"))
    #expect(try await lines(url.absoluteString) == ["Green tea, 4.50 EUR", "welcome to our a & b sale"])
  }

  @Test func `an unknown product has no screen, and the catalog throws its own error`() async throws {
    let error = await #expect(throws: NoSuchProduct.self) { try await router.open(.product, ProductLink(sku: "hat")) }
    #expect(error?.description == "no product has the SKU 'hat'")
  }
}
