/// What the text of a typed parameter must be, as in `:id(Int)`.
///
/// Listed from the narrowest: where parameters of several types stand at one place, the first that fits is tried first.
package enum ParameterType: String, Sendable, CaseIterable {
  /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 with hyphens between them.
  case uuid = "UUID"
  /// `true` or `false`.
  case bool = "Bool"
  /// Decimal digits of a number that fits.
  case uint = "UInt"
  /// The same, and a minus sign in front if it is negative.
  case int = "Int"
  /// A finite decimal number, as `-1.5` or `2e-3`.
  case double = "Double"

  /// Places in the list above.
  var order: UInt8 {
    switch self {
    case .uuid: 0
    case .bool: 1
    case .uint: 2
    case .int: 3
    case .double: 4
    }
  }
}
