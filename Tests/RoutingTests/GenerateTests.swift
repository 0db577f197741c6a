import Foundation
import Registry
import Routing
import TestSupport
import Testing

private struct Lists: Codable, Sendable {
  var path: [Int]
  var more: [[Int]] = []
}

@Suite(.timeLimit(.minutes(20))) struct GenerateTests {
  private let router: Router = {
    let router = Router()
    router.register(.order) { _ in "" }
    router.register(.secret) { _ in "" }
    return router
  }()

  private func text<Parameters: Encodable & Sendable>(
    _ route: Route<Parameters, String>, _ parameters: Parameters, scheme: String? = nil
  ) throws -> String {
    try router.url(for: route, parameters, scheme: scheme).absoluteString
  }

  private func reason(_ body: () throws -> Void) -> String {
    let error = #expect(throws: RouteError.self, performing: body)
    if error?.kind == .notGenerated, let reason = error?.reason { return reason }
    return "\(String(describing: error))"
  }

  @Test func `a URL is generated from the route's first pattern, or from that of a scheme`() throws {
    #expect(try text(.order, OrderLink(id: 7)) == "shop://order/7")
    #expect(try text(.order, OrderLink(id: 7), scheme: "https") == "https://shop.example/orders/7.html")
    #expect(try text(.order, OrderLink(id: 7), scheme: "HTTPS") == "https://shop.example/orders/7.html")
    #expect(try router.url(for: .home).absoluteString == "shop://home")
    #expect(
      reason { _ = try text(.order, OrderLink(id: 7), scheme: "ftp") }.contains("no pattern with the scheme 'ftp'"))
    #expect(reason { _ = try router.url(for: .login) }.contains("it has no pattern; add one"))
  }

  @Test func `values outside the path are added to the query, and nil values are omitted`() throws {
    let link = OrderLink(id: -7, tab: "a b&c", tags: ["x=y", "é"])
    let made = try router.url(for: .order, link)
    #expect(made.absoluteString == "shop://order/-7?tab=a%20b%26c&tags=x%3Dy&tags=%C3%A9")
    #expect(try text(.order, OrderLink(id: 7, tags: nil)) == "shop://order/7")
  }

  @Test(arguments: [
    "a/b", "ä", "100%", "%2F", "a b", "?x", "#x", "+", "_", "://", "shop://x?y=z", "\u{1F600}", "a.b", ".a", "...",
  ])
  func `a text in the path is encoded and read back unchanged`(word: String) async throws {
    let router = Router()
    router.register(.secret) { parameters in parameters.word }
    let made = try router.url(for: .secret, Word(word: word))
    #expect(try await router.object(for: made, as: String.self, from: .local) == word)
  }

  @Test(arguments: ["", ".", ".."])
  func `a text that would be read back differently is an error`(word: String) {
    #expect(reason { _ = try text(.secret, Word(word: word)) }.contains("word"))
  }

  @Test func `a missing parameter is an error that names it`() throws {
    struct Empty: Codable, Sendable {}
    let route = Route<Empty, String>("test.empty", [#pattern("shop://empty/:name")])
    let error = #expect(throws: RouteError.self) { try router.url(for: route, Empty()) }
    #expect(
      error?.kind == .missingParameter(pattern: "shop://empty/:name", name: "name")
        && error?.target == "test.empty")
    #expect(error?.description.contains("; add or set the property 'name' [") == true)
  }

  @Test func `the error is that of the first of several patterns`() throws {
    let patterns = [#pattern("one://a/:first"), #pattern("two://a/:word(Int)")]
    for (patterns, says) in [(patterns, "first"), (patterns.reversed(), "'x'")] {
      let route = Route<Word, String>("test.two", patterns)
      #expect(reason { _ = try router.url(for: route, Word(word: "x")) }.contains(says))
    }
  }

  @Test func `a list or an object as a parameter of the path is an error`() throws {
    let route = Route<Lists, String>("test.lists", [#pattern("shop://lists/:path")])
    #expect(
      reason { _ = try router.url(for: route, Lists(path: [1, 2])) }.contains("'path' is an array with 2 elements"))
    let query = Route<Lists, String>("test.query", [#pattern("shop://query")])
    #expect(try router.url(for: query, Lists(path: [1, 2])).absoluteString == "shop://query?path=1&path=2")
    #expect(
      reason { _ = try router.url(for: query, Lists(path: [], more: [[1]])) }.contains(
        "the list 'more' contains an array with "))
    let one = Route<[Int], String>("test.one", [#pattern("shop://one/:x")])
    #expect(reason { _ = try router.url(for: one, [1]) }.contains("its parameters are an array with 1 element"))
  }

  @Test func `a URL that is too long is an error that names the limit and the start of the URL`() throws {
    let route = Route<Lists, String>("test.long", [#pattern("shop://long")])
    let longest = try text(route, Lists(path: Array(repeating: 1, count: 9_360)))
    #expect(longest.utf8.count == 65_531 && longest.hasSuffix("&path=1"))
    let error = #expect(throws: RouteError.self) { try text(route, Lists(path: Array(repeating: 1, count: 9_361))) }
    let message = "\(try #require(error))"
    #expect(
      message.hasPrefix("cannot generate a URL for 'test.long': 'shop://long?path=1&path=1&")
        && message.utf8.count < 350)
    #expect(
      message.contains(
        "…' (65538 bytes) cannot be opened: the URL has more than 65536 bytes; send the data another way"))
  }

  @Test func `a value that does not match a typed parameter is an error`() {
    let route = Route<Word, String>("test.typed", [#pattern("shop://typed/:word(Int)")])
    #expect(reason { _ = try router.url(for: route, Word(word: "x")) }.contains("'x'"))
  }

  @Test func `a value that no URL can represent is an error, also in the query`() throws {
    struct Values: Codable, Sendable {
      var double: Double?
      var float: Float?
      var decimal: Decimal?
      var date: Date?
    }
    let route = Route<Values, String>("test.values", [#pattern("shop://values")])
    for values in [
      Values(double: .nan), Values(double: -.infinity), Values(float: .infinity), Values(decimal: .nan),
      Values(date: Date(timeIntervalSinceReferenceDate: -1e11)),
    ] {
      let error = #expect(throws: EncodingError.self) { try router.url(for: route, values) }
      #expect(error.map { "\($0)" }?.contains("would not be read back from a URL") == true)
    }
    #expect(try router.url(for: route, Values(double: -0.5)).absoluteString == "shop://values?double=-0.5")
  }

  private struct Box<Value: Codable & Sendable>: Codable, Sendable { var value: Value? }
  private struct Full<Value: Codable & Sendable>: Codable, Sendable { var value: Value }
  /// A text that cannot be empty.
  private struct Tag: Codable, Sendable {
    var text: String

    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      if text.isEmpty { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "empty tag")) }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  @Test func `an empty value is read back, or an error`() async throws {
    func check<Value: Codable & Sendable>(_ value: Value, isError: Bool) async throws {
      let route = Route<Value, Value>("test.empty", [#pattern("shop://empty")])
      let router = Router()
      router.register(route) { $0 }
      guard let url = try? router.url(for: route, value) else { return #expect(isError, "\(value)") }
      #expect(!isError, "\(value)")
      #expect("\(try await router.object(for: url, as: Value.self, from: .local))" == "\(value)")
    }
    try await check(Full(value: Data()), isError: true)
    try await check(Full(value: Data([1])), isError: false)
    try await check(Full(value: [Int]()), isError: false)
    try await check(Full(value: Set<Int>()), isError: false)
    try await check(Full(value: ContiguousArray<Int>()), isError: true)
    try await check(Full(value: [[Int]]()), isError: false)
    try await check(Full(value: [Int: Int]()), isError: true)
    try await check(Full(value: ""), isError: false)
    try await check(Full(value: [""]), isError: false)
    try await check(Full(value: Tag("")), isError: true)
    try await check(Full<Int?>(value: nil), isError: true)
    try await check(Full<Int?>(value: 1), isError: false)
    try await check(Full(value: PropertyValue.array([])), isError: true)
    try await check(Full(value: PropertyValue.string("")), isError: false)
    try await check(Box(value: [Int]()), isError: true)
    try await check(Box<[Int]>(value: nil), isError: false)
    try await check(Box(value: [1]), isError: false)
    try await check(Box(value: Set<Int>()), isError: true)
    try await check(Box(value: Data()), isError: true)
    try await check(Box(value: ""), isError: false)
    try await check(Box(value: Tag("")), isError: true)
    try await check(Box(value: Tag("a")), isError: false)
    try await check(["a": [Int]()], isError: true)
    try await check([String: Int](), isError: false)
    let data = Route<Full<Data>, String>("test.data", [#pattern("shop://data")])
    #expect(
      reason { _ = try router.url(for: data, Full(value: Data())) }
        == "the URL would not be opened: missing value for 'value'; a URL does not contain the empty or nil 'value'")
    let list = Route<Box<[Int]>, String>("test.list", [#pattern("shop://list")])
    #expect(
      reason { _ = try router.url(for: list, Box(value: [])) }
        == "'value' is empty, and would be read back as a missing value; use nil or a value")
  }

  @Test func `a property value is read back as text, or an error`() async throws {
    let router = Router()
    let route = Route<[String: PropertyValue], [String: PropertyValue]>(
      "test.any", [#pattern("shop://any/:id"), #pattern("shop://any")])
    router.register(route) { $0 }
    for parameters: [String: PropertyValue] in [["id": "7"], ["id": "7", "a": "x"], ["a": ""]] {
      let url = try router.url(for: route, parameters)
      #expect(try await router.object(for: url, from: .local) == parameters, "\(url)")
    }
    #expect(
      try await router.object(for: url("shop://any/7?a=1&a=2&b"), from: .local)
        == ["id": "7", "a": "1", "b": true] as [String: PropertyValue])
    for value: PropertyValue in [7, true, ["a"], ["a": "b"], .null, .bytes([1])] {
      let error = #expect(throws: EncodingError.self) { try router.url(for: route, ["id": value]) }
      #expect(error.map { "\($0)" }?.contains("would not be read back from a URL") == true, "\(value)")
    }
    // A list of text is read back, because the type says that the parameter is a list.
    let list = Route<Box<[PropertyValue]>, String>("test.list", [#pattern("shop://list")])
    router.register(list) { "\($0.value == ["a", "b"])" }
    let url = try router.url(for: list, Box(value: ["a", "b"]))
    #expect(try await router.object(for: url, from: .local) == "true")
  }

  private struct When: Codable, Sendable, Equatable {
    var date: Date
  }

  @Test(arguments: [
    1_700_000_000_000_000, -1_700_000_000_000_000, 1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
  ])
  func `a date that its text does not express is an error`(_ seconds: Double) {
    let route = Route<When, String>("test.when", [#pattern("shop://when/:date"), #pattern("shop://when")])
    let date = When(date: Date(timeIntervalSinceReferenceDate: seconds))
    let error = #expect(throws: EncodingError.self) { try router.url(for: route, date) }
    #expect(error.map { "\($0)" }?.contains("would not be read back from a URL") == true)
  }

  @Test func `a date is read back to the millisecond`() async throws {
    let router = Router()
    let route = Route<When, When>("test.when", [#pattern("shop://when/:date")])
    router.register(route) { $0 }
    let days = [-62_000_000_000.0, -12_219_292_800, -3, 0, 700_000_000, 1e9, 2e11]
    for day in days {
      for fraction in [0, 0.001, 0.25, 0.251, 0.4999, 0.5, 0.999, 0.9994, 0.9996, 0.999_999_9] {
        let date = When(date: Date(timeIntervalSinceReferenceDate: day + fraction))
        let made = try router.url(for: route, date)
        let read = try await router.object(for: made, as: When.self, from: .local)
        #expect(abs(read.date.timeIntervalSince(date.date)) <= 0.001, "\(made)")
        // The date that was read has the same URL.
        #expect(try router.url(for: route, read) == made)
      }
    }
  }

  @Test func `values at the limits of their types are read back`() async throws {
    struct Limits: Codable, Sendable, Equatable {
      var int: [Int] = [.min, .max], int8: [Int8] = [.min, .max], int64: [Int64] = [.min, .max]
      var uint: [UInt] = [.min, .max], uint64: [UInt64] = [.max]
      var double: [Double] = [
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1e15,
        9_007_199_254_740_992, 1e22, -0.0, 4.35, .pi,
      ]
      var float: [Float] = [.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, .pi, 16_777_216]
      var decimal: [Decimal] = [
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, Decimal(string: "0.1")!,
        Decimal(string: "12345678901234567890123456789012345678")!,
      ]
      var url: [URL] = [URL(string: "a?b#c")!, URL(string: "https://é.example/%2F")!]
      var uuid = [UUID()]
      var text = ["", "\u{0}", "\r\n", "e\u{301}", "+ &=#%", "\u{1F468}\u{200D}\u{1F469}"]
    }
    let router = Router()
    let route = Route<Limits, Limits>("test.limits", [#pattern("shop://limits")])
    router.register(route) { $0 }
    let limits = Limits()
    let made = try router.url(for: route, limits)
    #expect(try await router.object(for: made, as: Limits.self, from: .local) == limits)
  }

  @Test func `a wildcard has no value, so the next pattern is used`() throws {
    let wild = Route<Word, String>("test.wild", [#pattern("shop://wild/*")])
    #expect(reason { _ = try router.url(for: wild, Word(word: "x")) }.contains("wildcard"))
    let both = Route<Word, String>("test.both", [#pattern("shop://both/**"), #pattern("shop://both/:word")])
    #expect(try router.url(for: both, Word(word: "x")).absoluteString == "shop://both/x")
  }

  @Test func `a URL that would open another route is an error that names its pattern`() throws {
    let route = Route<Word, String>("test.taken", [#pattern("shop://:word")])
    router.register(.home) { "" }
    router.register(Route<Void, String>("test.any", [#pattern("shop://*")])) { "" }
    for hasHandler in [false, true] {
      if hasHandler { router.register(route) { _ in "" } }
      #expect(try router.url(for: route, Word(word: "away")).absoluteString == "shop://away")
      #expect(reason { _ = try router.url(for: route, Word(word: "home")) }.contains("shop://home"))
    }
    let twin = Route<Word, String>("test.twin", [#pattern("shop://:word")])
    #expect(reason { _ = try router.url(for: twin, Word(word: "away")) }.contains("shop://:word"))
  }
}
