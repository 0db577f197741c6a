internal import Registry

/// A decoder that finds the keys of a type without a value.
///
/// The type receives no values, only an error at its first required one, as it does for a wrong
/// URL. So its code never meets a value that it does not expect.
struct KeyRecorder: Decoder {
  private struct Requests {
    /// The type of the keys of the first container.
    var keys: (any CodingKey.Type)?
    /// The keys up to the first required one.
    var names: [String] = []
  }

  /// An error that ends the decoding, because the recorder has no value.
  private struct NoValue: Error {}

  private let requests = Locked(Requests())
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the names that a type does not decode, and some of the keys that it decodes.
  ///
  /// The keys are known if the type begins with the keys of its own `CodingKeys`, which the
  /// compiler or the user has declared, and has no superclass.
  ///
  /// - Parameters:
  ///   - names: The names to find.
  ///   - type: The type.
  ///   - decode: A closure that decodes the type from a decoder.
  /// - Returns: The names in order; none if the keys are unknown.
  static func unknownNames(
    among names: [String], of type: Any.Type, _ decode: (KeyRecorder) throws -> Void
  ) -> (names: [String], keys: [String]) {
    // A superclass has further keys.
    guard !(type is AnyClass) else { return ([], []) }
    let recorder = KeyRecorder()
    try? decode(recorder)
    let requests = recorder.requests.withLock { $0 }
    guard let keys = requests.keys, String(reflecting: keys) == "\(String(reflecting: type)).CodingKeys" else {
      return ([], [])
    }
    return (names.filter { keys.init(stringValue: $0) == nil }, requests.names)
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

    private func record(_ key: Key) { recorder.requests.withLock { $0.names.append(key.stringValue) } }

    func contains(_ key: Key) -> Bool {
      record(key)
      return false
    }

    // An optional value is nil.
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      record(key)
      throw NoValue()
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
