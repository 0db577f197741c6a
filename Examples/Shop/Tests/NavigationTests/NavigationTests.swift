import Foundation
import Navigation
import Registry
import Routing
import ShopAPI
import Testing

private struct Lines: Screen {
  let lines: [String]
}

private struct Closed: Error, CustomStringConvertible {
  let description = "the catalog is closed"
}

extension Route where Parameters == Void, Outcome == Void {
  fileprivate static var first: Self { .init("test.first", [#pattern("shop://first")], access: .remote) }
}

/// Tests of the pages, with a router that has only the routes of the test.
@MainActor @Suite(.timeLimit(.minutes(20))) struct NavigationTests {
  let router = Router(records: .none)
  let navigation: NavigationModel

  init() {
    router.onDiagnostic = { _ in }
    navigation = NavigationModel(router)
    router.register(.product) { link in Lines(lines: [link.sku]) }
    router.register(.refund) { amount in Lines(lines: ["\(amount.cents)"]) }
    router.register(.first) { [weak navigation] in navigation?.showFirstPage() }
  }

  /// The lines of the screens, page by page.
  private var lines: [[String]] { navigation.pages.map { ($0.content as? any Screen)?.lines ?? [] } }

  private func link(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test func `a route becomes a page`() async {
    await navigation.open(.product, ProductLink(sku: "tea"))
    await navigation.open(.product, ProductLink(sku: "tea"))
    #expect(lines == [["tea"], ["tea"]])
    #expect(navigation.pages[0] != navigation.pages[1])
    #expect(navigation.problem == nil)
  }

  @Test func `a link from outside the app becomes a page`() async throws {
    await navigation.open(try link("shop://product/cup?campaign=spring"), from: .remote)
    #expect(lines == [["cup"]])
  }

  @Test func `a route without a screen can change the pages`() async throws {
    await navigation.open(.product, ProductLink(sku: "tea"))
    await navigation.open(try link("shop://first"), from: .remote)
    #expect(lines == [])
    #expect(navigation.problem == nil)
  }

  @Test func `a link from outside the app does not open an internal route`() async throws {
    await navigation.open(try link("shop://refund/450"), from: .remote)
    #expect(lines == [])
    #expect(
      navigation.problem == """
        no route opens 'shop://refund/450'; link the target that exports the route, and declare it with \
        'access: .remote' and a pattern if requests from outside the app may open it [route-not-found]
        """)
    await navigation.open(.refund, Amount(cents: 450))
    #expect(lines == [["450"]])
    #expect(navigation.problem == nil)
  }

  @Test func `the error of a handler is shown, and adds no page`() async {
    let router = Router(records: .none)
    router.register(.product) { _ in throw Closed() }
    let navigation = NavigationModel(router)
    await navigation.open(.product, ProductLink(sku: "tea"))
    #expect(navigation.pages == [])
    #expect(navigation.problem == "the catalog is closed")
  }
}
