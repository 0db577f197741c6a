import Registry

extension PropertyValue {
  /// The kind of the value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean value"
    case .integer, .double: "a number"
    case .string: "text"
    case .date: "a date"
    case .bytes: "data"
    case .array: "a list"
    case .dictionary: "an object"
    }
  }
}
