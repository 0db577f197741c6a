import Testing

@testable import RoutePatterns

/// URLs and patterns that crash other routers, or that other routers match incorrectly.
@Suite struct KnownFaultsTests {
  @Test(arguments: ["shop://_", "shop://h/_", "shop:_", "shop://_/_/_", "shop://h/_?_=_#_"])
  func `An underscore is a path like any other`(_ url: String) throws {
    #expect(try trie(["shop://h/x", "shop:**"]).match(URLParts(url)).map(\.payload) == [1])
    #expect(try matches(["shop://h/_"], "shop://h/_") == ["shop://h/_"])
  }

  @Test func `A parameter with a router's internal name, such as block, is a parameter`() throws {
    let url = try URLParts("shop://h/x?block=x&MGJRouterParameterURL=y&completion=z&__payload=0")
    #expect(url.queryItems.map(\.name) == ["block", "MGJRouterParameterURL", "completion", "__payload"])
    #expect(try trie(["shop://h/y"]).match(url).map(\.payload).isEmpty)
    #expect(try matches(["shop://h/:block"], "shop://h/a?block=b") == ["shop://h/:block block=a"])
  }

  @Test func `An additional segment matches nothing`() throws {
    #expect(try matches(["foo://h/foo/bar", "foo://foo/bar"], "foo://h/foo/junk/bar").isEmpty)
    #expect(try matches(["foo://foo/bar"], "foo://foo/junk/bar").isEmpty)
    #expect(try matches(["foo://foo/bar"], "foo://foo/bar/junk").isEmpty)
    #expect(try matches(["foo://foo/:a"], "foo://foo/junk/bar").isEmpty)
    #expect(try matches(["foo://foo/bar"], "foo://foo").isEmpty)
  }

  @Test func `Segments are not joined`() throws {
    #expect(try matches(["shop://h/ab"], "shop://h/a/b").isEmpty)
    #expect(try matches(["shop://h/a/b"], "shop://h/ab").isEmpty)
    #expect(try matches(["shop://ab"], "shop://a/b").isEmpty)
    #expect(try matches(["shop://a/b"], "shop://ab").isEmpty)
  }

  @Test func `A URL in the query or the fragment is not part of the path`() throws {
    for url in ["shop://order/7?from=https://evil.example/a/b", "shop://order/7#https://evil.example/a"] {
      #expect(try matches(["shop://order/:id", "https://evil.example/**"], url) == ["shop://order/:id id=7"])
    }
    #expect(throws: URLPartsError.self) { try URLParts("order?next=shop://order/7") }
    #expect(try matches(["shop://order"], "shop://order?next=shop://other") == ["shop://order"])
  }

  @Test func `Encoded text is not encoded or decoded again`() throws {
    #expect(try matches(["shop://h/:a"], "shop://h/100%25%20a%2Bb") == ["shop://h/:a a=100% a+b"])
    #expect(try matches(["shop://h/:a"], "shop://h/%2525") == ["shop://h/:a a=%25"])
    let url = try PatternSyntax("shop://h/:a").generate { _ in "%20" }
    #expect(url == "shop://h/%2520")
    #expect(try matches(["shop://h/:a"], url) == ["shop://h/:a a=%20"])
  }

  @Test func `A number and each element of an array can be generated`() throws {
    let url = try PatternSyntax("shop://h/:id(Int)").generate(query: ["a", "b"].map { ("tag", $0) }) {
      _ in
      "\(7)"
    }
    #expect(url == "shop://h/7?tag=a&tag=b")
    #expect(try URLParts(url).queryItems.map(\.value) == ["a", "b"])
  }

  @Test func `A dot in a path is a character, and removing a pattern keeps the others`() throws {
    let patterns = ["shop://h/a.b", "shop://h/a", "shop://h/a/b", "shop://h/:x.b"]
    #expect(try matches(patterns, "shop://h/a.b") == ["shop://h/a.b", "shop://h/:x.b x=a"])
    #expect(try matches(Array(patterns.dropFirst()), "shop://h/a.b") == ["shop://h/:x.b x=a"])
    #expect(try matches(Array(patterns.dropFirst()), "shop://h/a/b") == ["shop://h/a/b"])
    #expect(try matches(["shop://h/a.b"], "shop://h/a%2Eb").count == 1)
    #expect(try matches(["shop://h/a.b"], "shop://h/axb").isEmpty)
  }

  @Test func `User information before the host is not the host`() throws {
    let patterns = ["https://shop.example/:x"]
    for url in [
      "https://shop.example@evil.example/a", "https://shop.example:443@evil.example/a",
      "https://evil.example/@shop.example/a",
    ] {
      #expect(try matches(patterns, url).isEmpty)
    }
    #expect(try matches(patterns, "https://user:secret@shop.example/a") == ["https://shop.example/:x x=a"])
    #expect(try matches(patterns, "https://evil.example#@shop.example/a").isEmpty)
    #expect(try matches(patterns, "https://evil.example?@shop.example/a").isEmpty)
  }

  @Test func `Parameter names and asterisks of patterns have no meaning in URLs`() throws {
    #expect(try matches(["shop://h/a"], "shop://h/:id").isEmpty)
    #expect(try matches(["shop://h/a"], "shop://h/*").isEmpty)
    #expect(try matches(["shop://h/:id"], "shop://h/:id") == ["shop://h/:id id=:id"])
    #expect(try matches(["shop://a"], "shop://*").isEmpty)
    #expect(try matches(["shop://a"], "shop:**").isEmpty)
  }
}
