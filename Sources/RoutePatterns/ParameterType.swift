/// The type of a parameter in a pattern.
///
/// For example, `:id(Int)` has the type ``int``. Digits are ASCII digits, and only ``name`` accepts
/// more than 64 bytes. The cases are in order of precedence, narrowest first. If a segment fits
/// several parameters with equal suffixes, matching tries the narrowest type first.
package enum ParameterType: String, Sendable, CaseIterable {
  /// A UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4, and 12, separated by hyphens.
  case uuid = "UUID"
  /// The text `true` or `false`.
  case bool = "Bool"
  /// The decimal digits of a number that fits `UInt`.
  case uint = "UInt"
  /// An optional minus sign and the decimal digits of a number that fits `Int`.
  case int = "Int"
  /// A finite decimal number, such as `-1.5` or `2e-3`.
  case double = "Double"
  /// A safe part of a file path: any text, except `.` and `..`, that contains no slashes,
  /// backslashes, control characters, line or paragraph separators, or bidirectional controls.
  case name = "Name"

  var order: Int { Self.allCases.firstIndex(of: self)! }

  func accepts(_ text: ArraySlice<UInt8>) -> Bool {
    guard !text.isEmpty, text.count <= 64 || self == .name else { return false }
    switch self {
    case .uuid: return isUUID(text)
    case .bool: return text.equals("true") || text.equals("false")
    case .uint: return text.allSatisfy(\.isDigit) && UInt(text.text) != nil
    case .int:
      let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
      return digits.allSatisfy(\.isDigit) && Int(text.text) != nil
    case .double:
      // `Double` would also accept hexadecimal numbers, `nan`, and `inf`.
      return text.first != UInt8(ascii: "+") && text.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
        && Double(text.text)?.isFinite == true
    case .name:
      return !text.isDots
        && text.text.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: false
          default: scalar != "/" && scalar != "\\" && !scalar.properties.isBidiControl
          }
        }
    }
  }

  private func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    return text.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexadecimal != nil
    }
  }
}
