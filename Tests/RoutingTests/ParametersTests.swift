import Foundation
import Registry
import Routing
import TestSupport
import Testing

private struct Everything: Codable, Sendable, Equatable {
  enum Style: String, Codable, Sendable { case short, long }
  enum Level: Int, Codable, Sendable { case low = 1, high = 2 }

  var text: String?
  var flag: Bool?
  var int8: Int8?
  var unsigned: UInt64?
  var double: Double?
  var float: Float?
  var style: Style?
  var level: Level?
  var url: URL?
  var uuid: UUID?
  var date: Date?
  var decimal: Decimal?
  var texts: [String]?
  var numbers: [Int]?
  var set: Set<Int>?
}

private struct Nested: Codable, Sendable {
  struct Inner: Codable, Sendable { var x: Int }
  var inner: Inner
}

extension Route where Parameters == Everything, Outcome == Everything {
  fileprivate static var everything: Self { .init("test.everything", [#pattern("all://x")]) }
}
extension Route where Parameters == Nested, Outcome == String {
  fileprivate static var nested: Self { .init("test.nested", [#pattern("nested://x")]) }
}

@Suite(.timeLimit(.minutes(20))) struct ParametersTests {
  private let router: Router = {
    let router = Router()
    router.register(.everything) { parameters in parameters }
    router.register(.order) { parameters, request in
      "\(parameters.id) \(parameters.tab ?? "nil") \(parameters.tags ?? []) \(request.queryItems.map { "\($0.name)=\($0.value ?? "nil")" })"
    }
    router.register(.secret) { parameters in parameters.word }
    return router
  }()

  private func read(_ query: String) async throws -> Everything {
    try await router.object(for: url("all://x?" + query), as: Everything.self, from: .local)
  }

  private func text(_ text: String) async throws -> String {
    try await router.object(for: url(text), as: String.self, from: .local)
  }

  private func reason(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
    } catch let error as RouteError {
      return error.code == "bad-parameters" ? error.reason ?? "" : "\(error)"
    } catch {
      return "\(error)"
    }
    return "no error"
  }

  @Test func `texts of the query become values of every kind`() async throws {
    var expected = Everything()
    #expect(try await read("") == expected)
    expected.text = "ä &="
    expected.flag = true
    expected.int8 = -128
    expected.unsigned = .max
    expected.double = -1.5e3
    expected.float = 0.5
    expected.style = .long
    expected.level = .high
    expected.url = URL(string: "https://a.b/c?d=e&f=g#h")
    expected.uuid = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")
    expected.date = Date(timeIntervalSinceReferenceDate: 0)
    expected.decimal = Decimal(string: "0.1")
    expected.texts = ["a", "b"]
    expected.numbers = [1, -2]
    expected.set = [3]
    let query =
      "text=%C3%A4%20%26%3D&flag=true&int8=-128&unsigned=18446744073709551615&double=-1.5e3&float=0.5&style=long&level=2"
      + "&url=https%3A%2F%2Fa.b%2Fc%3Fd%3De%26f%3Dg%23h&uuid=6f9619ff-8b86-d011-b42d-00cf4fc964ff&date=2001-01-01T00%3A00%3A00Z"
      + "&decimal=0.1&texts=a&numbers=1&texts=b&numbers=-2&set=3"
    #expect(try await read(query) == expected)
  }

  @Test func `every value is read back from a URL unchanged`() async throws {
    var value = Everything()
    value.text = "100% \"söd\"/ä?&=#+;:%2F\u{1F600}"
    value.flag = false
    value.int8 = 127
    value.unsigned = .max
    value.double = 0.1
    value.float = .leastNonzeroMagnitude
    value.style = .short
    value.level = .low
    value.url = URL(string: "shop://order/7?x=%2F")
    value.uuid = UUID()
    value.date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    value.decimal = Decimal(string: "-12345678901234567890.125")
    value.texts = ["", "x y", "é"]
    value.numbers = [.max, .min, 0]
    let made = try router.url(for: .everything, value)
    #expect(try await router.object(for: made, as: Everything.self, from: .local) == value)
  }

  @Test(arguments: [
    ("int8=128", "expected 'Int8', but found '128' (at 'int8')"),
    ("int8=+1", "expected 'Int8', but found '+1' (at 'int8')"),
    ("int8=1.0", "expected 'Int8', but found '1.0' (at 'int8')"),
    ("int8=%31%00", "expected 'Int8', but found '1\\u{0}' (at 'int8')"),
    ("double=nan", "expected 'Double', but found 'nan' (at 'double')"),
    ("double=0x10", "expected 'Double', but found '0x10' (at 'double')"),
    ("double=%2B1.5", "expected 'Double', but found '+1.5' (at 'double')"),
    ("double=1e999", "expected 'Double', but found '1e999' (at 'double')"),
    ("flag=yes", "expected 'Bool' ('true' or 'false'), but found 'yes' (at 'flag')"),
    ("numbers=1&numbers=x", "expected 'Int', but found 'x' (at 'numbers.1')"),
    ("numbers=1,2", "found '1,2'; give each value a query item of its own, as in 'key=1&key=2' (at 'numbers.0')"),
    ("uuid=1", "uuid"),
    ("date=today", "expected 'Date' such as '2026-03-01T12:30:00Z', but found 'today' (at 'date')"),
    ("date=2026-03-01T12:30:00Zx", "but found '2026-"),
    ("date=2026-02-29T12:30:00Z", "but found '2026-"),
    ("date=2026-03-01T25:00:00Z", "but found '2026-"),
    ("date=2026-03-01T12:30:00%2B1:00", "but found '2026-"),
    ("decimal=1x", "expected 'NSDecimal', but found '1x' (at 'decimal')"),
    ("decimal=1e400", "(at 'decimal')"), ("decimal=1e-400", "(at 'decimal')"),
    ("float=1e39", "expected 'Float', but found '1e39' (at 'float')"),
  ])
  func `a text of the wrong type is an error with its location`(query: String, says: String) async throws {
    let reason = await reason { _ = try await read(query) }
    #expect(reason.contains(says.replacingOccurrences(of: "NSDecimal", with: "\(Decimal.self)")), "\(reason)")
  }

  @Test func `a single value of a repeated key is the first one, and a list contains all`() async throws {
    #expect(try await text("shop://order/7?tab=a&tab=b&tags=x&tags=y").hasPrefix("7 a [\"x\", \"y\"] "))
    #expect(try await read("flag&int8=1&int8=300").flag == true)
  }

  @Test func `the query cannot replace a parameter of the path`() async throws {
    #expect(try await text("shop://order/7?id=8&id=9") == "7 nil [] [\"id=8\", \"id=9\"]")
    #expect(try await text("shop://secret/a?word=b") == "a")
    let router = Router()
    let route = Route<[String: [String]], [String]>("test.pathList", [#pattern("pathlist://:a")])
    router.register(route) { $0["a"] ?? [] }
    #expect(try await router.object(for: url("pathlist://x?a=y"), from: .local) == ["x"])
    #expect(try await text("https://shop.example/orders/12.html?id=13").hasPrefix("12 "))
  }

  @Test func `a key without a value is true, and the empty text`() async throws {
    let value = try await read("flag&text")
    #expect(value.flag == true && value.text == "")
  }

  @Test(arguments: [
    "int8=", "int8", "double=", "flag=", "url=", "uuid=", "date=", "decimal=", "style=", "style=medium", "style",
    "level=9",
    "level=x", "int8=&int8=7",
  ])
  func `a link with an empty or unknown value of an optional parameter opens without it`(query: String) async throws {
    #expect(try await read(query) == Everything())
    #expect(try await read("text=kept&" + query).text == "kept")
  }

  @Test func `empty text is no value of a type that throws an error of its own`() async throws {
    struct Code: Codable, Sendable, Equatable {
      let text: String
      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        if text.count != 1 { throw Broken(word: text) }
      }
    }
    struct Coded: Codable, Sendable, Equatable { var code: Code? }
    let router = Router()
    router.register(Route<Coded, Coded>("test.coded", [#pattern("coded://x")])) { $0 }
    #expect(try await router.object(for: url("coded://x?code="), as: Coded.self, from: .local).code == nil)
    #expect(try await router.object(for: url("coded://x?code=a"), as: Coded.self, from: .local).code?.text == "a")
    await #expect(throws: RouteError.self) { try await router.open(url("coded://x?code=ab"), from: .local) }
  }

  @Test func `integers of every size can be optional`() async throws {
    struct Sizes: Codable, Sendable, Equatable {
      var a: Int16?
      var b: Int32?
      var c: Int64?
      var d: UInt?
      var e: UInt8?
      var f: UInt16?
      var g: UInt32?
    }
    let router = Router()
    router.register(Route<Sizes, Sizes>("test.sizes", [#pattern("sizes://x")])) { $0 }
    #expect(
      try await router.object(for: url("sizes://x?a=1&b=2&c=3&d=4&e=5&f=6&g=7"), from: .local)
        == Sizes(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7))
    #expect(try await router.object(for: url("sizes://x?a=&e"), from: .local) == Sizes())
  }

  @Test func `a type can ask whether a value is missing`() async throws {
    struct Asking: Decodable, Sendable {
      enum CodingKeys: CodingKey { case a, b }
      var isMissing: [Bool]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isMissing = try [!container.contains(.a), container.decodeNil(forKey: .b)]
      }
    }
    let router = Router()
    router.register(Route<Asking, [Bool]>("test.asking", [#pattern("asking://x")])) { $0.isMissing }
    #expect(try await router.object(for: url("asking://x?b=1"), from: .local) == [true, false])
  }

  @Test func `an unknown value is an error in a list, and of a required parameter`() async throws {
    struct Page: Codable, Sendable { var style: Everything.Style }
    let router = Router()
    router.register(Route<Page, String>("test.page", [#pattern("page://x")])) { _ in "" }
    for query in ["style=medium", "style=", "style"] {
      #expect(
        await reason { _ = try await router.open(url("page://x?" + query), from: .local) }.hasSuffix("(at 'style')"))
    }
    #expect(await reason { _ = try await read("numbers=1&numbers=") }.hasSuffix("(at 'numbers.1')"))
  }

  @Test func `a missing parameter is an error that names it`() async throws {
    router.register(.nested) { _ in "" }
    let missing = await reason { _ = try await router.open(url("nested://x"), from: .local) }
    #expect(missing.hasPrefix("missing value for 'inner'; make the property optional if a URL can omit it"))
    let scalar = await reason { _ = try await router.open(url("nested://x?inner=1"), from: .local) }
    #expect(scalar.contains("expected an object, but found '1'") && scalar.hasSuffix("(at 'inner')"))
  }

  @Test func `the next pattern is tried if parameters cannot be created`() async throws {
    let router = Router()
    router.register(Route<Everything, String>("test.first", [#pattern("next://:style")])) { parameters in "first" }
    router.register(Route<Void, String>("test.second", [#pattern("next://*")])) { "second" }
    #expect(try await router.object(for: url("next://long"), as: String.self, from: .local) == "first")
    #expect(try await router.object(for: url("next://other"), as: String.self, from: .local) == "second")
    #expect(router.canOpen(url("next://other"), from: .local)?.routeID == "test.second")
  }

  @Test func `if no pattern's parameters can be created, the error is that of the preferred one`() async throws {
    let router = Router()
    router.register(Route<Everything, String>("test.z", [#pattern("worst://x")])) { _ in "" }
    router.register(Route<Everything, String>("test.a", [#pattern("worst://:text")])) { _ in "" }
    router.register(Route<Nested, String>("test.b", [#pattern("worst://*")])) { _ in "" }
    do {
      try await router.open(url("worst://x?int8=900"), from: .local)
    } catch let error as RouteError {
      #expect(error.kind == .badParameters(pattern: "worst://x") && error.target == "test.z")
      #expect(error.reason?.contains("int8") == true)
      return
    }
    Issue.record("no such error")
  }

  @Test func `parameters with a single value are the only parameter of the path`() async throws {
    let router = Router()
    let number = Route<Int, String>("test.number", [#pattern("one://number/:n"), #pattern("one://two/:a/:b")])
    router.register(number) { n in "\(n)" }
    #expect(try await router.object(for: url("one://number/7?n=8"), as: String.self, from: .local) == "7")
    #expect(try router.url(for: number, 7).absoluteString == "one://number/7")
    let two = await reason { _ = try await router.open(url("one://two/1/2"), from: .local) }
    #expect(two.contains("expected 'Int', but found a whole URL"))
  }

  @Test(arguments: [
    ("2024-02-29T12:30:00Z", 730_902_600.0), ("2026-03-01T12:30:00.25Z", 794_061_000.25),
    ("2026-03-01T13:30:00%2B01:00", 794_061_000), ("2026-03-01T11:30:00-0100", 794_061_000),
    ("33689-09-27T01:46:40Z", 1e12), ("2000-02-29T00:00:00Z", -26_524_800),
    ("2024-01-01T00:00:00%2B01", 725_756_400), ("2024-01-01T00:00:00-00:59", 725_763_540),
    ("2024-01-01T00:00:00.5%2B0030", 725_758_200.5), ("2024-01-01T00:00:00-00:00", 725_760_000),
    // A leap second is the first second of the next minute.
    ("2016-12-31T23:59:60Z", 504_921_600), ("2016-12-31T23:59:60.5Z", 504_921_600.5),
    ("1582-10-15T00:00:00Z", -13_197_600_000),
    ("0000-02-29T00:00:00Z", -63_140_601_600), ("0999-12-31T00:00:00Z", -31_588_185_600),
  ])
  func `a date is a time of ISO 8601 with its zone`(text: String, seconds: Double) async throws {
    #expect(try await read("date=" + text).date?.timeIntervalSinceReferenceDate == seconds)
  }

  @Test func `a month has its days, and February a day more in a leap year`() async throws {
    func isDate(_ text: String) async -> Bool { (try? await read("date=\(text)T23:59:59Z"))?.date != nil }
    for (month, days) in zip(1..., [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
      let start = "2023-\(month < 10 ? "0" : "")\(month)-"
      for (day, isThere) in [("01", true), ("\(days)", true), ("\(days + 1)", false), ("00", false)] {
        #expect(await isDate(start + day) == isThere, "\(start)\(day)")
      }
    }
    // Until 1582, every fourth year was a leap year.
    let years = [
      1500: true, 1501: false, 1600: true, 1700: false, 1704: true, 1900: false, 2000: true, 2020: true, 2022: false,
    ]
    for (year, isLeap) in years { #expect(await isDate("\(year)-02-29") == isLeap, "\(year)") }
  }

  @Test(arguments: [
    "024-02-29T12:30:00Z", "2024-2-29T12:30:00Z", "2024-002-29T12:30:00Z", "2024-02-9T12:30:00Z",
    "2024-02-029T12:30:00Z", "2024-02-29T2:30:00Z", "2024-02-29T012:30:00Z", "2024-02-29T12:3:00Z",
    "2024-02-29T12:030:00Z", "2024-02-29T12:30:0Z", "2024-02-29T12:30:000Z", "2024-02-30T12:30:00Z",
    "0002024-02-29T12:30:00Z", "2024-00-29T12:30:00Z", "2024-13-29T12:30:00Z", "2024-02-00T12:30:00Z",
    "2024-03-32T12:30:00Z", "2024-02-29T24:30:00Z", "2024-02-29T12:60:00Z", "2024-02-29T12:30:61Z",
    "2024-02-29T12:30:00%2B24:00", "2024-02-29T12:30:00.Z", "2024-02-29T12:30:00Z01",
    "2024-02-29T12:30:00%2B01:00:", "1900-02-29T12:30:00Z", "2023-02-29T12:30:00Z", "2024-02-29T12:30:00Z0",
    "2024-04-31T12:30:00Z", "02024-01-01T00:00:00Z", "002024-01-01T00:00:00Z", "2024-01-01T00:00:00%2B00:60",
    "2024-01-01T00:00:00%2B00:99", "2024-01-01T00:00:00%2B0099", "2024-01-01T00:00:00%2B01-00",
    "2024-01-01T00:00:00%2B010:0", "2024-01-01T00:00:00%2B0%D9%A1", "2024-01-01T00:00:00%2B", "2024-01-01T00:00:00",
    "2024-01-01T00:00:00%2B2400", "2024-01-01T00:00:00%2B01:", "2024-01-01T00:00:00%2B01:0",
    "2024-01-01T00:00:00%2B010",
    "2024-01-01T00:00:00%2B01:000", "2024-01-01T00:00:00z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00,5Z",
    "2024-01-01%2000:00:00Z", "20240101T000000Z", "-2024-01-01T00:00:00Z",
    // Foundation's calendar skips this day.
    "1582-10-10T00:00:00Z",
  ])
  func `a date with too few or too many digits, or with numbers out of range, is rejected`(text: String) async {
    await #expect(throws: RouteError.self) { _ = try await read("date=" + text) }
  }

  @Test func `a missing list is empty, and nil if it is optional`() async throws {
    struct Lists: Codable, Sendable, Equatable {
      var texts: [String]
      var numbers: Set<Int>
      var more: [Int]?
    }
    let router = Router()
    let route = Route<Lists, Lists>("test.lists", [#pattern("lists://x")])
    router.register(route) { lists in lists }
    let empty = Lists(texts: [], numbers: [])
    let made = try router.url(for: route, empty)
    #expect(made.absoluteString == "lists://x")
    #expect(try await router.object(for: made, as: Lists.self, from: .local) == empty)
    #expect(
      try await router.object(for: url("lists://x?numbers=1"), as: Lists.self, from: .local)
        == Lists(texts: [], numbers: [1]))
    // Only the text of the whole list can be empty.
    for link in ["lists://x?more=", "lists://x?more=&more="] {
      #expect(try await router.object(for: url(link), as: Lists.self, from: .local) == empty)
    }
    for link in ["lists://x?more=&more=5", "lists://x?more=5&more="] {
      await #expect(throws: RouteError.self) {
        try await router.object(for: url(link), as: Lists.self, from: .local)
      }
    }
  }

  @Test func `a dictionary of parameters contains every name`() async throws {
    let router = Router()
    router.register(Route<[String: String], String>("test.all", [#pattern("dict://:a/:b")])) { values in
      values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
    #expect(
      try await router.object(for: url("dict://x/y%2Fz?c=1&c=2&a=no"), as: String.self, from: .local) == "a=x,b=y/z,c=1"
    )
  }
}
