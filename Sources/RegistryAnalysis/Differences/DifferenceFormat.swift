package import Foundation
import Registry

extension RegistryDifference {
  /// The version of the JSON. It increases when a reader of the previous version would misread it.
  package static let formatVersion = 1

  private static let signs: [Change: String] = [.removed: "-", .added: "+", .changed: "~"]

  /// The numbers of changes, such as `1 added, 0 removed, 2 changed; 1 breaking`.
  package var summary: String {
    guard !rows.isEmpty else { return "no differences" }
    let counts = [Change.added, .removed, .changed].map { change in
      "\(rows.count { $0.change == change }) \(change.rawValue)"
    }
    return "\(counts.joined(separator: ", ")); \(breakingCount == 0 ? "none" : "\(breakingCount)") breaking"
  }

  /// The changes, one per line and grouped by kind, followed by the summary.
  package var text: String {
    var (text, last) = ("", nil as Kind?)
    for row in rows {
      if row.kind != last { text += "\(row.kind.rawValue)\n" }
      last = row.kind
      text += "  \(Self.signs[row.change]!) \(row.breaking ? "breaking: " : "")\(row.subject.escapedForDisplay()): "
      text += "\(row.details.escapedForDisplay(limit: 1_000))\(row.place.escapedForDisplay(limit: 1_000))\n"
    }
    return text + summary + "\n"
  }

  private struct Document: Encodable {
    let version: Int
    let breaking: Int
    let changes: [Row]
  }

  package func json() throws -> Data {
    try Document(version: Self.formatVersion, breaking: breakingCount, changes: rows).indentedJSON()
  }

  // MARK: - Markdown

  /// The largest number of nonbreaking changes that a comment shows without collapsing them.
  private static let shownRows = 20
  /// The maximum size of a comment in bytes, slightly below GitHub's limit.
  private static let markdownLimit = 60_000

  /// The changes as a comment on a pull request: a summary, a table of the breaking changes, and a
  /// table of the other changes, which is collapsed if it's long.
  package var markdown: String {
    var text = "**Registrations:** \(summary)\n"
    for isBreaking in [true, false] {
      let rows = rows.filter { $0.breaking == isBreaking }
      guard !rows.isEmpty else { continue }
      let isCollapsed = !isBreaking && rows.count > Self.shownRows
      if isCollapsed { text += "\n<details><summary>\(rows.count.counted("other change"))</summary>\n" }
      text += "\n| | Kind | Subject | Details |\n|-|-|-|-|\n"
      for (index, row) in rows.enumerated() {
        let mark = row.breaking ? "**breaking**" : row.change.rawValue
        let cells = [mark, row.kind.rawValue, Self.code(row.subject), Self.code(row.details + row.place)]
        let line = "| \(cells.joined(separator: " | ")) |\n"
        guard text.utf8.count + line.utf8.count < Self.markdownLimit else {
          text += "| | | | and \(rows.count - index) more |\n"
          break
        }
        text += line
      }
      if isCollapsed { text += "\n</details>\n" }
    }
    return text
  }

  /// Returns text as code for a cell, escaped so that Markdown, HTML, and mentions have no effect.
  private static func code(_ text: String) -> String {
    let escaped = text.escapedForDisplay(limit: 500).unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "/", "-", "'", "(", ")": String(scalar)
      default: scalar.isASCII ? "&#\(scalar.value);" : String(scalar)
      }
    }
    return "<code>\(escaped.joined())</code>"
  }
}

extension RegistryDifference.Row {
  /// The end of the row's text: the location of the code, and the processes.
  fileprivate var place: String {
    let location = location.flatMap { details.contains($0) || subject == $0 ? nil : " (\($0))" } ?? ""
    return location + (processes.map { " [\($0.joined(separator: ", "))]" } ?? "")
  }
}
