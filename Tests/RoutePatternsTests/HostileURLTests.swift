import TestSupport
import Testing

@testable import RoutePatterns

/// Sizes that only somebody who means harm would send. What takes quadratic time here takes hours.
@Suite struct HostileURLTests {
  private let size = Effort.count("URL_REPETITIONS", default: 50_000)

  @Test func `URLs of every part repeated without end are split and matched`() throws {
    let trie = try trie(
      [
        "shop://h/**", "shop://:a/:b", "shop://h/:a(Int)", "shop://h/:a(Double)", "shop://h/:a.html",
        "shop://h/a/*/:b/**",
        "shop://:a.example", "shop:**",
      ])
    func repeated(_ text: String) -> String { String(repeating: text, count: size) }
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
    #expect(found > size)
    #expect(throws: URLPartsError.self) { try URLParts("shop://" + repeated("@")) }
    #expect(throws: URLPartsError.self) { try URLParts("shop://h:" + repeated("9")) }
  }

  @Test(arguments: [
    "\u{301}\u{327}", "%CC%81%CC%A7", "%CC%81\u{327}", "\u{f73}", "%e0%bd%b3",
  ])
  func `More marks on one letter than any script has are no URL's, wherever they stand`(marks: String) throws {
    let many = String(repeating: marks, count: size)
    for url in ["shop://\(many)", "shop://h/a\(many)", "shop://h?a\(many)=1", "shop://h?a=\(many)", "shop://h#\(many)"]
    {
      #expect(throws: URLPartsError.self) { try URLParts(url) }
    }
    // Nor is a URL made that would not be opened.
    let pattern = try PatternSyntax("shop://h/:x")
    #expect(throws: PatternGenerationError.self) {
      try pattern.generate { _ in String(repeating: "\u{301}", count: 101) }
    }
  }

  @Test func `As many marks as Unicode allows for are read, on every letter`() throws {
    let letter = "a" + String(repeating: "\u{301}", count: 100)
    let parts = try URLParts("shop://h/\(letter)\(letter)?x=\(letter)&y=%CC%81%FF%CC%81")
    #expect(parts.segments == [letter + letter] && parts.queryItems[0].value == letter)
    #expect(throws: URLPartsError.self) { try URLParts("shop://h/\(letter)\u{301}") }
  }

  @Test func `Patterns with a choice at each segment do not multiply`() throws {
    // Two ways at each of forty segments, and none leads to the end: tried one after the other, that is a million millions.
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

  @Test func `Ten thousand patterns are each found, and only where they should be`() throws {
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

  @Test func `Literals of one place are found in a time that their number does not change`() {
    var table = LiteralTable()
    let count: Int32 = 20_000
    let finding = processorSeconds {
      for number in 0..<count { table.insert(Array("section\(number)".utf8), from: .node(0), number) }
      for number in 0..<count {
        let bytes = Array("section\(number)".utf8)
        #expect(table.find(bytes, bytes.indices, from: .node(0)) == number)
        if number % 100 == 0 { #expect(table.find(bytes, bytes.indices, from: .node(1)) == nil) }
      }
    }
    #expect(finding < 10)
  }

  @Test func `A tree is a value`() throws {
    let small = try trie(["shop://h/a"])
    var large = small
    large.insert(try PatternSyntax("shop://h/:x"), payload: 1)
    #expect(small.count == 1 && large.count == 2)
    #expect(try Array(small.match(URLParts("shop://h/b"))).isEmpty)
    #expect(try Array(large.match(URLParts("shop://h/b"))).count == 1)
  }
}
