import Registry

extension [String] {
  /// Returns the strings in single quotes as a list, such as `'a', 'b', or 'c'`.
  ///
  /// - Parameter conjunction: The word before the last string.
  package func quotedList(_ conjunction: String) -> String {
    let names = map { "'\($0.escapedForDisplay())'" }
    guard names.count > 2 else { return names.joined(separator: " \(conjunction) ") }
    return names.dropLast().joined(separator: ", ") + ", \(conjunction) \(names[names.count - 1])"
  }
}
