import Lifecycle
import Registry
import RegistryAnalysis

/// The records that a saved list expects the images to contain. A linker can silently omit an
/// object file in a static archive, along with its records.
package struct ExpectedRecords {
  private typealias Expected = (identity: RecordIdentity, path: String)

  /// The expected records, each with the path of an image that contained it.
  private let records: [Expected]
  private let path: String

  /// Reads a list that ``Inspection/writeList(_:)`` wrote.
  ///
  /// - Throws: An ``InspectionProblem`` if the file can't be read or isn't a list of this version.
  package init(path: String) throws(InspectionProblem) {
    try self.init(try BinaryView.contents(of: path), path: path)
  }

  init(_ bytes: [UInt8], path: String) throws(InspectionProblem) {
    self.path = path
    do throws(JSONError) {
      records = try bytes.withJSONReader(Self.read)
    } catch {
      throw InspectionProblem(
        file: path, offset: UInt64(error.offset), code: .malformedList,
        text: "is not a list written by 'registry-tool list --format json': \(error.message)")
    }
  }

  private static func read(_ reader: inout JSONReader) throws(JSONError) -> [Expected] {
    var (hasVersion, hasRecords) = (false, false)
    var records: [Expected] = []
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "version":
        let (version, known) = (try reader.integer(), Inspection.formatVersion)
        guard version == known else {
          throw reader.error("the list has version \(version), but this tool reads version \(known)")
        }
        hasVersion = true
      case "records":
        try reader.array()
        while try reader.element() {
          if let record = try record(&reader) { records.append(record) }
        }
        hasRecords = true
      default: try reader.skip()
      }
    }
    try reader.end()
    guard hasVersion else { throw reader.error("missing member 'version'") }
    guard hasRecords else { throw reader.error("missing member 'records'") }
    return records
  }

  /// Reads a record; returns nil for a need and for a record that the list marks as malformed.
  private static func record(_ reader: inout JSONReader) throws(JSONError) -> Expected? {
    var (kind, group, path, json, isMalformed) = (nil as String?, nil as String?, "", nil as String?, false)
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "kind": kind = try reader.string()
      case "group": group = try reader.string()
      case "path": path = try reader.string()
      case "malformed": isMalformed = try reader.boolean()
      case "attributes": json = try JSONLine.value(&reader)
      default: try reader.skip()
      }
    }
    // A missing need can't cause a failure at run time, so the check doesn't require needs.
    if isMalformed || kind == RecordKind.need.description { return nil }
    guard let kind, let json, let identity = RecordIdentity(kind: kind, json: json, group: group) else {
      throw reader.error("missing or malformed member 'kind' or 'attributes' in a record")
    }
    return (identity, path)
  }

  func check(_ images: [InspectedImage], _ list: ProblemList) {
    var found = Set(ImageRecord.all(in: images).lazy.compactMap(\.identity))
    // Name the first image in the problem, because a missing record is in no file.
    let file = images.first?.path ?? "-"
    if records.isEmpty {
      list.add(
        .nothingSelected, .note, file: self.path,
        "the list contains no records, so it expects nothing; write it again from a build with records")
    }
    for (identity, path) in records where found.insert(identity).inserted {
      list.add(
        .missing, file: file, subject: identity.description,
        "the list expects this record from '\(path.escapedForDisplay(limit: 1_000))', but no file contains it; if it was"
          + " not removed on purpose, a linker may have omitted its object file from a static archive because nothing"
          + " refers to it (keep it with '-ObjC' or '-force_load' on Apple systems, and with '--whole-archive'"
          + " elsewhere)")
    }
  }
}
