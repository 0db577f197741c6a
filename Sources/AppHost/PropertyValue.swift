public import Foundation

/// A value of a property list or of JSON: what the `userInfo` dictionaries of Apple's systems hold, for every platform.
///
/// ```swift
/// let info: [String: PropertyValue] = ["aps": ["alert": "Hello", "badge": 3]]
/// info["aps"]?["badge"]?.integer  // 3
/// ```
public enum PropertyValue: Sendable, Hashable {
  /// JSON's; property lists have none.
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case string(String)
  /// Property lists' alone, and so is ``data(_:)``.
  case date(Date)
  case data(Data)
  case array([PropertyValue])
  case dictionary([String: PropertyValue])
}

extension PropertyValue {
  /// The value if it is a Boolean; a number is none.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value if it is an integer, also as a floating-point number: `3.0` is one, `3.5` is none.
  public var integer: Int? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value if it is a number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value if it is a text.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The value if it is a date.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }

  /// The value if it is bytes.
  public var data: Data? { if case .data(let value) = self { value } else { nil } }

  /// The values if it is an array.
  public var array: [PropertyValue]? { if case .array(let values) = self { values } else { nil } }

  /// The values if it is a dictionary.
  public var dictionary: [String: PropertyValue]? { if case .dictionary(let values) = self { values } else { nil } }

  /// The value under a key; nil if there is none, or if it is no dictionary.
  public subscript(key: String) -> PropertyValue? { dictionary?[key] }

  /// The value at a place; nil beyond the end, or if it is no array.
  public subscript(index: Int) -> PropertyValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

// As it is written in code.

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }

  /// Of keys that are written twice the last one counts.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .dictionary(Dictionary(elements) { _, last in last })
  }
}
