import TestSupport
import Testing

@testable import RoutePatterns

/// URLs of the largest size that an attacker can send.
@Suite struct HostileURLTests {
  /// Returns as many copies of a text as a URL has room for.
  private func repeated(_ text: String) -> String {
    String(repeating: text, count: (URLParts.sizeLimit - 20) / text.utf8.count)
  }

  @Test func `URLs with each part repeated many times are split and matched`() throws {
    let trie = try trie(
      [
        "shop://h/**", "shop://:a/:b", "shop://h/:a(Int)", "shop://h/:a(Double)", "shop://h/:a.html",
        "shop://h/a/*/:b/**",
        "shop://:a.example", "shop:**",
      ])
    let urls = [
      "shop://h/" + repeated("/"), "shop://h/" + repeated("a/"), "shop://h/" + repeated("%61"),
      "shop://h/" + repeated("%"),
      "shop://h/" + repeated("7"), "shop://h/" + repeated("é"), "shop://h/" + repeated("%ff/"),
      "shop://h/" + repeated("../"),
      "shop://" + repeated("a."), "shop://" + repeated("é."), "shop://" + repeated("é"), "shop://" + repeated("%C3%A9"),
      "shop://h?" + repeated("&"), "shop://h?" + repeated("a=b&"), "shop://h?" + repeated("="),
      "shop://h#" + repeated("#"),
      "shop://" + repeated("u") + "@h", "shop:" + repeated(":"), repeated("shop"), repeated("shop") + "://h",
      "shop://[" + repeated(":") + "]", "shop://h:" + repeated("0") + "/a", "shop://h/" + repeated("\u{301}"),
    ]
    var found = 0
    for url in urls {
      let opening = processorSeconds {
        guard let parts = try? URLParts(url) else { return }
        for match in trie.match(parts) { found += 1 + match.parameters.count + (match.rest?.count ?? 0) }
        found += parts.queryItems.count
      }
      #expect(opening < 10)
    }
    #expect(found > 50_000)
    #expect(throws: URLPartsError.self) { try URLParts("shop://" + repeated("@")) }
    #expect(throws: URLPartsError.self) { try URLParts("shop://h:" + repeated("9")) }
  }

  @Test func `A URL has at most 65,536 bytes, and none longer is generated`() throws {
    let longest = "shop://h/" + String(repeating: "a", count: 65_536 - 9)
    #expect(try URLParts(longest).segments[0].utf8.count == 65_536 - 9)
    let error = try #require(throws: URLPartsError.self) { try URLParts(longest + "a") }
    #expect(error.offset == 65_536 && error.reason.hasPrefix("the URL has more than 65536 bytes"))
    let pattern = try PatternSyntax("shop://h/:x")
    #expect(throws: PatternGenerationError.self) {
      try pattern.generate { _ in String(repeating: "a", count: 65_536) }
    }
  }

  @Test(arguments: ["%CC%81%CC%96", "\u{301}\u{316}"])
  func `The number of marks on one letter, which slow comparisons, is limited`(marks: String) throws {
    let many = repeated(marks)
    let comparing = try processorSeconds {
      let item = try URLParts("shop://h?a\(many)").queryItems[0]
      #expect([item.name: 1]["b"] == nil)
    }
    #expect(comparing < 20)
  }

  @Test func `Patterns with a choice at each segment do not multiply`() throws {
    // Each of the forty segments has several alternatives, and none leads to the end. A search that
    // tries one after the other would take 2^40 steps.
    var patterns: [String] = []
    for depth in 0..<40 {
      let front = String(repeating: "a/", count: depth)
      patterns += ["shop://h/\(front):x/z", "shop://h/\(front)*/z", "shop://h/\(front):x.b/z"]
    }
    patterns.append("shop://h/" + (0..<40).map { ":x\($0)" }.joined(separator: "/") + "/z")
    patterns.append("shop://h/" + (0..<40).map { _ in "*" }.joined(separator: "/") + "/z")
    let trie = try trie(patterns)
    let url = "shop://h/" + String(repeating: "a/", count: 40)
    let (none, four) = try (URLParts(url + "y"), URLParts(url + "z"))
    let matching = processorSeconds {
      #expect(Array(trie.match(none)).isEmpty)
      #expect(Array(trie.match(four)).count == 4)
    }
    #expect(matching < 60)
  }

  @Test func `Each of ten thousand patterns matches only its own URLs`() throws {
    var trie = PatternTrie()
    for number in 0..<10_000 {
      trie.insert(try PatternSyntax("shop://h\(number % 100)/section\(number)/:id(Int)"), payload: number)
    }
    for number in stride(from: 0, to: 10_000, by: 37) {
      let found = try Array(trie.match(URLParts("shop://h\(number % 100)/section\(number)/\(number)?a=b")))
      #expect(found.map(\.payload) == [number] && found[0].parameters[0] == ("id", "\(number)"))
      #expect(try Array(trie.match(URLParts("shop://h\(number % 100)/section\(number + 1)/\(number)"))).isEmpty)
    }
    #expect(trie.conflicts.isEmpty)
  }

  @Test func `Finding a literal takes the same time for any number of literals`() {
    var table = LiteralTable()
    let count: Int32 = 20_000
    let finding = processorSeconds {
      for number in 0..<count { table.insert(Array("section\(number)".utf8), from: 0, number) }
      for number in 0..<count {
        let bytes = Array("section\(number)".utf8)
        #expect(table.find(bytes, bytes.indices, from: 0) == number)
        if number % 100 == 0 { #expect(table.find(bytes, bytes.indices, from: 1) == nil) }
      }
    }
    #expect(finding < 10)
  }

  @Test func `A tree has value semantics`() throws {
    let small = try trie(["shop://h/a"])
    var large = small
    large.insert(try PatternSyntax("shop://h/:x"), payload: 1)
    #expect(small.count == 1 && large.count == 2)
    #expect(try Array(small.match(URLParts("shop://h/b"))).isEmpty)
    #expect(try Array(large.match(URLParts("shop://h/b"))).count == 1)
  }
}
