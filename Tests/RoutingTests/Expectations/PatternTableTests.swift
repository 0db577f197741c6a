import Foundation
import Registry
import Routing
import TestSupport
import Testing

/// The table of patterns and the URLs that they match in `Tests/Patterns.md`, and the examples in
/// `Documentation/Routing.md`.
///
/// Run the test with `UPDATE_PATTERN_TABLE=1` to write the table.
@Suite(.timeLimit(.minutes(20))) struct PatternTableTests {
  private static let rows: [(pattern: String, urls: [String])] = [
    ("shop://order/new", ["shop://order/new", "SHOP://Order/%6Eew/", "shop://order/New", "shop://order/new?a=b#c"]),
    (
      "shop://order/:id",
      ["shop://order/7", "shop://order/a%2Fb", "shop://order/A%20b", "shop://order", "shop://order/a/b"]
    ),
    ("shop://order/:id(Int)", ["shop://order/-7", "shop://order/seven"]),
    ("shop://order/:id.html", ["shop://order/7.html", "shop://order/.html"]),
    ("shop://file/:name.pdf", ["shop://file/%2E%2E.pdf"]),
    (
      "shop://file/:name(Name).pdf",
      ["shop://file/a%20b.pdf", "shop://file/%2E%2E.pdf", "shop://file/..%2Fx.pdf", "shop://file/a%5Cb.pdf"]
    ),
    ("shop://:id", ["shop://aZ09", "shop://blog%20post", "shop://%ED%95%9C%EA%B8%80", "shop://"]),
    ("https://:tenant.shop.example", ["https://Acme.SHOP.example", "https://shop.example"]),
    ("https://shop.example", ["https://shop.example:443/", "https://user@SHOP.example", "https://shop.example:8443"]),
    ("shop://order/*", ["shop://order/7", "shop://order//"]),
    ("shop://order/**", ["shop://order/a/b", "shop://order", "shop://order/a/../b"]),
    ("shop://list/:name(/page/:page)", ["shop://list/cups", "shop://list/cups/page/2", "shop://list/cups/page"]),
    ("shop://list(/:a)(/:b)", ["shop://list/x", "shop://list/x/y"]),
    (
      "shop://app#/orders/:id",
      ["shop://app#/orders/7", "shop://app/#/orders/7?tab=items", "shop://app#orders/7", "shop://app"]
    ),
    ("shop://app#/**", ["shop://app#/orders/7", "shop://app#", "shop://app#top", "shop://app"]),
    ("shop://app", ["shop://app#/orders/7", "shop://app#top"]),
    ("shop:///help", ["shop:/help", "shop:///help", "shop://help", "shop:help"]),
    ("shop:**", ["shop://order/7", "shop:help/me", "shop://a/../b"]),
    ("https:**", ["https:/a", "https://shop.example/a"]),
  ]

  private func row(_ pattern: String, _ text: String) async throws -> String {
    let router = Router()
    router.register(
      Route<[String: String], String>("table.row", [try RoutePattern(pattern)])
    ) { _, request in
      let parameters = request.pathParameters.sorted { $0.key < $1.key }.map { "`\($0.key)` is `\($0.value)`" }
      let rest = request.remainingSegments.map {
        let segments = $0.isEmpty ? "empty" : $0.map { "`\($0)`" }.joined(separator: ", ")
        return "`remainingSegments` is \(segments)"
      }
      let all = parameters + (rest.map { [$0] } ?? [])
      return all.isEmpty ? "yes" : "yes; " + all.joined(separator: ", ")
    }
    let url = try #require(URL(string: text))
    guard router.canOpen(url, from: .local) != nil else { return "no" }
    return try await router.object(for: url, from: .local)
  }

  private static func file(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../\(path)")
  }

  @Test func `every pattern matches the URLs that the complete table says`() async throws {
    var lines = ["| Pattern | URL | Match |", "|-|-|-|"]
    for (pattern, urls) in Self.rows {
      for url in urls { lines.append("| `\(pattern)` | `\(url)` | \(try await row(pattern, url)) |") }
    }
    let page = Self.file("Tests/Patterns.md")
    let all = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(all.firstIndex(of: lines[0]))
    let count = all[start...].prefix { $0.hasPrefix("|") }.count
    if ProcessInfo.processInfo.environment["UPDATE_PATTERN_TABLE"] != nil {
      let new = Array(all[..<start]) + lines + Array(all[(start + count)...])
      try new.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(
        Array(all[start...].prefix(count)) == lines, "run the test with UPDATE_PATTERN_TABLE=1, and review the table")
    }
  }

  @Test func `the table of patterns and URLs on the page is what the router does`() async throws {
    let all = try String(contentsOf: Self.file("Documentation/Routing.md"), encoding: .utf8)
      .components(separatedBy: "\n")
    let start = try #require(all.firstIndex(of: "| Pattern | Matches | Doesn't match |")) + 2
    let examples = all[start...].prefix { $0.hasPrefix("|") }
    #expect(examples.count >= 10)
    for example in examples {
      // The text between backticks is at the odd positions, and bars separate the columns.
      let columns = example.components(separatedBy: " | ").map { column in
        column.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      }
      try #require(columns.count == 3 && columns[0].count == 1 && !columns[1].isEmpty, "\(example)")
      for url in columns[1] { #expect(try await row(columns[0][0], url) != "no", "\(example): \(url)") }
      for url in columns[2] { #expect(try await row(columns[0][0], url) == "no", "\(example): \(url)") }
    }
  }
}
