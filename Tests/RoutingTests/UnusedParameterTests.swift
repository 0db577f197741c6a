import Foundation
import Registry
import Routing
import TestSupport
import Testing

private struct Link: Codable, Sendable {
  var id: Int
  var tab: String?
}

extension Route where Parameters == Link, Outcome == Int {
  fileprivate static var exportedUnused: Self {
    .init("unused.exported", [#pattern("unused://exported/:orderID(Int)")])
  }
}
#exportRoute(.exportedUnused) { link in link.id }

// The synthesized keys of a type have another printed name if the type is not private.
struct BoxLink: Codable, Sendable {
  var shelf: Shelf
  var boxId: Int
  var marked: Int?
  var opened: Date?
  var counts: [Int]

  enum Shelf: Int, Codable { case top = 1, bottom }
  struct Nested<Value: Codable & Sendable>: Codable, Sendable { var value: Value }
}

/// A value whose own text is that of a `UUID`.
struct WrappedID: Codable, Sendable {
  let uuid: UUID
  init(from decoder: any Decoder) throws { uuid = try decoder.singleValueContainer().decode(UUID.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuid)
  }
}
struct WrappedLink: Codable, Sendable { var id: WrappedID }

public struct PublicLink: Codable, Sendable { var id: Int }

/// The report of pattern parameters that a route's parameters do not decode.
@Suite struct UnusedParameterTests {
  /// Returns the messages in the report of a router with one route.
  private func messages<Parameters: Decodable & Sendable>(
    _ type: Parameters.Type, _ patterns: String...
  ) throws -> [String] {
    let router = Router(onDiagnostic: { _ in })
    router.register(Route<Parameters, Int>("unused.route", try patterns.map { try RoutePattern($0) })) { _ in 1 }
    return router.report().diagnostics.map { "\($0.message) [\($0.code)]" }
  }

  private static func message(_ name: String, _ pattern: String, _ type: String, _ suggestion: String = "") -> String {
    "the parameter '\(name)' of the pattern '\(pattern)' is not a key of '\(type)'; rename the parameter, or add a"
      + " property to the type\(suggestion) [unused-parameter]"
  }

  @Test func `a pattern parameter that the type lacks is reported`() throws {
    #expect(
      try messages(Link.self, "m://order/:orderID(Int)", "m://order/:id(Int)/:tag", "m://order/:idd/:tab")
        == [
          Self.message("orderID", "m://order/:orderID(Int)", "Link"),
          Self.message("tag", "m://order/:id(Int)/:tag", "Link", "; did you mean 'tab'?"),
          Self.message("idd", "m://order/:idd/:tab", "Link", "; did you mean 'id'?"),
        ])
    #expect(try messages(Link.self, "m://order/:id(Int)", "m://order/:id/:tab.html", "m://*/**", "m:**") == [])
  }

  @Test func `a parameter is reported for every access, with the nearest of all properties`() throws {
    func expect<Parameters: Codable & Sendable>(
      _ type: Parameters.Type, _ name: String, _ suggestion: String = "",
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let pattern = "m://box/:\(name)"
      #expect(
        try messages(type, pattern) == [Self.message(name, pattern, "\(type)", suggestion)],
        sourceLocation: sourceLocation)
    }
    struct Local: Codable, Sendable { var id: Int }
    try expect(BoxLink.self, "boxID", "; did you mean 'boxId'?")
    try expect(BoxLink.self, "markd", "; did you mean 'marked'?")
    try expect(PublicLink.self, "idd", "; did you mean 'id'?")
    try expect(BoxLink.Nested<PublicLink>.self, "vale", "; did you mean 'value'?")
    try expect(Local.self, "boxID")
    #expect(try messages(BoxLink.self, "m://box/:boxId/:shelf/:marked/:opened/:counts") == [])
  }

  @Test func `a parameter is reported whose property has another type`() throws {
    func message(
      _ parameter: String, _ accepted: String, _ pattern: String, _ owner: String, _ found: Any.Type
    ) -> String {
      "the parameter '\(parameter)' of the pattern '\(pattern)' accepts only '\(accepted)', but"
        + " '\(owner)' decodes it as '\(found)', and no text is both; change one of the types [unused-parameter]"
    }
    func expect<Parameters: Decodable & Sendable>(
      _ parameter: String, _ accepted: String, _ owner: Parameters.Type, _ found: Any.Type, after others: String = "",
      // Optimized code describes a private type in different ways.
      named name: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let pattern = "m://box\(others)/:\(parameter)(\(accepted))"
      #expect(
        try messages(owner, pattern) == [message(parameter, accepted, pattern, name ?? "\(owner)", found)],
        sourceLocation: sourceLocation)
    }
    try expect("id", "Bool", Link.self, Int.self, named: "Link")
    try expect("id", "UUID", Link.self, Int.self, named: "Link")
    try expect("boxId", "Bool", BoxLink.self, Int.self, after: "/:shelf(Int)")
    try expect("opened", "Int", BoxLink.self, Date.self, after: "/:shelf(Int)/:boxId(UInt)")
    try expect("shelf", "UUID", BoxLink.self, BoxLink.Shelf.self)
    try expect("counts", "Bool", BoxLink.self, [Int].self, after: "/:shelf(Int)/:boxId(Int)")
    try expect("value", "Bool", BoxLink.Nested<UUID>.self, UUID.self)
    try expect("x", "Bool", Int.self, Int.self)
    try expect("id", "Int", WrappedLink.self, WrappedID.self)
    try expect("x", "UUID", BoxLink.Shelf.self, BoxLink.Shelf.self)
    #expect(
      try messages(
        BoxLink.self, "m://box/:boxId(Int)/:shelf(UInt)/:marked(Double)/:opened(Name)/:counts(Int)",
        "m://box/:shelf(Int)")
        == [])
    #expect(try messages(BoxLink.Nested<String>.self, "m://a/:value(Bool)", "m://b/:value(UUID)") == [])
    #expect(try messages(BoxLink.Nested<Bool>.self, "m://a/:value(Bool)", "m://b/:value(Int)") == [])
    #expect(try messages(BoxLink.Nested<UUID>.self, "m://a/:value(UUID)", "m://b/:value(Name)") == [])
    #expect(try messages(BoxLink.Nested<PublicLink>.self, "m://a/:value(Int)") == [])
  }

  @Test func `a route is checked when it is registered or read, in debug builds`() {
    let problems = DiagnosticCollector()
    let router = Router(
      records: .records { $0.handlerName?.hasPrefix("RoutingTests/UnusedParameterTests.swift:") ?? false },
      onDiagnostic: problems.handler)
    let line = #line + 1
    router.register(Route<Link, Int>("unused.registered", [#pattern("unused://registered/:number")])) { $0.id }
    let expected = [
      "warning: RoutingTests/UnusedParameterTests.swift:17:1 (\(imageName(router))): "
        + Self.message("orderID", "unused://exported/:orderID(Int)", "Link"),
      "warning: RoutingTests/UnusedParameterTests.swift:\(line):20: "
        + Self.message("number", "unused://registered/:number", "Link"),
    ]
    #if DEBUG
    #expect(problems.diagnostics.map(\.description) == expected)
    #else
    #expect(problems.diagnostics.isEmpty)
    #endif
    #expect(router.report().diagnostics.map(\.description) == expected)
    #expect(problems.diagnostics.map(\.description) == expected)
  }

  private func imageName(_ router: Router) -> String { router.routes.compactMap { $0.image?.description }.first ?? "" }

  // MARK: - Types that decode in other ways

  private class Base: Decodable, @unchecked Sendable {
    var base: Int
  }

  private final class Sub: Base, @unchecked Sendable {
    enum CodingKeys: CodingKey { case own }

    required init(from decoder: any Decoder) throws {
      _ = try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
      try super.init(from: decoder)
    }
  }

  private struct Legacy: Decodable, Sendable {
    enum Keys: CodingKey { case id }
    enum LegacyKeys: CodingKey { case orderID }

    init(from decoder: any Decoder) throws {
      let id = try? decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
      _ = try id ?? decoder.container(keyedBy: LegacyKeys.self).decode(Int.self, forKey: .orderID)
    }
  }

  /// A type that decodes other keys, or a single value, if it lacks its own key.
  private struct Renamed: Decodable, Sendable {
    enum CodingKeys: CodingKey { case id }
    enum LegacyKeys: CodingKey { case orderID }

    init(from decoder: any Decoder) throws {
      let id = try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      _ = try id ?? decoder.container(keyedBy: LegacyKeys.self).decode(Int.self, forKey: .orderID)
    }
  }

  private struct Short: Decodable, Sendable {
    enum CodingKeys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
      let id = try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      _ = try id ?? decoder.singleValueContainer().decode(Int.self)
    }
  }

  /// A type whose parts decode the same container.
  private struct Both: Decodable, Sendable {
    struct First: Decodable, Sendable { var id: Int }
    struct Second: Decodable, Sendable { var quantity: Int }

    init(from decoder: any Decoder) throws {
      _ = try First(from: decoder)
      _ = try Second(from: decoder)
    }
  }

  private struct Wrapper: Decodable, Sendable {
    let id: Int

    init(from decoder: any Decoder) throws {
      id = try decoder.singleValueContainer().decode(Int.self)
    }
  }

  /// A type that asks for everything that a decoder provides.
  private struct Curious: Decodable, Sendable {
    enum CodingKeys: CodingKey { case id, items, more }

    init(from decoder: any Decoder) throws {
      #expect(decoder.codingPath.isEmpty && decoder.userInfo.isEmpty)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      #expect(container.codingPath.isEmpty && container.allKeys.isEmpty)
      #expect(!container.contains(.id))
      #expect(throws: (any Error).self) { try container.decodeNil(forKey: .id) }
      #expect(throws: (any Error).self) {
        try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .items)
      }
      #expect(throws: (any Error).self) { try container.nestedUnkeyedContainer(forKey: .items) }
      _ = try container.superDecoder()
      #expect(throws: (any Error).self) { try container.superDecoder(forKey: .more) }
      #expect(throws: (any Error).self) { try decoder.unkeyedContainer() }
    }
  }

  /// A type that accepts only values that a URL can contain.
  private struct Checked: Decodable, Sendable {
    enum CodingKeys: CodingKey { case number, flag, id, order, note, page }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      #expect(try container.decode(String.self, forKey: .number) == "1")
      #expect(["1", "true"].contains(try container.decode(String.self, forKey: .flag)))
      _ = UUID(uuidString: try container.decode(String.self, forKey: .id))!
      #expect(try container.decode(UUID.self, forKey: .order) == container.decodeIfPresent(UUID.self, forKey: .order))
      #expect(try container.decodeIfPresent(String.self, forKey: .note) == nil)
      #expect(!container.contains(.note))
      _ = try container.decode(Int.self, forKey: .page)
    }
  }

  /// A type that decodes a value in one of two ways.
  private struct Lenient: Decodable, Sendable {
    enum CodingKeys: CodingKey { case id, list, name }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if (try? container.decode(Int.self, forKey: .id)) == nil {
        _ = try? container.decode(String.self, forKey: .id)
      }
      if (try? container.decode(Int.self, forKey: .list)) == nil {
        _ = try? container.nestedUnkeyedContainer(forKey: .list)
      }
      _ = try container.decode(Int.self, forKey: .name)
    }
  }

  /// A type with a raw value that it does not decode.
  private struct Length: RawRepresentable, Codable, Sendable {
    let rawValue: Int

    init(rawValue: Int) { self.rawValue = rawValue }
    init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(String.self).utf8.count
    }
  }

  /// An enumeration that decodes every text.
  private enum Choice: Int, Codable, Sendable {
    case one = 1, other

    init(from decoder: any Decoder) throws {
      self = (try? decoder.singleValueContainer().decode(Int.self)).flatMap(Self.init) ?? .other
    }
  }

  @Test func `a type that can accept the parameter is not reported`() throws {
    #expect(try messages(Lenient.self, "m://a/:id(UUID)", "m://a/:list(UUID)") == [])
    #expect(try messages(Lenient.self, "m://a/:name(UUID)").count == 1)
    #expect(try messages(Length.self, "m://a/:id(UUID)") == [])
    #expect(try messages(Choice.self, "m://a/:id(UUID)") == [])
    #expect(try messages(BoxLink.Nested<Length>.self, "m://a/:value(UUID)", "m://a/:value(Bool)") == [])
    #expect(try messages(BoxLink.Nested<Choice>.self, "m://a/:value(UUID)") == [])
    #expect(try messages(BoxLink.Nested<[Choice]>.self, "m://a/:value(UUID)") == [])
    #expect(try messages(BoxLink.Nested<Data>.self, "m://a/:value(UUID)") == [])
    #expect(try messages(BoxLink.Nested<Int?>.self, "m://a/:value(UUID)").count == 1)
    #expect(try messages(Wrapper.self, "m://a/:id(UUID)").count == 1)
  }

  @Test func `a type that only one value decodes is reported for other patterns and for actions`() throws {
    func expect<Parameters: Decodable & Sendable>(_ type: Parameters.Type, isSingle: Bool) throws {
      #expect(try messages(type, "m://a/:x/:y").contains { $0.contains("is a single value") } == isSingle, "\(type)")
      let router = Router(onDiagnostic: { _ in })
      router.registerAction("unused", "action") { (_: Parameters) in }
      #expect(router.report().diagnostics.isEmpty != isSingle, "\(type)")
    }
    for type: any (Decodable & Sendable).Type in [
      Int.self, UUID.self, BoxLink.Shelf.self, Int?.self, Wrapper.self, WrappedID.self,
    ] { try expect(type, isSingle: true) }
    for type: any (Decodable & Sendable).Type in [
      Link.self, Link?.self, Short.self, Choice.self, PropertyValue.self, [Int].self, [String: Int].self,
    ] { try expect(type, isSingle: false) }
  }

  @Test func `a type receives only values that a URL of the pattern can contain`() throws {
    #expect(
      try messages(
        Checked.self, "m://a/:number(Int)/:flag(Bool)/:id(UUID)/:order(UUID)/:page(Int)",
        "m://b/:number(Double)/:flag(UInt)/:id(UUID)/:order(UUID)/:page(Int)")
        == [])
    #expect(
      try messages(Checked.self, "m://a/:number(Int)/:flag(Bool)/:id(UUID)/:order(UUID)/:page(UUID)").count == 1)
    // The decoding ends where the pattern has no value.
    for pattern in [
      "m://a/:number(Int)/:flag(Bool)/:page(UUID)", "m://a/:number(Int)/:flag(Bool)/:id/:order(UUID)/:page(UUID)",
      "m://a/:number(Int)/:flag(Bool)/:id(Name)/:order(UUID)/:page(UUID)", "m://a/:page(UUID)",
    ] {
      #expect(try messages(Checked.self, pattern) == [])
    }
  }

  /// A type whose keys depend on a value.
  private struct Conditional: Decodable, Sendable {
    enum CodingKeys: CodingKey { case kind, first, second }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let kind = try container.decode(String.self, forKey: .kind)
      _ = try container.decode(Int.self, forKey: kind == "a" ? .first : .second)
      Issue.record("The type received the value \(kind).")
    }
  }

  @Test func `a type whose keys are unknown is not reported, and similar keys need no values`() throws {
    #expect(try messages(Conditional.self, "m://a/:kind/:first", "m://a/:kind/:second") == [])
    #expect(try messages(Conditional.self, "m://a/:kind(Bool)/:second") == [])
    #expect(
      try messages(Checked.self, "m://a/:pge") == [
        Self.message("pge", "m://a/:pge", "Checked", "; did you mean 'page'?")
      ])
    #expect(try messages(Curious.self, "m://a/:third") == [Self.message("third", "m://a/:third", "Curious")])
    #expect(try messages(Sub.self, "m://a/:own/:base") == [])
    #expect(try messages(Both.self, "m://a/:id/:quantity") == [])
    #expect(try messages(Legacy.self, "m://a/:orderID", "m://b/:id") == [])
    #expect(try messages(Renamed.self, "m://a/:orderID", "m://b/:id") == [])
    #expect(try messages(Short.self, "m://a/:other", "m://b/:id") == [])
    #expect(try messages(Wrapper.self, "m://a/:other") == [])
    #expect(try messages([String: String].self, "m://a/:other") == [])
    #expect(try messages(Int.self, "m://a/:other", "m://a/:other(Int)") == [])
    #expect(try messages(URL.self, "m://a/:other") == [])
    #expect(try messages(Link?.self, "m://a/:other") == [])
    let router = Router(onDiagnostic: { _ in })
    router.register(Route<Void, Int>("unused.void", [#pattern("m://a/:other")])) { _, request in
      request.pathParameters.count
    }
    #expect(router.report().diagnostics.isEmpty)
  }
}
