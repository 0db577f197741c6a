import Testing

@testable import RoutePatterns

@Suite struct FragmentTests {
  // The patterns and URLs are those of JLRoutes' tests.
  @Test(arguments: [
    ("tests://user#/view/:id", "tests://user#/view/joeldev", " id=joeldev"),
    ("tests://user#/view/:id", "tests://user#/view/joeldev/", " id=joeldev"),
    ("tests://user#/view/:id", "tests://user#/view/joel%20levin?foo=bar", " id=joel levin"),
    ("tests://:object#/:action/:key", "tests://Post#/edit/123", " object=Post action=edit key=123"),
    ("tests://in/:a#/foo/:b", "tests://in/x#/foo/y", " a=x b=y"),
    ("tests://xyz/wildcard#/**", "tests://xyz/wildcard#/matches/with/extra", " rest=matches,with,extra"),
    ("tests://xyz/wildcard#/**", "tests://xyz/wildcard#", " rest="),
    ("tests://xyz/wildcard#/**", "tests://xyz/wildcard#/", " rest="),
    ("tests://user#/view/**", "tests://user#/view", " rest="),
    ("https://shop.example#/", "https://shop.example#", ""),
    ("tests://route#/:p/**", "tests://route#/matches/with/wildcard", " p=matches rest=with,wildcard"),
    ("tests://r#/:a(/optional/:b)(/more/:c)", "tests://r#/x/more/z", " a=x c=z"),
    ("https://shop.example/#/orders/:id(Int)", "https://shop.example/#/orders/7", " id=7"),
    ("https://shop.example#/", "https://shop.example/#/", ""), ("shop://h#/a%2Fb", "shop://h#/a%2fb", ""),
    ("shop://h(/:a)#/*", "shop://h/x#/y", " a=x"),
  ])
  func `A pattern with a fragment matches its path`(_ pattern: String, _ url: String, _ values: String) throws {
    #expect(try matches([pattern], url) == [pattern + values])
  }

  @Test(arguments: [
    "https://shop.example/", "https://shop.example/orders/7", "https://shop.example/#orders/7",
    "https://shop.example/#/orders", "https://shop.example/#/orders/7/items", "https://shop.example/%23/orders/7",
    "https://shop.example/a#/orders/7", "https://shop.example/#/orders/x/../7", "https://shop.example/#/./orders/7",
    "https://shop.example/#?/orders/7",
  ])
  func `A URL with another path or fragment does not match`(_ url: String) throws {
    #expect(try matches(["https://shop.example/#/orders/:id"], url).isEmpty)
  }

  @Test func `A pattern with a fragment comes before the same pattern without one`() throws {
    let patterns = ["shop://h/**", "shop://h/a", "shop://h/a#/:x", "shop://h/:p#/b", "shop:**", "shop://h/a#/b"]
    #expect(
      try matches(patterns, "shop://h/a#/b") == [
        "shop://h/a#/b", "shop://h/a#/:x x=b", "shop://h/a", "shop://h/:p#/b p=a", "shop://h/** rest=a",
        "shop:** rest=h,a",
      ])
    #expect(try matches(patterns, "shop://h/a") == ["shop://h/a", "shop://h/** rest=a", "shop:** rest=h,a"])
    #expect(try matches(["shop://h/:x", "shop://h/*/*"], "shop://h/a#/b") == ["shop://h/:x x=a"])
    #expect(try matches(["shop://h/**", "shop://h", "shop://h#/**"], "shop://h#").first == "shop://h#/** rest=")
  }

  // The fragment follows the path after a separator, which must not count as a segment.
  @Test(arguments: ["shop://h/:x", "shop://h/*", "shop://h/:x/b", "shop://h/*/b", "shop://h/:x(Name)", "shop://h/:x.b"])
  func `A segment does not match the beginning of a fragment`(_ pattern: String) throws {
    for url in ["shop://h#/b", "shop://h/#/b", "shop://h#/", "shop://h#", "shop://h#b"] {
      #expect(try matches([pattern], url).isEmpty, "\(url)")
      #expect(try matches([pattern, "shop://h"], url) == ["shop://h"], "\(url)")
    }
  }

  @Test func `The query of a fragment is separate`() throws {
    let url = try URLParts("tests://user?go=home#/view/x?id=y&a")
    #expect(pairs(url.queryItems) == [["go", "home"]])
    #expect(pairs(url.fragmentQueryItems) == [["id", "y"], ["a", nil]])
    #expect(url.fragment == "/view/x?id=y&a" && url.segments.isEmpty)
    #expect(try URLParts("tests://user#view?x=1").fragmentQueryItems.isEmpty)
  }

  @Test(arguments: [
    ("shop://h#a", 8, "must be a path"), ("shop://h#", 8, "must be a path"), ("shop://h#/a#/b", 11, "must be a path"),
    ("shop://h/**#/a", 11, "must be the last one"), ("shop:**#/a", 5, "expected '//'"),
  ])
  func `A malformed fragment is an error at its position`(_ text: String, _ offset: Int, _ reason: String) throws {
    let error = try #require(throws: PatternError.self) { try PatternSyntax(text) }
    #expect(error.offset == offset && error.reason.contains(reason), "\(error)")
  }

  @Test func `A URL with a fragment is generated`() throws {
    let pattern = try PatternSyntax("https://shop.example/app/#/orders/:id")
    let url = try pattern.generate(query: [("tab", "x")]) { _ in "a/b" }
    #expect(url == "https://shop.example/app/?tab=x#/orders/a%2Fb")
    #expect(try matches([pattern.text], url) == [pattern.text + " id=a/b"])
    #expect(throws: PatternGenerationError.self) { try pattern.generate { _ in ".." } }
    #expect(try PatternSyntax("shop://h#/").generate { _ in nil } == "shop://h#/")
  }

  @Test(arguments: [
    ("shop://h/a#//", "shop://h/a#//"), ("shop://h#/a//", "shop://h#/a//"), ("shop://h#/a/", "shop://h#/a"),
    ("shop://h///#//", "shop://h///#//"),
  ])
  func `An empty segment at the end is generated so that it is read back`(_ text: String, _ url: String) throws {
    #expect(try PatternSyntax(text).generate { _ in nil } == url)
    #expect(try matches([text], url) == [text])
  }
}
