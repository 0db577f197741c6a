internal import Foundation
internal import Registry
internal import RoutePatterns

struct RouteDecoder: Decoder, Sendable {
  let value: PropertyValue
  /// A Boolean value that indicates whether the value is from a URL.
  ///
  /// Each name in a URL has a list of strings, with `true` for each item without a value. A single
  /// value is decoded from the first element, and an array from all elements. A value that isn't
  /// from a URL contains the parameters that a caller passes to an action.
  let isURL: Bool
  /// The text of the pattern's only parameter, for decoding a single value. Nil below the top
  /// level, or if the pattern doesn't have exactly one parameter.
  private var single: String?
  /// The names of the pattern's parameters; empty below the top level.
  fileprivate var pathNames: [String] = []
  /// The recorded requests of the type; nil if they aren't recorded, and below the top level.
  private var requests: DecodingRequests?
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: PropertyValue, isURL: Bool = false, codingPath: [any CodingKey] = []) {
    self.value = value
    self.isURL = isURL
    self.codingPath = codingPath
  }

  /// Creates a decoder for the components of a URL.
  ///
  /// - Parameters:
  ///   - path: The parameters of the pattern, which replace query items with the same names.
  ///   - query: The query items. An item without a value represents `true` or an empty string.
  @_optimize(speed) init(path: [(name: String, value: String)], query: [URLParts.QueryItem]) {
    var values: [String: [PropertyValue]] = [:]
    for (name, value) in query { values[name, default: []].append(value.map { .string($0) } ?? .bool(true)) }
    for (name, value) in path { values[name] = [.string(value)] }
    self.init(.dictionary(values.mapValues { .array($0) }), isURL: true)
    single = path.count == 1 ? path[0].value : nil
    pathNames = path.map(\.name)
  }

  /// Creates a decoder that records the requests of a type.
  ///
  /// - Parameter samples: Sample values of a pattern's parameters; null for parameters without one.
  init(samples: [String: PropertyValue], recording requests: DecodingRequests) {
    self.init(.dictionary(samples), isURL: true)
    pathNames = Array(samples.keys)
    self.requests = requests
  }

  fileprivate func record(_ name: String, _ type: any Any.Type) {
    requests?.recorded.withLock { $0.properties.append((name, type)) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    requests?.recorded.withLock { $0.keys.append(type) }
    guard case .dictionary(let values) = value else { throw mismatch([String: PropertyValue].self, "an object") }
    return KeyedDecodingContainer(Keyed(values: values, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    record("", Any.self)
    guard case .array(let values) = value else { throw mismatch([PropertyValue].self, "a list") }
    return Unkeyed(values: values, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// The value to decode as a single value. In a URL, it's the text of the pattern's only
  /// parameter, the first element of a name's list, or else the whole value.
  private var scalar: PropertyValue {
    if let single { return .string(single) }
    guard isURL, case .array(let values) = value, let first = values.first else { return value }
    return first
  }

  /// Decodes a value of any type. Scalars don't use their own `init(from:)`.
  func value<T: Decodable>(as type: T.Type) throws -> T {
    if let value = scalar as? T, type == PropertyValue.self { return value }
    // Data is not a scalar, because URLs and JSON represent it as a list of numbers.
    if case .bytes(let bytes) = value, let data = Data(bytes) as? T, type == Data.self { return data }
    guard let scalarType = type as? any Scalar.Type else { return try T(from: self) }
    let scalar = scalar
    if scalar == .null {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "expected '\(type)', but found null"))
    }
    // `?flag` represents `true` or an empty string.
    let isFlag = isURL && scalar == .bool(true) && type != Bool.self
    guard let value = scalarType.init(scalar: isFlag ? .string("") : scalar) as? T else {
      let form = type == Date.self ? " such as '2026-03-01T12:30:00Z'" : type == Bool.self ? " ('true' or 'false')" : ""
      throw mismatch(type, "'\(type)'\(form)")
    }
    return value
  }

  /// Returns whether query text that can't be decoded as a type counts as a missing value.
  fileprivate func isAbsent(_ type: any Any.Type) -> Bool {
    // `?flag` is `true`, and `?flag=` is an empty string.
    if type is any List.Type, case .array(let values) = value {
      return values.allSatisfy { $0 == .string("") || $0 == .bool(true) }
    }
    return switch scalar {
    case .string(""), .bool: true
    default: type is any RawRepresentable.Type
    }
  }

  private func mismatch(_ type: any Any.Type, _ wanted: String) -> DecodingError {
    let found =
      switch scalar {
      case .string(let text): "'\(text.escapedForDisplay(limit: 50))'"
      case .dictionary where isURL: "a whole URL"
      case .bool where isURL: "a key without a value"
      default: scalar.summary
      }
    let way =
      switch (wanted, scalar) {
      case _ where !isURL: ""
      case ("an object", _), ("a list", _): "; a value in a URL cannot have parts of its own"
      case (_, .string(let text)) where codingPath.last?.intValue != nil && text.contains(","):
        "; give each value a query item of its own, as in 'key=1&key=2'"
      case (_, .dictionary):
        "; a single value needs a pattern with exactly one parameter, so declare a structure with a property for each"
      default: ""
      }
    return .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "expected \(wanted), but found \(found)\(way)"))
  }

  fileprivate func child(_ value: PropertyValue, _ key: any CodingKey) -> RouteDecoder {
    RouteDecoder(value, isURL: isURL, codingPath: codingPath + [key])
  }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: PropertyValue]
  let decoder: RouteDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { values.keys.ordered(by: <).compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try child(key).value == .null }
  // This method fulfills the requirements for all types.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    decoder.record(key.stringValue, type)
    // A URL represents an empty list by omitting its name.
    if decoder.isURL, !contains(key), type is any List.Type { return try T(from: decoder.child(.array([]), key)) }
    return try child(key).value(as: type)
  }

  /// Decodes an optional value.
  ///
  /// In a URL's query, an unknown raw value, or empty text that the type can't represent, counts as
  /// no value, so that links from forms and newer app versions keep working. A pattern's parameters
  /// identify what to open, so their values must be valid.
  // The attribute makes this method fulfill the requirements for all types. Otherwise, the compiler
  // would prefer the default implementations for some types, which call `decode(_:forKey:)`.
  @_implements(KeyedDecodingContainerProtocol,decodeIfPresent(_:forKey:))
  func optional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    decoder.record(key.stringValue, type)
    guard let found = values[key.stringValue], found != .null else { return nil }
    let child = decoder.child(found, key)
    do {
      return try child.value(as: type)
    } catch {
      guard decoder.isURL, !decoder.pathNames.contains(key.stringValue), child.isAbsent(type) else { throw error }
      return nil
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try untyped(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try untyped(key).unkeyedContainer()
  }

  /// Returns a decoder for the superclass. A URL contains the members of both classes at the same
  /// level. The parameters of an action can contain members of the superclass in a separate object.
  func superDecoder() throws -> any Decoder {
    guard !decoder.isURL, let value = values["super"] else { return decoder }
    return decoder.child(value, RouteCodingKey(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try untyped(key) }

  private func untyped(_ key: Key) throws -> RouteDecoder {
    decoder.record(key.stringValue, Any.self)
    return try child(key)
  }

  private func child(_ key: Key) throws -> RouteDecoder {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing value"))
    }
    return decoder.child(value, key)
  }
}

protocol List {
  static var elementType: any Any.Type { get }
}
extension Array: List { static var elementType: any Any.Type { Element.self } }
extension Set: List { static var elementType: any Any.Type { Element.self } }

private struct Unkeyed: UnkeyedDecodingContainer {
  let values: [PropertyValue]
  let decoder: RouteDecoder
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.value(as: type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Reads the next element, and advances past it if reading succeeds.
  private mutating func next<Result>(_ read: (RouteDecoder) throws -> Result) throws -> Result {
    let key = RouteCodingKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        PropertyValue.self, .init(codingPath: codingPath + [key], debugDescription: "the list has no more elements"))
    }
    let result = try read(decoder.child(values[currentIndex], key))
    currentIndex += 1
    return result
  }
}

extension RouteDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard requests != nil else { return try value(as: type) }
    record("", type)
    // Don't record the requests of `type`, because they belong to a nested value.
    return try RouteDecoder(value, isURL: isURL, codingPath: codingPath).value(as: type)
  }
}

struct RouteCodingKey: CodingKey {
  let stringValue: String
  private(set) var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) {
    self.init(stringValue: "\(intValue)")
    self.intValue = intValue
  }
}

extension Error {
  /// A description of the problem, with the coding path of a decoding error.
  var decodingReason: String {
    switch self as? DecodingError {
    case .keyNotFound(let key, let context):
      let names = (context.codingPath + [key]).map(\.stringValue)
      return "missing value for '\(names.joined(separator: "."))'"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let names = context.codingPath.map(\.stringValue)
      return context.debugDescription + (names.isEmpty ? "" : " (at '\(names.joined(separator: "."))')")
    default: return "\(self)"
    }
  }
}
