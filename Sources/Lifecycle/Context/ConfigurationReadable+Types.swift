public import Registry

// Conformances of standard types.

extension PropertyValue: ConfigurationReadable {
  public init(_ value: PropertyValue) { self = value }
}

extension String: ConfigurationReadable {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    guard case .string(let text) = value else { throw ConfigurationMismatch(expected: Self.self, found: value) }
    self = text
  }
}

extension Bool: ConfigurationReadable {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    guard case .bool(let truth) = value else { throw ConfigurationMismatch(expected: Self.self, found: value) }
    self = truth
  }
}

extension ConfigurationReadable where Self: FixedWidthInteger {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    let exact: Self? =
      switch value {
      case .integer(let integer): Self(exactly: integer)
      case .double(let number): Self(exactly: number)
      default: nil
      }
    guard let exact else { throw ConfigurationMismatch(expected: Self.self, found: value) }
    self = exact
  }
}

extension Int: ConfigurationReadable {}
extension Int8: ConfigurationReadable {}
extension Int16: ConfigurationReadable {}
extension Int32: ConfigurationReadable {}
extension Int64: ConfigurationReadable {}
extension UInt: ConfigurationReadable {}
extension UInt8: ConfigurationReadable {}
extension UInt16: ConfigurationReadable {}
extension UInt32: ConfigurationReadable {}
extension UInt64: ConfigurationReadable {}

extension ConfigurationReadable where Self: BinaryFloatingPoint {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    switch value {
    case .integer(let integer): self = Self(integer)
    case .double(let number): self = Self(number)
    default: throw ConfigurationMismatch(expected: Self.self, found: value)
    }
  }
}

extension Double: ConfigurationReadable {}
extension Float: ConfigurationReadable {}

// The elements need not conform, because they may be `RawRepresentable`. Reading an element checks
// its type.

extension Optional: ConfigurationReadable {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    self = if case .null = value { nil } else { .some(try value.read(as: Wrapped.self)) }
  }
}

extension Array: ConfigurationReadable {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    guard case .array(let list) = value else { throw ConfigurationMismatch(expected: Self.self, found: value) }
    self = []
    reserveCapacity(list.count)
    for (place, element) in list.enumerated() { append(try element.read(as: Element.self, at: "[\(place)]")) }
  }
}

extension Dictionary: ConfigurationReadable where Key == String {
  public init(_ value: PropertyValue) throws(ConfigurationMismatch) {
    guard case .dictionary(let members) = value else { throw ConfigurationMismatch(expected: Self.self, found: value) }
    self = [:]
    // Sort the members, so that the error names the same mistake every time.
    for (name, member) in members.ordered(by: { $0.key < $1.key }) {
      self[name] = try member.read(as: Value.self, at: ".\(name)")
    }
  }
}
