import Foundation
import Routing
import Testing

/// The patterns that error messages suggest for URLs that no route opens.
@Suite(.timeLimit(.minutes(20))) struct NearestPatternTests {
  /// Returns the message for a URL that none of the patterns matches.
  private func message(_ text: String, _ patterns: [String], from origin: RouteOrigin = .local) async throws -> String {
    let router = Router()
    let route = Route<[String: String], String>(
      "near.route", try patterns.map { try RoutePattern($0) }, access: .remote)
    router.register(route) { _ in "" }
    let error = await #expect(throws: RouteError.self) { try await router.open(url(text), from: origin) }
    return error?.description ?? ""
  }

  @Test(arguments: [
    ("m://order/x", "m://order/:id(Int)", "its parameter 'id' accepts only 'Int', and the URL has 'x'"),
    (
      "m://order#/list/x", "m://order#/list/:id(Int)",
      "its parameter 'id' accepts only 'Int', and the URL has 'x'"
    ),
    ("m://order", "m://order#/list/:id(Int)", "the URL has no segment for '#/list/:id(Int)'"),
    ("m://order/x/y/z", "m://order/:id(Int)/**", "its parameter 'id' accepts only 'Int', and the URL has 'x'"),
    ("m://order/7/x", "m://order/:id(Int)/:on(Bool)", "its parameter 'on' accepts only 'Bool', and the URL has 'x'"),
    ("m://order/x/y", "m://order/:id(Int)/:on(Bool)", "its parameter 'id' accepts only 'Int', and the URL has 'x'"),
    ("m://order/x.html", "m://order/:id(Int).html", "its parameter 'id' accepts only 'Int', and the URL has 'x'"),
    (
      "m://order/7.htm", "m://order/:id.html",
      "'.html' must follow the value of its parameter 'id', and the URL has '7.htm'"
    ),
    (
      "m://order/.html", "m://order/:id.html",
      "'.html' must follow the value of its parameter 'id', and the URL has '.html'"
    ),
    ("m://order//items", "m://order/:id/items", "the value of its parameter 'id' is empty"),
    ("m://order//items", "m://order/*/items", "the segment for '*' is empty"),
    ("m://order/%FF", "m://order/:id(Int)", "the value of its parameter 'id' is not valid percent-encoded text"),
    ("m://order", "m://order/:id(Int).html", "the URL has no segment for ':id(Int).html'"),
    ("m://order/7", "m://order/:id/items", "the URL has no segment for 'items'"),
    ("m://order/7/new", "m://order/:id", "the URL has the additional segment 'new'"),
    (
      "m://order/a/b/c", "m://order/:id",
      "the URL has 2 additional segments; '**' at the end of a pattern matches the remaining segments"
        + " ('request.remainingSegments')"
    ),
    ("m://order:8080/7", "m://order/:id", "the pattern has no port, and the URL has the port 8080"),
    ("m://order/7", "m://order:8080/:id", "the port must be 8080, and the URL has none"),
    ("m://order/..", "m://order/:id", "a path with '.' or '..' matches only the fallback of a scheme"),
  ])
  func `a URL that nearly matches a pattern is an error with the reason, without the advice to link a target`(
    text: String, pattern: String, reason: String
  ) async throws {
    #expect(
      try await message(text, [pattern])
        == "no route opens '\(text)'; the pattern '\(pattern)' nearly matches, but \(reason); correct the URL or the pattern"
        + " [route-not-found]")
  }

  @Test(arguments: [
    ("m://items/7", ["m://item/:id(Int)", "m://items/:a/:b", "m://stems/:id"], "m://item/:id(Int)"),
    ("m://order/nev", ["m://order/:id(Int)", "m://order/new"], "m://order/new"),
    ("m://ordr/x", ["m://order/:id(Int)"], "m://order/:id(Int)"),
    ("m:/helps", ["m:///help"], "m:///help"),
    ("m://shoppinglist", ["m://shoppinglisten", "m://shoppinglists"], "m://shoppinglists"),
  ])
  func `a literal with another spelling is suggested`(text: String, patterns: [String], nearest: String) async throws {
    #expect(try await message(text, patterns) == Self.unknown(text, "; did you mean '\(nearest)'?"))
  }

  @Test(arguments: [
    ("m://order/x", ["m://:id(Int)/x"]), ("m://order/x", ["m://cart/:id(Int)"]), ("m://x", ["m://y"]),
    ("m://order/7/a/b", ["m://order/:id(Int)", "m://order/7", "m://:id"]), ("m://order", ["m://order/:id/:item"]),
    ("m://order/x/a", ["m://order/:id(Int)"]), ("other://order/x", ["m://order/:id(Int)"]),
  ])
  func `a URL that matches no pattern nearly is an error without a suggestion`(text: String, patterns: [String])
    async throws
  {
    #expect(try await message(text, patterns) == Self.unknown(text))
  }

  @Test func `among patterns that nearly match, the one with more literals is named`() async throws {
    let text = try await message("m://shop/order/x", ["m://shop/:kind/:id(Int)", "m://shop/order/:id(Int)"])
    #expect(text.contains("; the pattern 'm://shop/order/:id(Int)' nearly matches"))
  }

  @Test func `a remote request learns which remote pattern it nearly matches, in debug builds only`() async throws {
    let unreachable =
      "link the target that exports the route, and declare it with 'access: .remote' and a pattern if requests from"
      + " outside the app may open it"
    #if DEBUG
    let (reason, spelling) = (
      "the pattern 'm://order/:id(Int)' nearly matches, but its parameter 'id' accepts only 'Int', and the URL has 'x';"
        + " correct the URL or the pattern",
      "did you mean 'm://order/:id(Int)'?"
    )
    #else
    let (reason, spelling) = (unreachable, unreachable)
    #endif
    for (text, message) in [("m://order/x", reason), ("m://www.order/7", unreachable), ("m://ordr/7", spelling)] {
      #expect(
        try await self.message(text, ["m://order/:id(Int)"], from: .remote)
          == "no route opens '\(text)'; \(message) [route-not-found]")
    }
  }

  @Test(arguments: [RouteOrigin.local, .remote])
  func `a message has no line breaks of the URL`(_ origin: RouteOrigin) async throws {
    let message = try await message("m://order/a%0Ab", ["m://order/:id(Int)"], from: origin)
    #expect(!message.contains("\n"))
    #if DEBUG
    #expect(message.contains("and the URL has 'a\\u{a}b'"))
    #endif
  }

  @Test func `a remote request learns of no local pattern, and of none if a local route opens it`() async throws {
    let router = Router(onDiagnostic: { _ in })
    router.register(Route<[String: String], Void>("near.local", [#pattern("m://order/:id(Int)")])) { _ in }
    router.register(Route<[String: String], Void>("near.remote", [#pattern("m://cart/:id(Int)")], access: .remote)) {
      _ in
    }
    router.register(Route<[String: String], Void>("near.exact", [#pattern("m://cart/new")])) { _ in }
    for text in ["m://order/x", "m://ordr/7", "m://cart/new"] {
      let error = await #expect(throws: RouteError.self) { try await router.open(url(text), from: .remote) }
      #expect(error?.description.contains("; link the target that exports the route") == true)
    }
  }

  private static func unknown(_ text: String, _ suggestion: String = "") -> String {
    "no route opens '\(text)'; export the route with '#exportRoute' or '@ExportRoute', and link the target that exports"
      + " it\(suggestion) [route-not-found]"
  }
}
