import Registry

/// What is no error of a file, and yet worth to be said of it: a part that was passed over, and why.
package struct InspectionRemark: Sendable, Equatable, CustomStringConvertible {
  /// The file, with the slice or the member of an archive.
  package let file: String
  package let message: String

  package var description: String { "\(file.escapedForDisplay(limit: 1_000)): note: \(message)" }
}
