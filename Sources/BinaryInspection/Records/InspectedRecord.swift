package import Registry

/// A record as it stands in a file.
package struct InspectedRecord: Sendable, Equatable {
  /// The library that a record belongs to.
  package enum Source: String, Sendable, Codable {
    case registry
    /// The sections `BeehiveMods` and `BeehiveServices` of `__DATA`.
    case beeHive = "BeeHive"
    /// The sections `__ant_modules` and `__ant_services` of `__DATA`.
    case ant = "Ant"
  }

  package var source: Source
  package var kind: RecordKind
  /// The offset in the file.
  package var offset: UInt64
  /// A Boolean value that indicates whether Swift code wrote the record, which then knows its type.
  package var hasAccessor: Bool
  /// The JSON as it stands in the file; for BeeHive and Ant, the JSON of an equivalent record.
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
    let contents = attributes.withUTF8 { try? RecordContents(UnsafeRawBufferPointer($0), kind) } ?? RecordContents()
    guard source != .registry else { return contents }
    // The records of BeeHive and Ant lack levels and scopes, whose defaults differ there.
    var names = RecordContents()
    (names.type, names.service) = (contents.type, contents.service)
    return names
  }
}
