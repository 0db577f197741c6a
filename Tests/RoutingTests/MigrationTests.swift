import Foundation
import Registry
import Routing
import Testing

// These tests prove what Documentation/MigratingRouters.md promises about links and patterns of
// other routers.

private struct ActionLink: Codable, Sendable {
  var target: String
  var action: String
}

extension Route where Parameters == [String: String], Outcome == [String: String] {
  fileprivate static var search: Self { .init("shop.search", [#pattern("mgj://search/:query")], access: .remote) }
}
extension Route where Parameters == ActionLink, Outcome == any Sendable {
  fileprivate static var action: Self { .init("app.action", [#pattern("app://:target/:action")], access: .remote) }
}
extension Route where Parameters == Void, Outcome == String {
  fileprivate static var fallback: Self { .init("mgj.fallback", [#pattern("mgj:**")]) }
  fileprivate static var below: Self { .init("mgj.below", [#pattern("mgj://order/**")]) }
  fileprivate static var one: Self { .init("mgj.one", [#pattern("mgj://order/*")]) }
}

@Suite(.timeLimit(.minutes(20))) struct MigrationTests {
  let router = Router()

  @Test func `parameters can be a dictionary of path and query, and generate the same URL`()
    async throws
  {
    router.register(.search) { parameters, request in
      #expect(request.values[.animated] == false)
      return parameters
    }
    let link = url("mgj://search/blue%20cups?page=2&query=red&page=3")
    let found = try await router.object(
      for: link, as: [String: String].self, from: .local, values: RouteValues { $0[.animated] = false })
    #expect(found == ["query": "blue cups", "page": "2"])
    let again = try router.url(for: .search, ["query": "blue cups", "page": "2"])
    #expect(again.absoluteString == "mgj://search/blue%20cups?page=2")
    // Equal dictionaries can have different orders.
    let items = (1...9).map { ("k\($0)", "v") } + [("query", "a")]
    let ordered = try router.url(for: .search, Dictionary(uniqueKeysWithValues: items)).query
    #expect(ordered == (1...9).map { "k\($0)=v" }.joined(separator: "&"))
  }

  @Test
  func `wildcards, their parents, and whole schemes have patterns, and only the last are fallbacks`() {
    router.register(.fallback) { "" }
    router.register(.below) { "" }
    router.register(.one) { "" }
    let routes = ["mgj://order/7", "mgj://order/7/items", "mgj://order", "mgj://else/where", "mgj://"]
      .map { router.canOpen(url($0), from: .local) }
    #expect(routes.map { $0?.routeID } == ["mgj.one", "mgj.below", "mgj.below", "mgj.fallback", "mgj.fallback"])
    #expect(routes.map { $0?.isFallback } == [false, false, false, true, true])
  }

  @Test func `links with a target and an action reach only remote actions`() async throws {
    router.registerAction("orders", "count", access: .remote) { (limit: [String: Int]) in limit["limit"] ?? 0 }
    router.registerAction("orders", "show") { 1 }
    let router = router
    router.register(.action) { [weak router] link, request in
      guard let router else { throw CancellationError() }
      let texts = request.queryItems.map { ($0.name, PropertyValue.string($0.value ?? "")) }
      return try await router.perform(
        link.target, link.action, Dictionary(texts) { first, _ in first }, from: request.origin)
    }
    #expect(try await router.object(for: url("app://orders/count?limit=7"), from: .remote) == 7)
    #expect(try await router.object(for: url("app://orders/show"), from: .local) == 1)
    for link in [
      "app://orders/show", "app://orders/show?module=RoutingTests", "app://orders/co/unt", "app://Orders/count",
    ] {
      await #expect(throws: RouteError.self, "\(link)") { try await router.open(url(link), from: .remote) }
    }
  }
}
