import Testing

@testable import RoutePatterns

@Suite struct URLPartsTests {
  @Test func `All parts of a URL are found`() throws {
    let text = "HTTPS://User:pass@Shop.Example:8443/a%20b//c%2Fd/?x=1&y#top?/#"
    let url = try URLParts(text)
    #expect(url.scheme == "https" && url.host == "shop.example" && url.port == 8443)
    #expect(url.segments == ["a b", "", "c/d"] && url.fragment == "top?/#")
    #expect(pairs(url.queryItems) == [["x", "1"], ["y", nil]])
  }

  @Test(arguments: [
    ("shop:", nil, []), ("shop:order/7", nil, ["order", "7"]), ("shop:/order/7", "", ["order", "7"]),
    ("shop:/", "", []), ("https:/order/7", nil, ["order", "7"]),
    ("shop://", "", []), ("shop:///", "", []), ("shop:////", "", [""]), ("shop://h", "h", []), ("shop://h/", "h", []),
    ("shop://h//", "h", [""]), ("shop://h/a/", "h", ["a"]), ("shop://h/a//", "h", ["a", ""]),
    ("shop://h//a", "h", ["", "a"]), ("shop://h?a/b", "h", []), ("shop://h#a/b?c", "h", []),
    ("shop://h/_", "h", ["_"]), ("shop://_", "_", []), ("shop://h/é", "h", ["é"]),
    ("mailto:someone@shop.example", nil, ["someone@shop.example"]), ("shop://h/a:b@c", "h", ["a:b@c"]),
    ("shop://h/https://x/y", "h", ["https:", "", "x", "y"]),
  ])
  func `Host and path are separated as in RFC 3986`(_ text: String, _ host: String?, _ segments: [String]) throws {
    let url = try URLParts(text)
    #expect(url.host == host && url.segments == segments)
  }

  @Test(arguments: [
    ("https://h", nil), ("https://h:", nil), ("https://h:443", nil), ("https://h:00443", nil), ("https://h:80", 80),
    ("http://h:80", nil), ("http://h:443", 443), ("ws://h:80", nil), ("wss://h:443", nil), ("ftp://h:21", nil),
    ("shop://h:80", 80), ("shop://h:0", 0), ("shop://h:65535", 65_535), ("https://[::1]:443", nil),
    ("https://[::1]:8", 8),
    ("https://:80@h:90", 90),
  ])
  func `A port is a number, and the default port of a scheme is omitted`(_ text: String, _ port: Int?) throws {
    #expect(try URLParts(text).port == port)
  }

  @Test(arguments: [
    ("SHOP.example", "shop.example"), ("%53hop.example", "shop.example"), ("bücher.example", "xn--bcher-kva.example"),
    ("BÜCHER.example", "xn--bcher-kva.example"), ("b%c3%bccher.example", "xn--bcher-kva.example"),
    ("XN--BCHER-KVA.example", "xn--bcher-kva.example"), ("订单", "xn--4kr132k"), ("[FE80::1%25Eth0]", "[fe80::1%25eth0]"),
    ("shop.example.", "shop.example."), ("wor\u{212a}", "xn--wor-0k1a"),
    // The composed and the decomposed spelling are two different hosts.
    ("bu\u{308}cher.example", "xn--bucher-xyd.example"),
  ])
  func `Hosts are compared in one form`(_ written: String, _ host: String) throws {
    #expect(try URLParts("https://\(written)/").host == host)
  }

  @Test func `Text that is encoded twice is decoded once`() throws {
    let url = try URLParts("shop://h/%2541/%252F?a=%2541&b=%2526#%2523")
    #expect(url.segments == ["%41", "%2F"] && url.fragment == "%23")
    #expect(pairs(url.queryItems) == [["a", "%41"], ["b", "%26"]])
  }

  @Test(arguments: [
    "%", "%4", "%zz", "a%20b%", "%ff", "%c0%ae", "%ed%a0%80", "%f5%80%80%80", "%e2%82", "%e2%82a", "%80",
  ])
  func `Text that cannot be decoded is kept unchanged`(_ piece: String) throws {
    let url = try URLParts("shop://h/\(piece)?\(piece)=\(piece)#\(piece)")
    #expect(url.segments == [piece] && url.fragment == piece)
    #expect(pairs(url.queryItems) == [[piece, piece]])
    #expect(url.pieces[0].isMalformed)
  }

  @Test(arguments: [
    ("", []), ("?", []), ("?a", ["a"]), ("?a=", ["a="]), ("?=b", ["=b"]), ("?a=b=c", ["a=b=c"]), ("?&&a=1&", ["a=1"]),
    ("?a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("?a+b=c+d", ["a+b=c+d"]), ("?a%3Db=%26", ["a=b=&"]),
    ("?a;b=c", ["a;b=c"]),
    ("?next=https://x/y?z=1", ["next=https://x/y?z=1"]),
    ("?next=https%3A%2F%2Fx%2Fy%3Fz%3D1", ["next=https://x/y?z=1"]),
    ("?a[]=1&a[]=2", ["a[]=1", "a[]=2"]), ("?a=1#b=2", ["a=1"]), ("?a=é%C3%A9", ["a=éé"]),
  ])
  func `The items of a query keep their order`(_ query: String, _ items: [String]) throws {
    let found = try URLParts("shop://h/\(query)").queryItems
    #expect(found.map { $0.name + ($0.value.map { "=" + $0 } ?? "") } == items)
  }

  @Test(arguments: [
    ("a/./b", true), ("a/../b", true), ("..", true), ("a/.", true), ("%2e", true), (".%2E/a", true), ("%2e%2e/", true),
    ("...", false), (".a", false), ("a..", false), ("a%2F..%2Fb", false), ("%252e", false), ("a?x=/../", false),
    ("%2e%zz", false),
  ])
  func `Dot segments are detected in every spelling`(_ path: String, _ hasDots: Bool) throws {
    #expect(try URLParts("shop://h/\(path)").hasDotSegments == hasDots)
  }

  @Test(arguments: [
    ("", 0, "missing scheme"), ("order", 5, "missing scheme"), ("//order", 0, "missing scheme"),
    ("/a?b=c://d", 0, "missing scheme"),
    ("://a", 0, "missing scheme"), ("1a://b", 2, "missing scheme"), ("sh%6fp://a", 2, "missing scheme"),
    (" shop://a", 0, "missing scheme"),
    ("shöp://a", 2, "missing scheme"), ("shop://a\n", 8, "control character"),
    ("shop://a/\u{0}", 9, "control character"),
    ("shop://a?b\u{7f}", 10, "control character"), ("java\tscript:a", 4, "control character"),
    ("https:\\\\h", 6, "a backslash"), ("https://evil.example\\@h/a", 20, "a backslash"),
    ("shop://h/a\\b", 10, "a backslash"),
    ("https://a@b@c/", 11, "a second '@'"), ("https://h:x", 10, "the port"), ("https://h:65536", 14, "the port"),
    ("https://h:8:9", 11, "the port"), ("https://h:-1", 10, "the port"), ("https://a b", 8, "invalid host"),
    ("https://a%2Fb", 8, "invalid host"), ("https://a%23", 8, "invalid host"), ("https://a%zz", 8, "invalid host"),
    ("https://a%00b", 8, "invalid host"), ("https://h%40x", 8, "invalid host"), ("https://[::1", 8, "invalid host"),
    ("https://[::1]x", 8, "invalid host"), ("https://[]", 8, "invalid host"), ("https://[::é]", 8, "invalid host"),
    ("https://u@%2e/%", 8, ""),
  ])
  func `A malformed URL, or one that readers interpret differently, is rejected`(
    _ text: String, _ offset: Int, _ reason: String
  ) throws {
    guard !reason.isEmpty else {
      #expect(try URLParts(text).host == ".")
      return
    }
    let error = try #require(throws: URLPartsError.self) { try URLParts(text) }
    #expect(error.offset == offset && error.reason.contains(reason), "\(error)")
    #expect(error.description.hasSuffix("(at byte \(offset) of the URL)"))
  }

  @Test func `A backslash after the path does not affect the path`() throws {
    #expect(pairs(try URLParts(#"shop://h/a?x=C:\y#\"#).queryItems) == [["x", #"C:\y"#]])
  }
}
