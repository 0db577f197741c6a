/// A binary of one architecture: a thin file, a slice of a universal one, a member of an archive.
public struct InspectedImage: Sendable, Equatable {
  /// The file; of an app or a framework, the one in its folder.
  public var path: String
  /// Of an archive, the member: `"Cart.o"`.
  public var member: String?
  public var header: ImageHeader
  /// In the order of its sections, and there in that of the file.
  public var records: [InspectedRecord]
  /// What is wrong with the bytes of its records.
  public var problems: [InspectionProblem]
}
