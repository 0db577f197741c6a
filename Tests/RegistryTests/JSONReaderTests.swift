import Foundation
import Registry
import Testing

@Suite struct JSONReaderTests {
  /// Returns whether the reader accepts a text as one object.
  private func accepts(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        var keys = try reader.object()
        while try reader.key(&keys) != nil { try reader.skip() }
        try reader.end()
        return true
      } catch {
        return false
      }
    }
  }

  private func boolean(_ json: String) throws -> Bool {
    try Array(json.utf8).withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      let value = try reader.boolean()
      try reader.end()
      return value
    }
  }

  @Test func `true and false are read, and nothing else`() throws {
    #expect(try boolean("true") && boolean(" true\n"))
    #expect(try !boolean("false") && !boolean("\tfalse "))
    for json in ["", "t", "tru", "f", "fals", "True", "truef", "true false", "1", "null", "\"true\"", "[true]"] {
      #expect(throws: JSONError.self) { try boolean(json) }
    }
  }

  private func string(_ json: String) throws -> String {
    try Array(json.utf8).withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      let text = try reader.string()
      try reader.end()
      return text
    }
  }

  // The reader compares eight bytes at a time, so a byte at each offset takes another path.
  @Test(arguments: 0..<20)
  func `a string is read up to its quotation mark at any offset`(count: Int) throws {
    for byte in UInt8(0x20)..<0x80 where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
      let text = String(repeating: Character(Unicode.Scalar(byte)), count: count)
      #expect(try string("\"\(text)\"") == text)
      #expect(try string("\"\(text)\\n\(text)é\(text)\"") == "\(text)\n\(text)é\(text)")
      #expect(accepts(Array("{\"\(text)\":\"\(text)\",\"\(text)é\":\"\(text)\\t\"}".utf8)))
    }
    for control in UInt8(0)..<0x20 {
      let json = "\"\(String(repeating: "x", count: count))\(Character(Unicode.Scalar(control)))xxxxxxxx\""
      #expect(throws: JSONError.self) { try string(json) }
    }
    #expect(throws: JSONError.self) { try string("\"" + String(repeating: "x", count: count)) }
  }

  @Test(arguments: [
    (#""ab\x""#, 3), (#""a\ud800x""#, 2), (#""\ud800\u0041""#, 1), ("\"ab\u{1}\"", 3), (#""\u12g4""#, 5),
  ])
  func `an error in a string has its offset`(json: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try string(json) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    "{}", " { } ", #"{"a":1}"#, #"{"a":-0.5e+10,"b":[1,[2,{}],"x"],"c":null,"d":true,"e":false,"f":[1e-5,2E3,0e0]}"#,
    #"{"a":"\u00e9\ud83d\ude00\n\\\"\/"}"#, #"{"ü":"ß"}"#, "\t{\"a\"\n:\r1}",
  ])
  func `Foundation accepts everything that this reader accepts`(json: String) throws {
    #expect(accepts(Array(json.utf8)))
    _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
  }

  @Test(arguments: [
    "", "{", "}", "[]", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":+1}"#,
    #"{"a":"\x"}"#, #"{"a":"\ud800"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"x}"#, "{\"a\":\"\u{1}\"}", "{} {}",
    #"{"a":1,"a":2}"#, #"{"a":tru}"#, #"{"a":nul"#, #"{"a":[1,2}"#, #"{"a":[1 2]}"#, #"{"a" 1}"#, #"{"é" 1}"#,
    "{\"a\":\"\\n\u{1f}\"}", #"{"a":"\u12g4"}"#, #"{"a":"\u12"#, #"{"a":"\"#,
  ])
  func `a text that is not a JSON object, or that repeats a key, is rejected`(json: String) {
    #expect(!accepts(Array(json.utf8)))
  }

  @Test(arguments: [
    ("9223372036854775807", Int.max), ("-9223372036854775808", .min), ("-0", 0), ("9223372036854775808", nil),
    ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("true", nil),
  ])
  func `an integer is one that fits 64 bits`(json: String, value: Int?) {
    Array(json.utf8).withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) {
        #expect(try reader.integer() == value)
      } catch {
        #expect(value == nil && error.offset == 0 && "\(error)".contains("expected"))
      }
    }
  }

  @Test func `an unknown scope is named`() {
    let json = #"{"protocol":"P","class":"C","scope":"global\u202e"}"#
    let error = Array(json.utf8).withUnsafeBytes { bytes in
      #expect(throws: JSONError.self) { try ServiceAttributes(bytes) }
    }
    #expect(error?.message == #"unknown scope 'global\u{202e}'"#)
  }

  @Test(arguments: [
    #""""#, #""name""#, #"  "name""#, #""names""#, #""nam""#, #""\u006eame""#, #""name\n""#, "\"n\u{e9}\"",
    #""n\u00e9""#,
    "\"ne\u{301}\"", "\"na\u{1}me\"", #""name"#, #""na\qme""#, "name", "", "\"",
  ])
  func `comparing a text in place has the same result as reading it`(json: String) {
    let names: [StaticString] = ["", "name", "names", "nam", "n\u{e9}", "ne\u{301}", "name\n", "eman"]
    Array(json.utf8).withUnsafeBytes { bytes in
      var (slow, fast) = (JSONReader(bytes), JSONReader(bytes))
      do throws(JSONError) {
        let string = try slow.string()
        let text = try fast.text()
        for name in names { #expect((name ~= text) == "\(name)".utf8.elementsEqual(string.utf8), "\(name), \(string)") }
        #expect(text.string.utf8.elementsEqual(string.utf8) && text.isEmpty == string.isEmpty)
        // Both readers stop at the same offset.
        #expect(fast.error("").offset == slow.error("").offset)
      } catch {
        let first = "\(error)"
        var reader = JSONReader(bytes)
        do throws(JSONError) {
          _ = try reader.text()
          Issue.record("read, and not as a string: \(first)")
        } catch {
          #expect("\(error)" == first)
        }
      }
    }
  }

  @Test func `a duplicate key is found at any position and in any spelling`() {
    for count in [0, 1, 14, 15, 16, 17, 30] {
      let others = (0..<count).map { "\"k\($0)\":0," }.joined()
      for (a, b) in [
        ("name", "name"), (#"\u006eame"#, "name"), ("name", #"nam\u0065"#), (#"n\u0061me"#, #"nam\u0065"#),
      ] {
        #expect(!accepts(Array("{\(others)\"\(a)\":1,\"\(b)\":2}".utf8)), "\(count), \(a), \(b)")
        #expect(!accepts(Array("{\"\(a)\":1,\(others)\"\(b)\":2}".utf8)), "\(count), \(a), \(b)")
        #expect(accepts(Array("{\"\(a)\":1,\(others)\"\(b)s\":2,\"nam\":3}".utf8)), "\(count), \(a), \(b)")
      }
    }
  }

  @Test func `every scope is read by its name`() throws {
    for scope in ServiceScope.every {
      let json = Array(#"{"\u0070rotocol":"P","class":"C","scope":"\#(scope)","priority":-3}"#.utf8)
      try json.withUnsafeBytes { bytes in
        let read = try ServiceAttributes(bytes)
        #expect(read.scope == scope && read.priority == -3 && read.name == nil)
        #expect(read.service.string == "P" && read.implementation.string == "C")
      }
    }
  }

  @Test func `bytes that are not UTF-8 are rejected`() {
    for bytes: [UInt8] in [[0xff, 0xfe], [0x80]] {
      #expect(!accepts(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)))
    }
    #expect(!accepts(Array(#"{"a":"\n"#.utf8) + [0xc3] + Array(#""}"#.utf8)))
  }

  @Test func `deep nesting is rejected without a crash`() {
    let deep = #"{"a":"# + String(repeating: "[", count: 100_000)
    #expect(!accepts(Array(deep.utf8)))
    let allowed = #"{"a":"# + String(repeating: "[", count: 60) + String(repeating: "]", count: 60) + "}"
    #expect(accepts(Array(allowed.utf8)))
  }

  @Test(arguments: [(1, true), (64, true), (65, false)])
  func `sixty-four levels are allowed`(depth: Int, isAllowed: Bool) {
    // The object is the first level.
    let json = #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    #expect(accepts(Array(json.replacing(":}", with: ":0}").utf8)) == isAllowed)
  }

  @Test func `strings are decoded`() throws {
    #expect(try string(#""a\u00e9\ud83d\ude00\t\\""#) == "aé😀\t\\")
    #expect(try string(#""plain ü""#) == "plain ü")
    #expect(try string(#""\b\f\n\r\/\"""#) == "\u{8}\u{c}\n\r/\"")
  }

  @Test func `an object with many members is read, and a duplicate key among them is found`() {
    let members = (0..<1_000).map { "\"k\($0)\":\($0)" }
    #expect(accepts(Array("{\(members.joined(separator: ","))}".utf8)))
    #expect(!accepts(Array("{\(members.joined(separator: ",")),\"k999\":0}".utf8)))
  }

  @Test func `keys that look alike are different, and two spellings of a key are the same`() {
    #expect(accepts(Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8)))
    #expect(!accepts(Array(#"{"é":1,"\u00e9":2}"#.utf8)))
    // The reader stores the keys of large objects in a set.
    let many = (0..<40).map { "\"k\($0)\":0," }.joined()
    #expect(accepts(Array("{\(many)\"\u{e9}\":1,\"e\u{301}\":2}".utf8)))
    #expect(!accepts(Array("{\(many)\"\u{e9}\":1,\"\u{e9}\":2}".utf8)))
  }

  @Test func `many keys that look alike take no longer than others`() {
    // These keys are equal as Swift strings. If the reader hashed them as such, it would compare
    // each key with all others.
    let keys = (0..<(1 << 12)).map { number in
      (0..<12).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined()
    }
    #expect(accepts(Array("{\(keys.map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)))
  }

  @Test func `every truncation of an object is rejected`() {
    let json = Array(#"{"protocol":"A.B","class":"C.D","priority":-12,"x":[1,{"y":"\u00e9"}]}"#.utf8)
    for count in 0..<json.count { #expect(!accepts(Array(json.prefix(count)))) }
  }
}

@Suite struct DisplayTextTests {
  @Test func `control characters and direction marks are escaped`() {
    #expect("a\u{202e}b\u{7}\n".escapedForDisplay() == "a\\u{202e}b\\u{7}\\u{a}")
    // The limit applies to the escaped text, so escaping cannot make a text long.
    #expect(String(repeating: "\u{7f}", count: 1_000).escapedForDisplay().utf8.count < 230)
    #expect("0123456789".escapedForDisplay(limit: 10) == "0123456789")
    #expect("0123456789a".escapedForDisplay(limit: 10) == "0123456789… (11 bytes)")
    #expect(String(repeating: "x", count: 1_000_000).escapedForDisplay(limit: 10) == "xxxxxxxxxx… (1000000 bytes)")
  }

  @Test func `the nearest name is close to the searched one`() {
    #expect(
      "Acount.AccountModule".nearest(in: ["Cart.CartModule", "Account.AccountModule"]) == "Account.AccountModule")
    #expect("Cart.CartModule".nearest(in: ["Account.AccountModule"]) == nil)
    // A difference in case counts less than another letter, at any position.
    #if DEBUG
    let nested = "Shop.Features.Inner"
    #expect("Shop.Inner".nearest(in: ["Shop.Intern", nested, "Cart.A.Inner"]) == nested)
    #expect("A.DB".nearest(in: ["Cart.A.DB", "Cart.B.DB", "A.DB", "ACart.A.DBX"]) == "Cart.A.DB")
    #endif
    #expect("color".nearest(in: ["colour", "Color", "colors"]) == "Color")
    // The order of the names does not matter.
    for names in [["colon", "colour"], ["colour", "colon"]] { #expect("color".nearest(in: names) == "colon") }
    // A missing or additional suffix counts as much as its length.
    #expect("abcdefghi".nearest(in: ["abcdefghixx", "abcdefghx"]) == "abcdefghx")
    #expect("abcdefghi".nearest(in: ["abcdefg", "abcdefghx"]) == "abcdefghx")
    // Only the beginnings of long names are compared, but a much longer name is not a match.
    let long = String(repeating: "x", count: 200)
    #expect(long.nearest(in: [long + "y"]) != nil && long.nearest(in: [long + long]) == nil)
  }

  @Test func `a diagnostic is one line that names subject, image and code`() {
    let image = LoadedImage(path: "/a/b/libx.so", serial: 1, batch: 0)
    let diagnostic = Diagnostic(severity: .warning, code: .tie, subject: "A\nB", image: image, message: "m")
    #expect(diagnostic.description == "warning: A\\u{a}B (libx.so): m [tie]")
  }
}
