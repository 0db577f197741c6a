struct Availability: Equatable {
  var text: String
  /// The introducing versions in the form that `#available` accepts, such as `macOS 14, iOS 17, *`.
  /// They are nil if there are none, or if they are versions of Swift.
  var introduction: String?
  /// A Boolean value that indicates whether the attribute states the introducing version.
  var isIntroduction: Bool
  /// The platforms that the attribute names. An asterisk represents all platforms.
  var platforms: [String]
  /// A Boolean value that indicates whether the attribute makes the declaration unavailable on the
  /// named platforms, or starting with a version of Swift.
  var isUnavailability: Bool
  var obsoleted: String?
  /// A Boolean value that indicates whether conditional compilation encloses the attribute.
  let isConditional: Bool

  init(_ source: Source, _ range: Range<Int>, isConditional: Bool) {
    self.isConditional = isConditional
    text = source.normalized(range, keepBackticks: true)
    let isList =
      range.count > 1 && source.isMark(range.upperBound - 1, "*")
      && !range.contains { source.isMark($0, ":") }
    let parts = source.split(range)
    // A version of Swift, as in `swift 6`, has no asterisk.
    isIntroduction = isList || (parts.first?.count ?? 0) > 1 || range.contains { source.isWord($0, "introduced") }
    let first = isList ? parts : Array(parts.prefix(1))
    platforms = first.map { source.text(source.tokens[$0.lowerBound]) }
    introduction = isList ? text : nil
    isUnavailability = false
    for part in parts.dropFirst() {
      if part.count == 1, source.isWord(part.lowerBound, "unavailable") { isUnavailability = true }
      guard part.count > 2, source.isMark(part.lowerBound + 1, ":") else { continue }
      let version = source.normalized((part.lowerBound + 2)..<part.upperBound, keepBackticks: true)
      if source.isWord(part.lowerBound, "introduced"), platforms != ["swift"] {
        introduction = "\(platforms[0]) \(version), *"
      }
      if source.isWord(part.lowerBound, "obsoleted") {
        // A declaration that's obsoleted on a platform still exists for older deployment targets,
        // which no condition can check.
        if platforms == ["swift"] { isUnavailability = true }
        obsoleted = version
      }
    }
  }
}

extension [Availability] {
  /// The compilation conditions that exclude a declaration with these attributes. An asterisk
  /// represents all platforms.
  ///
  /// The conditions follow the compiler's rules. An attribute inside `#if` doesn't count, because
  /// an extra record is reported at run time, but a missing record isn't.
  var absence: [String] {
    // A platform's attributes take precedence over attributes inherited from iOS, and both take
    // precedence over those for all Apple systems.
    let named = Set(flatMap(\.platforms))
    let systems = ["macOS", "iOS", "tvOS", "watchOS"].filter { !named.contains($0) }
    return filter { $0.isUnavailability && !$0.isConditional }.flatMap { attribute in
      (attribute.platforms == ["anyAppleOS"] ? systems : attribute.platforms).flatMap { platform -> [String] in
        switch platform {
        case "*": return ["*"]
        case "macOS", "OSX": return ["os(macOS)"]
        case "iOS":
          // iOS includes Mac Catalyst, and visionOS inherits from iOS.
          return [named.contains("macCatalyst") ? "os(iOS) && !targetEnvironment(macCatalyst)" : "os(iOS)"]
            + (named.contains("visionOS") ? [] : ["os(visionOS)"])
        case "macCatalyst": return ["targetEnvironment(macCatalyst)"]
        case "tvOS", "watchOS", "visionOS", "Android", "FreeBSD", "OpenBSD", "Windows": return ["os(\(platform))"]
        case "swift": return attribute.obsoleted.map { ["swift(>=\($0))"] } ?? []
        // The variants for application extensions apply only to some code on a platform, and no
        // condition identifies that code.
        default: return []
        }
      }
    }
  }
}

extension [String] {
  /// Returns the text of declarations, restricted to builds where none of the conditions holds.
  ///
  /// Without the restriction, the compiler would accept the declarations even if the type is
  /// unavailable, because an expansion next to an unavailable type can use the type.
  func excluded(from text: String) -> String {
    if contains("*") { return "" }
    var conditions: [String] = []
    for condition in self where !conditions.contains(condition) { conditions.append(condition) }
    if conditions.isEmpty { return text }
    return "#if \(conditions.map { "!(\($0))" }.joined(separator: " && "))\n\(text)\n#endif"
  }
}
