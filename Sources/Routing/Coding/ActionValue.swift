/// A value as scripts and configurations have it, to make parameters of: what JSON knows.
///
/// ```swift
/// try await router.perform("orders", "show", ["id": 7, "tags": ["new", "paid"]])
/// ```
public enum ActionValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  /// Also stands for a number or a Boolean where one is wanted.
  case string(String)
  case array([ActionValue])
  case object([String: ActionValue])

  /// What messages call its kind.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer, .double: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension ActionValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: ActionValue...) { self = .array(elements) }

  /// Of a key that is there twice the last value counts.
  public init(dictionaryLiteral elements: (String, ActionValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

extension ActionValue: Codable {
  /// Reads what a decoder has, such as `JSONDecoder`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      // Its digits, as a double would be another number.
      self = .string("\(value)")
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([ActionValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: ActionValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
