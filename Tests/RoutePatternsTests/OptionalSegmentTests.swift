import Testing

@testable import RoutePatterns

@Suite struct OptionalSegmentTests {
  private let required = "tests://required/:a(/optional/:b)(/more/:c)"

  // The URLs are those of JLRoutes' tests.
  @Test(arguments: [
    ("tests://required/x", "a=x"), ("tests://required/x/optional/y", "a=x b=y"),
    ("tests://required/x/more/z", "a=x c=z"),
    ("tests://required/x/optional/y/more/z", "a=x b=y c=z"),
  ])
  func `Optional segments are there or not`(_ url: String, _ values: String) throws {
    #expect(try matches([required], url) == ["\(required) \(values)"])
  }

  @Test(arguments: [
    "tests://required", "tests://required/x/optional", "tests://required/x/y", "tests://required/x/more/z/optional/y",
    "tests://required/x/optional/y/more", "tests://required/x//",
  ])
  func `Part of the optional segments matches nothing`(_ url: String) throws {
    #expect(try matches([required], url).isEmpty)
  }

  @Test func `Optional segments can be nested, typed, and right after the host`() throws {
    let pattern = "shop://orders(/:year(UInt)(/:month(UInt)))(/all)"
    for (url, values) in [
      ("shop://orders", ""), ("shop://orders/2026", " year=2026"), ("shop://orders/2026/7/", " year=2026 month=7"),
      ("shop://orders/all", ""), ("shop://orders/2026/all", " year=2026"),
      ("shop://orders/2026/7/all", " year=2026 month=7"),
    ] {
      #expect(try matches([pattern], url) == [pattern + values])
    }
    #expect(try matches([pattern], "shop://orders/x").isEmpty)
  }

  @Test func `Segments at the left are filled first`() throws {
    let pattern = "shop://h(/:a)(/:b)"
    #expect(try matches([pattern], "shop://h/1") == ["\(pattern) a=1", "\(pattern) b=1"])
    #expect(try trie([pattern]).conflicts.map { [$0.first.payload, $0.second.payload] } == [[0, 0]])
  }

  @Test func `The rest can be optional, and a literal can have parentheses`() throws {
    #expect(try matches(["shop://h(/files/**)"], "shop://h/files/a/b") == ["shop://h(/files/**) rest=a,b"])
    #expect(try matches(["shop://h(/files/**)"], "shop://h") == ["shop://h(/files/**)"])
    #expect(try matches(["shop://h/f(x)(/g(y))"], "shop://h/f(x)/g(y)").count == 1)
    #expect(try matches(["shop://h/f(x)(/g(y))"], "shop://h/f%28x%29").count == 1)
  }

  @Test(arguments: [
    ("shop://h(/a", 11, "missing ')'"), ("shop://h(/)", 9, "missing segment"),
    ("shop://h(/a)b", 12, "expected a slash"),
    ("shop://h(/a)(/b)(/c)(/d)(/e)", 24, "at most 4 groups"), ("shop://h(/**)/b", 12, "must be the last one"),
    ("shop://h(/**)(/b)", 12, "must be the last one"), ("shop://h(/:a)(/:a)", 16, "duplicate parameter"),
    ("shop://h/(/a)", 8, "remove it"), ("shop://h/a/(/b)", 10, "remove it"), ("shop://h(/(/a))", 9, "remove it"),
    ("shop://h(/a#/b)", 11, "missing ')'"),
  ])
  func `A malformed group is an error at its position`(_ text: String, _ offset: Int, _ reason: String) throws {
    let error = try #require(throws: PatternError.self) { try PatternSyntax(text) }
    #expect(error.offset == offset && error.reason.contains(reason), "\(error)")
  }

  @Test func `A pattern has a variant for each choice`() throws {
    let pattern = try PatternSyntax("shop://h(/:a(/:b))/c(/:d)")
    #expect(pattern.variants.map { $0.parameters.map(\.name).joined() } == ["abd", "ab", "ad", "a", "d", ""])
    #expect(pattern.parameters.count == 3 && pattern.variants.allSatisfy { $0.text == pattern.text })
  }
}
