package import Foundation
import Registry

extension Budget.Report {
  /// The measurements and their limits as a text table.
  package var table: String {
    let rows = measurements.map { measurement in
      let name = [measurement.name, measurement.activity].compactMap(\.self).joined(separator: ": ").escapedForDisplay()
      let limit = measurement.limit.map { "\(Budget.text($0))\(measurement.isOverBudget ? " exceeded" : "")" } ?? "-"
      return [measurement.kind.rawValue, name, Budget.text(measurement.nanoseconds), limit]
    }
    let all = [["KIND", "NAME", traces.count > 1 ? "MEDIAN" : "TIME", "LIMIT"]] + rows
    let widths = (0..<4).map { column in all.map { $0[column].unicodeScalars.count }.max() ?? 0 }
    return all.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.unicodeScalars.count) }
      return cells.joined(separator: "  ").trimmingCharacters(in: [" "])
    }.joined(separator: "\n")
  }

  package func json() throws -> Data { try indentedJSON() }
}

extension RegistrySnapshot.Problem {
  /// The problem as a line in the style of a compiler's diagnostics.
  package var line: String {
    let parts = [image?.escapedForDisplay(), severity, subject?.escapedForDisplay(), message].compactMap(\.self)
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
    return "::\(severity == "note" ? "notice" : severity) title=\(title)::\(escaped(line))"
  }
}
