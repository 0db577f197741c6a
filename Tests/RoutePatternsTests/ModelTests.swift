import TestSupport
import Testing

@testable import RoutePatterns

/// Random patterns and URLs that a tree and a reference match.
///
/// The reference compares one pattern after the other.
@Suite struct RouteModelTests {
  private let sequences = Effort.count("SEQUENCES", default: 100)
  private let first = Effort.seed

  private func entries(_ generator: inout SeededGenerator) -> [(text: String, payload: Int)] {
    (0..<generator.below(16)).map { _ in (generator.pattern(), generator.below(4)) }
  }

  @Test func `The tree and the reference find the same patterns in the same order`() throws {
    var (found, urls) = (0, 0)
    for seed in first..<(first + sequences) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let entries = entries(&generator)
      let agreement = try Agreement(entries, order: entries.indices.shuffled(using: &generator))
      for _ in 0..<20 {
        let url = generator.url()
        if let problem = agreement.disagreement(on: url) {
          Issue.record("REGISTRY_SEED=\(seed), \(url) and \(entries): \(problem)")
          return
        }
        urls += 1
        if agreement.reference.matches(url)?.isEmpty == false { found += 1 }
      }
    }
    // Agreement proves little if too few URLs match, so require a share of matches.
    #expect(found * 20 > urls)
  }

  @Test func `Patterns are reported as ambiguous when the reference cannot tell them apart, and only then`() throws {
    var reported = 0
    for seed in first..<(first + sequences) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let patterns = try (0..<24).map { _ in try PatternSyntax(generator.pattern()) }
      var trie = PatternTrie()
      for (payload, pattern) in patterns.enumerated().shuffled(using: &generator) {
        trie.insert(pattern, payload: payload)
      }
      // The tree reports the first pattern of each shape together with each other pattern of that
      // shape.
      var groups: [[UInt8]: [Int]] = [:]
      for (payload, pattern) in patterns.enumerated() {
        for variant in pattern.variants { groups[Array(variant.shapeForTests.utf8), default: []].append(payload) }
      }
      let expected = groups.values.flatMap { group in group.dropFirst().map { [group[0], $0] } }
      let found = trie.conflicts.map { [$0.first.payload, $0.second.payload] }
      #expect(Set(found) == Set(expected), "REGISTRY_SEED=\(seed)")
      reported += found.count
    }
    #expect(reported > 0)
  }

  @Test func `A generated URL is read back by the same pattern with the same parameters`() throws {
    // Every parameter whose type accepts one of these values can have it.
    let plain = [
      "7", "-7", "a", "A", "é", "x.html", "true", "1e5", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "7.example",
    ]
    let values =
      plain + [
        "a b", "a/b", "..", ".", "", "%41", "a?b#c", "+", "\u{0}", ":p", "*", "http://x/?a=b",
      ]
    var generated = 0
    for seed in first..<(first + sequences * 4) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let variants = try PatternSyntax(generator.pattern()).variants
      let pattern = variants[generator.below(variants.count)]
      let chosen = Dictionary(uniqueKeysWithValues: pattern.parameters.map { ($0.name, generator.pick(values)) })
      let url: String
      do {
        url = try pattern.generate { chosen[$0] }
      } catch {
        if error.description.contains("has a wildcard") { continue }
        let isUsable = pattern.parameters.allSatisfy { parameter in
          let value = chosen[parameter.name]!
          return plain.contains(value) && parameter.type?.accepts(Array(value.utf8)[...]) != false
        }
        #expect(!isUsable, "REGISTRY_SEED=\(seed): \(pattern) has no URL for \(chosen): \(error)")
        continue
      }
      generated += 1
      var trie = PatternTrie()
      trie.insert(pattern, payload: seed)
      let parts = try URLParts(url)
      // Without the values of the other variant, several variants of a pattern can match.
      let match = try #require(
        trie.match(parts).first { $0.pattern.parameters.count == pattern.parameters.count },
        "REGISTRY_SEED=\(seed): \(url) is not read back by \(pattern)")
      #expect(
        match.parameters.allSatisfy { chosen[$0.name]!.utf8.elementsEqual($0.value.utf8) }, "\(url) of \(pattern)")
      #expect(match.parameters.count == pattern.parameters.count)
      #expect(ReferenceMatcher([(pattern.text, 0)]).matches(url)?.isEmpty == false)
    }
    #expect(generated > sequences / 4)
  }
}

extension PatternSyntax {
  /// The shape of the pattern, which contains no names and only one spelling of each literal.
  fileprivate var shapeForTests: String {
    func shape(_ segment: Segment) -> String {
      switch segment {
      case .literal(let text): "=\(text.utf8.map { String($0) }.joined(separator: "."))"
      case .parameter(let parameter): ":\(parameter.type?.rawValue ?? "")=\(parameter.suffix)"
      case .wildcard: "*"
      case .rest: "**"
      }
    }
    return "\(scheme) \(host.map(shape) ?? "any") \(port ?? -1) " + segments.map(shape).joined(separator: " ")
      + (fragment.map { " # " + $0.map(shape).joined(separator: " ") } ?? "")
  }
}
