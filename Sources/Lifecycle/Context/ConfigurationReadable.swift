public import Registry

/// A type that a key may have whose value is given from outside.
///
/// `String`, `Bool`, integers, `Double`, `Float`, optionals, arrays and dictionaries of these conform, and every `RawRepresentable`
/// type whose raw value does is read without conforming. Nothing is guessed: a string is no number, and 1 is not `true`; but an
/// integer may be read as a `Double`, and 2.0 as an integer.
///
/// ```swift
/// struct Colour: ConfigurationReadable {
///   init(_ value: PropertyValue) throws(ConfigurationMismatch) {
///     self.init(hex: try value.read(as: String.self))
///   }
/// }
/// ```
public protocol ConfigurationReadable {
  /// Makes a value of what was given.
  init(_ value: PropertyValue) throws(ConfigurationMismatch)
}

/// A given value that is not what a key wants.
public struct ConfigurationMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key's name, and where in its value: `shop.currencies[2]`.
  public private(set) var place: String
  /// The type that is wanted.
  public let expected: String
  /// What is there instead.
  public let found: String

  /// Says what is wanted and what is there instead.
  public init(expected: Any.Type, found: PropertyValue) {
    self.init(expected: String(reflecting: expected), found: found.summary)
  }

  /// Says in words what is wanted and what is there instead.
  public init(expected: String, found: String) {
    place = ""
    self.expected = expected
    self.found = found
  }

  /// The same within a value that is around it.
  func of(_ outer: String) -> ConfigurationMismatch {
    var mismatch = self
    mismatch.place = outer + place
    return mismatch
  }

  public var description: String {
    (place.isEmpty ? "" : "\(place.escapedForDisplay()): ") + "\(found) was given where \(expected) is wanted"
  }

  func diagnostic(_ name: String) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .configurationMismatch, subject: name, image: nil,
      message: "\(of(name)); the key's default is used until the value is corrected where it comes from")
  }
}

extension Diagnostic.Code {
  /// A value of the configuration was given from outside and is not of the type that its key has.
  public static let configurationMismatch = Self(rawValue: "configuration-mismatch")
}

extension PropertyValue {
  /// The value as a type.
  ///
  /// - Throws: ``ConfigurationMismatch`` if it cannot be had as that.
  public func read<Value>(as type: Value.Type) throws(ConfigurationMismatch) -> Value {
    if let readable = type as? any ConfigurationReadable.Type {
      // What the type's own initializer makes is of that type.
      return try readable.init(self) as! Value
    }
    if let raw = type as? any RawRepresentable.Type { return try read(raw: raw) as! Value }
    throw ConfigurationMismatch(
      expected: "\(String(reflecting: type)), which does not conform to ConfigurationReadable,", found: summary)
  }

  private func read<Raw: RawRepresentable>(raw type: Raw.Type) throws(ConfigurationMismatch) -> Raw {
    if let value = Raw(rawValue: try read(as: Raw.RawValue.self)) { return value }
    var expected = String(reflecting: type)
    if let cases = type as? any CaseIterable.Type { expected += " (one of \(Self.rawValues(cases)))" }
    throw ConfigurationMismatch(expected: expected, found: summary)
  }

  private static func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> String {
    type.allCases.prefix(20).map { "\(($0 as? any RawRepresentable)?.rawValue ?? $0)" }.joined(separator: ", ")
  }

  /// The value as an element or a member of another.
  func read<Value>(as type: Value.Type, at place: String) throws(ConfigurationMismatch) -> Value {
    do throws(ConfigurationMismatch) {
      return try read(as: type)
    } catch {
      throw error.of(place)
    }
  }
}
