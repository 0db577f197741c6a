import Testing

@testable import RoutePatterns

@Suite struct PatternSyntaxTests {
  /// Returns a segment as one line of text.
  private func text(_ segment: PatternSyntax.Segment) -> String {
    switch segment {
    case .literal(let text): text
    case .parameter(let parameter):
      ":\(parameter.name)\(parameter.type.map { "(\($0.rawValue))" } ?? "")\(parameter.suffix)"
    case .wildcard: "*"
    case .rest: "**"
    }
  }

  @Test(arguments: [
    ("shop://order/:id", "shop", "order", nil, [":id"]),
    ("SHOP+v1.0-x://Order/New", "shop+v1.0-x", "order", nil, ["New"]),
    ("https://shop.example/orders/:id(Int).html", "https", "shop.example", nil, ["orders", ":id(Int).html"]),
    ("https://shop.example:8443/a", "https", "shop.example", 8443, ["a"]),
    ("https://shop.example:443/a", "https", "shop.example", nil, ["a"]),
    ("shop://shop.example:443", "shop", "shop.example", 443, []),
    ("https://bücher.example/straße", "https", "xn--bcher-kva.example", nil, ["straße"]),
    ("https://[::1]:80/a", "https", "[::1]", 80, ["a"]),
    ("https://[FE80::1]", "https", "[fe80::1]", nil, []),
    ("shop://:tenant.Shop.example/*", "shop", ":tenant.shop.example", nil, ["*"]),
    ("shop://:tenant:8080/*", "shop", ":tenant", 8080, ["*"]),
    ("shop://:number(UInt):80", "shop", ":number(UInt)", 80, []),
    ("shop://*/**", "shop", "*", nil, ["**"]),
    ("shop:///order//:id", "shop", "", nil, ["order", "", ":id"]),
    ("shop://", "shop", "", nil, []),
    ("shop://order/%3Aid/%2A/50%25/a%2Fb/caf%C3%A9", "shop", "order", nil, [":id", "*", "50%", "a/b", "café"]),
    ("shop://_/_", "shop", "_", nil, ["_"]),
    ("shop://o/:id_2-x/(a)/a@b", "shop", "o", nil, [":id_2-x", "(a)", "a@b"]),
    ("shop://o/:名前.html", "shop", "o", nil, [":名前.html"]),
    ("shop://o/a/", "shop", "o", nil, ["a"]),
    ("shop://o/a//", "shop", "o", nil, ["a", ""]),
  ])
  func `A pattern is parsed into its parts`(
    _ pattern: String, _ scheme: String, _ host: String, _ port: Int?, _ segments: [String]
  ) throws {
    let parsed = try PatternSyntax(pattern)
    #expect(parsed.scheme == scheme)
    #expect(parsed.host.map(text) == host)
    #expect(parsed.port == port)
    #expect(parsed.segments.map(text) == segments)
    #expect(parsed.description == pattern && !parsed.isSchemeFallback)
  }

  @Test func `A scheme followed by two asterisks is the fallback for it`() throws {
    let fallback = try PatternSyntax("Shop:**")
    #expect(fallback.isSchemeFallback && fallback.scheme == "shop" && fallback.parameters.isEmpty)
  }

  @Test func `Parameters are listed from the left, the host's first`() throws {
    let pattern = try PatternSyntax("shop://:tenant/:a(Int)/x/:b.html/**")
    #expect(pattern.parameters.map(\.name) == ["tenant", "a", "b"])
    #expect(pattern.parameters.map(\.type) == [nil, .int, nil])
  }

  @Test(arguments: [
    ("", 0, "missing scheme"),
    ("order/:id", 5, "missing scheme"),
    ("/order/:id", 0, "missing scheme"),
    ("://order", 0, "missing scheme"),
    ("1shop://order", 0, "missing scheme"),
    ("shop", 4, "missing scheme"),
    ("shöp://order", 2, "missing scheme"),
    (":scheme://order", 0, "missing scheme"),
    ("shop:", 5, "expected '//' after the scheme"),
    ("shop:/order", 5, "expected '//' after the scheme"),
    ("shop:*", 5, "expected '//' after the scheme"),
    ("shop:**/a", 5, "expected '//' after the scheme"),
    ("*://order", 0, "a scheme cannot vary"),
    ("http(s)://order", 4, "a pattern for each scheme"),
    ("https?://order", 5, "a scheme cannot vary"),
    ("shop://order/:id?x=:y", 16, "must not contain a query"),
    ("shop://order/list?", 17, "must not contain a query"),
    ("shop://:shop?", 12, "must not contain a query"),
    ("shop://order/:id?", 16, "as '(/:name)'"),
    ("shop://order/:id(Int)?/items", 21, "as '(/:name)'"),
    ("shop://order/:id(\\d+)", 17, "a pattern is not a regular expression"),
    ("shop://:shop+/x", 12, "expected a dot and a host after the parameter"),
    ("shop://order/:id+", 16, "write '**' at the end to match the remaining segments"),
    ("shop://order/:path*", 18, "('request.remainingSegments'), or '%2A'"),
    ("shop://order/:path...", 18, "a parameter matches one segment; write '**' at the end"),
    ("shop://order/:id(Int)+/items", 21, "or '%2B' for the literal text"),
    ("shop://order/:id%2B", 0, ""),
    ("shop://order/:n+1", 0, ""),
    ("shop://order/**:rest", 13, "a wildcard has no name"),
    ("shop://order/*rest", 13, "a wildcard has no name"),
    ("shop://order/*.html", 13, "as in ':name.html'"),
    ("shop://order#top", 12, "the fragment of a pattern must be a path"),
    ("shop://order/{id}", 13, "a parameter as ':name'"),
    ("shop://order{/:id}", 12, "an optional segment as '(/:name)'"),
    ("shop://order/<id>", 13, "a parameter as ':name'"),
    ("shop://order/a b", 14, "write '%20'"),
    ("shop://order/a\nb", 14, "write '%0A'"),
    ("shop://order\\a", 12, "or '%5C' for the literal character"),
    ("shop://user@order", 11, "must not contain a user"),
    ("shop://order:", 13, "the port must be a number"),
    ("shop://order:x", 13, "the port must be a number"),
    ("shop://order:65536", 13, "the port must be a number"),
    ("shop://order:99999999999999999999", 13, "the port must be a number"),
    ("shop://:80/a", 7, "missing host before the port"),
    ("shop://[::1", 11, "missing ']'"),
    ("shop://[::1]x", 12, "invalid host"),
    ("shop://[]", 7, "invalid host"),
    ("shop://a%2Fb", 7, "invalid host"),
    ("shop://a%zz", 7, "invalid host"),
    ("shop://**/a", 7, "'**' is not a host"),
    ("shop://*.example", 7, "a whole segment"),
    ("shop://:tenant-example", 14, "expected a dot"),
    ("shop://:tenant.%2F", 14, "expected a dot"),
    ("shop://o/**/a", 12, "must be the last one"),
    ("shop://o/**/", 0, ""),
    ("shop://o/a*", 10, "or '%2A' for a literal asterisk"),
    ("shop://o/[0-9]+", 9, "a pattern is not a regular expression"),
    ("shop://o/a]", 10, "'%5B' and '%5D'"),
    ("shop://o/%5B0%5D", 0, ""),
    ("shop://o/***", 9, "'%2A'"),
    ("shop://o/a:id", 10, "write '%3A'"),
    ("shop://o/:a:b", 11, "write '%3A'"),
    ("shop://o/:a*", 11, "'%2A'"),
    ("shop://o/:", 10, "missing name after the colon"),
    ("shop://o/:(Int)", 10, "missing name after the colon"),
    ("shop://o/:1st", 10, "missing name after the colon"),
    ("shop://o/:id(Int", 16, "missing ')'"),
    ("shop://o/:id(int)", 13, "unknown type 'int'; the types are 'UUID', 'Bool', 'UInt', 'Int', 'Double',"),
    ("shop://o/:id()", 13, "unknown type ''"),
    ("shop://:a/:b/:a", 14, "duplicate parameter 'a'"),
    ("shop://a/:\u{e9}/:e\u{301}", 14, "duplicate parameter 'e\u{301}'"),
    ("shop://o/50%", 11, "write '%25'"),
    ("shop://o/x%zz", 10, "write '%25'"),
    ("shop://o/%ff", 9, "write '%25'"),
    ("shop://o/:a.%c0%af", 12, "write '%25'"),
    ("shop://o/a%00b", 9, "control character"),
    ("shop://o/.", 9, "write the path that they lead to"),
    ("shop://o/a/%2e./b", 11, "write the path that they lead to"),
  ])
  func `A malformed pattern is rejected with its location and the fix`(
    _ pattern: String, _ offset: Int, _ reason: String
  ) throws {
    // An entry without a reason is a valid pattern that resembles the invalid ones.
    guard !reason.isEmpty else {
      #expect(try PatternSyntax(pattern).segments.count == 1)
      return
    }
    let error = try #require(throws: PatternError.self) { try PatternSyntax(pattern) }
    #expect(error.offset == offset, "\(error)")
    #expect(error.reason.contains(reason), "\(error)")
    #expect(error.text == pattern)
  }

  @Test func `Every short text is a pattern or an error with a location in it`() {
    let characters = ["s", ":", "/", "*", "%", "2", "(", ")", "[", "]", "@", ".", "é", "\u{0}", "Int"]
    var patterns = 0
    func check(_ text: String, _ depth: Int) {
      do throws(PatternError) {
        _ = try PatternSyntax(text)
        patterns += 1
      } catch {
        #expect(error.offset >= 0 && error.offset <= text.utf8.count && !error.reason.isEmpty)
      }
      if depth > 0 { for character in characters { check(text + character, depth - 1) } }
    }
    for start in ["", "s://", "s://:a", "s://a/:b"] { check(start, 3) }
    #expect(patterns > 1_000)
  }
}
