import Foundation
import TestSupport
import Testing

@testable import RoutePatterns

/// Compares encoded and decoded texts with Foundation's.
@Suite struct FoundationEncodingTests {
  @Test func `Texts are decoded as Foundation decodes them`() {
    var generator = SeededGenerator(seed: UInt64(Effort.seed))
    let words = [
      "%", "%4", "%41", "%c3%a9", "%C3", "%A9", "%ff", "a", "é", "%00", "%2", "5", "%e2%82%ac", "%zz", "%25", "+",
    ]
    for _ in 0..<Effort.count("SEQUENCES", default: 100) * 5 {
      let text = (0..<generator.below(6)).map { _ in generator.pick(words) }.joined()
      let decoded = PercentEncoding.decoded(text.utf8).map { String(decoding: $0, as: UTF8.self) }
      // Foundation repairs some incomplete sequences, and the decoder rejects them.
      let expected = text.removingPercentEncoding.flatMap { $0.contains("\u{fffd}") ? nil : $0 }
      #expect(decoded == expected, "REGISTRY_SEED=\(Effort.seed): \(text)")
    }
  }

  @Test func `Every character is encoded so that Foundation reads it back in the same part`() throws {
    for value in (0..<0x250 as Range<UInt32>) {
      let character = String(Unicode.Scalar(value)!)
      let pattern = try PatternSyntax("shop://h/:a")
      guard !["."].contains(character) else { continue }
      let url = try pattern.generate(query: [(character, character)]) { _ in character }
      let read = try #require(URLComponents(string: url), "\(url)")
      #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
      #expect(read.path.utf8.elementsEqual("/\(character)".utf8), "\(url)")
      #expect(read.queryItems?.count == 1 && read.queryItems?[0].name == character, "\(url)")
      #expect(read.queryItems?[0].value == character, "\(url)")
    }
  }
}
