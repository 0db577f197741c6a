internal import Registry

/// A value as files and environments have it, before a key says what type it is to be.
///
/// ```swift
/// context.configuration[named: "shop.currency"] = "CHF"
/// context.configuration[.currency]  // "CHF"
/// ```
public enum ConfigurationValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([ConfigurationValue])
  case object([String: ConfigurationValue])

  /// What it is, for messages: `the string "CHF"`.
  package var found: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "the integer \(value)"
    case .number(let value): "the number \(value)"
    case .string(let text): "the string \"\(text.escapedForDisplay(limit: 60))\""
    case .array(let list): "an array of \(list.count)"
    case .object(let members): "an object of \(members.count)"
    }
  }
}

extension ConfigurationValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: ConfigurationValue...) { self = .array(elements) }

  /// Of a key that is written twice the last value counts.
  public init(dictionaryLiteral elements: (String, ConfigurationValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

extension ConfigurationValue: CustomStringConvertible {
  /// As it would stand in JSON, members in the order of their names.
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let text): "\"\(text.escapedForDisplay())\""
    case .array(let list): "[\(list.map(\.description).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key.escapedForDisplay())\": \($0.value)" }.joined(separator: ", "))}"
    }
  }
}
