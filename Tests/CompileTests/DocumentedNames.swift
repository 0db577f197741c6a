import Foundation

/// The names that pages mention as code, by section.
struct DocumentedNames {
  private var sections: [(heading: String, names: [String])] = []

  /// Adds the names on a page.
  mutating func add(_ page: String) {
    var isInBlock = false
    for line in page.components(separatedBy: "\n") {
      if line.hasPrefix("```") { isInBlock.toggle() }
      if isInBlock { continue }
      if line.hasPrefix("#") { sections.append((line, [])) }
      let spans = line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      if !sections.isEmpty { sections[sections.count - 1].names += spans }
    }
  }

  /// Returns whether a section about an owner mentions a name.
  ///
  /// The name must be a whole code span. For example, `createService:withServiceName:` does not
  /// mention `createService:`. The parameters of a macro may follow its name.
  func mentions(_ name: String, of owner: String) -> Bool {
    sections.contains { section in
      Self.words(section.heading).contains(owner)
        && section.names.contains { $0 == name || $0.hasPrefix("\(name)(") }
    }
  }

  /// Returns the events that the sections about an owner name.
  ///
  /// The sections contain names like `.openURL` or `events.on(.openURL)`.
  func events(about owner: String) -> Set<String> {
    let names = sections.filter { Self.words($0.heading).contains(owner) }.flatMap(\.names)
    return Set(
      names.compactMap { name in
        let rest = name.hasPrefix("events.on(") ? name.dropFirst("events.on(".count) : name[...]
        return rest.hasPrefix(".") ? String(rest.dropFirst().prefix { $0.isLetter }) : nil
      })
  }

  private static func words(_ heading: String) -> [String] {
    heading.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

/// A list of names and their owners.
///
/// The file `Tests/Harness/Documentation/beehive-api` has this format.
struct PublicNames {
  let lines: [(owner: String, name: String)]

  init(_ text: String) {
    lines = text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      return words.count == 2 ? (words[0], words[1]) : nil
    }
  }
}
