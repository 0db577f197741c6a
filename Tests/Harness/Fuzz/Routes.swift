// Fuzzes the splitting and matching of URLs against the tests' reference, which compares the
// patterns one by one. Fuzzes the parser of patterns with the same texts: each accepted pattern
// must generate a URL, and matching that URL must return the same values.

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

/// Generates a URL from a pattern and matches it again.
private func check(_ pattern: PatternSyntax, _ bytes: UnsafeRawBufferPointer) {
  let values: [ParameterType?: String] = [
    nil: "x.html", .int: "-7", .uint: "7", .double: "7.5", .bool: "true", .uuid: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
  ]
  var parameters: [(name: String, value: String)] = []
  for parameter in pattern.parameters { parameters.append((parameter.name, values[parameter.type]!)) }
  do throws(PatternGenerationError) {
    let url = try pattern.generate { name in parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
    guard let parts = try? URLParts(url) else { broken("\(url) is generated and no URL", bytes) }
    var trie = PatternTrie()
    trie.insert(pattern, payload: 0)
    guard let match = trie.match(parts).first(where: { _ in true }) else {
      broken("\(url) is generated and not matched", bytes)
    }
    let isSame =
      match.parameters.count == parameters.count
      && zip(match.parameters, parameters).allSatisfy { $0.value.utf8.elementsEqual($1.value.utf8) }
    if !isSame { broken("\(url) is read back as \(match.parameters)", bytes) }
  } catch {
    switch error {
    case .wildcard: break
    // A value may not be usable at its position, such as a minus sign or a UUID with capitals in a
    // host.
    case .unusable: break
    // Components that fit into a URL one by one can be too long together. No other URL is rejected.
    case .unopened(_, let reason) where reason.contains("more than \(URLParts.sizeLimit) bytes"): break
    case .missing, .taken, .unopened: broken("\(error)", bytes)
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: size)
  let text = String(decoding: bytes, as: UTF8.self)
  if let problem = agreement.disagreement(on: text) { broken(problem, bytes) }
  do throws(PatternError) {
    check(try PatternSyntax(text), bytes)
  } catch {
    if error.offset < 0 || error.offset > text.utf8.count { broken("the error is out of the text: \(error)", bytes) }
  }
  return 0
}
