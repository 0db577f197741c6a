// Fuzzes the splitting and matching of URLs against the tests' reference, which compares the
// patterns one by one. Fuzzes the parser of patterns with the same texts.

import Foundation

@testable import RoutePatterns

/// Patterns of every kind, including some of the same shape. Each pair of neighbors shares a
/// payload.
private let patterns = [
  "shop:**", "https:**", "SHOP:**", "shop://order/:id", "shop://order/:id(Int)", "shop://order/:id(UInt)",
  "shop://order/:id(Double)", "shop://order/:id(Bool)", "shop://order/:id(UUID)", "shop://order/:id.html",
  "shop://order/:id(Int).html", "shop://order/:id(Double).5", "shop://order/:id.b.html", "shop://order/:id%2F",
  "shop://order/new",
  "shop://order/*", "shop://order/**", "shop://order", "shop://order/:number", "shop://order/a/b", "shop://order/a%2Fb",
  "shop://order/:a/:b", "shop://order/:a(Int)/b/:c", "shop://order/a/:b/c/:d", "shop://order/*/b/:c(Int)",
  "shop://order//a",
  "shop://order/_", "shop://:h/a", "shop://:h.example/a", "shop://:h(Int).example/a", "shop://*/a", "shop://*/**",
  "shop:///a",
  "shop://order:8080/a", "shop://[::1]:8080/:a", "shop://ü/%C3%A9", "https://shop.example/orders/:id(Int)",
  "https://shop.example:8443/orders/:id(Int)", "http://shop.example/**", "shop://order/%3Aid/%2A",
  "shop://order/a/b/c/d/**", "shop://order(/:a)(/:b)", "shop://order/list(/page/:p(Int)(/of/:n))", "shop:///:a(/b)",
  "shop://order#/a/:b", "shop://order/:id#/**", "shop://order#/", "https://shop.example/#/orders/:id",
  "shop://:h(Bool)",
]

private let agreement: Agreement = {
  do {
    return try Agreement(patterns.enumerated().map { ($1, $0 / 2) })
  } catch {
    fatalError("\(error)")
  }
}()

func fuzzRoutes(_ bytes: UnsafeRawBufferPointer) {
  let text = String(decoding: bytes, as: UTF8.self)
  let problem = agreement.disagreement(on: text)
  require(problem == nil, problem ?? "")
  do throws(PatternError) {
    _ = try PatternSyntax(text)
  } catch {
    require((0...text.utf8.count).contains(error.offset), "the error is out of the text: \(error)")
  }
}
