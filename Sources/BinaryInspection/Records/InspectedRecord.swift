package import Registry

/// A record as it stands in a file.
package struct InspectedRecord: Sendable, Equatable {
  package var kind: RecordKind
  /// The offset in the file.
  package var offset: UInt64
  /// A Boolean value that indicates whether Swift code wrote the record, which then knows its type.
  package var hasAccessor: Bool
  /// Its JSON as it stands in the file; of BeeHive's and Ant's records, what ours would say.
  package var attributes: String
  /// A Boolean value that indicates whether the JSON is invalid for a record of its kind.
  package var isMalformed: Bool

  /// A Boolean value that indicates whether this version knows the kind of the record.
  package var isOfKnownKind: Bool { Self.knownKinds.contains(kind) }

  private static let knownKinds: Set<RecordKind> = [.module, .service, .handler, .route, .action]

  /// The contents of the JSON, read each time; empty for a malformed record.
  package var contents: RecordContents {
    guard !isMalformed else { return RecordContents() }
    var attributes = attributes
    return attributes.withUTF8 { try? RecordContents(UnsafeRawBufferPointer($0), kind) } ?? RecordContents()
  }
}
