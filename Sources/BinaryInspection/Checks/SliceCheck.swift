import Registry

/// A check for slices of one universal file with different registrations.
enum SliceCheck {
  /// The largest number of differences that are reported for one file.
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
    var records: [String: [RecordKey: Int]] = [:]
    for image in images {
      let slice = image.header.architecture
      if records[slice] == nil {
        slices.append(slice)
        records[slice] = [:]
      }
      for record in image.records { records[slice, default: [:]][RecordKey(record), default: 0] += 1 }
    }
    guard slices.count > 1 else { return [] }
    // Visit each slice's records once instead of searching every slice for every record, because a
    // file can have a thousand slices.
    var spreads: [RecordKey: Spread] = [:]
    for counts in records.values {
      for (said, count) in counts { spreads[said, default: Spread()].add(count) }
    }
    let different = spreads.filter { !$1.isSame(in: slices.count) }.keys.sorted()
    var problems = different.prefix(limit).map { said in
      let counts = slices.map { records[$0]?[said] ?? 0 }
      let most = counts.max() ?? 0
      let (having, lacking) = (zip(slices, counts).filter { $1 == most }, zip(slices, counts).filter { $1 < most })
      return InspectionProblem(
        file: path, code: .sliceMismatch, subject: "\(said.kind) \(said.attributes)",
        message: "the file registers it \(most > 1 ? "more often " : "")for \(names(having))"
          + (most > 1 ? " than" : ", but not") + " for \(names(lacking))")
    }
    if different.count > limit {
      problems.append(
        InspectionProblem(
          file: path, code: .sliceMismatch, subject: "slices",
          message: "\((different.count - limit).counted("more record")) with differences between the slices"))
    }
    return problems
  }

  private static func names(_ slices: [(String, Int)]) -> String {
    slices.map { "'\($0.0)'" }.joined(separator: ", ")
  }

  /// The number of slices that contain a record, and how often they contain it.
  private struct Spread {
    private var slices = 0
    private var least = Int.max
    private var most = 0

    mutating func add(_ count: Int) {
      slices += 1
      (least, most) = (min(least, count), max(most, count))
    }

    func isSame(in count: Int) -> Bool { slices == count && least == most }
  }

  /// The contents of a record, independent of its offset and source location.
  private struct RecordKey: Hashable, Comparable {
    let kind: String
    let attributes: String
    let hasAccessor: Bool

    init(_ record: InspectedRecord) {
      kind = record.kind.description
      attributes = record.attributesWithoutLocation
      hasAccessor = record.hasAccessor
    }

    static func < (x: RecordKey, y: RecordKey) -> Bool {
      (x.kind, x.attributes, x.hasAccessor ? 1 : 0) < (y.kind, y.attributes, y.hasAccessor ? 1 : 0)
    }
  }
}
