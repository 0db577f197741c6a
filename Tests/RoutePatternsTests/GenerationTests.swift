import Testing

@testable import RoutePatterns

@Suite struct GenerationTests {
  private func generate(_ pattern: String, _ values: [String: String] = [:]) throws -> String {
    try PatternSyntax(pattern).generate { values[$0] }
  }

  @Test(arguments: [
    ("shop://order/:id", "shop://order/7"), ("Shop://Order/:id.html", "shop://order/7.html"),
    ("https://bücher.example:8443/a b", ""),
    ("https://bücher.example:8443/é/:id/", "https://xn--bcher-kva.example:8443/%C3%A9/7/"),
    ("https://h:443/", "https://h/"), ("https://h", "https://h"), ("shop:///:id//", "shop:///7//"),
    ("shop://:id.example", "shop://7.example"), ("shop://h/:id(Int)%2Fx", "shop://h/7%2Fx"),
    ("shop://h/%3A", "shop://h/:"),
  ])
  func `A pattern and its parameters generate a URL`(_ pattern: String, _ url: String) throws {
    if url.isEmpty {
      #expect(throws: PatternError.self) { try PatternSyntax(pattern) }
    } else {
      #expect(try generate(pattern, ["id": "7"]) == url)
    }
  }

  @Test func `Characters are encoded as each part of the URL requires`() throws {
    let text = "a b/c?d#e%f&g=h+i;j@k:é"
    let url = try PatternSyntax("shop://h/:x").generate(query: [(text, text)]) { _ in text }
    #expect(
      url == "shop://h/a%20b%2Fc%3Fd%23e%25f&g=h+i;j@k:%C3%A9"
        + "?a%20b/c?d%23e%25f%26g%3Dh%2Bi%3Bj@k:%C3%A9=a%20b/c?d%23e%25f%26g%3Dh%2Bi%3Bj@k:%C3%A9")
    let parts = try URLParts(url)
    #expect(parts.segments == [text] && pairs(parts.queryItems) == [[text, text]])
  }

  @Test func `A query keeps its order, repeated names, and names without a value`() throws {
    let items: [URLParts.QueryItem] = [("b", "1"), ("a", nil), ("b", ""), ("", "x")]
    let url = try PatternSyntax("shop://h").generate(query: items) { _ in nil }
    #expect(url == "shop://h?b=1&a&b=&=x")
    #expect(pairs(try URLParts(url).queryItems) == pairs(items))
    #expect(throws: PatternGenerationError.self) {
      try PatternSyntax("shop://h").generate(query: [("", nil)]) { _ in nil }
    }
  }

  @Test func `A missing parameter is an error with its name`() throws {
    let error = try #require(throws: PatternGenerationError.self) {
      try generate("shop://:a/:b/:c", ["a": "x", "c": "y"])
    }
    #expect("\(error)" == "the pattern 'shop://:a/:b/:c' needs a value for the parameter 'b'")
    #expect(error.missingParameter == "b")
  }

  @Test(arguments: [
    ("shop://h/:a", "", "an empty segment"), ("shop://h/:a", ".", "lead to another"),
    ("shop://h/:a", "..", "lead to another"),
    ("shop://h/:a.", ".", "lead to another"), ("shop://h/:a.html", "", "an empty segment"),
    ("shop://h/:a(Int)", "x", "requires a value of the type 'Int'"),
    ("shop://h/:a(UUID)", "7", "requires a value of the type 'UUID'"),
    ("https://:a", "a/b", "'a/b' is not a host"), ("https://:a", "a:80", "is not a host"),
    ("https://:a", "BÜCHER", "read back as 'bücher'"), ("shop://:a", "xn--bcher-kva", "read back as 'bücher'"),
    ("https://:a", "user@h", "is not a host"), ("shop://:a", "", "an empty segment"),
  ])
  func `A parameter that is not read back unchanged is an error`(_ pattern: String, _ value: String, _ reason: String)
    throws
  {
    let error = try #require(throws: PatternGenerationError.self) { try generate(pattern, ["a": value]) }
    let start = "the parameter 'a' cannot be '\(value)': "
    #expect(error.description.hasPrefix(start), "\(error)")
    #expect(error.description.dropFirst(start.count).contains(reason), "\(error)")
  }

  @Test func `A message about a long value has the start of the value and the reason`() throws {
    let value = String(repeating: "é", count: 30_000)
    let start = String(repeating: "é", count: 100) + "…"
    let number = try #require(throws: PatternGenerationError.self) { try generate("shop://h/:a(Int)", ["a": value]) }
    #expect("\(number)".contains("cannot be '\(start)' (60000 bytes): the pattern"))
    let host = try #require(throws: PatternGenerationError.self) { try generate("https://:a", ["a": value + "/"]) }
    #expect("\(host)".hasSuffix(": '\(start)' (60001 bytes) is not a host"))
    let capitals = try #require(throws: PatternGenerationError.self) {
      try generate("https://:a", ["a": String(repeating: "Ü.", count: 60)])
    }
    #expect("\(capitals)".hasSuffix("this host is read back as '\(String(repeating: "ü.", count: 50))…' (180 bytes)"))
    let full = try #require(throws: PatternGenerationError.self) {
      try generate("shop://h/:a(Int)", ["a": String(repeating: "x", count: 100)])
    }
    #expect("\(full)".contains("cannot be '\(String(repeating: "x", count: 100))':"))
    let patterns = try trie(["shop://:a/x", "shop://:b/:c"])
    let taken = try #require(throws: PatternGenerationError.self) {
      let host = (0..<30).map { _ in "host" }.joined(separator: ".")
      return try patterns.generate(try PatternSyntax("shop://:b/:c"), payload: 1) { $0 == "b" ? host : "x" }
    }
    #expect("\(taken)".contains("…' (158 bytes) also matches the pattern 'shop://:a/x'"))
  }

  @Test(arguments: ["shop://h/*", "shop://*/a", "shop://h/**", "shop:**"])
  func `A pattern with a wildcard generates no URL`(_ pattern: String) throws {
    let error = try #require(throws: PatternGenerationError.self) { try generate(pattern) }
    #expect(error.description.hasPrefix("the pattern '\(pattern)' has a wildcard"))
  }

  @Test func `A URL that matches another pattern is an error that names the pattern`() throws {
    let patterns = ["shop://order/:id", "shop://order/new", "shop://order/:name.html", "shop://order/:number(Int)"]
    let (trie, same) = (try trie(patterns), try trie(["shop://order/:id", "shop://order/:id(Int)"]))
    let pattern = try PatternSyntax(patterns[0])
    #expect(try trie.generate(pattern, payload: 0) { _ in "old" } == "shop://order/old")
    for (value, other) in [("new", 1), ("a.html", 2), ("7", 3)] {
      let error = try #require(throws: PatternGenerationError.self) {
        try trie.generate(pattern, payload: 0) { _ in value }
      }
      #expect(
        "\(error)"
          == "'shop://order/\(value)' also matches the pattern '\(patterns[other])', which takes precedence")
    }
    // Two patterns conflict even if their parameters have the same names.
    #expect(throws: PatternGenerationError.self) { try same.generate(pattern, payload: 0) { _ in "7" } }
    let number = try PatternSyntax(patterns[3])
    #expect(try trie.generate(number, payload: 3) { _ in "7" } == "shop://order/7")
    #expect(throws: PatternGenerationError.self) { try trie.generate(number, payload: 3) { _ in nil } }
  }

  @Test func `Another pattern of the same route can match a URL if it reads the same values`() throws {
    var trie = PatternTrie()
    let untyped = try PatternSyntax("shop://order/:id")
    for pattern in ["shop://order/:id", "shop://order/:id(Int)", "shop://order/:id.html"] {
      trie.insert(try PatternSyntax(pattern), payload: 1)
    }
    #expect(try trie.generate(untyped, payload: 1) { _ in "7" } == "shop://order/7")
    #expect(throws: PatternGenerationError.self) { try trie.generate(untyped, payload: 1) { _ in "7.html" } }
  }
}
