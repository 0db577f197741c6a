import Foundation
import Registry
import Routing
import Testing

// Parameters that Foundation's coders read from JSON and write to it.

private struct Nested: Codable, Sendable {
  struct Item: Codable, Sendable, Equatable { var name: String, count: Int }
  var items: [Item]
  var first: Item?
  var any: PropertyValue?
}

private class Base: Codable {
  let base: Int

  init(base: Int) { self.base = base }
}

private final class Derived: Base, @unchecked Sendable {
  // Unchecked: The compiler requires a final superclass, but neither class has mutable state.
  private enum Keys: CodingKey { case own }
  let own: Int

  init(base: Int, own: Int) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    own = try container.decode(Int.self, forKey: .own)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(own, forKey: .own)
    try super.encode(to: container.superEncoder())
  }
}

private struct OldLink: Codable, Sendable {
  var params: String
}

extension Route where Parameters == OldLink, Outcome == Int? {
  fileprivate static var old: Self {
    .init("shop.order.old", [#pattern("com.alibaba.beehive://jump.vc.beehive/OrderController")], access: .remote)
  }
}

@Suite(.timeLimit(.minutes(20))) struct JSONParametersTests {
  let router = Router()

  @Test func `numbers in JSON keep their values, also those that are too large for Int`() async throws {
    struct Numbers: Codable, Sendable, Equatable {
      var a: UInt64
      var b: UInt64
      var c: Double
      var d: String
    }
    router.registerAction("numbers", "take") { (parameters: Numbers) in parameters }
    let json = #"{"a":18446744073709551615,"b":9223372036854775809,"c":18446744073709551615,"d":9223372036854775809}"#
    let parameters = try JSONDecoder().decode([String: PropertyValue].self, from: Data(json.utf8))
    let numbers = try await router.perform("numbers", "take", parameters, as: Numbers.self)
    #expect(
      numbers == Numbers(a: .max, b: 9_223_372_036_854_775_809, c: 18_446_744_073_709_551_616, d: "9223372036854775809")
    )
  }

  @Test func `the values of a superclass are nested in JSON, and beside the others in a URL`() async throws {
    router.registerAction("classes", "take") { (parameters: Derived) in "\(parameters.base) \(parameters.own)" }
    let json = try JSONEncoder().encode(Derived(base: 1, own: 2))
    let parameters = try JSONDecoder().decode([String: PropertyValue].self, from: json)
    #expect(try await router.perform("classes", "take", parameters, as: String.self) == "1 2")
    let route = Route<Derived, String>("test.derived", [#pattern("shop://derived/:own")])
    router.register(route) { parameters in "\(parameters.base) \(parameters.own)" }
    let made = try router.url(for: route, Derived(base: 1, own: 2))
    #expect(made.absoluteString == "shop://derived/2?base=1")
    #expect(try await router.object(for: made, as: String.self, from: .local) == "1 2")
  }

  @Test func `parameters can contain lists and objects from JSON`() async throws {
    router.registerAction("orders", "pack") { (parameters: Nested) in parameters }
    let json =
      #"{"items":[{"name":"a","count":1},{"name":"b","count":2}],"first":{"name":"c","count":3},"any":{"x":[1.5,null,true,"1"]}}"#
    let parameters = try JSONDecoder().decode([String: PropertyValue].self, from: Data(json.utf8))
    let nested = try await router.perform("orders", "pack", parameters, as: Nested.self)
    #expect(nested.items == [.init(name: "a", count: 1), .init(name: "b", count: 2)] && nested.first?.count == 3)
    #expect(nested.any == ["x": [1.5, nil, true, "1"]])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      try encoder.encode(parameters) == encoder.encode(JSONDecoder().decode(PropertyValue.self, from: Data(json.utf8))))
    let bad = await #expect(throws: RouteError.self) {
      try await router.perform("orders", "pack", ["items": [["name": "a", "count": "x"]]])
    }
    #expect(bad?.description.contains("items.0.count") == true)
  }

  @Test func `a link with parameters in JSON is another pattern`() async throws {
    router.register(.old) { link in
      try JSONDecoder().decode([String: OrderLink].self, from: Data(link.params.utf8))["OrderController"]?.id
    }
    let link =
      "com.alibaba.beehive://jump.vc.beehive/OrderController?params=%7B%22OrderController%22:%7B%22id%22:7%7D%7D#push"
    let outcome = try await router.open(url(link), from: .remote)
    #expect(outcome.value as? Int == 7)
    #expect(outcome.request.fragment == "push")
  }
}
