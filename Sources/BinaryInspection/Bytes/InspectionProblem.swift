package import Registry

/// A problem with the registrations of a binary, or a note about something that was skipped, could
/// not be compared, or works and may be unintended.
package struct InspectionProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file, with its slice or archive member.
  ///
  /// Examples are `"App (arm64)"` and `"libCart.a(Cart.o)"`.
  package var file: String
  /// The code of the problem, which is the runtime's code if both report the problem.
  package var code: Diagnostic.Code
  /// The module, service, or record that has the problem; nil if the problem concerns the file.
  package var subject: String?
  /// The source location of the record, such as `Shop/Cart.swift:12:1`; nil if there is none.
  package var location: String?
  /// The description of the problem and its fix.
  package var message: String
  /// A Boolean value that indicates whether this is a note, which does not affect the exit status.
  package var isNote = false

  /// The number of bytes at the end of the message that are a hint.
  ///
  /// A hint depends on the other files that were read.
  private let hintSize: Int

  init(
    file: String, code: Diagnostic.Code, subject: String?, location: String? = nil, message: String, hint: String = ""
  ) {
    self.file = file
    self.code = code
    self.subject = subject
    self.location = location
    self.message = message + hint
    hintSize = hint.utf8.count
  }

  /// Creates a note.
  static func note(
    _ file: String, _ code: Diagnostic.Code, subject: String? = nil, _ message: String
  ) -> InspectionProblem {
    InspectionProblem(file: file, code: code, subject: subject, message: message).asNote
  }

  var asNote: InspectionProblem {
    var note = self
    note.isNote = true
    return note
  }

  /// The problem without its hint.
  var withoutHint: InspectionProblem {
    if hintSize == 0 { return self }
    let text = String(decoding: message.utf8.dropLast(hintSize), as: UTF8.self)
    return InspectionProblem(file: file, code: code, subject: subject, location: location, message: text)
  }

  /// The problem in one line that editors recognize.
  package var description: String { line(severity) }

  /// The word for the severity, as in the report of a check.
  var severity: String { isNote ? "note" : "error" }

  /// Returns the problem in one line with a severity.
  package func line(_ severity: String) -> String {
    let declaration = subject.map { subject in
      let location = location.flatMap { $0 == subject ? nil : " (\($0.escapedForDisplay()))" } ?? ""
      return "\(subject.escapedForDisplay())\(location): "
    }
    return "\(file.escapedForDisplay(limit: 1_000)): \(severity): \(declaration ?? "")\(message) [\(code)]"
  }
}

extension Diagnostic.Code {
  /// Slices of a universal file with different registrations.
  package static let sliceMismatch: Self = "slice-mismatch"
  /// A section of records whose bytes are encrypted.
  package static let encrypted: Self = "encrypted"
  /// Members of an archive that are not binaries.
  package static let skippedMembers: Self = "skipped-members"
  /// Notes on the members of an archive beyond the limit.
  package static let omittedNotes: Self = "omitted-notes"
  /// A section of records that the runtime does not find.
  package static let unloadedSection: Self = "unloaded-section"
  /// A file with classes that cannot be read.
  package static let unreadClasses: Self = "unread-classes"
}
