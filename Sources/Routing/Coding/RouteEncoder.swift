internal import Registry

final class RouteEncoder: Encoder, SingleValueEncodingContainer {
  private enum Form {
    case value(PropertyValue)
    case array
    case dictionary
  }

  private var form = Form.value(.null)
  /// The members of a dictionary or the elements of an array, in encoding order.
  // Stored here, because appending to an enumeration's associated value copies the array.
  private(set) var members: [(name: String, encoder: RouteEncoder)] = []
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(codingPath: [any CodingKey] = []) {
    self.codingPath = codingPath
  }

  var value: PropertyValue {
    switch form {
    case .value(let value): value
    case .array: .array(members.map(\.encoder.value))
    case .dictionary: .dictionary(Dictionary(members.map { ($0.name, $0.encoder.value) }) { _, last in last })
    }
  }

  /// The names of the members, in the order that they were first encoded.
  var names: [String] {
    var known: Set<String> = []
    return members.map(\.name).filter { known.insert($0).inserted }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A superclass encodes into the container of its subclass, so members can already exist.
    form = .dictionary
    return KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    form = .array
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() {}

  func encode<T: Encodable>(_ value: T) throws {
    let scalar = value as? any Scalar
    guard let encoded = scalar?.scalar ?? value as? PropertyValue else { return try value.encode(to: self) }
    form = .value(encoded)
    // A URL can't represent some values, such as infinity or a date before the year 1. A property
    // value is read back as text.
    let text = encoded.text ?? encoded.summary
    let read: PropertyValue? =
      if let scalar { type(of: scalar).init(scalar: .string(text))?.scalar } else { .string(text) }
    guard read == encoded else {
      // Foundation traps when it describes some of the dates that have no text, so omit the date.
      throw EncodingError.invalidValue(
        encoded.text == nil ? encoded : value,
        .init(
          codingPath: codingPath,
          debugDescription: "'\(text.escapedForDisplay())' would not be read back from a URL; omit it"))
    }
  }

  private func member(_ key: any CodingKey) -> RouteEncoder {
    let member = RouteEncoder(codingPath: codingPath + [key])
    members.append((key.stringValue, member))
    return member
  }

  private func nextElement() -> RouteEncoder { member(RouteCodingKey(intValue: members.count)) }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RouteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { _ = encoder.member(key) }
    // This method fulfills the requirements for all types.
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.member(key).encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.member(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.member(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: RouteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.members.count }

    mutating func encodeNil() throws { _ = encoder.nextElement() }
    mutating func encode<T: Encodable>(_ value: T) throws { try encoder.nextElement().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      encoder.nextElement().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextElement().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder.nextElement() }
  }
}
