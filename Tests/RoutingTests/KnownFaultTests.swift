import Foundation
import Registry
import Routing
import TestSupport
import Testing

/// Links that crash or mislead other routers.
@Suite(.timeLimit(.minutes(20))) struct KnownFaultTests {
  private func router(_ patterns: [(String, String)]) throws -> Router {
    let router = Router()
    for (id, pattern) in patterns {
      let route = Route<[String: String], String>(id, [try RoutePattern(pattern)], access: .remote)
      router.register(route) { parameters in
        let values = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(id) " + values.joined(separator: ",")
      }
    }
    return router
  }

  private func opened(_ text: String, _ patterns: (String, String)...) async throws -> String? {
    let router = try router(patterns)
    guard let url = URL(string: text) else { return nil }
    do {
      return try await router.object(for: url, as: String.self, from: .local)
    } catch let error as RouteError {
      #expect(error.code == "route-not-found")
      return nil
    }
  }

  @Test func `an underscore is a path like any other`() async throws {
    #expect(try await opened("shop://_", ("a", "shop://_")) == "a ")
    #expect(try await opened("shop://x/_", ("a", "shop://x/:id")) == "a id=_")
    #expect(try await opened("shop://_", ("a", "shop://a")) == nil)
  }

  @Test func `a query item with a router's internal name is an ordinary text`() async throws {
    #expect(try await opened("shop://a?block=x", ("a", "shop://a")) == "a block=x")
    #expect(try await opened("shop://b?block=x&MGJRouterParameterCompletion=y", ("a", "shop://a")) == nil)
  }

  @Test func `a pattern is matched as a whole and not by its ends`() async throws {
    #expect(try await opened("shop://foo/junk/bar", ("a", "shop://foo/bar")) == nil)
    #expect(try await opened("shop://foo/bar/junk", ("a", "shop://foo/bar")) == nil)
    #expect(try await opened("shop://a/b", ("a", "shop://ab")) == nil)
    #expect(try await opened("shop://ab", ("a", "shop://a/b")) == nil)
    #expect(try await opened("shop://foo//bar", ("a", "shop://foo/bar")) == nil)
  }

  @Test func `a URL within a URL is text`() async throws {
    #expect(
      try await opened("shop://a?to=https://x.y/z?q=1", ("a", "shop://a"), ("b", "https://*/**"))
        == "a to=https://x.y/z?q=1")
    #expect(try await opened("shop://a/https%3A%2F%2Fx.y%2Fz", ("a", "shop://a/:to")) == "a to=https://x.y/z")
  }

  @Test func `encoded text is decoded once`() async throws {
    #expect(try await opened("shop://a/100%2525", ("a", "shop://a/:x")) == "a x=100%25")
    #expect(try await opened("shop://a?x=%252F&y=a%2Bb+c", ("a", "shop://a")) == "a x=%2F,y=a+b+c")
    let router = try router([("a", "shop://a/:x")])
    let route = Route<[String: String], String>("a", [try RoutePattern("shop://a/:x")])
    let url = try router.url(for: route, ["x": "%2F %25", "y": "%20"])
    #expect(try await router.object(for: url, as: String.self, from: .local) == "a x=%2F %25,y=%20")
  }

  @Test func `international hosts and ports are distinguished`() async throws {
    let patterns = [
      ("a", "https://bücher.example/:x"), ("b", "https://xn--bcher-kva.example:8443/:x"), ("c", "shop://日本/:x"),
    ]
    let router = try router(patterns)
    func text(_ text: String) async throws -> String { try await router.object(for: url(text), from: .remote) }
    #expect(try await text("https://bücher.example/1") == "a x=1")
    #expect(try await text("https://BÜCHER.example:443/1") == "a x=1")
    #expect(try await text("https://xn--bcher-kva.example/1") == "a x=1")
    #expect(try await text("https://b%C3%BCcher.example:8443/1") == "b x=1")
    #expect(try await text("shop://日本/1") == "c x=1")
    await #expect(throws: RouteError.self) { try await text("https://bücher.example:80/1") }
  }

  @Test func `a token removes a route with dots in its path, and no other route`() async throws {
    let router = try router([("b", "shop://a.b/c")])
    let token = router.register(Route<Void, String>("a", [#pattern("shop://a/b.c.d")])) { "a" }
    #expect(
      router.canOpen(url("shop://a/b.c.d"), from: .local)?.routeID == "a"
        && router.canOpen(url("shop://a.b/c"), from: .local)?.routeID == "b")
    token.cancel()
    #expect(
      router.canOpen(url("shop://a/b.c.d"), from: .local) == nil
        && router.canOpen(url("shop://a.b/c"), from: .local)?.routeID == "b")
  }

  @Test(arguments: [
    "shop:", "shop:/", "shop://", "shop:///", "://", "?", "#", "shop://a?", "shop://a?&&=&=x&y", "shop://a#",
    "shop://a/%", "shop://a/%zz",
    "shop://a/%00", "shop://a/%ff%fe", "shop://[::1]/a", "shop://a:99999/", "shop://@/", "//a/b", "/a/b", "a",
    "shop://a/" + "b/",
  ])
  func `every text that Foundation accepts as a URL is opened or rejected`(text: String) async throws {
    let router = try router([("a", "shop://a/:x"), ("b", "shop://:host/**"), ("c", "shop:**")])
    guard let url = URL(string: text) else { return }
    let match = router.canOpen(url, from: .remote)
    let outcome = try? await router.open(url, from: .remote)
    #expect(match?.routeID == outcome?.request.routeID)
  }
}
