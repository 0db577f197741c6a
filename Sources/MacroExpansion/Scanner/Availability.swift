/// The contents of an availability attribute.
struct Availability: Equatable {
  /// The text between the parentheses.
  var text: String
  /// A Boolean value that indicates whether the contents are a list of platforms and versions.
  ///
  /// An example is `macOS 14, iOS 17, *`. `#available` accepts such a list as well.
  var isList: Bool
  /// A Boolean value that indicates whether the attribute gives the first version of a declaration.
  var isIntroduction: Bool
  /// The platforms that the attribute names. An asterisk represents all platforms.
  var platforms: [String]
  /// A Boolean value that indicates whether the declaration does not exist on the platforms.
  ///
  /// For the platform `swift`, the value also indicates that the declaration is obsoleted.
  var isUnavailability: Bool
  /// The version in which the declaration is obsoleted, or nil.
  var obsoleted: String?
  /// A Boolean value that indicates whether conditional compilation encloses the attribute.
  ///
  /// Such an attribute may not apply.
  let isConditional: Bool

  /// Reads the tokens between the parentheses.
  init(_ source: Source, _ range: Range<Int>, isConditional: Bool) {
    self.isConditional = isConditional
    text = source.normalized(range, keepBackticks: true)
    isList =
      range.count > 1 && source.isMark(range.upperBound - 1, "*")
      && !range.contains { source.isMark($0, ":") }
    isIntroduction = isList || range.contains { source.isWord($0, "introduced") }
    let parts = source.split(range)
    let first = isList ? parts : Array(parts.prefix(1))
    platforms = first.map { source.text(source.tokens[$0.lowerBound]) }
    isUnavailability = false
    for part in parts.dropFirst() {
      if part.count == 1, source.isWord(part.lowerBound, "unavailable") { isUnavailability = true }
      if part.count > 2, source.isWord(part.lowerBound, "obsoleted"), source.isMark(part.lowerBound + 1, ":") {
        // On a system, the declaration still exists for older deployment targets, and no condition
        // knows the deployment target.
        if platforms == ["swift"] { isUnavailability = true }
        obsoleted = source.normalized((part.lowerBound + 2)..<part.upperBound, keepBackticks: true)
      }
    }
  }
}

extension [Availability] {
  /// The conditions of conditional compilation under which a declaration with these attributes does
  /// not exist. An asterisk represents all platforms.
  ///
  /// The conditions follow the rules of the compiler. An attribute inside `#if` does not count: a
  /// superfluous record is reported at run time, and a missing one is not.
  var absence: [String] {
    // The attributes of a platform take precedence over those that it inherits from iOS.
    let named = Set(flatMap(\.platforms))
    return filter { $0.isUnavailability && !$0.isConditional }.flatMap { attribute in
      attribute.platforms.flatMap { platform -> [String] in
        switch platform {
        case "*": return ["*"]
        case "macOS", "OSX": return ["os(macOS)"]
        case "iOS":
          // iOS includes Mac Catalyst, and visionOS inherits from it.
          return [named.contains("macCatalyst") ? "os(iOS) && !targetEnvironment(macCatalyst)" : "os(iOS)"]
            + (named.contains("visionOS") ? [] : ["os(visionOS)"])
        case "macCatalyst": return ["targetEnvironment(macCatalyst)"]
        case "tvOS", "watchOS", "visionOS", "Android", "FreeBSD", "OpenBSD", "Windows": return ["os(\(platform))"]
        case "swift": return attribute.obsoleted.map { ["swift(>=\($0))"] } ?? []
        // The variants for application extensions concern only some code of a platform, which no
        // condition distinguishes.
        default: return []
        }
      }
    }
  }
}

extension [String] {
  /// Returns the text of declarations, restricted to builds without the conditions of an absence.
  ///
  /// The compiler would accept the declarations in the other builds, because it lets an expansion
  /// beside an unavailable type use that type.
  func excluded(from text: String) -> String {
    if contains("*") { return "" }
    var conditions: [String] = []
    for condition in self where !conditions.contains(condition) { conditions.append(condition) }
    if conditions.isEmpty { return text }
    return "#if \(conditions.map { "!(\($0))" }.joined(separator: " && "))\n\(text)\n#endif"
  }
}
