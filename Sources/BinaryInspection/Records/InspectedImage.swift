import Registry

/// A binary of one architecture: a thin file, a slice of a universal one, a member of an archive.
package struct InspectedImage: Sendable, Equatable {
  /// The path of the file, also if the caller passed a folder that contains it.
  package var path: String
  /// The name of the member in an archive; nil outside of archives.
  ///
  /// An example is `"Cart.o"`.
  package var member: String?
  /// The name in messages: the path, with the slice or the member.
  package var name: String
  /// The offset of the image in the file.
  package var start: UInt64
  package var header: ImageHeader
  /// The records in the order of the sections, and then in file order.
  package var records: [InspectedRecord]
  /// A Boolean value that indicates whether the image contains a copy of this library.
  package var hasLibrary: Bool
  package var linkage: Linkage

  /// A Boolean value that indicates whether the image is an object that is not linked yet.
  ///
  /// Its records can also be in a linked image, and are then not duplicates.
  var isObject: Bool { header.type == .object }

  var hasNeeds: Bool { records.contains { $0.kind == .need && !$0.isMalformed } }
}
