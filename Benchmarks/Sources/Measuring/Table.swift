import Foundation

/// A table that prints each row when it is added.
public struct Table: Sendable {
  public enum Format: Sendable {
    /// Columns for a terminal.
    case text
    /// A table in Markdown for pages of the documentation.
    case markdown
    /// JSON objects for tools, one per line.
    case json
  }

  private let format: Format

  public init(_ format: Format) {
    self.format = format
    let heads = ["name", "ours", "baseline", "ratio", "goal", "spread"]
    switch format {
    case .text: print(Self.line(heads))
    case .markdown: print("| " + heads.joined(separator: " | ") + " |\n|-|-:|-:|-:|-|-:|")
    case .json: break
    }
  }

  public func add(_ row: Comparison) throws {
    switch format {
    case .text:
      print(Self.line(Self.cells(row)))
      if let note = row.note { print("  \(note)") }
    case .markdown:
      let cells = Self.cells(row)
      print("| `\(cells[0])` | " + cells.dropFirst().joined(separator: " | ") + " |")
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(row), as: UTF8.self))
    }
    // Print each row immediately, because measuring the next one takes seconds.
    fflush(nil)
  }

  private static func cells(_ row: Comparison) -> [String] {
    [
      row.name, "\(digits(row.ours)) \(row.unit)", row.baseline.map { "\(digits($0)) \(row.unit)" } ?? "",
      row.ratio.map(digits) ?? "", goal(row), "\(Int((100 * row.spread).rounded())) %",
    ]
  }

  private static func goal(_ row: Comparison) -> String {
    let mark = row.met == true ? "met" : "MISSED"
    return switch row.goal {
    case .ratio(let limit): "≤ \(limit) \(mark)"
    case .value(let limit): "≤ \(limit) \(row.unit) \(mark)"
    case nil: ""
    }
  }

  /// Returns a number with about three significant digits.
  private static func digits(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.4f", value)
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [33, 12, 12, 7, 18, 7]
    return zip(cells, widths).enumerated().map { place, cell in
      let room = String(repeating: " ", count: max(1, cell.1 - cell.0.count))
      return place == 0 ? cell.0 + room : room + cell.0
    }.joined()
  }
}
