/// A binary of one architecture: a thin file, a slice of a universal one, a member of an archive.
package struct InspectedImage: Sendable, Equatable {
  /// The file; of an app or a framework, the one in its folder.
  package var path: String
  /// Of an archive, the member: `"Cart.o"`.
  package var member: String?
  /// What messages call it: the path, with the slice or the member.
  package var name: String
  /// Where in the file it begins.
  package var start: UInt64
  package var header: ImageHeader
  /// In the order of its sections, and there in that of the file.
  package var records: [InspectedRecord]
  /// What is wrong with its records as far as each tells by itself.
  package var problems: [InspectionProblem]

  /// Whether it is to be linked still. What it registers may be in a linked image as well, which is no duplicate.
  var isObject: Bool { header.type == .object }
}
