package import Foundation
import Registry

extension Budget.Report {
  /// The measurements and their limits as a text table.
  package var table: String {
    let rows = measurements.map { measurement in
      let name = [measurement.name, measurement.activity].compactMap(\.self).joined(separator: ": ")
      let limit = measurement.limit.map { "\(Budget.text($0))\(measurement.isOverBudget ? " exceeded" : "")" } ?? "-"
      return [measurement.kind.rawValue, name, Budget.text(measurement.nanoseconds), limit]
    }
    var lines: [String] = []
    TextTable.write(["KIND", "NAME", traces.count > 1 ? "MEDIAN" : "TIME", "LIMIT"], rows) { lines.append($0) }
    return lines.joined(separator: "\n")
  }

  package func json() throws -> Data { try indentedJSON() }
}

extension RegistrySnapshot.Problem: Error, CustomStringConvertible {
  package var description: String { line }

  /// The problem as a line in the style of a compiler's diagnostics. The message is escaped,
  /// because a snapshot can contain arbitrary messages.
  package var line: String { line(message.escapedForDisplay(limit: .max)) }

  private func line(_ message: String) -> String {
    let place = location.flatMap { $0 == subject ? nil : " (\($0.escapedForDisplay()))" } ?? ""
    let declaration = subject.map { $0.escapedForDisplay() + place }
    let parts = [image?.escapedForDisplay(limit: 1_000), severity, declaration, message].compactMap(\.self)
    return parts.joined(separator: ": ") + " [\(code)]"
  }

  /// The problem as a GitHub Actions annotation.
  package var gitHubAnnotation: String {
    // The runner decodes these escapes in the text, and two more in properties.
    func escaped(_ text: String, _ others: [(String, String)] = []) -> String {
      ([("%", "%25"), ("\r", "%0D"), ("\n", "%0A")] + others).reduce(text) {
        $0.replacingOccurrences(of: $1.0, with: $1.1)
      }
    }
    let title = escaped(subject.map { "\(code): \($0)" } ?? code, [(":", "%3A"), (",", "%2C")])
    return "::\(severity == "note" ? "notice" : severity) title=\(title)::\(escaped(line(message)))"
  }
}
