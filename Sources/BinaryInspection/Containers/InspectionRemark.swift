package import Registry

/// A note about a part of a file that was skipped or could not be compared, or about something that
/// works and may be unintended.
package struct InspectionRemark: Sendable, Equatable, CustomStringConvertible {
  /// The file, with its slice or archive member.
  package let file: String
  package let code: Diagnostic.Code
  /// The service or the Swift module that the note is about; nil if it is about the file.
  package var subject: String?
  /// The source location of the record; nil if there is none.
  package var location: String?
  package let message: String

  /// Creates a note about a part that the tool does not read.
  static func unsupported(_ file: String, _ message: String) -> InspectionRemark {
    InspectionRemark(file: file, code: .unsupportedFile, message: message)
  }

  package var description: String {
    let declaration = subject.map { subject in
      "\(subject.escapedForDisplay())\(location.map { " (\($0.escapedForDisplay()))" } ?? ""): "
    }
    return "\(file.escapedForDisplay(limit: 1_000)): note: \(declaration ?? "")\(message) [\(code)]"
  }
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
