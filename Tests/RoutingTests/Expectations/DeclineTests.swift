import Foundation
import Registry
import Routing
import TestSupport
import Testing

private struct Item: Codable, Sendable {
  var id: String
}

extension Route where Parameters == Item, Outcome == String {
  fileprivate static var item: Self { .init("decline.item", [#pattern("shop://items/:id")], access: .remote) }
  fileprivate static var any: Self { .init("decline.any", [#pattern("shop://:id/*")], access: .remote) }
}
extension Route where Parameters == Void, Outcome == String {
  fileprivate static var internalAny: Self { .init("decline.internal", [#pattern("shop://items/*")]) }
  fileprivate static var page: Self { .init("decline.page", [#pattern("shop:**")], access: .remote) }
}

@Suite(.timeLimit(.minutes(20))) struct DeclineTests {
  let trace = Trace()

  /// A router whose handler of items knows only one of them.
  private func router() -> Router {
    let (router, trace) = (Router(), trace)
    router.register(.item) { item in
      trace.add("item")
      guard item.id == "cup" else { throw RouteError.declined("no item \(item.id)") }
      return "the cup"
    }
    return router
  }

  private func open(_ text: String, _ router: Router, from origin: RouteOrigin = .remote) async throws -> String {
    try await router.object(for: url(text), from: origin)
  }

  @Test func `a link that the first handler declines opens the next route, and then the fallback`() async throws {
    let router = router()
    router.register(.page) { "page" }
    #expect(try await open("shop://items/cup", router) == "the cup")
    #expect(try await open("shop://items/hat", router) == "page")
    let token = router.register(.any) { item in "any \(item.id)" }
    #expect(try await open("shop://items/hat", router) == "any items")
    token.cancel()
    #expect(try await open("shop://items/hat", router) == "page")
    #expect(trace.lines == ["item", "item", "item", "item"])
  }

  @Test func `interceptors decide about the next route too`() async throws {
    let (router, trace) = (router(), trace)
    router.register(.any) { item in "any" }
    router.intercept { request in
      trace.add(request.routeID ?? "-")
      return request.routeID == "decline.any" ? .reject("closed") : .proceed
    }
    let error = await #expect(throws: RouteError.self) { try await open("shop://items/hat", router) }
    #expect(error?.kind == .rejected && error?.target == "decline.any" && error?.reason == "closed")
    #expect(trace.lines == ["decline.item", "item", "decline.any"])
  }

  @Test func `a link that every handler declines fails with the first reason`() async throws {
    let router = router()
    router.register(.any) { item in throw RouteError.declined("nothing") }
    // This route's parameters cannot have the value "items".
    router.register(Route<OrderLink, String>("decline.order", [#pattern("shop://:id/**")], access: .remote)) { _ in "" }
    let error = await #expect(throws: RouteError.self) { try await open("shop://items/hat", router) }
    #expect(error?.kind == .declined && error?.target == "decline.item" && error?.reason == "no item hat")
    #expect(error?.description.hasSuffix("[route-declined]") == true)
    router.onNotFound { request in "a page for \(request.url as Any)" }
    #expect(try await open("shop://items/hat", router).hasPrefix("a page for"))
  }

  @Test func `a declined link from outside reaches no internal route`() async throws {
    let router = router()
    router.register(.internalAny) { "internal" }
    await #expect(throws: RouteError.self) { try await open("shop://items/hat", router) }
    #expect(try await open("shop://items/hat", router, from: .local) == "internal")
  }

  @Test func `a typed request that its handler declines has no other route`() async throws {
    let router = router()
    router.register(.page) { "page" }
    let error = await #expect(throws: RouteError.self) { try await router.open(.item, Item(id: "hat")) }
    #expect(error?.kind == .declined && error?.target == "decline.item" && error?.reason == "no item hat")
    #expect(try await router.open(.item, Item(id: "cup")) == "the cup")
  }

  @Test func `a handler that opens a route which declines has not declined itself`() async throws {
    let router = router()
    router.register(.page) { "page" }
    router.register(Route<Void, String>("decline.outer", [#pattern("shop://outer")], access: .remote)) {
      [weak router] in try await router?.open(.item, Item(id: "hat")) ?? ""
    }
    let error = await #expect(throws: RouteError.self) { try await open("shop://outer", router) }
    #expect(error?.kind == .declined && error?.target == "decline.item")
  }

  @Test(arguments: ["shop://items/cup", "other://x"])
  func `a closure that declines a request has not declined that of the handler which opened it`(
    text: String
  ) async throws {
    let router = router()
    router.register(.page) { "page" }
    router.register(Route<Void, String>("decline.outer", [#pattern("shop://outer")])) { _, request in
      try await request.router.object(for: url(text), from: .local)
    }
    router.intercept { request in
      if request.routeID == "decline.item" { throw RouteError.declined("closed") }
      return .proceed
    }
    router.onNotFound { _ in throw RouteError.declined("closed") }
    let error = await #expect(throws: RouteError.self) { try await open("shop://outer", router, from: .local) }
    #expect(error?.kind == .declined && error?.target == text && error?.reason == "closed")
  }

  @Test func `a handler declines the target of a redirection, and the next route of the target opens`() async throws {
    let router = router()
    router.register(.page) { "page" }
    router.register(.ping) {}
    router.intercept { request in request.routeID == "test.ping" ? .redirect(url("shop://items/hat")) : .proceed }
    #expect(try await open("shop://ping", router, from: .local) == "page")
  }

  @Test func `a redirection after a decline forgets the decline`() async throws {
    let router = router()
    router.register(.page) { "page" }
    router.intercept { request in
      guard request.routeID == "decline.page" else { return .proceed }
      return .redirect(request.url == url("shop://items/hat") ? url("shop://items/cup") : url("other://x"))
    }
    #expect(try await open("shop://items/hat", router) == "the cup")
    let error = await #expect(throws: RouteError.self) { try await open("shop://items/bag", router, from: .local) }
    #expect(error?.code == "route-not-found" && error?.target == "other://x")
  }
}
