import Registry

/// Slices of one universal file that do not register the same.
enum SliceCheck {
  /// Of one file no more differences are told than these.
  private static let limit = 100

  static func problems(in images: [InspectedImage]) -> [InspectionProblem] {
    var order: [String] = []
    var files: [String: [InspectedImage]] = [:]
    for image in images {
      if files[image.path] == nil { order.append(image.path) }
      files[image.path, default: []].append(image)
    }
    return order.flatMap { problems(of: $0, files[$0] ?? []) }
  }

  private static func problems(of path: String, _ images: [InspectedImage]) -> [InspectionProblem] {
    var slices: [String] = []
    var records: [String: [Said: Int]] = [:]
    for image in images {
      let slice = image.header.architecture
      if records[slice] == nil {
        slices.append(slice)
        records[slice] = [:]
      }
      for record in image.records { records[slice, default: [:]][Said(record), default: 0] += 1 }
    }
    guard slices.count > 1 else { return [] }
    let all = Set(records.values.flatMap(\.keys))
    var differences: [InspectionProblem] = []
    for said in all.sorted() {
      let counts = slices.map { records[$0]?[said] ?? 0 }
      guard let most = counts.max(), counts.contains(where: { $0 < most }) else { continue }
      let (having, lacking) = (zip(slices, counts).filter { $1 == most }, zip(slices, counts).filter { $1 < most })
      differences.append(
        InspectionProblem(
          file: path, code: .sliceMismatch, subject: "\(said.kind) \(said.attributes)",
          message: "the file registers it for \(having.map(\.0).joined(separator: ", ")) and "
            + (most > 1 ? "less often" : "not") + " for \(lacking.map(\.0).joined(separator: ", "))"))
    }
    guard differences.count > limit else { return differences }
    return differences.prefix(limit) + [
      InspectionProblem(
        file: path, code: .sliceMismatch, subject: "its slices",
        message: "\(differences.count - limit) more records are not the same in all of them")
    ]
  }

  /// What a record says, wherever it stands.
  private struct Said: Hashable, Comparable {
    let source: String
    let kind: String
    let attributes: String
    let hasAccessor: Bool

    init(_ record: InspectedRecord) {
      source = record.source.rawValue
      kind = record.kind.description
      attributes = record.attributes
      hasAccessor = record.hasAccessor
    }

    static func < (x: Said, y: Said) -> Bool {
      (x.source, x.kind, x.attributes, x.hasAccessor ? 1 : 0) < (y.source, y.kind, y.attributes, y.hasAccessor ? 1 : 0)
    }
  }
}
