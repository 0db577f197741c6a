import Foundation
import Testing

@testable import RoutePatterns

@Suite struct EncodingTests {
  @Test func `Bytes are UTF-8 exactly when the standard library finds nothing to repair`() {
    // The bytes are on both sides of every bound in the definition of UTF-8.
    let bytes: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
      0xf0,
      0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ]
    func check(_ text: [UInt8], _ depth: Int) {
      let isValid = String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)
      if text.isUTF8 != isValid { Issue.record("\(text) is \(isValid ? "" : "not ")UTF-8") }
      if depth > 0 { for byte in bytes { check(text + [byte], depth - 1) } }
    }
    check([], 3)
    for lead in [0xf0, 0xf1, 0xf3, 0xf4] as [UInt8] {
      for second in bytes { check([lead, second, 0x80], 1) }
    }
  }

  // The samples are from RFC 3492, and some others that Foundation confirms.
  @Test(arguments: [
    ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
    ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
    ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
    ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"), ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
    ("そのスピードで", "d9juau41awczczp"), ("bücher", "bcher-kva"), ("ü", "tda"), ("aé", "a-bga"), ("éa", "a-9fa"),
    ("😀", "e28h"), ("😀\u{10ffff}", "e28h43172d"),
  ])
  func `International labels are encoded as in RFC 3492`(_ label: String, _ encoded: String) throws {
    let result = String(decoding: Punycode.encode(Array(label.unicodeScalars)), as: UTF8.self)
    #expect(result == encoded)
    // Foundation maps or rejects the other labels, so it cannot confirm them.
    if label == label.lowercased(), !label.contains("؟"), !label.contains("\u{10ffff}") {
      #expect(URL(string: "https://\(label)/")?.absoluteString == "https://xn--\(encoded)/")
    }
  }

  @Test(
    arguments: [
      (
        .int, ["0", "7", "-7", "007", "-0", "9223372036854775807", "-9223372036854775808"],
        ["", "-", "+7", "7.0", "--7", "7-", "0x7", "9223372036854775808", "٧", "1_000", " 7", "7 ", "１"]
      ),
      (.uint, ["0", "7", "007", "18446744073709551615"], ["", "-7", "-0", "+7", "18446744073709551616", "7a"]),
      (
        .double, ["0", "-0", "7", "-7.5", "1e5", "1E+5", "1.5e-3", "007.50", ".5", "5."],
        [
          "", "-", ".", "1e", "1e+", "e5", "+7", "1e999", "-1e999", "inf", "nan", "0x1p3", "1.2.3", "1e5e5",
          "1,5",
        ]
      ),
      (.bool, ["true", "false"], ["", "True", "1", "yes", "truefalse", "TRUE"]),
      (
        .uuid, ["F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
        [
          "", "F81D4FAE7DEC11D0A76500A0C91E6BF6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BFG",
          "{F81D4FAE-7DEC-11D0-A765-00A0C91E6B}",
        ]
      ),
      (
        .name, ["a", "...", "a..b", ".htaccess", "a b", "é", "%2F", "C:"],
        ["", ".", "..", "a/b", "../x", "/", "a\\b", "..\\x", "a\u{0}", "a\n", "\u{7f}"]
      ),
    ] as [(ParameterType, [String], [String])])
  func `A parameter type accepts only its values`(_ type: ParameterType, _ values: [String], _ others: [String]) {
    for value in values { #expect(type.accepts(Array(value.utf8)[...]), "\(value)") }
    for other in others { #expect(!type.accepts(Array(other.utf8)[...]), "\(other)") }
    #expect(type.accepts(Array(String(repeating: "0", count: 65).utf8)[...]) == (type == .name))
  }
}
