import Foundation

/// How rows are printed, one by one as they come.
public struct Table: Sendable {
  /// For tools: one JSON object a line.
  private let isJSON: Bool

  public init(isJSON: Bool) {
    self.isJSON = isJSON
    guard !isJSON else { return }
    print(Self.line("name", "ours", "baseline", "ratio", "goal", "spread"))
    print(Self.line("----", "----", "--------", "-----", "----", "------"))
  }

  public func add(_ row: Comparison) throws {
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(row), as: UTF8.self))
    } else {
      print(
        Self.line(
          row.name, "\(Self.digits(row.ours)) \(row.unit)", row.baseline.map { "\(Self.digits($0)) \(row.unit)" } ?? "",
          row.ratio.map(Self.digits) ?? "", Self.goal(row), "\(Int((100 * row.spread).rounded())) %"))
    }
    if !isJSON, let note = row.note { print("  \(note)") }
    // Rows take seconds: whoever reads along sees each at once.
    fflush(nil)
  }

  private static func goal(_ row: Comparison) -> String {
    let mark = row.met == true ? "met" : "MISSED"
    return switch row.goal {
    case .ratio(let limit): "<= \(limit) \(mark)"
    case .value(let limit): "<= \(limit) \(row.unit) \(mark)"
    case nil: ""
    }
  }

  /// Three digits that say something.
  private static func digits(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.4f", value)
  }

  private static func line(_ cells: String...) -> String {
    let widths = [31, 12, 12, 7, 18, 7]
    return zip(cells, widths).enumerated().map { place, cell in
      let room = String(repeating: " ", count: max(1, cell.1 - cell.0.count))
      return place == 0 ? cell.0 + room : room + cell.0
    }.joined()
  }
}
