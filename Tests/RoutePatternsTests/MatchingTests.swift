import Testing

@testable import RoutePatterns

@Suite struct MatchingTests {
  @Test(arguments: [
    (
      "shop://order/7",
      ["shop://order/:id(Int) id=7", "shop://order/:id id=7", "shop://order/* ", "shop://order/** rest=7"]
    ),
    (
      "shop://order/new",
      ["shop://order/new", "shop://order/:id id=new", "shop://order/* ", "shop://order/** rest=new"]
    ),
    (
      "shop://order/7.html",
      [
        "shop://order/:id(Int).html id=7", "shop://order/:id.html id=7", "shop://order/:id id=7.html",
        "shop://order/* ",
        "shop://order/** rest=7.html",
      ]
    ),
    ("shop://order", ["shop://order", "shop://order/** rest="]),
    ("shop://order/", ["shop://order", "shop://order/** rest="]),
    ("shop://order/7/items", ["shop://order/** rest=7,items"]),
  ])
  func `Literals come before typed parameters, those before untyped ones, then wildcards, then the fallback`(
    _ url: String, _ expected: [String]
  ) throws {
    let patterns = [
      "shop:**", "shop://order/**", "shop://order/*", "shop://order/:id", "shop://order/:id.html",
      "shop://order/:id(Int)",
      "shop://order/:id(Int).html", "shop://order/new", "shop://order",
    ]
    let rest = try URLParts(url).segments.reduce("order") { $0 + "," + $1 }
    let all = expected.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 } + ["shop:** rest=\(rest)"]
    #expect(try matches(patterns, url) == all)
    #expect(try matches(patterns.reversed(), url) == all)
  }

  @Test func `Among matching types, the narrower one comes first`() throws {
    let patterns = ["Double", "Int", "UInt", "Bool", "UUID"].map { "shop://h/:a(\($0))" }
    #expect(try matches(patterns, "shop://h/7") == ["UInt", "Int", "Double"].map { "shop://h/:a(\($0)) a=7" })
    #expect(try matches(patterns, "shop://h/-7") == ["Int", "Double"].map { "shop://h/:a(\($0)) a=-7" })
    #expect(try matches(patterns, "shop://h/true") == ["shop://h/:a(Bool) a=true"])
    #expect(try matches(patterns, "shop://h/x").isEmpty)
  }

  @Test func `A name contains no control character, separator, bidirectional control, or slash`() throws {
    let excluded: [ClosedRange<UInt32>] = [
      1...0x1f, 0x2f...0x2f, 0x5c...0x5c, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069,
    ]
    for value: UInt32 in 1...0x2100 {
      let text = "x\(try #require(Unicode.Scalar(value)))"
      #expect(
        ParameterType.name.accepts(Array(text.utf8)[...]) != excluded.contains { $0.contains(value) }, "\(value)")
    }
    #expect(try matches(["shop://h/:a(Name)"], "shop://h/x%C2%85").isEmpty)
    #expect(try matches(["shop://h/:a(Name)"], "shop://h/x%E2%80%AE").isEmpty)
    #expect(try matches(["shop://h/:a(Name)"], "shop://h/%D7%A9%F0%9F%98%80") == ["shop://h/:a(Name) a=ש😀"])
  }

  @Test func `Longer suffixes come before shorter ones, and equal suffixes are ordered by type`() throws {
    let patterns = [
      "shop://h/:a", "shop://h/:a.gz", "shop://h/:a.tar.gz", "shop://h/:a(Double).5", "shop://h/:a(Double)",
    ]
    #expect(
      try matches(patterns, "shop://h/x.tar.gz")
        == ["shop://h/:a.tar.gz a=x", "shop://h/:a.gz a=x.tar", "shop://h/:a a=x.tar.gz"])
    #expect(
      try matches(patterns, "shop://h/7.5")
        == ["shop://h/:a(Double).5 a=7", "shop://h/:a(Double) a=7.5", "shop://h/:a a=7.5"])
  }

  @Test func `Precedence is decided from the left, and by the host before the path`() throws {
    let patterns = ["shop://:h/a/b", "shop://h/:x/b", "shop://h/a/*", "shop://*/a/b", "shop://h/**"]
    #expect(
      try matches(patterns, "shop://h/a/b") == [
        "shop://h/a/*", "shop://h/:x/b x=a", "shop://h/** rest=a,b", "shop://:h/a/b h=h", "shop://*/a/b",
      ])
  }

  @Test func `The search backtracks from a branch without a match`() throws {
    let patterns = ["shop://h/a/b/c", "shop://h/a/:x(Int)/d", "shop://h/:y/b/d", "shop://h/*/*/*/e", "shop://h/**"]
    #expect(try matches(patterns, "shop://h/a/b/d") == ["shop://h/:y/b/d y=a", "shop://h/** rest=a,b,d"])
    #expect(try matches(patterns, "shop://h/a/b/c/e") == ["shop://h/*/*/*/e", "shop://h/** rest=a,b,c,e"])
  }

  @Test func `Candidates are searched one by one`() throws {
    var candidates = try trie(["shop://h/:a", "shop://h/7", "shop:**"]).match(URLParts("shop://h/7"))
    #expect(candidates.next()?.payload == 1)
    // A copy of the iterator continues independently.
    var others = candidates
    #expect(candidates.next()?.payload == 0 && others.next()?.payload == 0)
    #expect(candidates.next()?.payload == 2)
    #expect(candidates.next() == nil && candidates.next() == nil)
    #expect(others.next()?.payload == 2)
  }

  @Test func `Scheme and host are compared without case, the path with it`() throws {
    let patterns = ["Shop://Order.Example/New"]
    for url in [
      "shop://order.example/New", "SHOP://ORDER.EXAMPLE/New", "sHoP://%4frder.example/%4Eew",
      "ShOp://order.example/New",
    ] {
      #expect(try matches(patterns, url) == patterns)
    }
    #expect(try matches(patterns, "shop://order.example/new").isEmpty)
    #expect(try matches(["shop://:Name.Example"], "shop://ABC.EXAMPLE") == ["shop://:Name.Example Name=ABC"])
  }

  @Test func `An international host matches in each of its spellings`() throws {
    for pattern in ["https://bücher.example/", "https://xn--bcher-kva.example/", "https://b%C3%BCcher.example"] {
      for url in ["https://bücher.example", "https://XN--bcher-kva.example", "https://B%c3%9ccher.EXAMPLE"] {
        #expect(try matches([pattern], url) == [pattern])
      }
    }
  }

  @Test func `A port matches only itself, and the default port matches no port`() throws {
    let patterns = ["https://h/a", "https://h:8443/a", "shop://h:443/a"]
    for url in ["https://h/a", "https://h:443/a", "https://h:/a", "https://h:0443/a"] {
      #expect(try matches(patterns, url) == ["https://h/a"])
    }
    #expect(try matches(patterns, "https://h:8443/a") == ["https://h:8443/a"])
    #expect(try matches(patterns, "shop://h:443/a") == ["shop://h:443/a"])
    for url in ["https://h:80/a", "shop://h/a", "http://h/a", "http://h:443/a", "https://h:8443/b"] {
      #expect(try matches(patterns, url).isEmpty)
    }
    // The tree stores a port as two bytes. These must not match the same bytes of a host.
    #expect(try matches(["shop://h:24929/a"], "shop://aa/a").isEmpty)
    #expect(try matches(["shop://:x:8080/:y"], "shop://a:8080/b") == ["shop://:x:8080/:y x=a y=b"])
  }

  @Test func `An encoded slash is not a separator`() throws {
    #expect(try matches(["shop://h/a/b", "shop://h/:x"], "shop://h/a%2Fb") == ["shop://h/:x x=a/b"])
    #expect(try matches(["shop://h/a%2fb", "shop://h/a/b"], "shop://h/a%2Fb") == ["shop://h/a%2fb"])
    #expect(try matches(["shop://h/a%2Fb"], "shop://h/a/b").isEmpty)
  }

  @Test func `One trailing slash is ignored, and an empty segment matches only itself`() throws {
    #expect(try matches(["shop://h/a"], "shop://h/a/") == ["shop://h/a"])
    #expect(try matches(["shop://h/a/"], "shop://h/a") == ["shop://h/a/"])
    for url in ["shop://h/a//", "shop://h//a", "shop://h/a//b"] {
      #expect(
        try matches(["shop://h/a", "shop://h/:x", "shop://h/a/b", "shop://h/*/:y", "shop://h/:y/*"], url).isEmpty)
      #expect(try matches([url], url) == [url])
    }
    #expect(try matches(["shop://h//:x"], "shop://h//a") == ["shop://h//:x x=a"])
    #expect(try matches(["shop://:h/a", "shop://*/a"], "shop:///a").isEmpty)
    #expect(try matches(["shop://h/:x.html"], "shop://h/.html").isEmpty)
  }

  @Test func `A wildcard for the rest matches everything, also nothing, and URLs`() throws {
    let patterns = ["shop://h/go/**"]
    #expect(try matches(patterns, "shop://h/go") == ["shop://h/go/** rest="])
    #expect(try matches(patterns, "shop://h/go#a/b") == ["shop://h/go/** rest="])
    #expect(try matches(patterns, "shop://h/go/https://x/y%2Fz/") == ["shop://h/go/** rest=https:,,x,y/z"])
    #expect(try matches(patterns, "shop://h/gone").isEmpty)
  }

  @Test func `A URL with dot segments matches only the fallback of the scheme`() throws {
    let patterns = ["shop://h/a", "shop://h/:x/:y", "shop://h/*/*", "shop://h/**", "shop:**"]
    for path in ["b/../a", "./a", "a/.", "a/..", "%2e/a", "b/%2E%2e/a", "b/.%2e", ".", "..", "%2e%2E/"] {
      #expect(try trie(patterns).match(URLParts("shop://h/\(path)")).map(\.payload) == [4])
    }
    #expect(
      try matches(patterns, "shop://h/.../a") == [
        "shop://h/:x/:y x=... y=a", "shop://h/*/*", "shop://h/** rest=...,a", "shop:** rest=h,...,a",
      ])
  }

  @Test func `A URL without slashes after its scheme matches only the fallback`() throws {
    let patterns = ["shop://order/:id", "shop:///order/:id", "shop:**", "mailto:**"]
    for (url, rest) in [("shop:order/7", "order,7"), ("shop:", ""), ("SHOP:%2F%2Forder/7", "//order,7")] {
      #expect(try matches(patterns, url) == ["shop:** rest=\(rest)"])
    }
    #expect(try matches(patterns, "mailto:a@shop.example") == ["mailto:** rest=a@shop.example"])
    #expect(try matches(patterns, "shopping:order").isEmpty)
  }

  @Test func `A URL with one slash after its scheme has an empty host, but not on the web`() throws {
    let patterns = ["shop://order/:id", "shop:///order/:id", "shop:**", "shop://", "https:///a/:id", "https:**"]
    for url in ["shop:/order/7", "shop:///order/7", "SHOP:/order/7/"] {
      #expect(try matches(patterns, url) == ["shop:///order/:id id=7", "shop:** rest=order,7"])
    }
    #expect(try matches(patterns, "shop:/") == ["shop://", "shop:** rest="])
    #expect(try matches(patterns, "https:/a/b") == ["https:** rest=a,b"])
    #expect(try matches(["shop://:h/a", "shop://*/a"], "shop:/a").isEmpty)
  }

  @Test(arguments: [
    ("shop://order/7/items", "order,7,items"), ("shop://", ""), ("shop:///a", "a"),
    ("shop://Order/a%20b/", "Order,a b"),
    ("shop://h/../a", "h,..,a"), ("shop://h:80/%zz?q#f", "h,%zz"), ("shop://h/a#/b", "h,a"),
  ])
  func `The rest of a fallback is everything after the scheme`(_ url: String, _ rest: String) throws {
    #expect(try matches(["shop:**"], url) == ["shop:** rest=\(rest)"])
  }

  @Test func `A segment that cannot be decoded matches no literal, no parameter, and no suffix`() throws {
    let patterns = [
      "shop://h/%25zz", "shop://h/:x(Int)", "shop://h/:x.html", "shop://h/:x", "shop://h/*", "shop://h/**",
    ]
    let rest = ["shop://h/*", "shop://h/** rest=%zz"]
    #expect(try matches(patterns, "shop://h/%zz") == ["shop://h/:x x=%zz"] + rest)
    #expect(try matches(patterns, "shop://h/%25zz") == ["shop://h/%25zz", "shop://h/:x x=%zz"] + rest)
    #expect(try matches(patterns, "shop://h/%ff.html").first == "shop://h/:x x=%ff.html")
    #expect(try matches(patterns, "shop://h/%37").first == "shop://h/:x(Int) x=7")
  }

  @Test func `Texts that look alike are different`() throws {
    #expect(try matches(["shop://h/caf\u{e9}"], "shop://h/cafe\u{301}").isEmpty)
    #expect(try matches(["shop://h/caf\u{e9}"], "shop://h/caf%C3%A9").count == 1)
    #expect(try matches(["shop://h/k"], "shop://h/\u{212a}").isEmpty)
    #expect(try matches(["shop://k"], "shop://\u{212a}").isEmpty)
  }

  @Test func `Patterns of one shape are ordered by payload and reported`() throws {
    let a = try PatternSyntax("shop://h/:a"), b = try PatternSyntax("SHOP://H/:b/"),
      c = try PatternSyntax("shop://h/:c(Int)")
    for order in [[(a, 2), (b, 1), (c, 3)], [(b, 1), (c, 3), (a, 2)], [(c, 3), (a, 2), (b, 1)]] {
      var trie = PatternTrie()
      for (pattern, payload) in order { trie.insert(pattern, payload: payload) }
      #expect(trie.match(try URLParts("shop://h/7")).map(\.payload) == [3, 1, 2])
      #expect(trie.conflicts.map { [$0.first.payload, $0.second.payload] } == [[1, 2]])
      #expect(trie.conflicts[0].first.pattern.text == b.text && trie.conflicts[0].second.pattern.text == a.text)
      #expect(trie.count == 3)
    }
  }

  @Test(arguments: [
    ("shop://h/:a", "shop://h/*", false), ("shop://h/**", "shop://h/**", true), ("shop:**", "SHOP:**", true),
    ("shop://h/:a.x", "shop://h/:b.x", true), ("shop://h/:a.x", "shop://h/:a.y", false),
    ("shop://h/:a(Int)", "shop://h/:a(UInt)", false), ("shop://h/%61", "shop://h/a", true),
    ("https://h", "https://h:443/", true), ("https://h", "http://h", false), ("shop://:a", "shop://:b", true),
    ("shop://h/a", "shop://h/a/", true), ("shop://h/a", "shop://h/a//", false),
  ])
  func `Two patterns are ambiguous when they are the same without names`(_ a: String, _ b: String, _ same: Bool) throws
  {
    #expect(try trie([a, b]).conflicts.count == (same ? 1 : 0))
  }

  @Test func `A tree without patterns matches nothing`() throws {
    #expect(try matches([], "shop://order/7").isEmpty)
    #expect(PatternTrie().conflicts.isEmpty && PatternTrie().count == 0)
  }
}
