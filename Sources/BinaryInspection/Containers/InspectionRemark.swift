package import Registry

/// A note about a part of a file that was skipped or could not be compared.
package struct InspectionRemark: Sendable, Equatable, CustomStringConvertible {
  /// The file, with its slice or archive member.
  package let file: String
  package let code: Diagnostic.Code
  package let message: String

  /// Creates a note about a part that the tool does not read.
  static func unsupported(_ file: String, _ message: String) -> InspectionRemark {
    InspectionRemark(file: file, code: .unsupportedFile, message: message)
  }

  package var description: String { "\(file.escapedForDisplay(limit: 1_000)): note: \(message) [\(code)]" }
}

extension Diagnostic.Code {
  /// Members of an archive that are not binaries.
  package static let skippedMembers = Self(rawValue: "skipped-members")
  /// Notes on the members of an archive beyond the limit.
  package static let omittedNotes = Self(rawValue: "omitted-notes")
  /// A section of records that the runtime does not find.
  package static let unloadedSection = Self(rawValue: "unloaded-section")
  /// A file with classes that cannot be read.
  package static let unreadClasses = Self(rawValue: "unread-classes")
}
