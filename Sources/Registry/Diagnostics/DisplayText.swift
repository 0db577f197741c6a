extension String {
  /// The string as it is safe to show: control characters and marks that change the direction of what
  /// follows are written out, and what is then longer than `limit` code points is cut.
  ///
  /// Names come from binaries; what they hold must not reach a terminal or a log unseen.
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
}
