internal import Foundation
internal import Registry
internal import RoutePatterns

/// A decoder that finds the keys and properties of a type without the values of a URL.
///
/// Without samples, the type receives an error at its first required property, as it does for a
/// wrong URL. With samples, each property receives a value that a URL could contain, so the
/// decoding reaches the properties after the first required one.
struct KeyRecorder: Decoder {
  /// A property that the type decodes.
  struct Property {
    let name: String
    let type: any Any.Type
  }

  private struct Requests {
    /// The type of the keys of the first container.
    var keys: (any CodingKey.Type)?
    /// The properties up to the first one without a value.
    var properties: [Property] = []
  }

  /// An error that ends the decoding, because the recorder has no value.
  private struct NoValue: Error {}

  private let requests = Locked(Requests())
  /// A Boolean value that indicates whether required properties receive sample values.
  private let suppliesSamples: Bool
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(suppliesSamples: Bool) {
    self.suppliesSamples = suppliesSamples
  }

  /// Returns the names that a type does not decode, and the properties that it decodes.
  ///
  /// The keys are known if the type begins with the keys of its own `CodingKeys`, which the
  /// compiler or the user has declared, and has no superclass.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of patterns.
  ///   - type: The type.
  ///   - decode: A closure that decodes the type from a decoder.
  /// - Returns: The names; none if the keys are unknown. The properties end at the first required
  ///   one, unless a name is unknown or a typed parameter belongs to a later property. Only then,
  ///   the type receives samples.
  static func unknownNames(
    among parameters: [PatternSyntax.Parameter], of type: Any.Type, _ decode: (KeyRecorder) throws -> Void
  ) -> (names: Set<String>, properties: [Property]) {
    // A superclass has further keys, and a scalar is not decoded by its own code.
    guard !(type is AnyClass), !(type is any Scalar.Type) else { return ([], []) }
    func requests(samples: Bool) -> Requests {
      let recorder = KeyRecorder(suppliesSamples: samples)
      try? decode(recorder)
      return recorder.requests.withLock { $0 }
    }
    var found = requests(samples: false)
    guard let keys = found.keys, recordName(of: keys) == recordName(of: type) + ".CodingKeys" else { return ([], []) }
    let unknown = Set(parameters.map(\.name).filter { keys.init(stringValue: $0) == nil })
    let isComplete = parameters.allSatisfy { parameter in
      parameter.type == nil || found.properties.contains { $0.name == parameter.name }
    }
    if !unknown.isEmpty || !isComplete { found = requests(samples: true) }
    return (unknown, found.properties)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    requests.withLock { if $0.keys == nil { $0.keys = type } }
    return KeyedDecodingContainer(Keyed(recorder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoValue() }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func record(_ key: Key, _ type: any Any.Type) {
      recorder.requests.withLock { $0.properties.append(Property(name: key.stringValue, type: type)) }
    }

    // The standard library decodes an optional number by these two methods and the next one.
    func contains(_ key: Key) -> Bool { recorder.suppliesSamples }
    func decodeNil(forKey key: Key) -> Bool { !recorder.suppliesSamples }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      record(key, type)
      guard recorder.suppliesSamples, let value = RouteDecoder.sample(of: type) else { throw NoValue() }
      return value
    }

    // Any other optional value is nil.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
      record(key, type)
      return nil
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      throw NoValue()
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoValue() }
    func superDecoder() throws -> any Decoder { throw NoValue() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoValue() }
  }
}

extension RouteDecoder {
  /// Returns a value that a URL can contain, or nil if none is known.
  fileprivate static func sample<T: Decodable>(of type: T.Type) -> T? {
    func first<Cases: CaseIterable>(of cases: Cases.Type) -> Cases? { cases.allCases.first }
    if let cases = type as? any CaseIterable.Type { return first(of: cases) as? T }
    return ["1", "2001-01-01T00:00:00Z", "6F9619FF-8B86-D011-B42D-00CF4FC964FF"].lazy.compactMap { text in
      try? RouteDecoder(value: .array([.string(text)]), isURL: true, codingPath: []).value(as: type)
    }.first
  }
}

extension ParameterType {
  /// Returns whether a property can have a value of the parameter type, or true if that is unknown.
  func fits(_ property: any Any.Type) -> Bool {
    if let list = property as? any List.Type { return fits(list.elementType) }
    if let raw = property as? any RawRepresentable.Type { return fits(rawType(of: raw)) }
    if property == UUID.self { return self == .uuid || self == .name }
    guard let scalar = property as? any Scalar.Type else { return true }
    return switch self {
    case .uuid: scalar.init(scalar: .string("6F9619FF-8B86-D011-B42D-00CF4FC964FF")) != nil
    case .bool: scalar.init(scalar: .string("true")) != nil
    case .uint, .int, .double: scalar.init(scalar: .string("1")) != nil
    case .name: true
    }
  }

  private func rawType<T: RawRepresentable>(of type: T.Type) -> any Any.Type { T.RawValue.self }
}
