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

/// The platforms on which a declaration does not exist.
struct Absence: Equatable {
  /// The conditions of conditional compilation that hold on one of these platforms each.
  private(set) var conditions: [String] = []
  /// A Boolean value that indicates whether the declaration exists on no platform.
  private(set) var isEverywhere = false

  /// Creates the absence of a declaration with the given attributes.
  ///
  /// An attribute inside `#if` does not count: a superfluous record is reported at run time, and a
  /// missing one is not.
  init(_ attributes: [Availability] = []) {
    let named = Set(attributes.flatMap(\.platforms))
    for attribute in attributes where attribute.isUnavailability && !attribute.isConditional {
      for platform in attribute.platforms { add(platform, obsoleted: attribute.obsoleted, named) }
    }
  }

  /// Adds the absence of an enclosing declaration.
  mutating func formUnion(_ other: Absence) {
    isEverywhere = isEverywhere || other.isEverywhere
    for condition in other.conditions where !conditions.contains(condition) { conditions.append(condition) }
  }

  /// Adds a platform according to the rules of the compiler.
  ///
  /// - Parameter named: The platforms that have their own attributes, which take precedence over
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
    // The variants for application extensions concern only some code of a platform, which no
    // condition distinguishes.
    default: break
    }
  }

  private mutating func add(_ condition: String) {
    if !conditions.contains(condition) { conditions.append(condition) }
  }

  /// Returns the text of declarations, restricted to the platforms on which the declaration exists.
  func excluded(from text: String) -> String {
    if isEverywhere { return "" }
    if conditions.isEmpty { return text }
    return "#if \(conditions.map { "!(\($0))" }.joined(separator: " && "))\n\(text)\n#endif"
  }
}
