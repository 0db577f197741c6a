import Foundation
import TestSupport
import Testing

@testable import Manifests

extension HostileManifestTests {
  /// A value of any kind that decodes nothing.
  private struct Unread: Decodable {
    init(from decoder: any Decoder) {}
  }

  @Test(.timeLimit(.minutes(20)))
  func `a text that the check accepts does not nest deeper than the limit in Foundation's parser`() throws {
    let tokens = [
      "<!--", "-->", "<!-->", "<!--->", "<![CDATA[", "]]>", "<?", "?>", "<?>", "<!DOCTYPE x [", "]>", "<!", ">",
      "</array>", "<array/>", "<array a=\">\">", "<array a='/>'", "\"", "'", "a=\">\"", "<plist>", "</plist>", "<dict>",
      "</dict>", "<key>", "<key/>", "</key>", "<key>k</key>", "<string>", "</string>", "<string/>", "<true/>", "\n",
    ]
    let likely = ["<array>", "</array>", "<dict>", "<key>k</key>", "<!-- -->", "<array><true/>"]
    let starts = ["", "<plist>", "<plist><array>", "<?xml version=\"1.0\"?><!DOCTYPE plist><plist>"]
    let openings = [
      "<!--", "<!-->", "<!--->", "<?", "<?>", "<?a", "<![CDATA[", "<string><![CDATA[", "<key/>", "<array a='",
    ]
    let closingTags = ["</array>", "</dict>", "</key>"]
    let ends = ["-->", "?>", "]]>", "]]></string>", "'>", ""]
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    var (accepted, deep, complete) = (0, 0, 0)
    for _ in 0..<Effort.count("MANIFEST_NESTING", default: 300) {
      func any(_ tokens: [String]) -> String { tokens.randomElement(using: &generator)! }
      func unit() -> String {
        // Build deep levels with text that can hide where a level ends.
        if .random(using: &generator) {
          let level = any(["<array>", "<array>", "<dict><key>k</key>", "<dict>"])
          return String(repeating: level + any(openings) + any(closingTags) + any(ends), count: 70)
        }
        let isRegular = Bool.random(using: &generator)
        var chosen = ""
        for _ in 1 ... .random(in: 1...4, using: &generator) {
          let isLikely = isRegular || .random(using: &generator)
          chosen += any(isLikely ? likely : tokens)
        }
        return String(repeating: chosen, count: .random(using: &generator) ? 1 : 70)
      }
      var text = starts.randomElement(using: &generator)!
      for _ in 0 ..< .random(in: 1...4, using: &generator) { text += unit() }
      // Close some of the texts, so that Foundation reads them to the end.
      if .random(using: &generator) { text += "<array></array></array></plist>\n" }
      let parser = FoundationXMLDepth(text)
      if parser.deepest > 66 { deep += 1 }
      // Other text is not read as a property list.
      guard text.drop(while: \.isWhitespace).first == "<" else { continue }
      guard let bytes = try? PropertyListCheck.decodableBytes(of: Array(text.utf8)) else { continue }
      accepted += 1
      // The outermost element and the innermost value are nested in addition to the limit.
      #expect(parser.deepest <= 66, "REGISTRY_SEED=\(seed): \(text)")
      let isDecoded = (try? PropertyListDecoder().decode(Unread.self, from: Data(bytes))) != nil
      #expect(!isDecoded || parser.isComplete, "REGISTRY_SEED=\(seed): \(text)")
      complete += isDecoded ? 1 : 0
    }
    #expect(accepted > 0 && deep > 0 && complete > 0, "REGISTRY_SEED=\(seed)")
  }

  @Test(arguments: [
    "<plist><!--><!-- -->", "<plist><?a?>",
    "<plist><array><!---></a>--><true/></array></plist>", "<plist><array><!--></a>--><true/></array></plist>",
  ])
  func `the end of a comment is searched after its opening`(text: String) throws {
    #expect(throws: Never.self) { try PropertyListCheck.decodableBytes(of: Array(text.utf8)) }
  }
}
