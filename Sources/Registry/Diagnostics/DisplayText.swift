extension String {
  /// Returns a copy of the string that is safe to display.
  ///
  /// Control characters, and marks that change the direction of the following text, are escaped.
  /// Names come from binaries, and such characters must not reach a terminal or a log.
  ///
  /// - Parameter limit: The number of code points after which the string is truncated.
  package func escapedForDisplay(limit: Int = 200) -> String {
    var text = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else { return text + "… (\(utf8.count) bytes)" }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        let escape = "\\u{\(String(scalar.value, radix: 16))}"
        text += escape
        count += escape.utf8.count
      default:
        count += 1
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the name in single quotes and safe to display, as messages spell it.
  func quotedForDisplay() -> String { "'\(escapedForDisplay())'" }
}

extension Int {
  /// Returns the number with a noun in the singular or plural, such as `1 module` or `2 modules`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
