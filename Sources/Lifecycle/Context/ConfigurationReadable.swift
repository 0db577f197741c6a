public import Registry

/// A type of setting that can be read from a file or another external source.
///
/// These types need no conformance: `String`, `Bool`, `PropertyValue`, integers of up to 64 bits,
/// `Double`, and `Float`; `RawRepresentable` types with a readable raw value; and optionals,
/// arrays, and string-keyed dictionaries of readable types. Values aren't converted between kinds:
/// a string is not a number, and 1 is not `true`. However, an integer can be read as a `Double` or
/// `Float`, and 2.0 as an integer. Floating-point types round numbers that they can't represent.
///
/// ```swift
/// struct Color: ConfigurationReadable {
///   init(_ value: PropertyValue) throws(ConfigurationMismatch) {
///     self.init(hex: try value.read(as: String.self))
///   }
/// }
/// ```
public protocol ConfigurationReadable {
  /// Creates a setting from a given value.
  ///
  /// - Throws: ``ConfigurationMismatch`` if the value does not represent a setting of this type.
  init(_ value: PropertyValue) throws(ConfigurationMismatch)
}

/// An error for a given value that can't be read as the expected type.
public struct ConfigurationMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the key and the path within its value, such as `shop.currencies[2]`. An error from
  /// `PropertyValue.read(as:)` has only the path.
  public fileprivate(set) var path: String
  /// A description of the type that the value at the path must have.
  public let expected: String
  /// A description of the given value at the path.
  public let found: String

  /// Creates an error from a type and a value.
  public init(expected: Any.Type, found: PropertyValue) {
    self.init(expected: "'\(String(reflecting: expected))'", found: found.summary)
  }

  init(expected: String, found: String) {
    path = ""
    self.expected = expected
    self.found = found
  }

  public var description: String {
    "expected \(expected)" + (path.isEmpty ? "" : " for '\(path.escapedForDisplay())'") + ", but found \(found)"
  }
}

extension Diagnostic.Code {
  package static var configurationMismatch: Self { "configuration-mismatch" }
}

extension PropertyValue {
  /// Reads the value as a type.
  ///
  /// - Parameter type: A type that conforms to ``ConfigurationReadable`` or is readable without a
  ///   conformance.
  /// - Throws: ``ConfigurationMismatch`` if the value can't be read as the type.
  public func read<Value>(as type: Value.Type) throws(ConfigurationMismatch) -> Value {
    // Each of these calls returns a value of the given type, so the casts succeed.
    if let standard = type as? any StandardSetting.Type {
      if let value = try standard.setting(from: self) { return value as! Value }
      throw ConfigurationMismatch(expected: type, found: self)
    }
    if let readable = type as? any ConfigurationReadable.Type { return try readable.init(self) as! Value }
    if let raw = type as? any RawRepresentable.Type { return try read(raw: raw) as! Value }
    throw ConfigurationMismatch(
      expected: "'\(String(reflecting: type))' (which does not conform to 'ConfigurationReadable')", found: summary)
  }

  private func read<Raw: RawRepresentable>(raw type: Raw.Type) throws(ConfigurationMismatch) -> Raw {
    if let value = Raw(rawValue: try read(as: Raw.RawValue.self)) { return value }
    var expected = "'\(String(reflecting: type))'"
    if let cases = type as? any CaseIterable.Type { expected += " (one of \(Self.rawValues(cases)))" }
    throw ConfigurationMismatch(expected: expected, found: summary)
  }

  private static func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> String {
    type.allCases.prefix(20).map { "'\(($0 as? any RawRepresentable)?.rawValue ?? $0)'" }.joined(separator: ", ")
  }

  /// Reads the value as a type. The path of a thrown error begins with the given path.
  func read<Value>(as type: Value.Type, at path: String) throws(ConfigurationMismatch) -> Value {
    do throws(ConfigurationMismatch) {
      return try read(as: type)
    } catch var mismatch {
      mismatch.path = path + mismatch.path
      throw mismatch
    }
  }
}

/// A type that is readable without ``ConfigurationReadable``, which requires a public initializer.
protocol StandardSetting {
  /// Returns the setting, or nil if the value has another kind or the type can't represent it.
  static func setting(from value: PropertyValue) throws(ConfigurationMismatch) -> Self?
}

extension PropertyValue: StandardSetting {
  static func setting(from value: PropertyValue) -> PropertyValue? { value }
}

extension String: StandardSetting {
  static func setting(from value: PropertyValue) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
}

extension Bool: StandardSetting {
  static func setting(from value: PropertyValue) -> Bool? {
    if case .bool(let truth) = value { truth } else { nil }
  }
}

extension StandardSetting where Self: FixedWidthInteger {
  // Don't specialize this, because all types can share it; see ColdCollections.swift in Registry.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func setting(from value: PropertyValue) -> Self? {
    switch value {
    case .integer(let integer): Self(exactly: integer)
    case .double(let number): Self(exactly: number)
    default: nil
    }
  }
}

extension Int: StandardSetting {}
extension Int8: StandardSetting {}
extension Int16: StandardSetting {}
extension Int32: StandardSetting {}
extension Int64: StandardSetting {}
extension UInt: StandardSetting {}
extension UInt8: StandardSetting {}
extension UInt16: StandardSetting {}
extension UInt32: StandardSetting {}
extension UInt64: StandardSetting {}

extension StandardSetting where Self: BinaryFloatingPoint {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func setting(from value: PropertyValue) -> Self? {
    switch value {
    case .integer(let integer): Self(integer)
    case .double(let number): Self(number)
    default: nil
    }
  }
}

extension Double: StandardSetting {}
extension Float: StandardSetting {}

// `Wrapped`, `Element`, and `Value` need not conform to `StandardSetting`, because they may be
// readable in another way. `read(as:)` checks them.

extension Optional: StandardSetting {
  static func setting(from value: PropertyValue) throws(ConfigurationMismatch) -> Wrapped?? {
    if case .null = value { return .some(nil) }
    return .some(try value.read(as: Wrapped.self))
  }
}

extension Array: StandardSetting {
  static func setting(from value: PropertyValue) throws(ConfigurationMismatch) -> [Element]? {
    guard case .array(let list) = value else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(list.count)
    for (place, element) in list.enumerated() { elements.append(try element.read(as: Element.self, at: "[\(place)]")) }
    return elements
  }
}

extension Dictionary: StandardSetting where Key == String {
  static func setting(from value: PropertyValue) throws(ConfigurationMismatch) -> [String: Value]? {
    guard case .dictionary(let members) = value else { return nil }
    var settings: [String: Value] = [:]
    // Sort the members, so that the error always names the same mistake.
    for (name, member) in members.ordered(by: { $0.key < $1.key }) {
      settings[name] = try member.read(as: Value.self, at: ".\(name)")
    }
    return settings
  }
}
