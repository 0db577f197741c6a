import Foundation
import Registry
import Routing
import TestSupport
import Testing

private struct List: Codable, Sendable, Equatable {
  var name: String
  var page: Int?
  var sort: String?
}

private struct View: Codable, Sendable, Equatable {
  var id: String
  var tab: String?
}

extension Route where Parameters == List, Outcome == List {
  fileprivate static var list: Self {
    .init("forms.list", [#pattern("shop://list/:name(/page/:page(Int))(/by/:sort)")], access: .remote)
  }
}
extension Route where Parameters == View, Outcome == View {
  fileprivate static var view: Self {
    .init("forms.view", [#pattern("https://shop.example/#/view/:id")], access: .remote)
  }
  fileprivate static var item: Self { .init("forms.item", [#pattern("myapp://:id")], access: .remote) }
}

@Suite(.timeLimit(.minutes(20))) struct LinkFormTests {
  private func router() -> Router {
    let router = Router()
    router.register(.list) { $0 }
    router.register(.view) { $0 }
    return router
  }

  @Test(arguments: [
    ("shop://list/cups", List(name: "cups")), ("shop://list/cups/page/2", List(name: "cups", page: 2)),
    ("shop://list/cups/by/price", List(name: "cups", sort: "price")),
    ("shop://list/cups/page/2/by/price", List(name: "cups", page: 2, sort: "price")),
    ("shop://list/cups?page=3", List(name: "cups", page: 3)),
    ("shop://list/cups/page/2?page=3", List(name: "cups", page: 2)),
  ])
  private func `a link with or without its optional segments opens one route`(text: String, list: List) async throws {
    #expect(try await router().object(for: url(text), from: .remote) == list)
  }

  @Test(arguments: [
    (List(name: "cups"), "shop://list/cups"), (List(name: "a/b", page: 2), "shop://list/a%2Fb/page/2"),
    (List(name: "cups", sort: "price"), "shop://list/cups/by/price"),
    (List(name: "cups", page: 2, sort: "price"), "shop://list/cups/page/2/by/price"),
  ])
  private func `a URL has the optional segments for which there are values`(list: List, text: String) async throws {
    let made = try router().url(for: .list, list)
    #expect(made.absoluteString == text)
    #expect(try await router().object(for: made, from: .remote) == list)
  }

  @Test func `a value that would be read back as another one becomes a part of the query`() throws {
    let router = Router()
    let route = Route<List, List>("forms.two", [#pattern("shop://two/:name(/:page)(/:sort)")])
    router.register(route) { $0 }
    #expect(try router.url(for: route, List(name: "a", sort: "b")).absoluteString == "shop://two/a?sort=b")
    #expect(try router.url(for: route, List(name: "a", page: 1)).absoluteString == "shop://two/a/1")
  }

  @Test func `a parameter that is missing in every choice of segments is named`() throws {
    let router = Router()
    let route = Route<[String: String], Void>("forms.missing", [#pattern("shop://x/:a(/:b)")])
    router.register(route) { _ in }
    let error = #expect(throws: RouteError.self) { try router.url(for: route, ["b": "1"]) }
    #expect(error?.code == "missing-parameter" && error?.description.contains("':a'") == true)
  }

  @Test(arguments: [
    ("https://shop.example/#/view/7", View(id: "7")), ("https://shop.example#/view/a%20b/", View(id: "a b")),
    ("https://shop.example/#/view/7?tab=x", View(id: "7", tab: "x")),
    ("https://shop.example/?tab=first#/view/7?tab=second", View(id: "7", tab: "first")),
    ("https://shop.example/#/view/7?id=evil", View(id: "7")),
  ])
  private func `a link of a web app opens the route of its fragment`(text: String, view: View) async throws {
    #expect(try await router().object(for: url(text), from: .remote) == view)
    #expect(
      try router().url(for: .view, View(id: "7", tab: "x")).absoluteString == "https://shop.example/?tab=x#/view/7")
  }

  @Test func `a request has the fragment and its query`() async throws {
    let router = router()
    let outcome = try await router.open(url("https://shop.example/?a=1#/view/7?b=2"), from: .remote)
    #expect(outcome.request.fragment == "/view/7?b=2" && outcome.request.queryItems.map(\.name) == ["a", "b"])
    // The fragment is a path only if the pattern has one.
    router.register(.home) { "home" }
    let other = try await router.open(url("shop://home?a=1#/x?b=2"), from: .local)
    #expect(other.request.fragment == "/x?b=2" && other.request.queryItems.map(\.name) == ["a"])
  }

  @Test(arguments: ["aZ09-_", "Post", "한글", "blog post", "a/b", "x@y", "100%", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"])
  func `an identifier in the position of the host keeps its text`(id: String) async throws {
    let router = Router()
    router.register(.item) { $0 }
    let made = try router.url(for: .item, View(id: id))
    #expect(try await router.object(for: made, from: .remote) == View(id: id))
  }

  @Test func `Foundation's form of an international host is decoded`() async throws {
    let router = Router()
    router.register(.item) { $0 }
    #expect(try await router.object(for: url("myapp://한글"), from: .remote) == View(id: "한글"))
  }

  @Test func `a menu that is known at run time has routes`() async throws {
    let router = Router()
    let menu = ["home": "menu://home", "cart": "menu://cart/:id"]
    let tokens = try menu.map { id, pattern in
      let route = Route<[String: String], String>("menu." + id, [try RoutePattern(pattern)], access: .remote)
      return router.register(route) { parameters in id + (parameters["id"] ?? "") }
    }
    #expect(router.routes.map(\.id) == ["menu.cart", "menu.home"])
    #expect(try await router.object(for: url("menu://cart/7"), from: .remote) == "cart7")
    #expect(try await router.open(Route<[String: String], String>("menu." + "home"), [:]) == "home")
    for token in tokens { token.cancel() }
    #expect(router.canOpen(url("menu://home"), from: .remote) == nil)
  }

  @Test func `a fallback receives what was opened`() async throws {
    let router = Router()
    router.register(Route<Void, [String]>("forms.rest", [#pattern("mgj:**")])) { _, request in
      request.remainingSegments ?? ["none"]
    }
    #expect(try await router.object(for: url("mgj://Search/a%2Fb/c?d=e"), from: .local) == ["Search", "a/b", "c"])
    #expect(try await router.object(for: url("mgj:plain"), from: .local) == ["plain"])
    #expect(try await router.object(for: url("mgj://"), from: .local) == [String]())
  }
}
