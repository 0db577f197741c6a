internal import Foundation
internal import Registry
internal import RoutePatterns

/// The requests of a type that is being decoded.
final class DecodingRequests: Sendable {
  typealias Property = (name: String, type: any Any.Type)

  /// The types of keys, and the requested properties, through the first required property without a
  /// value. The name of a property is empty for a single value and for a list.
  let recorded = Locked((keys: [any CodingKey.Type](), properties: [Property]()))

  /// Returns the requests of a type that is decoded from samples for a pattern's parameters.
  ///
  /// Decoding ends at the first required property that is not a parameter or whose parameter has no
  /// sample, so the type receives only values that a URL can contain.
  private static func requests(
    among parameters: [(name: String, type: ParameterType?)], _ decode: (RouteDecoder) throws -> Void
  ) -> (keys: [any CodingKey.Type], properties: [Property]) {
    let requests = DecodingRequests()
    let samples = parameters.map { ($0.name, $0.type?.sample.map { .array([.string($0)]) } ?? PropertyValue.null) }
    try? decode(RouteDecoder(samples: Dictionary(samples) { first, _ in first }, recording: requests))
    return requests.recorded.withLock { $0 }
  }

  /// Returns the names that aren't keys of a type, each with similar keys, and the properties that
  /// the type decodes. If the keys are unknown, both results are empty.
  ///
  /// The keys are known if the type is neither a class nor a scalar, doesn't read a single value,
  /// and requests only keys of its own `CodingKeys` before it receives an error.
  static func unknownNames(
    among parameters: [(name: String, type: ParameterType?)], of type: Any.Type, _ decode: (RouteDecoder) throws -> Void
  ) -> (names: [String: [String]], properties: [Property]) {
    // A superclass can have more keys, and a scalar is not decoded by its own code.
    guard !(type is AnyClass), !(type is any Scalar.Type) else { return ([:], []) }
    let found = requests(among: parameters, decode)
    // Exclude types that read a single value. Requests for a list always fail, so ignore them.
    guard let keys = found.keys.first, !found.properties.contains(where: { $0.name.isEmpty && $0.type != Any.self }),
      found.keys.allSatisfy({ recordName(of: $0) == recordName(of: type) + ".CodingKeys" })
    else { return ([:], []) }
    var unknown: [String: [String]] = [:]
    for name in parameters.map(\.name) where keys.init(stringValue: name) == nil {
      unknown[name] = neighbors(of: name).filter { keys.init(stringValue: $0) != nil }
    }
    return (unknown, found.properties.filter { !$0.name.isEmpty })
  }

  /// Returns the names that differ from a name by one character. A key type can't list its keys,
  /// but it can test each name. A long name has none, because the result grows with its square.
  private static func neighbors(of name: String) -> [String] {
    guard name.utf8.count <= 64 else { return [] }
    let characters = ["", "_"] + "abcdefghijklmnopqrstuvwxyz0123456789".flatMap { ["\($0)", $0.uppercased()] }
    return (0...name.count).flatMap { index in
      let (start, end) = (name.prefix(index), name.dropFirst(index))
      return characters.flatMap { ["\(start)\($0)\(end)", "\(start)\($0)\(end.dropFirst())"] }
    }
  }

  /// Returns the types that a type decodes as a single value, or nil if it decodes anything else.
  fileprivate static func singleTypes<T: Decodable>(of type: T.Type) -> [any Any.Type]? {
    var isDecoded = false
    let found = requests(among: []) {
      _ = try type.init(from: $0)
      isDecoded = true
    }
    return isDecoded || !found.keys.isEmpty || found.properties.isEmpty ? nil : found.properties.map(\.type)
  }

  /// Returns whether a type can be decoded only from one text or number.
  static func isSingleValue(_ type: any Any.Type) -> Bool {
    type is any Scalar.Type
      || (type as? any Decodable.Type).flatMap { singleTypes(of: $0) }?.allSatisfy(isSingleValue) == true
  }
}

extension ParameterType {
  /// A sample of the type's text; nil for a name, which can be almost any text.
  fileprivate var sample: String? {
    switch self {
    case .uuid: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    case .bool: "true"
    case .uint, .int, .double: "1"
    case .name: nil
    }
  }

  /// Returns whether a property can have a value of the parameter type; true if that is unknown.
  func fits(_ property: any Any.Type) -> Bool {
    if let list = property as? any List.Type { return fits(list.elementType) }
    if property == UUID.self { return self == .uuid || self == .name }
    if let scalar = property as? any Scalar.Type {
      guard let sample else { return true }
      return scalar.init(scalar: .string(sample)) != nil
    }
    guard let type = property as? any Decodable.Type, let types = DecodingRequests.singleTypes(of: type) else {
      return true
    }
    return types.contains { fits($0) }
  }
}
