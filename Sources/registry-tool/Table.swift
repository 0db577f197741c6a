import BinaryInspection
import Lifecycle
import Registry

enum Table {
  /// The columns that are omitted if no record has a value for them.
  private static let rareColumns: Set<String> = ["GROUP", "REPLACES", "WHEN"]

  static func print(_ inspection: Inspection) {
    let head = [
      "KIND", "GROUP", "CLASS OR HANDLER", "FOR", "NAME", "SCOPE", "LEVEL", "PRIORITY", "AFTER", "REPLACES", "WHEN",
      "ACCESSOR", "IMAGE", "SLICE",
    ]
    let rows = inspection.images.lazy.flatMap { image in image.records.lazy.map { row($0, image) } }
    if rows.isEmpty { Output.print("No records.") } else { print(head, rows) }
    Output.print("")
    print(["IMAGE", "FORMAT", "TYPE", "SLICE", "RECORDS", ""], images(inspection.images))
  }

  private static func row(_ record: InspectedRecord, _ image: InspectedImage) -> [String] {
    let contents = record.contents
    let need = contents.need
    // For a need, show the type and the source location of the code that states the need.
    let dependent = need.map { need in
      let location = need.location ?? ""
      return need.dependent.map { location.isEmpty ? $0 : "\($0) (\(location))" } ?? location
    }
    return [
      record.isOfKnownKind ? "\(record.kind)" : "\(record.kind) (unknown)", record.group ?? "",
      record.isMalformed ? "malformed: \(record.attributes)" : dependent ?? contents.subject ?? record.attributes,
      contents.target ?? need.map { $0.target + ($0.isOptional ? " (optional)" : "") } ?? "",
      contents.service?.name ?? contents.contribution?.key ?? need?.name ?? "",
      contents.service?.scope.description ?? "", contents.module.map { "\($0.level)" } ?? "",
      contents.priority.map { "\($0)" } ?? "",
      contents.module.map { ($0.after + $0.afterTypes).joined(separator: ", ") } ?? "",
      contents.service?.replaces ?? contents.service?.replacesType ?? "",
      contents.service?.condition?.description ?? "",
      record.hasAccessor ? "yes" : "no", name(image),
      image.header.architecture,
    ]
  }

  private static func name(_ image: InspectedImage) -> String { image.path + (image.member.map { "(\($0))" } ?? "") }

  /// Returns a row for each image. Members of an archive share a row if they have no records and
  /// equal headers.
  private static func images(_ images: [InspectedImage]) -> [[String]] {
    let groups = images.enumerated().grouped { index, image in
      image.member != nil && image.records.isEmpty ? [image.path, "\(image.header)"] : ["\(index)"]
    }
    return groups.map { group in
      let (image, header) = (group[0].element, group[0].element.header)
      return [
        group.count > 1 ? "\(image.path) (\(group.count) members)" : name(image), header.format.rawValue,
        header.type.rawValue, header.architecture, "\(image.records.count)",
        [
          header.isEncrypted ? "encrypted: its code cannot be read" : nil,
          header.isStripped ? "stripped" : nil,
        ].compactMap(\.self).joined(separator: ", "),
      ]
    }
  }

  /// Prints rows below their header. The sequence creates the rows twice, once to measure the
  /// columns and once to print, because a stored table can take much more memory than the files.
  private static func print(_ head: [String], _ rows: some Sequence<[String]>) {
    var widths = head.map { rareColumns.contains($0) ? 0 : $0.unicodeScalars.count }
    for row in rows {
      for (column, cell) in row.enumerated() where !cell.isEmpty {
        let width = max(cell.escapedForDisplay().unicodeScalars.count, head[column].unicodeScalars.count)
        widths[column] = max(widths[column], width)
      }
    }
    print(head, widths)
    for row in rows { print(row.map { $0.escapedForDisplay() }, widths) }
  }

  private static func print(_ row: [String], _ widths: [Int]) {
    var line = ""
    for (column, cell) in row.enumerated() where widths[column] > 0 {
      line += cell + String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
    }
    while line.last == " " { line.removeLast() }
    Output.print(line)
  }
}
