import Testing

@testable import RoutePatterns

@Suite struct HostParameterTests {
  @Test(arguments: [
    ("tests://Post/a", "Post"), ("tests://%ED%95%9C%EA%B8%80/a", "한글"), ("tests://한글/a", "한글"),
    ("tests://blog%20post/a", "blog post"), ("myapp://aZ09_-~!/a", "aZ09_-~!"), ("tests://a%2Fb/a", "a/b"),
    ("tests://%50ost/a", "Post"), ("tests://a%25b/a", "a%b"), ("tests://Bücher.%45xample/a", "Bücher.Example"),
    ("https://Shop.Example/a", "Shop.Example"), ("tests://[FE80::1]/a", "[FE80::1]"), ("tests://user@A:80/a", "A"),
    // Foundation writes international hosts in this form, and other text that resembles it stays.
    ("tests://xn--bj0bj06e/a", "한글"), ("tests://A.XN--BCHER-KVA/a", "A.bücher"), ("tests://xn--a/a", "xn--a"),
    ("tests://xn--/a", "xn--"), ("tests://xn--bcher-kv/a", "xn--bcher-kv"), ("tests://axn--tda/a", "axn--tda"),
    ("tests://xn--99999999/a", "xn--99999999"),
  ])
  func `A parameter in the host is what was written, decoded`(_ url: String, _ value: String) throws {
    let patterns = ["tests://:host/a", "tests://:host:80/a", "myapp://:host/a", "https://:host/a"]
    let match = try #require(try trie(patterns).match(URLParts(url)).first { _ in true })
    #expect(match.parameters.map { Array($0.value.utf8) } == [Array(value.utf8)])
  }

  @Test(arguments: [
    ("shop://Ab.Shop.Example/", "Ab"), ("shop://A.b.shop.example", "A.b"), ("shop://Über.SHOP.Example", "Über"),
    ("shop://xn--ber-goa.shop.example", "über"), ("shop://a%20B.shop%2Eexample", "a B"),
  ])
  func `The suffix of a parameter is compared as a host`(_ url: String, _ value: String) throws {
    #expect(try matches(["shop://:name.Shop.Example"], url) == ["shop://:name.Shop.Example name=\(value)"])
  }

  @Test func `The suffix of a parameter can be international`() throws {
    for url in ["https://Ab.Bücher.example", "https://Ab.XN--bcher-kva.example", "https://Ab.b%C3%9Ccher.example"] {
      #expect(try matches(["https://:name.bücher.example"], url) == ["https://:name.bücher.example name=Ab"])
    }
    #expect(try matches(["https://:name.bücher.example"], "https://.bücher.example").isEmpty)
  }

  @Test func `A typed parameter in the host has the case of its type`() throws {
    #expect(try matches(["shop://:flag(Bool)"], "shop://true") == ["shop://:flag(Bool) flag=true"])
    #expect(try matches(["shop://:flag(Bool)"], "shop://True").isEmpty)
    let id = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"
    #expect(try matches(["shop://:id(UUID)"], "shop://\(id)") == ["shop://:id(UUID) id=\(id)"])
  }

  @Test func `A literal host matches in every case, and never text that no host contains`() throws {
    for url in ["shop://ORDER/x", "shop://%4Frder/x"] { #expect(try matches(["shop://Order/x"], url).count == 1) }
    for url in ["shop://order%20/x", "shop://order%2F/x", "shop://order%00/x"] {
      #expect(try matches(["shop://order/x", "shop://order/**"], url).isEmpty)
    }
  }

  @Test func `A web address has no host that contains a separator`() {
    for host in ["a%2Fb", "a%20b", "a%40b", "a%00b", "a%3A80"] {
      #expect(throws: URLPartsError.self) { try URLParts("https://\(host).shop.example/a") }
      #expect(throws: URLPartsError.self) { try URLParts("ws://\(host)/a") }
    }
    for host in ["a b", "a%zz", "%ff", "a^b"] {
      #expect(throws: URLPartsError.self) { try URLParts("shop://\(host)/a") }
    }
  }

  @Test(arguments: [
    ("Post", "shop://Post/a"), ("한글", "shop://%ED%95%9C%EA%B8%80/a"), ("blog post", "shop://blog%20post/a"),
    ("a/b", "shop://a%2Fb/a"), ("a:80", "shop://a%3A80/a"), ("%61", "shop://%2561/a"), ("user@h", "shop://user%40h/a"),
    ("[::1", "shop://%5B%3A%3A1/a"), ("BÜCHER", "shop://B%C3%9CCHER/a"), ("XN--A", "shop://XN--A/a"),
  ])
  func `Every text in a host is generated so that it is read back`(_ value: String, _ url: String) throws {
    #expect(try PatternSyntax("shop://:name/a").generate { _ in value } == url)
    #expect(try matches(["shop://:name/a"], url) == ["shop://:name/a name=\(value)"])
  }

  @Test func `A web address is generated with an international host`() throws {
    let pattern = try PatternSyntax("https://:name.shop.example")
    #expect(try pattern.generate { _ in "bücher" } == "https://xn--bcher-kva.shop.example")
    #expect(try pattern.generate { _ in "Acme" } == "https://Acme.shop.example")
  }

  @Test(arguments: [
    ("https://:name.Bücher.example/a", "Ab", "https://Ab.xn--bcher-kva.example/a"),
    ("https://:name.bücher.example/a", "ü.b", "https://xn--tda.b.xn--bcher-kva.example/a"),
    ("shop://:name.bücher.example/a", "Ab", "shop://Ab.xn--bcher-kva.example/a"),
    ("shop://:name.bücher.example/a", "Ü b", "shop://%C3%9C%20b.xn--bcher-kva.example/a"),
  ])
  func `A URL is generated whose host ends with an international suffix`(
    _ pattern: String, _ value: String, _ url: String
  ) throws {
    #expect(try PatternSyntax(pattern).generate { _ in value } == url)
    #expect(try matches([pattern], url) == ["\(pattern) name=\(value)"])
  }
}
