import Registry

/// A table of text whose columns are as wide as their longest cells.
package enum TextTable {
  /// Writes rows below their header, line by line. The sequence creates the rows twice, once to
  /// measure the columns and once to write, because a stored table can take much more memory than
  /// the files.
  ///
  /// - Parameter rareColumns: The columns that are omitted if no row has a value for them.
  package static func write(
    _ head: [String], _ rows: some Sequence<[String]>, rareColumns: Set<String> = [], _ write: (String) -> Void
  ) {
    var widths = head.map { rareColumns.contains($0) ? 0 : $0.unicodeScalars.count }
    for row in rows {
      for (column, cell) in row.enumerated() where !cell.isEmpty {
        let width = max(cell.escapedForDisplay().unicodeScalars.count, head[column].unicodeScalars.count)
        widths[column] = max(widths[column], width)
      }
    }
    write(line(head, widths))
    for row in rows { write(line(row.map { $0.escapedForDisplay() }, widths)) }
  }

  private static func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in row.enumerated() where widths[column] > 0 {
      line += cell + String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
