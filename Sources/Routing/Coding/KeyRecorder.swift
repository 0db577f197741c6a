internal import Foundation
internal import Registry
internal import RoutePatterns

/// A decoder that finds the keys and properties of a type without the values of a URL.
///
/// The type receives an error at its first required property, as it does for a wrong URL. If the
/// recorder has the parameters of a pattern, those with a type have a value that a matching URL can
/// contain. So the code of the type meets no value that it could not meet in a URL.
struct KeyRecorder: Decoder {
  /// A property that the type decodes. Its name is empty for a type that is a single value.
  struct Property {
    let name: String
    let type: any Any.Type
  }

  private struct Requests {
    /// The types of the keys of the containers.
    var keys: [any CodingKey.Type] = []
    /// The properties up to the first one without a value.
    var properties: [Property] = []
  }

  /// An error that ends the decoding, because the recorder has no value.
  private struct NoValue: Error {}

  private let requests = Locked(Requests())
  /// The parameters of the pattern that the values are for.
  private var parameters: [PatternSyntax.Parameter] = []
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the names that a type does not decode, and the properties that it decodes.
  ///
  /// The keys are known if the type uses only the keys of its own `CodingKeys`, which the compiler
  /// or the user has declared, until it receives an error, and has no superclass.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of a pattern.
  ///   - type: The type.
  ///   - decode: A closure that decodes the type from a decoder.
  /// - Returns: The names with similar keys; none if the keys are unknown. The properties end at the
  ///   first required one, unless a typed parameter belongs to a later property. Only then, the type
  ///   receives values, and the properties end at the first one for which the pattern has none.
  static func unknownNames(
    among parameters: [PatternSyntax.Parameter], of type: Any.Type, _ decode: (KeyRecorder) throws -> Void
  ) -> (names: [String: [String]], properties: [Property]) {
    // A superclass has further keys, and a scalar is not decoded by its own code.
    guard !(type is AnyClass), !(type is any Scalar.Type) else { return ([:], []) }
    func requests(_ recorder: KeyRecorder) -> Requests {
      try? decode(recorder)
      return recorder.requests.withLock { $0 }
    }
    var found = requests(KeyRecorder())
    // The parameters of a URL are never a list, but they can be a single value.
    guard let keys = found.keys.first, !found.properties.contains(where: { $0.name.isEmpty && $0.type != Any.self }),
      found.keys.allSatisfy({ recordName(of: $0) == recordName(of: type) + ".CodingKeys" })
    else { return ([:], []) }
    var unknown: [String: [String]] = [:]
    for name in parameters.map(\.name) where keys.init(stringValue: name) == nil {
      unknown[name] = neighbors(of: name).filter { keys.init(stringValue: $0) != nil }
    }
    let isComplete = parameters.allSatisfy { parameter in
      parameter.type == nil || unknown[parameter.name] != nil
        || found.properties.contains { $0.name == parameter.name }
    }
    if !isComplete { found = requests(KeyRecorder(parameters: parameters)) }
    return (unknown, found.properties.filter { !$0.name.isEmpty })
  }

  /// Returns the names that differ from a name in one character.
  ///
  /// A type of keys cannot list them, but it can be asked for each.
  private static func neighbors(of name: String) -> [String] {
    let characters = ["", "_"] + "abcdefghijklmnopqrstuvwxyz0123456789".flatMap { ["\($0)", $0.uppercased()] }
    return (0...name.count).flatMap { index in
      let (start, end) = (name.prefix(index), name.dropFirst(index))
      return characters.flatMap { ["\(start)\($0)\(end)", "\(start)\($0)\(end.dropFirst())"] }
    }
  }

  /// Returns the types that a type decodes as a single value, or nil if it decodes in another way.
  fileprivate static func singleTypes<T: Decodable>(of type: T.Type) -> [any Any.Type]? {
    let recorder = KeyRecorder()
    guard (try? type.init(from: recorder)) == nil else { return nil }
    let requests = recorder.requests.withLock { $0 }
    return requests.keys.isEmpty && !requests.properties.isEmpty ? requests.properties.map(\.type) : nil
  }

  private func record(_ name: String, _ type: any Any.Type) {
    requests.withLock { $0.properties.append(Property(name: name, type: type)) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    requests.withLock { $0.keys.append(type) }
    return KeyedDecodingContainer(Keyed(recorder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    record("", Any.self)
    throw NoValue()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(recorder: self) }

  private struct Single: SingleValueDecodingContainer {
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      recorder.record("", type)
      // The type receives the error for a text that does not fit, which it can handle.
      throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: "no value"))
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { recorder.parameters.compactMap { Key(stringValue: $0.name) } }

    private func parameter(_ key: Key) -> PatternSyntax.Parameter? {
      recorder.parameters.first { $0.name == key.stringValue }
    }

    // The standard library decodes an optional number by these two methods and the next one.
    func contains(_ key: Key) -> Bool { parameter(key) != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      recorder.record(key.stringValue, type)
      guard let text = parameter(key)?.type?.sample else { throw NoValue() }
      return try RouteDecoder(.array([.string(text)]), isURL: true).value(as: type)
    }

    // Any other optional value is nil.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      if contains(key) { return try decode(type, forKey: key) }
      recorder.record(key.stringValue, type)
      return nil
    }

    private func other(_ key: Key) -> NoValue {
      // The type of the value is unknown.
      recorder.record(key.stringValue, Any.self)
      return NoValue()
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      throw other(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw other(key) }
    func superDecoder() throws -> any Decoder { throw NoValue() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw other(key) }
  }
}

extension ParameterType {
  /// A text of the type, or nil for names, which can have any meaning.
  fileprivate var sample: String? {
    switch self {
    case .uuid: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    case .bool: "true"
    case .uint, .int, .double: "1"
    case .name: nil
    }
  }

  /// Returns whether a property can have a value of the parameter type, or true if that is unknown.
  func fits(_ property: any Any.Type) -> Bool {
    if let list = property as? any List.Type { return fits(list.elementType) }
    if property == UUID.self { return self == .uuid || self == .name }
    if let scalar = property as? any Scalar.Type {
      guard let sample else { return true }
      return scalar.init(scalar: .string(sample)) != nil
    }
    guard let type = property as? any Decodable.Type, let types = KeyRecorder.singleTypes(of: type) else { return true }
    return types.contains { fits($0) }
  }
}
