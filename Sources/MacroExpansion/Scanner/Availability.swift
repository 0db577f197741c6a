/// The contents of an `@available` attribute.
struct Availability: Equatable {
  /// The text in its parentheses.
  var text: String
  /// A Boolean value that indicates whether it has the form `macOS 14, iOS 17, *`, which
  /// `#available` takes too.
  var isList: Bool
  /// A Boolean value that indicates whether it says from which version on something exists.
  var isIntroduction: Bool
  /// The platforms that it names; `*` stands for all of them.
  var platforms: [String]
  /// A Boolean value that indicates whether something does not exist on the platform in any
  /// version, or in the version of the language from one on.
  var isUnavailability: Bool
  /// The version from which on something does not exist.
  var obsoleted: String?
  /// A Boolean value that indicates whether the attribute is inside `#if`, so that it may not
  /// apply.
  let isConditional: Bool

  /// Reads the tokens inside the parentheses.
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
        // On a platform it still exists for older deployment targets, which no condition tells.
        if platforms == ["swift"] { isUnavailability = true }
        obsoleted = source.normalized((part.lowerBound + 2)..<part.upperBound, keepBackticks: true)
      }
    }
  }
}

/// The platforms on which a declaration does not exist.
struct Absence: Equatable {
  /// The conditions of conditional compilation that one of these platforms meets.
  private(set) var conditions: [String] = []
  /// A Boolean value that indicates whether the declaration exists nowhere.
  private(set) var isEverywhere = false

  /// The absence of a declaration with these attributes.
  ///
  /// An attribute inside `#if` does not count. A record too many is reported at run time, and a
  /// record too few is not.
  init(_ attributes: [Availability] = []) {
    let named = Set(attributes.flatMap(\.platforms))
    for attribute in attributes where attribute.isUnavailability && !attribute.isConditional {
      for platform in attribute.platforms { add(platform, obsoleted: attribute.obsoleted, named) }
    }
  }

  /// Adds the absence of something around the declaration.
  mutating func formUnion(_ other: Absence) {
    isEverywhere = isEverywhere || other.isEverywhere
    for condition in other.conditions where !conditions.contains(condition) { conditions.append(condition) }
  }

  /// Adds a platform, by the compiler's rules.
  ///
  /// - Parameter named: The platforms with attributes of their own, which take precedence over
  ///   those that they inherit from iOS.
  private mutating func add(_ platform: String, obsoleted: String?, _ named: Set<String>) {
    switch platform {
    case "*": isEverywhere = true
    case "macOS", "OSX": add("os(macOS)")
    case "iOS":
      // iOS includes Mac Catalyst, and visionOS inherits from it.
      add(named.contains("macCatalyst") ? "os(iOS) && !targetEnvironment(macCatalyst)" : "os(iOS)")
      if !named.contains("visionOS") { add("os(visionOS)") }
    case "macCatalyst": add("targetEnvironment(macCatalyst)")
    case "tvOS", "watchOS", "visionOS", "Android", "FreeBSD", "OpenBSD", "Windows": add("os(\(platform))")
    case "swift": if let obsoleted { add("swift(>=\(obsoleted))") }
    // The variants for application extensions are about some of a platform's code, which no
    // condition tells apart.
    default: break
    }
  }

  private mutating func add(_ condition: String) {
    if !conditions.contains(condition) { conditions.append(condition) }
  }

  /// Returns the text of declarations for the platforms on which the declaration exists.
  func excluded(from text: String) -> String {
    if isEverywhere { return "" }
    if conditions.isEmpty { return text }
    return "#if \(conditions.map { "!(\($0))" }.joined(separator: " && "))\n\(text)\n#endif"
  }
}
