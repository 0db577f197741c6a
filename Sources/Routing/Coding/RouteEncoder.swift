internal import Registry

/// Encodes parameters as values, to make a URL of.
final class RouteEncoder: Encoder {
  /// What has been encoded, with the names in the order in which they came.
  private(set) var value: PropertyValue = .null
  private(set) var names: [String] = []
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private var children: [(key: String?, encoder: RouteEncoder)] = []
  private var isList = false
  private var isObject = false

  init(codingPath: [any CodingKey] = []) {
    self.codingPath = codingPath
  }

  /// The value, when everything has been encoded.
  func finish() -> PropertyValue {
    if isList { return .array(children.map { $0.encoder.finish() }) }
    guard isObject else { return value }
    var values: [String: PropertyValue] = [:]
    for (key, child) in children { values[key ?? ""] = child.finish() }
    return .dictionary(values)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    isObject = true
    return KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isList = true
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  /// Takes a value of any type. What is one text or number is taken as it is.
  func set<T: Encodable>(_ value: T) throws {
    guard let scalar = value as? any Scalar else { return try value.encode(to: self) }
    self.value = scalar.scalar
    // Infinity, a year before the first: what no URL can say.
    let text = self.value.text ?? ""
    guard type(of: scalar).init(scalar: .string(text)) != nil else {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: codingPath,
          debugDescription: "\(text.escapedForDisplay()) would not be read back from a URL: leave it out"))
    }
  }

  fileprivate func child(_ key: any CodingKey, isNamed: Bool = true) -> RouteEncoder {
    let child = RouteEncoder(codingPath: codingPath + [key])
    if isNamed, !names.contains(key.stringValue) { names.append(key.stringValue) }
    children.append((isNamed ? key.stringValue : nil, child))
    return child
  }

  fileprivate var count: Int { children.count }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RouteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { _ = encoder.child(key) }
    // This one method is what the protocol asks for once for each type.
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.child(key).set(value) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.child(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: RouteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    mutating func encodeNil() throws { _ = next() }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().set(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }

    private func next() -> RouteEncoder { encoder.child(RouteCodingKey(intValue: count), isNamed: false) }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: RouteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {}
    mutating func encode<T: Encodable>(_ value: T) throws { try encoder.set(value) }
  }
}
