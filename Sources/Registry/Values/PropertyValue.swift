/// A JSON or property-list value, such as a setting, a parameter of an action, or an entry in a
/// `userInfo` dictionary.
///
/// ```swift
/// let info: [String: PropertyValue] = ["aps": ["alert": "Hello", "badge": 3]]
/// info["aps"]?["badge"]?.integer  // 3
/// ```
public enum PropertyValue: Sendable, Hashable, CustomStringConvertible {
  /// The null value, which property lists don't have.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer, which has 64 bits on every system.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A string.
  case string(String)
  /// A date in seconds since January 1, 2001, 00:00 UTC, like
  /// `Date.timeIntervalSinceReferenceDate`. JSON has no dates.
  case date(secondsSinceReferenceDate: Double)
  /// The bytes of a property list's data. JSON has no such type.
  case bytes([UInt8])
  /// A list of values.
  case array([PropertyValue])
  /// A mapping from names to values.
  case dictionary([String: PropertyValue])

  // The synthesized method would specialize `==` for dictionaries, which takes five kilobytes.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.array(let a), .array(let b)): a.isEqual(to: b)
    case (.dictionary(let a), .dictionary(let b)): a.isEqual(to: b)
    default: false
    }
  }

  // Hash only the counts of data and containers, because hashing their elements would add four
  // kilobytes to every app. Equal containers have equal counts.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value), .date(let value): hasher.combine(value)
    case .string(let text): hasher.combine(text)
    case .bytes(let bytes): hasher.combine(bytes.count)
    case .array(let values): hasher.combine(values.count)
    case .dictionary(let members): hasher.combine(members.count)
    }
  }

  /// The value if it is a Boolean. Numbers don't count.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value if it is an integer, or a floating-point number without a fraction, such as 3.0.
  ///
  /// Nil if the number doesn't fit in `Int`. If `Int` has 32 bits, match ``integer(_:)`` instead.
  public var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .double(let value): Self.exactInteger(value)
    default: nil
    }
  }

  /// Converts like `Int(exactly:)`, which calls the C math library in debug builds. On Linux, a
  /// program without Foundation doesn't link that library.
  private static func exactInteger(_ number: Double) -> Int? {
    let bound = Double(sign: .plus, exponent: Int.bitWidth - 1, significand: 1)
    guard number >= -bound, number < bound else { return nil }
    let integer = Int(number)
    return Double(integer) == number ? integer : nil
  }

  /// The value if it is a number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value if it is a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements if the value is an array.
  public var array: [PropertyValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members if the value is a dictionary.
  public var dictionary: [String: PropertyValue]? { if case .dictionary(let values) = self { values } else { nil } }

  /// The member with the given name; nil if it doesn't exist or the value is not a dictionary.
  public subscript(key: String) -> PropertyValue? { dictionary?[key] }

  /// The element at an index; nil if the index is out of range or the value is not an array.
  public subscript(index: Int) -> PropertyValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// A short description for messages, such as `the string "CHF"`.
  package var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "the integer \(value)"
    case .double(let value): "the number \(value)"
    case .string(let text): "the string \"\(text.escapedForDisplay(limit: 60))\""
    case .date: "a date"
    case .bytes(let bytes): "data of \(bytes.count.counted("byte"))"
    case .array(let list): "an array with \(list.count.counted("element"))"
    case .dictionary(let members): "an object with \(members.count.counted("member"))"
    }
  }

  /// The value for messages, in a form like JSON, with dictionary members sorted by name.
  ///
  /// Long strings are truncated. Dates appear as numbers of seconds, and data as arrays of bytes.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value), .date(let value): "\(value)"
    case .string(let text): "\"\(text.escapedForDisplay())\""
    case .bytes(let bytes): "\(bytes)"
    case .array(let list): "[\(list.map(\.description).joined(separator: ", "))]"
    case .dictionary(let members):
      "{\(members.ordered { $0.key < $1.key }.map { "\"\($0.key.escapedForDisplay())\": \($0.value)" }.joined(separator: ", "))}"
    }
  }
}

extension PropertyValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }

  /// Creates a dictionary. The last value for a repeated key wins.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .dictionary(elements.reduce(into: [:]) { $0[$1.0] = $1.1 })
  }
}

/// A conformance for formats without dates and data, such as JSON.
///
/// Encoders, even `PropertyListEncoder`, write ``date(secondsSinceReferenceDate:)`` as a number and
/// ``bytes(_:)`` as an array of numbers, and decoding returns the numbers:
/// `.date(secondsSinceReferenceDate: 5)` becomes `.integer(5)` or `.double(5)`.
/// `PropertyListDecoder` throws an error for a date or data in a property list, because only
/// Foundation's own types can decode these. To keep a property list's dates and data, use
/// `PropertyListSerialization` with AppHost's `object` and `init(_:)`.
extension PropertyValue: Codable {
  /// Reads a value from a decoder, such as `JSONDecoder`.
  ///
  /// An integer that only `UInt64` can hold becomes a string of digits; a double would round it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      try container.decodeNil()
      ? .null
      : (try? .bool(container.decode(Bool.self)))
        ?? (try? .integer(container.decode(Int64.self)))
        ?? (try? .string("\(container.decode(UInt64.self))"))
        ?? (try? .double(container.decode(Double.self)))
        ?? (try? .string(container.decode(String.self)))
        ?? (try? .array(container.decode([PropertyValue].self)))
        ?? .dictionary(container.decode([String: PropertyValue].self))
  }

  /// Encodes the value, with a date as a number of seconds and data as an array of numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value), .date(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .bytes(let bytes): try container.encode(bytes)
    case .array(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }
}
