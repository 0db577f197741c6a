import Foundation
import Measuring
import RoutesInside

// Parses a URL, finds its pattern among many, and extracts the parameter. The baseline parses the
// URL with Foundation.

@MainActor let routeBenchmarks = [
  Benchmark("route.match") { name, effort in
    let trie = try patterns(10_000)
    return try effort.compare(
      name, goal: .ratio(1.2), checksum: { $0 * 7 }, ours: { try matchRoutes($0, trie, urls(10_000)) },
      baseline: { try splitByFoundation($0, urls(10_000)) })
  },
  // Both sides match the same URLs, so only the number of patterns differs.
  Benchmark("route.growth") { name, effort in
    let (many, few) = (try patterns(10_000), try patterns(100))
    return try effort.compare(
      name, goal: .ratio(1.5), checksum: { $0 * 7 }, ours: { try matchRoutes($0, many, urls(100)) },
      baseline: { try matchRoutes($0, few, urls(100)) })
  },
]

/// Returns patterns for a hundred hosts. Each has one parameter, and its payload is its number.
func patterns(_ count: Int) throws -> PatternTrie {
  var trie = PatternTrie()
  for number in 0..<count {
    trie.insert(try PatternSyntax("shop://feature\(number % 100)/section\(number)/:id"), payload: number)
  }
  return trie
}

/// Returns a hundred URLs that match patterns at regular intervals.
///
/// Each parameter has seven letters.
func urls(_ count: Int) -> [String] {
  (0..<100).map { index in
    let number = index * (count / 100) + index % (count / 100)
    return "shop://feature\(number % 100)/section\(number)/order-\(number % 10)?from=home"
  }
}

@inline(never) func matchRoutes(_ count: Int, _ trie: PatternTrie, _ urls: [String]) throws -> Int {
  var sum = 0
  for round in 0..<count {
    let url = try URLParts(urls[round % urls.count])
    var search = trie.search(url)
    sum += trie.next(url, &search)?.parameters[0].value.utf8.count ?? 0
  }
  return sum
}

@inline(never) func splitByFoundation(_ count: Int, _ urls: [String]) throws -> Int {
  var sum = 0
  for round in 0..<count { sum += URLComponents(string: urls[round % urls.count])?.scheme == "shop" ? 7 : 0 }
  return sum
}
