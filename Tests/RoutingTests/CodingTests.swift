import Foundation
import Registry
import TestSupport
import Testing

@testable import Routing

/// Parameters with handwritten coding, as classes and older models have it.
@Suite(.timeLimit(.minutes(20))) struct CodingTests {
  private func url(_ write: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
    let route = Route<Written, String>("test.written", [#pattern("coded://h/:id")])
    return try Router().url(for: route, Written(write: write)).absoluteString
  }

  private func reason(_ write: @escaping @Sendable (any Encoder) throws -> Void) -> String {
    let error = #expect(throws: RouteError.self) { try url(write) }
    guard let reason = error?.reason, error?.kind == .notGenerated, error?.target == "test.written" else {
      return "\(String(describing: error))"
    }
    return reason
  }

  @Test func `parameters that are encoded piece by piece form a URL`() throws {
    let made = try url { encoder in
      #expect(encoder.userInfo.isEmpty && encoder.codingPath.isEmpty)
      var object = encoder.container(keyedBy: Name.self)
      try object.encodeNil(forKey: "none")
      try object.encode(7, forKey: "id")
      var list = object.nestedUnkeyedContainer(forKey: "tags")
      try list.encode("a")
      var element = list.superEncoder().singleValueContainer()
      try element.encode("b")
      #expect(list.count == 2)
      #expect(
        object.codingPath.isEmpty && list.codingPath.names == ["tags"] && element.codingPath.names == ["tags", "1"])
      var word = object.superEncoder(forKey: "word").singleValueContainer()
      try word.encode("x")
      // The members of a superclass are encoded next to the other members.
      var parent = object.superEncoder().container(keyedBy: Name.self)
      try parent.encode(true, forKey: "flag")
    }
    #expect(made == "coded://h/7?tags=a&tags=b&word=x&flag=true")
  }

  @Test func `elements and members are appended in place`() throws {
    // An array that is copied for each append has a new address each time.
    func moves<Element>(_ array: () -> [Element], _ append: (Int) throws -> Void) rethrows -> Int {
      var addresses: [UnsafeRawPointer?] = []
      for number in 0..<10_000 {
        try append(number)
        addresses.append(array().withUnsafeBytes { $0.baseAddress })
      }
      #expect(array().count == 10_000)
      return zip(addresses, addresses.dropFirst()).count { $0 != $1 }
    }
    let list = RouteEncoder()
    var elements = list.unkeyedContainer()
    #expect(try moves({ list.members }, { try elements.encode($0) }) < 50)
    let object = RouteEncoder()
    var members = object.container(keyedBy: Name.self)
    #expect(try moves({ object.members }, { try members.encode($0, forKey: Name(stringValue: "\($0)")) }) < 50)
    #expect(list.value.array == (0..<10_000).map { .integer($0) })
    #expect(object.value.dictionary?.count == 10_000 && object.names.last == "9999")
  }

  @Test func `pieces that are not texts are errors that name them`() {
    #expect(
      reason { encoder in
        var object = encoder.container(keyedBy: Name.self)
        var inner = object.nestedContainer(keyedBy: Name.self, forKey: "inner")
        try inner.encode(1, forKey: "x")
      }.contains("'inner' is an object with "))
    func says(
      _ what: String, _ add: @escaping @Sendable (inout any UnkeyedEncodingContainer) throws -> Void
    ) {
      #expect(
        reason { encoder in
          var object = encoder.container(keyedBy: Name.self)
          var list = object.nestedUnkeyedContainer(forKey: "tags")
          try add(&list)
        }.contains("the list 'tags' contains \(what)"))
    }
    says("null") { try $0.encodeNil() }
    says("an object with 0 members") { _ = $0.nestedContainer(keyedBy: Name.self) }
    says("an array with 0 elements") { _ = $0.nestedUnkeyedContainer() }
    #expect(
      reason { encoder in
        var nothing = encoder.singleValueContainer()
        try nothing.encodeNil()
      }.contains("its parameters are null"))
  }

  @Test func `parameters that are decoded piece by piece are created from an action's arguments`() async throws {
    let router = Router()
    router.registerAction("pieces", "read") { (parameters: Pieces) in parameters.numbers }
    let values: [String: PropertyValue] = [
      "inner": ["x": 1], "list": [2, nil, [3], ["x": 4], 5], "word": "6", "flag": true,
    ]
    #expect(try await router.perform("pieces", "read", values, as: [Int].self) == [1, 2, 3, 4, 5, 6])
    for (name, value, says) in [
      ("inner", 7, "expected an object, but found the integer 7 (at 'inner')"),
      ("list", "a", "expected a list, but found 'a' (at 'list')"),
      ("list", [2, nil, 3], "expected a list, but found the integer 3 (at 'list.2')"),
      ("list", [2, nil, [3], 4], "expected an object, but found the integer 4 (at 'list.3')"),
      ("list", [2, nil, [3], ["x": 4]], "the list has no more elements (at 'list.4')"),
      ("list", [2], "the list has no more elements (at 'list.1')"),
      ("word", nil, "expected 'Int', but found null (at 'word')"),
    ] as [(String, PropertyValue, String)] {
      var broken = values
      broken[name] = value
      do {
        try await router.perform("pieces", "read", broken)
        Issue.record("\(name) \(value) was taken")
      } catch let error as RouteError where error.code == "bad-parameters" {
        #expect(error.reason == says)
      }
    }
    var missing = values
    missing["word"] = .none
    do {
      try await router.perform("pieces", "read", missing)
      Issue.record("a missing name was taken")
    } catch let error as RouteError where error.code == "bad-parameters" {
      #expect(error.reason == "missing value for 'word'")
    }
  }

  @Test func `a number or a Boolean value is also a text, and 0 and 1 are Boolean values`() async throws {
    struct Loose: Codable, Sendable, Equatable {
      var texts: [String] = []
      var flags: [Bool] = []
      var numbers: [Int8] = []
      var decimals: [Decimal] = []
      var float: Float = 0
    }
    let router = Router()
    router.registerAction("loose", "read") { (parameters: Loose) in parameters }
    let values: [String: PropertyValue] = [
      "texts": [7, 2.5, 2.0, true, "x"], "flags": [1, 0, "1", "0", "true", "false", true], "numbers": [7, -7.0, "7"],
      "decimals": [7, 2.5, "1"], "float": .double(.infinity),
    ]
    let read = try await router.perform("loose", "read", values, as: Loose.self)
    #expect(
      read
        == Loose(
          texts: ["7", "2.5", "2", "true", "x"], flags: [true, false, true, false, true, false, true],
          numbers: [7, -7, 7], decimals: [7, 2.5, 1], float: .infinity))
    for (name, value) in [
      ("texts", [nil]), ("texts", [[]]), ("flags", [2]), ("flags", ["yes"]), ("flags", [1.0]), ("numbers", [128]),
      ("numbers", [7.5]), ("numbers", [true]), ("float", 1e39), ("float", true),
    ] as [(String, PropertyValue)] {
      var broken = values
      broken[name] = value
      await #expect(throws: RouteError.self, "\(name) \(value)") { try await router.perform("loose", "read", broken) }
    }
  }
}

/// A value that a closure of the test encodes.
private struct Written: Codable, Sendable {
  let write: @Sendable (any Encoder) throws -> Void

  init(write: @escaping @Sendable (any Encoder) throws -> Void) {
    self.write = write
  }

  // The null in a test is read back as a missing value.
  init(from decoder: any Decoder) { write = { _ in } }
  func encode(to encoder: any Encoder) throws { try write(encoder) }
}

private struct Pieces: Decodable, Sendable {
  var numbers: [Int] = []

  init(from decoder: any Decoder) throws {
    #expect(decoder.userInfo.isEmpty && decoder.codingPath.isEmpty)
    let object = try decoder.container(keyedBy: Name.self)
    let inner = try object.nestedContainer(keyedBy: Name.self, forKey: "inner")
    numbers.append(try inner.decode(Int.self, forKey: "x"))
    var list = try object.nestedUnkeyedContainer(forKey: "list")
    #expect(list.count ?? 0 > 0 && inner.codingPath.names == ["inner"] && list.codingPath.names == ["list"])
    #expect(try !list.decodeNil())
    numbers.append(try list.decode(Int.self))
    if try list.decodeNil() { #expect(list.currentIndex == 2) }
    var nested = try list.nestedUnkeyedContainer()
    numbers.append(try nested.decode(Int.self))
    #expect(try nested.isAtEnd && !nested.decodeNil())
    numbers.append(try list.nestedContainer(keyedBy: Name.self).decode(Int.self, forKey: "x"))
    let element = try list.superDecoder().singleValueContainer()
    #expect(element.codingPath.names == ["list", "4"] && !element.decodeNil())
    numbers.append(try element.decode(Int.self))
    numbers.append(try object.superDecoder(forKey: "word").singleValueContainer().decode(Int.self))
    // The members of a superclass are decoded next to the other members.
    let parent = try object.superDecoder().container(keyedBy: Name.self)
    #expect(try parent.decode(Bool.self, forKey: "flag"))
  }
}

private struct Name: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral value: String) { stringValue = value }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension [any CodingKey] {
  fileprivate var names: [String] { map(\.stringValue) }
}
