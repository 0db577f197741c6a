import BinaryInspection
import Lifecycle
import Registry
import RegistryAnalysis

extension Command {
  static let list = Command(
    name: "list", summary: "prints every record",
    about: "Prints every record: its kind, its class, handler, or dependent code, the service, event, route, or action,"
      + " its attributes, and its location.",
    options: [
      .format(["table", "json"], "table, for people (the default), or json, for programs and for check --expect"),
      .architecture,
    ],
    examples: ["registry-tool list Shop.app", "registry-tool list --format json Shop.app > shop-records.json"],
    status: ", or 2 if a file cannot be read. The records of the other files are listed in both cases."
  ) { arguments in
    _ = try Input.snapshot(in: arguments, isAccepted: false)
    let inspection = Inspection(of: arguments.files, architecture: arguments["--arch"], readsClasses: false)
    if arguments["--format"] == "json" { inspection.writeList(Output.write) } else { printTable(inspection) }
    return Output.report(inspection.problems)
  }

  private static func printTable(_ inspection: Inspection) {
    let head = [
      "KIND", "GROUP", "CLASS OR HANDLER", "FOR", "NAME", "SCOPE", "LEVEL", "PRIORITY", "AFTER", "REPLACES", "WHEN",
      "ACCESSOR", "IMAGE", "SLICE",
    ]
    let rows = inspection.images.lazy.flatMap { image in image.records.lazy.map { row($0, image) } }
    if rows.isEmpty {
      Output.print("No records.")
    } else {
      TextTable.write(head, rows, rareColumns: ["GROUP", "REPLACES", "WHEN"], Output.print)
    }
    Output.print("")
    TextTable.write(
      ["IMAGE", "FORMAT", "TYPE", "SLICE", "RECORDS", ""], images(inspection.images), Output.print)
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
      contents.condition?.description ?? "",
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
}
