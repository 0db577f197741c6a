import Registry

/// A note about a part of a file that was skipped or could not be compared.
package struct InspectionRemark: Sendable, Equatable, CustomStringConvertible {
  /// The file, with its slice or archive member.
  package let file: String
  package let message: String

  package var description: String { "\(file.escapedForDisplay(limit: 1_000)): note: \(message)" }
}
