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
    ("", "it is empty; the least that is one is {}"), (" \n\t", "it is empty; the least that is one is {}"),
    ("{", "at byte 1 of its JSON (line 1)"),
    ("{\n\"modules\": [}", "\"}\" where a value is expected at byte 14 of its JSON (line 2)"),
    ("{} {}", "\"{\" where the end is expected"), ("nothing", "it begins with neither \"{\""),
    (#"{"a": 1, "a": 2}"#, "the key \"a\" for the second time"),
    (#"{"configuration": {"a": 1e999}}"#, "the number 1e999, which is too large"),
    (#"{"modules": "\ud800"}"#, "half of a surrogate pair"),
    ("<html>", "<html> where <plist> is expected"), ("<plist>", "an end before its time"),
    ("<plist><dict><key>a</key></plist>", "</plist> where a value is expected"),
    ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", "the key \"a\" for the second time"),
    ("<plist><dict><string>a</string></dict></plist>", "<string> where <key> is expected"),
    ("<plist><integer>99999999999999999999</integer></plist>", "where an integer of 64 bits is expected"),
    (
      "<plist><integer>\(String(repeating: "9", count: 41))</integer></plist>",
      "\"\(String(repeating: "9", count: 40))… (41 bytes)\""
    ),
    ("<plist><real>nan</real></plist>", "where a number is expected"),
    ("<plist><date>2020-01-01T00:00:00Z</date></plist>", "<date>, which no setting can be"),
    ("<plist><data>AAAA</data></plist>", "<data>, which no setting can be"),
    ("<plist><string>&bomb;</string></plist>", "the unknown entity &bomb;"),
    ("<plist><string>a & b</string></plist>", "\"&\" by itself; write &amp;"),
    ("<plist><string>a</plist>", "</plist> where </string> is expected"), ("<", "no \">\" before its end"),
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", "text where a tag is expected"),
    ("<plist><!-- ", "no \"-->\" before its end"), ("<plist><true/></plist>x", "something behind </plist>"),
    ("<plist><string>x</string></plist>", "the string \"x\" where an object with \"modules\""),
    ("bplist00", "it breaks off before its trailer"),
    ("bplist00" + String(repeating: "x", count: 31), "it breaks off before its trailer"),
    ("bplist00" + String(repeating: "x", count: 32), "its trailer says what cannot be"),
    ("<!-- a --><!-- b --><plist><!-- c --><!-- d -->", "an end before its time"),
    ("bplist16" + String(repeating: "x", count: 40), "its version is not 00"),
    ("bplist00" + String(repeating: "x", count: 40), "its trailer says what cannot be"),
  ]) func `what is neither JSON nor a property list is an error that says what and where`(text: String, words: String) {
    let error = error(Data(text.utf8))
    #expect(error.hasPrefix("bad is no manifest: ") && error.contains(words), "\(error)")
  }

  @Test func `text in XML may have entities, comments and what is taken as it is`() throws {
    let text = "x&amp;&lt;&gt;&quot;&apos;&#x41;&#66;<!-- no --><![CDATA[<b>&]]>"
    let data = Data(
      plist("<dict><key>configuration</key><dict><key>a</key><string>\(text)</string></dict></dict>").utf8)
    let modules = ModuleManager()
    #expect(modules.load(try Manifest(data: data, name: "text")).problems.isEmpty)
    #expect(modules.context.configuration[ContextKey<String>("a", default: "")] == "x&<>\"'AB<b>&")
    #expect(error(Data("<plist><string>x &nbsp; y</string></plist>".utf8)).contains("the unknown entity &nbsp;"))
    #expect(error(Data("<plist><string>x & y and more and more</string></plist>".utf8)).contains("write &amp;"))
    #expect(error(Data("<plist><string>x".utf8)).contains("no </string> before its end"))
  }

  @Test func `text that is not UTF-8 is an error`() {
    #expect(
      error(Data(#"{"modules": ""#.utf8) + [0xff, 0xfe] + Data(#""}"#.utf8)).contains("a string that is not UTF-8"))
    #expect(
      error(Data("<plist><string>".utf8) + [0xff] + Data("</string></plist>".utf8)).contains("text that is not UTF-8"))
    #expect(error("{}".data(using: .utf16)!).contains("if it is UTF-16, save it as UTF-8"))
    #expect(throws: Never.self) { try Manifest(data: Data([0xef, 0xbb, 0xbf]) + Data("{}".utf8), name: "marked") }
  }

  @Test func `nesting without an end ends with an error and not with the stack`() {
    let many = 100_000
    #expect(
      error(Data((#"{"configuration": "# + String(repeating: "[", count: many)).utf8)).contains(
        "nesting deeper than 64"))
    #expect(error(Data(plist(String(repeating: "<array>", count: many)).utf8)).contains("nesting deeper than 64"))
    #expect(
      error(Data(plist(String(repeating: "<array><!--</array>-->", count: many)).utf8)).contains(
        "nesting deeper than 64"))
  }

  @Test func `nesting as deep as the limit is read, and one more is not`() {
    func nested(_ count: Int) -> Data {
      let inner = String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
      // The two dictionaries around it count as well.
      return Data(plist("<dict><key>configuration</key><dict><key>a</key>\(inner)</dict></dict>").utf8)
    }
    #expect(error(nested(62)) == "no error")
    #expect(error(nested(63)).contains("nesting deeper than 64"))
  }

  @Test func `what stands side by side is not nested`() {
    #expect(
      error(Data((#"{"configuration": {"a": [\#(String(repeating: "[1],", count: 100))2]}}"#).utf8)) == "no error")
    let arrays = String(repeating: "<array><true/></array>", count: 100)
    let list = "<dict><key>configuration</key><dict><key>a</key><array>\(arrays)</array></dict></dict>"
    #expect(error(Data(plist(list).utf8)) == "no error")
  }

  /// Returns a binary property list of the given objects. By default the first one is the top.
  private func binary(_ objects: [[UInt8]], top: UInt8 = 0, objectCount: UInt8? = nil) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(data.count))
      data.append(contentsOf: object)
    }
    let table = UInt8(data.count)
    data.append(contentsOf: offsets)
    let zeros = [UInt8](repeating: 0, count: 7)
    data.append(contentsOf: zeros.dropLast() + [1, 1] + zeros + [objectCount ?? UInt8(objects.count)])
    data.append(contentsOf: zeros + [top] + zeros + [table])
    return data
  }

  @Test func `the trailer of a binary property list says which object is the top and where the table is`() {
    let empty: [UInt8] = [0xd0]
    #expect(error(binary([[0x09], empty], top: 1)) == "no error")
    #expect(error(binary([empty], top: 1)).contains("its trailer says what cannot be"))
    #expect(error(binary([empty], objectCount: 2)).contains("its trailer says what cannot be"))
    // Eight bytes for each offset are the most.
    for size: UInt8 in [8, 9] {
      var data = Data("bplist00".utf8)
      data.append(contentsOf: empty)
      data.append(contentsOf: [UInt8](repeating: 0, count: Int(size) - 1) + [8])
      data.append(contentsOf: [0, 0, 0, 0, 0, 0, size, 1])
      for number: UInt8 in [1, 0, 9] { data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, number]) }
      #expect(error(data).contains("its trailer says what cannot be") == (size == 9), "\(error(data))")
      // And for each reference.
      var references = binary([empty])
      references[references.count - 25] = size
      #expect(error(references).contains("its trailer says what cannot be") == (size == 9), "\(error(references))")
    }
    // The highest byte of each of the three numbers: counts from the end.
    for place in [8, 16, 24] {
      var data = binary([empty])
      data[data.count - place] = 1
      #expect(error(data).contains("its trailer says what cannot be"), "\(place)")
    }
  }

  @Test func `a binary property list that holds itself or repeats itself ends with an error`() {
    #expect(error(binary([[0xa1, 0]])).contains("or an object holds itself"))
    // Each of thirty lists holds the next one twice.
    var bomb: [[UInt8]] = (1...30).map { (next: UInt8) -> [UInt8] in [0xa2, next, next] }
    bomb.append([0x09])
    #expect(error(binary(bomb)).contains("is more than 1000000 values long"))
    // Each of five lists holds the next one fourteen times, and the last a string of a hundred bytes.
    let text: [UInt8] = [0x5f, 0x10, 100] + Array(repeating: 0x61, count: 100)
    var lists: [[UInt8]] = (1...5).map { (next: UInt8) -> [UInt8] in [0xae] + Array(repeating: next, count: 14) }
    lists.append(text)
    #expect(error(binary(lists)).contains("its strings are more than 16000000 bytes"))
  }

  @Test(
    arguments: [
      ([[0xa1, 9]], "names an object that it does not have"), ([[0x53, 0x61]], "reaches beyond"),
      ([[0x5f, 0x13, 0x7f, 0, 0, 0, 0, 0, 0, 0]], "reaches beyond"),
      ([[0xaf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], "reaches beyond"),
      ([[0x6f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], "a length that cannot be"),
      ([[0xd1, 1, 1], [0x09]], "a key in it is no string"),
      ([[0xd2, 1, 1, 2, 2], [0x51, 0x61], [0x09]], "for the second time"),
      ([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]], "a date"), ([[0x41, 0]], "data"),
      ([[0x51, 0xff]], "a string that is not Unicode"),
      ([[0x61, 0xd8, 0x00]], "a string that is not Unicode"),
      ([[0x14] + Array(repeating: 0xff, count: 16)], "more than 64 bits"),
      ([[0x14] + Array(repeating: 0, count: 8) + [0x80] + Array(repeating: 0, count: 7)], "more than 64 bits"),
      ([[0x14] + Array(repeating: 0, count: 15) + [5]], "the integer 5 where"),
      ([[0x13] + Array(repeating: 0xff, count: 8)], "the integer -1 where"), ([[0x10, 0xff]], "the integer 255 where"),
      ([[0x22, 0x7f, 0x80, 0, 0]], "infinite or none"), ([[0x21, 0, 0]], "a number of 2 bytes"),
      ([[0xff]], "not known"),
      ([[0x70]], "not known"), ([[0x5f, 0x51]], "a length that cannot be"),
    ] as [([[UInt8]], String)]) func `a binary property list is not believed`(objects: [[UInt8]], words: String)
  {
    let error = error(binary(objects))
    #expect(error.contains(words), "\(error)")
  }

  @Test func `a binary property list of every kind is what was written`() throws {
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

  @Test func `no change of bytes does more harm than an error`() throws {
    let object: [String: Any] = [
      "modules": [["module": "ManifestsTests.FirstModule", "priority": 3, "after": ["a", "b"]]],
      "configuration": ["x": [1, 2.5, true, "text"]],
    ]
    var generator = SystemRandomNumberGenerator()
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
          let place = Int.random(in: 0..<data.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: data[place] = .random(in: 0...255, using: &generator)
          case 1: data.remove(at: place)
          default: data.insert(.random(in: 0...255, using: &generator), at: place)
          }
        }
        let listing = Listing()
        do throws(ManifestError) {
          listing.manager.load(try Manifest(data: data, name: "changed"))
        } catch {
          refused += 1
          #expect(!error.description.isEmpty)
        }
      }
      #expect(refused > 0)
    }
  }

  @Test(arguments: [
    (#"{"modules": {}}"#, "modules: an object of 0 where an array is wanted"),
    (#"{"services": 3}"#, "services: the integer 3 where an array is wanted"),
    (
      #"{"services": [{"protocol": "P", "class": "C", "name": ""}]}"#,
      "services[0].name: the string \"\" where a string that is not empty is wanted"
    ),
    (#"{"modules": false}"#, "modules: false where an array is wanted"),
    (#"{"configuration": []}"#, "configuration: an array of 0 where an object is wanted"),
    (
      #"{"modules": [{"module": "", "priority": 99999999999999999999}]}"#,
      "modules[0].module: the string \"\" where a name"
    ),
    (#"{"modules": [{"module": "\u001b[31m.X"}]}"#, "no loaded image has a class \"\\u{1b}[31m.X\""),
    (#"{"modules": [null]}"#, "modules[0]: null where an object is wanted"),
    (#"[["x"]]"#, "[0]: an array of 1 where an object is wanted"),
  ]) func `a part of the wrong kind is reported with its place`(text: String, words: String) throws {
    let listing = Listing()
    let report = listing.manager.load(try Manifest(text))
    #expect(report.problems.first?.description.contains(words) == true, "\(report)")
    #expect(listing.problems[.manifest].count == report.problems.count)
  }
}
