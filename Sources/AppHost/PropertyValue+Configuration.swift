package import Lifecycle

extension PropertyValue {
  /// A setting as it was given, for who has no key with a type for it.
  package init(configuration value: ConfigurationValue) {
    switch value {
    case .null: self = .null
    case .boolean(let truth): self = .bool(truth)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .array(let list): self = .array(list.map { PropertyValue(configuration: $0) })
    case .object(let members): self = .dictionary(members.mapValues { PropertyValue(configuration: $0) })
    }
  }
}
