/// A binary of one architecture: a thin file, a slice of a universal one, a member of an archive.
package struct InspectedImage: Sendable, Equatable {
  /// The file; of an app or a framework, the one in its folder.
  package var path: String
  /// The name of the member in an archive, such as `"Cart.o"`.
  package var member: String?
  /// The name in messages: the path, with the slice or the member.
  package var name: String
  /// The offset in the file.
  package var start: UInt64
  package var header: ImageHeader
  /// In the order of its sections, and there in that of the file.
  package var records: [InspectedRecord]
  /// The problems of single records.
  package var problems: [InspectionProblem]

  /// A Boolean value that indicates whether the image is an object that is not linked yet.
  ///
  /// Its records can also be in a linked image, and are not duplicates of those.
  var isObject: Bool { header.type == .object }
}
