package import Registry

/// A record as it stands in a file.
package struct InspectedRecord: Sendable, Equatable {
  package var kind: RecordKind
  /// Where it stands in the file, in bytes from its beginning.
  package var offset: UInt64
  /// Whether Swift code wrote it: such a record brings its type along.
  package var hasAccessor: Bool
  /// Its JSON as it stands in the file; of BeeHive's and Ant's records, what ours would say.
  package var attributes: String
  /// Whether the JSON is not what a record of its kind says, which is among the image's problems.
  package var isMalformed: Bool

  /// Whether its kind is one that this version knows. Of a newer one the JSON is all that can be said.
  package var isOfKnownKind: Bool { Self.knownKinds.contains(kind) }

  private static let knownKinds: Set<RecordKind> = [.module, .service, .handler, .route, .action]

  /// What the JSON says. Read anew each time; nothing of a malformed record.
  package var contents: RecordContents {
    guard !isMalformed else { return RecordContents() }
    var attributes = attributes
    return attributes.withUTF8 { try? RecordContents(UnsafeRawBufferPointer($0), kind) } ?? RecordContents()
  }
}
