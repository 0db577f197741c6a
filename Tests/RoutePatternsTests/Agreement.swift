@testable import RoutePatterns

// The random tests and the fuzzer share this comparison of the tree and the reference.

/// Patterns that are stored in a tree and in the reference matcher.
struct Agreement {
  let patterns: [PatternSyntax]
  let trie: PatternTrie
  let reference: ReferenceMatcher

  /// Creates both forms from well-formed patterns and their payloads.
  ///
  /// - Parameter order: The order in which the patterns are inserted into the tree; nil for the
  ///   order of the entries.
  init(_ entries: [(text: String, payload: Int)], order: [Int]? = nil) throws {
    patterns = try entries.map { try PatternSyntax($0.text) }
    var trie = PatternTrie()
    for index in order ?? Array(entries.indices) { trie.insert(patterns[index], payload: entries[index].payload) }
    self.trie = trie
    reference = ReferenceMatcher(entries)
  }

  /// Returns a description of the difference between both forms for a URL, or nil if they agree.
  func disagreement(on url: String) -> String? {
    guard let expected = reference.matches(url) else {
      return (try? URLParts(url)) == nil ? nil : "it is taken for a URL, which it is not"
    }
    let parts: URLParts
    do throws(URLPartsError) {
      parts = try URLParts(url)
    } catch {
      guard error.offset >= 0, error.offset <= url.utf8.count else { return "the error is out of the text: \(error)" }
      return "it is a URL and not taken for one: \(error)"
    }
    var count = 0
    for match in trie.match(parts) {
      guard count < expected.count else { return "\(match.pattern) does not match" }
      let other = expected[count]
      guard patterns[other.index].text.utf8.elementsEqual(match.pattern.text.utf8) else {
        return "\(patterns[other.index]) comes next, not \(match.pattern)"
      }
      let values = match.parameters.map(\.value)
      guard isSame(values, other.values) else { return "\(match.pattern): \(values), not \(other.values)" }
      guard (match.rest == nil) == (other.rest == nil), isSame(match.rest ?? [], other.rest ?? []) else {
        return "\(match.pattern): the rest is \(match.rest ?? []), not \(other.rest ?? [])"
      }
      count += 1
    }
    return count == expected.count ? nil : "\(patterns[expected[count].index]) is not found"
  }

  /// Returns whether two lists are equal byte by byte.
  ///
  /// The operator `==` also treats texts as equal that are only canonically equivalent.
  private func isSame(_ a: [String], _ b: [String]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}
