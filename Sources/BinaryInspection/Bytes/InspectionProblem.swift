package import Registry
package import RegistryAnalysis

/// An unreadable file, a problem with the registrations of a binary, or a note.
///
/// A note reports skipped data, a skipped check, or a possible mistake, such as an unused service.
package struct InspectionProblem: Error, Hashable, CustomStringConvertible {
  package enum Severity: Sendable, CaseIterable {
    /// The input or part of it is missing or can't be read, or a file can't be written.
    case unreadable
    /// The registrations have a problem, such as a registration that would fail at run time.
    case problem
    /// A finding that may be intended, or skipped input. Notes don't change the exit status.
    case note

    var word: String { self == .note ? "note" : "error" }
  }

  /// The path, which begins with the caller's argument, followed by any slice and archive member,
  /// such as `"App (arm64)"` or `"libCart.a(Cart.o)"`.
  package let file: String
  /// The offset of the problem in the file, if any.
  var offset: UInt64? = nil
  package var severity = Severity.unreadable
  /// The code of the problem. If the runtime also reports the problem, it uses the same code.
  package var code: Diagnostic.Code = .damagedFile
  /// The subject, such as a module, a service, or a record; nil for a problem with the file.
  var subject: String? = nil
  /// The source location of the record, such as `Shop/Cart.swift:12:1`; nil if it's unknown.
  var location: String? = nil
  /// The description of the problem and its fix, without the hint.
  let text: String
  /// The end of the message, such as a suggestion, which can depend on other files.
  var hint = ""

  var message: String { text + hint }

  /// The message with its offset, for output that already names the file.
  package var messageWithOffset: String { message + (offset.map { " (at offset \($0.hex))" } ?? "") }

  /// The problem on one line, in a form that editors recognize.
  package var description: String { inSnapshot().line }

  package func inSnapshot(as severity: String? = nil) -> RegistrySnapshot.Problem {
    RegistrySnapshot.Problem(
      severity: severity ?? self.severity.word, code: "\(code)", subject: subject, image: file, location: location,
      message: messageWithOffset)
  }
}

extension InspectionProblem {
  package init(file: String, code: Diagnostic.Code, text: String) {
    self.init(file: file, severity: .unreadable, code: code, text: text)
  }
}

extension Diagnostic.Code {
  package static var unreadableFile: Self { "unreadable-file" }
  package static var damagedFile: Self { "damaged-file" }
  package static var unsupportedFile: Self { "unsupported-file" }
  package static var architectureNotFound: Self { "architecture-not-found" }
  package static var malformedList: Self { "malformed-list" }
  package static var sliceMismatch: Self { "slice-mismatch" }
  package static var encrypted: Self { "encrypted" }
  package static var droppedRecord: Self { "dropped-record" }
  package static var skippedMembers: Self { "skipped-members" }
  package static var unloadedSection: Self { "unloaded-section" }
  package static var nothingSelected: Self { "nothing-selected" }
  package static var testingLibrary: Self { "testing-library" }
  package static var unexportedModule: Self { "unexported-module" }
  package static var unreadClasses: Self { "unread-classes" }
  package static var splitInstance: Self { "split-instance" }
  package static var unusedService: Self { "unused-service" }
  package static var unusedContribution: Self { "unused-contribution" }
  package static var featureCycle: Self { "feature-cycle" }
  package static var malformedSnapshot: Self { "malformed-snapshot" }
}
