import Lifecycle
import Registry

/// The records of a saved list, which the images are expected to contain.
///
/// A linker that omits an object file of a static archive also omits its records, without a
/// message.
package struct ExpectedRecords: Sendable {
  /// The expected records, each with the path of an image that contained it.
  private let records: [(identity: RecordIdentity, path: String)]

  /// Reads a list that an inspection wrote.
  ///
  /// ``Inspection/writeList(_:)`` writes such lists.
  ///
  /// - Throws: An ``InspectionError`` if the file cannot be read or is not such a list.
  package init(path: String) throws(InspectionError) {
    let file = try FileBytes(path: path)
    try self.init(try BinaryView(file).bytes(0, file.size, "the list"), path: path)
  }

  /// Creates expectations from the bytes of a list.
  init(_ bytes: [UInt8], path: String) throws(InspectionError) {
    do throws(JSONError) {
      records = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
        try Self.read(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      throw InspectionError(
        file: path, offset: UInt64(error.offset), code: .malformedList,
        message: "is not a list written by 'registry-tool list --format json': \(error.message)")
    }
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> [(identity: RecordIdentity, path: String)] {
    var reader = JSONReader(bytes)
    var version: Int?
    var records: [(identity: RecordIdentity, path: String)]?
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "version":
        version = try reader.integer()
        guard version == RecordList.version else {
          throw reader.error("the list has version \(version ?? 0), but this tool reads version \(RecordList.version)")
        }
      case "records":
        var all: [(identity: RecordIdentity, path: String)] = []
        try reader.array()
        while try reader.element() {
          guard var record = try record(&reader) else { continue }
          // The records of one file share the storage of its path.
          if let last = all.last, last.path == record.path { record.path = last.path }
          all.append(record)
        }
        records = all
      default: try reader.skip()
      }
    }
    try reader.end()
    guard version != nil else { throw reader.error("missing member 'version'") }
    guard let records else { throw reader.error("missing member 'records'") }
    return records
  }

  /// Reads one record; returns nil for a malformed one and for a need.
  private static func record(
    _ reader: inout JSONReader
  ) throws(JSONError) -> (identity: RecordIdentity, path: String)? {
    var kind: String?
    var path = ""
    var json: String?
    var isMalformed = false
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "kind": kind = try reader.string()
      case "path": path = try reader.string()
      case "malformed": isMalformed = try reader.boolean()
      case "attributes": json = try JSONLine.value(&reader)
      default: try reader.skip()
      }
    }
    // A need that is absent cannot fail at run time, so only the other records must be present.
    if isMalformed || kind == RecordKind.need.description { return nil }
    guard let kind, let json, let identity = RecordIdentity(kind: kind, json: json) else {
      throw reader.error("missing or malformed member 'kind' or 'attributes' in a record")
    }
    return (identity, path)
  }

  /// Returns the records that no image contains.
  func missing(in images: [InspectedImage]) -> [InspectionProblem] {
    var present: Set<RecordIdentity> = []
    for image in images {
      for record in image.records where !record.isMalformed {
        guard let identity = RecordIdentity(kind: record.kind.description, json: record.attributes) else { continue }
        present.insert(identity)
      }
    }
    var reported: Set<RecordIdentity> = []
    // A missing record is in no file, so its problem names the first image.
    let file = images.first?.path ?? "-"
    var problems = ProblemList()
    for (identity, path) in records where !present.contains(identity) && reported.insert(identity).inserted {
      problems.add(
        .missing, path: file, subject: identity.description,
        "the list expects this record from '\(path.escapedForDisplay(limit: 1_000))', but no file contains it; if it was not"
          + " removed on purpose, a linker may have omitted its object file from a static archive because nothing refers to"
          + " it (keep it with '-ObjC' or '-force_load' on Apple systems, and with '--whole-archive' elsewhere)")
    }
    return problems.all
  }
}
