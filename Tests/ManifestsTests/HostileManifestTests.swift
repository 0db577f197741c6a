import Manifests
import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

@MainActor struct HostileManifestTests {
  private func error(_ data: Data) -> String {
    do {
      _ = try Manifest(data: data, name: "bad")
      return "no error"
    } catch {
      return error.description
    }
  }

  private func plist(_ body: String) -> String { "<plist version=\"1.0\">\(body)</plist>" }

  @Test(arguments: [
    ("", "it is empty; the shortest manifest is '{}'"), (" \n\t", "it is empty; the shortest manifest is '{}'"),
    ("{", "at byte 1 of its JSON (line 1)"),
    ("{\n\"modules\": [}", "expected a value, but found '}' at byte 14 of its JSON (line 2)"),
    ("{} {}", "expected the end, but found '{'"), ("nothing", "it is neither JSON, which begins with '{' or '['"),
    (#"{"a": 1, "a": 2}"#, "duplicate key 'a'"),
    // The same key in two normalizations is one key of a dictionary.
    ("{\"configuration\": {\"\u{e9}\": 1, \"e\u{301}\": 2}}", "duplicate key 'e\u{301}'"),
    (#"{"configuration": {"a": 1e999}}"#, "number '1e999' out of range"),
    (#"{"modules": "\ud800"}"#, "unpaired surrogate"),
    ("<html>", "unknown tag html on line 1"), ("<plist>", "a property list with a syntax error: "),
    ("<plist>\n<dict>\n<key>a</key></plist>", "a property list with a syntax error: "),
    ("<plist><dict><string>a</string></dict></plist>", "a property list with a syntax error: "),
    ("<plist><integer>99999999999999999999</integer></plist>", "a number of at most 64 bits"),
    ("<plist>\n<integer>9223372036854775808</integer></plist>", "found the number 9.22"),
    ("<plist><integer>-9223372036854775809</integer></plist>", "a number of at most 64 bits"),
    ("<plist><integer>\n+ 0x8000000000000000</integer></plist>", "found the number 9.22"),
    ("<plist><integer>\u{a0}0XffffffffffffffFF</integer></plist>", "found the number 1.84"),
    ("<plist><integer>-9223372036854775808</integer></plist>", "found the integer -9223372036854775808"),
    ("<plist><integer>-0x8000000000000000</integer></plist>", "found the integer -9223372036854775808"),
    ("<plist><integer>09223372036854775807</integer></plist>", "found the integer 9223372036854775807"),
    (
      "<plist><integer>99999999999999999999x</integer></plist>",
      "neither a string, a number of at most 64 bits, nor a Boolean value"
    ),
    ("<plist><real>9223372036854775808</real></plist>", "the number 9.22"),
    ("<plist><integer/></plist>", "empty <integer>"),
    ("<plist><string>$null</string></plist>", "a null value or the string '\"$null\"'"),
    ("<plist><array><true/><string>$null</string></array></plist>", "does not distinguish ([1])"),
    (
      "<plist><dict><key/></key><true/></dict></plist>",
      "a syntax error: a closing tag that does not match the opening tag"
    ),
    ("<plist></plist></plist>", "a syntax error: a closing tag that does not match the opening tag (line 1)"),
    ("<plist><?><true/></plist>", "a processing instruction without a name"), ("<>", "a syntax error: "),
    ("</>", "a syntax error: "), ("<plist><", "a syntax error: "), ("<plist><?", "a syntax error: "),
    ("<plist><![CDATA[", "a syntax error: "),
    ("<plist><real>nan</real></plist>", "a number that is not finite"),
    ("<plist><real>1e999</real></plist>", "a number that is not finite"),
    ("<plist><date>2020-01-01T00:00:00Z</date></plist>", "a date, which settings cannot contain"),
    (
      "<plist><dict><key>7</key><array><date>2020-01-01T00:00:00Z</date></array></dict></plist>",
      "write it as a string or a number (7[0])"
    ),
    ("<plist><data>AAAA</data></plist>", "data, which settings cannot contain"),
    (
      "<plist><dict><key>a</key><array><true/><data>AAAA</data></array></dict></plist>",
      "write it as a string (a[1]); run 'plutil -lint' for details"
    ),
    ("<plist><string>&bomb;</string></plist>", "ampersand-escape sequence at line 1"),
    ("<plist><string>a & b</string></plist>", "ampersand-escape sequence at line 1"),
    ("<plist><string>a</plist>", "a property list with a syntax error: "),
    ("<", "a property list with a syntax error: "),
    (
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>",
      "a document type declaration with an internal subset (line 1)"
    ),
    ("<plist><!-- ", "a property list with a syntax error: "),
    ("<plist><true/><true/></plist>", "unexpected element at line 1"),
    (
      "<plist><string>x</string></plist>",
      "expected an object with 'modules', 'services', or 'configuration', but found the string \"x\""
    ),
    ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><string>x</string></plist>", "found the string \"x\""),
    (#"[{"module": "A.B"}]"#, #"expected an object; write {"modules": […]} for a list of modules"#),
    ("<plist>\0</plist>", "text that is not UTF-8"),
    ("bplist00", "no trailer, because it is truncated"),
    ("bplist00" + String(repeating: "x", count: 31), "no trailer, because it is truncated"),
    ("bplist00" + String(repeating: "x", count: 32), "a malformed trailer"),
    ("bplist16" + String(repeating: "x", count: 40), "it is neither JSON, which begins with '{' or '['"),
    ("bplist00" + String(repeating: "x", count: 40), "a malformed trailer"),
  ]) func `a file that is neither JSON nor a property list is an error with its location`(text: String, words: String) {
    let error = error(Data(text.utf8))
    #expect(error.hasPrefix("'bad' is not a manifest: ") && error.contains(words), "\(error)")
  }

  @Test func `text in XML can contain entities, comments, and CDATA`() throws {
    let text = "x&amp;&lt;&gt;&quot;&apos;&#x41;&#66;<![CDATA[<b>&]]>"
    let data = Data(
      plist("<dict><key>configuration</key><dict><key>a</key><string>\(text)</string></dict></dict>").utf8)
    let modules = ModuleManager()
    #expect(modules.load(try Manifest(data: data, name: "text")).problems.isEmpty)
    #expect(modules.context.configuration[ContextKey<String>("a", default: "")] == "x&<>\"'AB<b>&")
  }

  @Test func `text that is not UTF-8 is an error`() {
    #expect(
      error(Data(#"{"modules": ""#.utf8) + [0xff, 0xfe] + Data(#""}"#.utf8)).contains("invalid UTF-8 in a string"))
    #expect(
      error(Data("<plist><string>".utf8) + [0xff] + Data("</string></plist>".utf8)).contains("text that is not UTF-8"))
    #expect(error("{}".data(using: .utf16)!).contains("if it is UTF-16, save it as UTF-8"))
    for text in ["{}", "<plist><dict/></plist>"] {
      #expect(throws: Never.self) { try Manifest(data: Data([0xef, 0xbb, 0xbf]) + Data(text.utf8), name: "marked") }
    }
  }

  @Test func `endless nesting is an error and does not overflow the stack`() {
    let many = 100_000
    #expect(
      error(Data((#"{"configuration": "# + String(repeating: "[", count: many)).utf8)).contains(
        "nesting deeper than 64"))
    #expect(error(Data(plist(String(repeating: "<array>", count: many)).utf8)).contains("nesting deeper than 64"))
  }

  @Test func `nesting up to the limit is read, and one level more is an error`() {
    func nested(_ count: Int) -> Data {
      let inner = String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
      // The two dictionaries around the arrays count as levels too.
      return Data(plist("<dict><key>configuration</key><dict><key>a</key>\(inner)</dict></dict>").utf8)
    }
    #expect(error(nested(62)) == "no error")
    #expect(error(nested(63)).contains("nesting deeper than 64"))
  }

  @Test(arguments: [
    "<array><!--</array>-->", "<array><![CDATA[</array>]]>", "<array><?</array>?>", "<array><!x </array>",
    "<array </array>", "<dict><key>a</key>", "<array><!-->",
    "<dict><key>a</key><!--</dict>-->", "<array a=\"<\">", "<array/ a>",
  ]) func `no text hides nesting from the limit`(element: String) {
    #expect(error(Data(plist(String(repeating: element, count: 100_000)).utf8)).contains("nesting deeper than 64"))
  }

  @Test(arguments: [
    ("<plist><!-->", "</a>", "-->", "nesting deeper than 64"),
    ("<plist><!--->", "</a>", "-->", "nesting deeper than 64"),
    ("<?>", "</a>", "?><plist>", "a processing instruction without a name"),
    ("<?a?>", "</a>", "<plist>", "a closing tag that does not match"),
    ("<plist><array><!---></a>", "</array>", "--><array>", "nesting deeper than 64"),
    ("<!DOCTYPE plist [<!--", "</a>", "-->]><plist>", "an internal subset"),
    ("<plist><string><![CDATA[>", "</a>", "]]></string>", "nesting deeper than 64"),
  ]) func `closing tags before the opening ones do not hide nesting`(
    start: String, closing: String, end: String, words: String
  ) {
    let text = start + String(repeating: closing, count: 100_000) + end + String(repeating: "<array>", count: 100_000)
    #expect(error(Data(text.utf8)).contains(words))
  }

  @Test func `an empty key does not hide nesting, although Foundation reads it as an opening tag`() {
    let keys = "<plist>" + String(repeating: "<dict><key/></key>", count: 100_000)
    #expect(error(Data(keys.utf8)).contains("a closing tag that does not match the opening tag"))
  }

  @Test func `tags in comments, CDATA sections, and instructions do not count`() throws {
    let tags = String(repeating: "<array>", count: 100)
    let closing = String(repeating: "</array>", count: 100)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- \(tags) -->
      <?target \(closing)?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><!-- \(closing) --><dict><?target \(tags)?><key>configuration</key><!-- - -- \(tags)-->
      <dict><key>a</key><string><![CDATA[\(tags)]]></string><key>b</key><string>]]><![CDATA[\(closing)]]></string></dict>
      </dict></plist>
      """
    let manifest = try Manifest(data: Data(text.utf8), name: "list")
    #expect(manifest.problems.isEmpty)
    #expect(manifest.configuration == ["a": .string(tags), "b": .string("]]>" + closing)])
  }

  @Test(.timeLimit(.minutes(20))) func `the time for many wrong entries is proportional to their number`() throws {
    let many = 50_000
    func list(_ entry: String) -> String { "[" + String(repeating: entry + ",", count: many) + entry + "]" }
    for text in [
      list("[]"), #"{"modules": \#(list("1"))}"#, #"{"services": \#(list("{}"))}"#, #"{"Modules": \#(list("0"))}"#,
    ] {
      let data = Data(text.utf8)
      // Copying all problems for each entry would take about 25 s.
      var count = 0
      let seconds = try processorSeconds { count = try Manifest(data: data, name: "many").problems.count }
      #expect(count > many && seconds < 10)
    }
  }

  @Test func `a file that is larger than the limit is an error`() {
    let space = Data(repeating: 0x20, count: 4 << 20)
    #expect(error(space + Data("{}".utf8)).contains("its size of 4194306 bytes exceeds the limit of 4194304 bytes"))
    #expect(error(space.dropLast(2) + Data("{}".utf8)) == "no error")
  }

  @Test func `adjacent values are not nested`() {
    #expect(
      error(Data((#"{"configuration": {"a": [\#(String(repeating: "[1],", count: 100))2]}}"#).utf8)) == "no error")
    let arrays = String(repeating: "<array><true/></array>", count: 100)
    let list = "<dict><key>configuration</key><dict><key>a</key><array>\(arrays)</array></dict></dict>"
    #expect(error(Data(plist(list).utf8)) == "no error")
  }

  /// Returns a binary property list of the given objects.
  ///
  /// - Parameters:
  ///   - top: The index of the top object.
  ///   - objectCount: The number of objects in the trailer; nil for the actual number.
  private func binary(_ objects: [[UInt8]], top: UInt8 = 0, objectCount: UInt8? = nil) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(data.count >> 8), UInt8(data.count & 0xff)]
      data.append(contentsOf: object)
    }
    let table = [UInt8(data.count >> 8), UInt8(data.count & 0xff)]
    data.append(contentsOf: offsets)
    // The trailer has six unused bytes, the size of an offset, the size of a reference, and three
    // numbers of eight bytes: the number of objects, the index of the top object, and the offset of
    // the table.
    var trailer = [UInt8](repeating: 0, count: 32)
    trailer[6] = 2
    trailer[7] = 1
    trailer[15] = objectCount ?? UInt8(objects.count)
    trailer[23] = top
    trailer.replaceSubrange(30..., with: table)
    data.append(contentsOf: trailer)
    return data
  }

  @Test func `the trailer of a binary property list states the top object and the table's offset`() {
    let empty: [UInt8] = [0xd0]
    #expect(error(binary([[0x09], empty], top: 1)) == "no error")
    #expect(error(binary([empty], top: 1)).contains("Corrupt top-level info"))
    #expect(error(binary([empty], objectCount: 2)).contains("a malformed trailer"))
    // An offset has at most eight bytes.
    for size: UInt8 in [8, 9] {
      var data = Data("bplist00".utf8)
      data.append(contentsOf: empty)
      data.append(contentsOf: [UInt8](repeating: 0, count: Int(size) - 1) + [8])
      data.append(contentsOf: [0, 0, 0, 0, 0, 0, size, 1])
      for number: UInt8 in [1, 0, 9] { data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, number]) }
      #expect(error(data).contains("a malformed trailer") == (size == 9), "\(error(data))")
      // A reference has at most eight bytes too.
      var references = binary([empty])
      references[references.count - 25] = size
      #expect(error(references).contains("a malformed trailer") == (size == 9), "\(error(references))")
    }
    // These are the positions, counted from the end, of the highest byte of each number in the
    // trailer.
    for offset in [8, 16, 24] {
      var data = binary([empty])
      data[data.count - offset] = 1
      let words = offset == 16 ? "Corrupt top-level info" : "a malformed trailer"
      #expect(error(data).contains(words), "\(offset)")
    }
  }

  @Test func `a number of objects whose table is larger than any integer is an error`() {
    var data = binary([[0xd0]])
    data[data.count - 24] = 0x7f
    #expect(error(data).contains("a malformed trailer"))
  }

  @Test func `a binary property list that contains or repeats itself is an error`() {
    #expect(error(binary([[0xa1, 0]])).contains("or an object that contains itself"))
    // Each of four lists contains the next one sixty times. An empty dictionary is decoded fastest.
    var bomb: [[UInt8]] = (1...4).map { (next: UInt8) -> [UInt8] in
      [0xaf, 0x10, 60] + Array(repeating: next, count: 60)
    }
    bomb.append([0xd0])
    #expect(error(binary(bomb)).contains("more than 100000 values when references are followed"))
    // Each of four lists contains the next one eight times, and the last one contains a string of
    // 8,000 bytes eight times.
    let text: [UInt8] = [0x5f, 0x11, 0x1f, 0x40] + Array(repeating: 0x61, count: 8_000)
    var lists: [[UInt8]] = (1...4).map { (next: UInt8) -> [UInt8] in [0xa8] + Array(repeating: next, count: 8) }
    lists.append(text)
    #expect(error(binary(lists)).contains("more than 16000000 bytes of strings"))
    // Now the last list contains a dictionary whose key is the string.
    lists[4] = [0xd1, 5, 6]
    lists += [text, [0x09]]
    #expect(error(binary(lists)).contains("more than 16000000 bytes of strings"))
    #expect(error(binary([[0xd1, 1, 0], [0x51, 0x61]])).contains("or an object that contains itself"))
  }

  @Test(
    arguments: [
      ([[0xa1, 9]], "a syntax error: "), ([[0x53, 0x61]], "extends beyond"),
      ([[0xd1, 1, 1], [0x09]], "a property list with"),
      ([[0x61, 0x61]], "extends beyond"), ([[0x5f, 0x10]], "extends beyond"), ([[0x14, 0, 0]], "extends beyond"),
      ([[0x5f, 0x13, 0x7f, 0, 0, 0, 0, 0, 0, 0]], "extends beyond"),
      ([[0x5f, 0x11, 0, 40] + Array(repeating: 0x61, count: 20)], "extends beyond"),
      ([[0xaf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], "extends beyond"),
      ([[0xdf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], "extends beyond"),
      ([[0xdf, 0x12, 0xff, 0xff, 0xff, 0xff]], "extends beyond"), ([[0x15]], "an unknown kind"),
      ([[0x6f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], "extends beyond"),
      ([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]], "a date"), ([[0x41, 0]], "data"), ([[0x80, 1]], "neither a string"),
      ([[0x51, 0xff]], "neither a string"), ([[0x61, 0xd8, 0x00]], "neither a string"),
      ([[0x14] + Array(repeating: 0, count: 15) + [5]], "found the integer 5"),
      (
        [[0x14] + Array(repeating: 0, count: 7) + [1] + Array(repeating: 0, count: 7) + [5]],
        "an integer of more than 64 bits"
      ),
      (
        [[0x14] + Array(repeating: 0, count: 8) + [0x80] + Array(repeating: 0, count: 7)],
        "found the number 9.22"
      ),
      (
        [[0x14] + Array(repeating: 0, count: 8) + [0x7f] + Array(repeating: 0xff, count: 7)],
        "found the integer 9223372036854775807"
      ), ([[0x14] + Array(repeating: 0xff, count: 16)], "an integer of more than 64 bits"),
      ([[0xa1, 1], Array("U$null".utf8)], "does not distinguish ([0])"),
      ([[0x13] + Array(repeating: 0xff, count: 8)], "found the integer -1"), ([[0x10, 0xff]], "found the integer 255"),
      ([[0x22, 0x7f, 0x80, 0, 0]], "not finite"), ([[0x21, 0, 0]], "a property list with a syntax error: "),
      ([[0xc1, 1], [0x09]], "neither a string"), ([[0xff]], "an unknown kind"), ([[0x70]], "an unknown kind"),
      ([[0x5f, 0x51]], "extends beyond"),
    ] as [([[UInt8]], String)]) func `sizes in a binary property list are checked`(objects: [[UInt8]], words: String)
  {
    let error = error(binary(objects))
    #expect(error.contains(words), "\(error)")
  }

  @Test func `a binary property list of every kind is read back unchanged`() throws {
    let values: [String: Any] = [
      "a": "ä€😀", "b": true, "c": -5, "d": 1 << 40, "e": 0.25, "f": [Int](0..<300), "g": ["x": ["y": "z"]], "h": "",
    ]
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["configuration": values], format: format, options: 0)
      let configuration = try Manifest(data: data, name: "list").configuration
      let list = PropertyValue.array((0..<300).map { .integer($0) })
      #expect(
        configuration == [
          "a": "ä€😀", "b": true, "c": -5, "d": .integer(1 << 40), "e": 0.25, "f": list, "g": ["x": ["y": "z"]], "h": "",
        ])
    }
  }

  @Test func `changed bytes cause at most an error`() throws {
    let object: [String: Any] = [
      "modules": [["module": "ManifestsTests.FirstModule", "priority": 3, "after": ["a", "b"]]],
      "configuration": ["x": [1, 2.5, true, "text"]],
    ]
    let firstSeed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(firstSeed))
    let seeds = [
      try JSONSerialization.data(withJSONObject: object),
      try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0),
      try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0),
    ]
    for seed in seeds {
      var refused = 0
      for _ in 0..<Effort.count("MANIFEST_CHANGES", default: 300) {
        var data = seed
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let location = Int.random(in: 0..<data.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: data[location] = .random(in: 0...255, using: &generator)
          case 1: data.remove(at: location)
          default: data.insert(.random(in: 0...255, using: &generator), at: location)
          }
        }
        let listing = Listing()
        do throws(ManifestProblem) {
          listing.manager.load(try Manifest(data: data, name: "changed"))
        } catch {
          refused += 1
          #expect(!error.description.isEmpty, "REGISTRY_SEED=\(firstSeed)")
        }
      }
      #expect(refused > 0)
    }
  }

  @Test(arguments: [
    (#"{"modules": {}}"#, "modules: expected an array, but found an object with 0 members"),
    (#"{"services": 3}"#, "services: expected an array, but found the integer 3"),
    (
      #"{"services": [{"protocol": "P", "class": "C", "name": ""}]}"#,
      "services[0].name: expected a nonempty string, but found the string \"\""
    ),
    (#"{"modules": false}"#, "modules: expected an array, but found false"),
    (
      #"{"configuration": []}"#,
      "configuration: expected an object such as '{\"shop.currency\": \"CHF\"}', but found an array with 0 elements"
    ),
    (
      #"{"modules": [{"module": "", "priority": 99999999999999999999}]}"#,
      "modules[0].module: expected a name such as '\"Cart.CartModule\"', but found the string \"\""
    ),
    (#"{"modules": [{"module": "A.B", "\u001b[2J": 1}]}"#, #"modules[0].\u{1b}[2J: unknown key"#),
    (#"{"modules": [{"module": "A.B", "level": "\u001b[2J"}]}"#, #"found the string "\u{1b}[2J""#),
    (#"{"modules": [{"module": "\u001b[31m.X"}]}"#, "no loaded image contains a class named '\\u{1b}[31m.X'"),
    (
      #"{"modules": [null]}"#,
      "modules[0]: expected an object such as '{\"module\": \"Cart.CartModule\"}', but found null"
    ),
    (#"[["x"]]"#, "[0]: expected an object such as '{\"service\": "),
  ]) func `a part of the wrong kind is reported with its location`(text: String, words: String) throws {
    let listing = Listing()
    let report = listing.manager.load(try Manifest(text))
    #expect(report.problems.first?.description.contains(words) == true, "\(report)")
    #expect(listing.problems[.manifest].count == report.problems.count)
  }
}
