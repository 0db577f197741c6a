@testable import RoutePatterns

/// Creates a tree of patterns whose payloads are their indices in the list.
func trie(_ patterns: [String]) throws -> PatternTrie {
  var trie = PatternTrie()
  for (payload, pattern) in patterns.enumerated() { trie.insert(try PatternSyntax(pattern), payload: payload) }
  return trie
}

extension PatternTrie {
  /// Returns a lazy sequence of the patterns that match a URL.
  func match(_ url: URLParts) -> UnfoldSequence<PatternMatch, PatternSearch> {
    sequence(state: search(url)) { next(url, &$0) }
  }
}

/// Returns the names and values of query items in a form that can be compared.
func pairs(_ items: [URLParts.QueryItem]) -> [[String?]] { items.map { [$0.name, $0.value] } }

/// Returns the patterns that match a URL in order of precedence.
///
/// Each element has the pattern, its parameters, and its rest, as in `shop://h/:a a=7 rest=b,c`.
func matches(_ patterns: [String], _ url: String) throws -> [String] {
  try trie(patterns).match(URLParts(url)).map { match in
    ([match.pattern.text] + match.parameters.map { "\($0.name)=\($0.value)" }
      + (match.rest.map { ["rest=" + $0.joined(separator: ",")] } ?? [])).joined(separator: " ")
  }
}
