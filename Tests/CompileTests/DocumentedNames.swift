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

/// The public names of the libraries that one migration page is about.
struct PublicNames {
  /// The pages that must mention the names, beginning with the migration page.
  let pages: [String]
  private(set) var lines: [(owner: String, name: String)] = []

  /// The names in the file `Tests/Harness/Documentation/replaced-names`, which explains its format.
  static func all(in text: String) -> [PublicNames] {
    var lists: [PublicNames] = []
    var owner = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      var words = line.split(separator: " ").map(String.init)
      if line.hasPrefix("[") {
        lists.append(PublicNames(pages: words.map { $0.trimmingCharacters(in: ["[", "]"]) }))
        continue
      }
      if !line.hasPrefix(" ") { owner = String(words.removeFirst().dropLast()) }
      for name in words { lists[lists.count - 1].lines.append((owner, name)) }
    }
    return lists
  }
}
