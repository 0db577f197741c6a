/// What the text of a typed parameter must be, as in `:id(Int)`.
///
/// Listed from the narrowest: where parameters of several types stand at one place, the first that fits is tried first.
/// Digits are those of ASCII, and no value has more than 64 characters.
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

  /// The place in the list above.
  var order: UInt8 {
    switch self {
    case .uuid: 0
    case .bool: 1
    case .uint: 2
    case .int: 3
    case .double: 4
    }
  }

  /// Whether a decoded text is such a value.
  func accepts(_ text: ArraySlice<UInt8>) -> Bool {
    guard !text.isEmpty, text.count <= 64 else { return false }
    switch self {
    case .uuid: return isUUID(text)
    case .bool: return text.equals("true") || text.equals("false")
    case .uint: return text.allSatisfy(\.isDigit) && UInt(text.text) != nil
    case .int: return withoutMinus(text).allSatisfy(\.isDigit) && Int(text.text) != nil
    case .double: return isDecimal(text) && Double(text.text)?.isFinite == true
    }
  }

  private func withoutMinus(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.first == UInt8(ascii: "-") ? text.dropFirst() : text
  }

  private func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    return text.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexadecimal != nil
    }
  }

  /// Whether it is digits, perhaps more behind a point, and perhaps an exponent: `Double` itself reads more, as `inf`.
  private func isDecimal(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = withoutMinus(text)
    func takeDigits() -> Bool {
      let count = rest.prefix(while: \.isDigit).count
      rest = rest.dropFirst(count)
      return count > 0
    }
    guard takeDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard takeDigits() else { return false }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }
}
