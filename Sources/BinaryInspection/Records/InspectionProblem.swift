package import Registry

/// A problem with the registrations of a binary.
package struct InspectionProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file, with slice or member: `"App (arm64)"`, `"libCart.a(Cart.o)"`.
  package var file: String
  /// The code of the problem; that of the runtime where both report the same.
  package var code: Diagnostic.Code
  /// The module, service or record that it is about.
  package var subject: String
  /// The description of the problem and its fix.
  package var message: String

  /// The number of bytes at the end of the message that are a hint, which depends on the other
  /// files.
  private let hintSize: Int

  init(file: String, code: Diagnostic.Code, subject: String, message: String, hint: String = "") {
    self.file = file
    self.code = code
    self.subject = subject
    self.message = message + hint
    hintSize = hint.utf8.count
  }

  /// The problem without its hint.
  var withoutHint: InspectionProblem {
    if hintSize == 0 { return self }
    let text = String(decoding: message.utf8.dropLast(hintSize), as: UTF8.self)
    return InspectionProblem(file: file, code: code, subject: subject, message: text)
  }

  /// The problem in one line that editors recognize.
  package var description: String { line(.error) }

  /// The same line as an error or a warning.
  package func line(_ severity: Diagnostic.Severity) -> String {
    "\(file.escapedForDisplay(limit: 1_000)): \(severity): \(subject.escapedForDisplay()): \(message) [\(code)]"
  }
}

extension Diagnostic.Code {
  /// The slices of a universal file do not register the same.
  package static let sliceMismatch = Self(rawValue: "slice-mismatch")
  /// The bytes of a section with records are encrypted.
  package static let encrypted = Self(rawValue: "encrypted")
}
