package import Registry

/// An error that states why a file, or a part of it, cannot be read.
package struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path as the caller passed it, with the slice or the archive member in parentheses.
  package let file: String
  /// The offset of the error in the file; nil if the error is about the file as a whole.
  package let offset: UInt64?
  /// The code of the problem.
  package let code: Diagnostic.Code
  /// The description of the problem.
  package let message: String

  package init(file: String, offset: UInt64? = nil, code: Diagnostic.Code = .damagedFile, message: String) {
    self.file = file
    self.offset = offset
    self.code = code
    self.message = message
  }

  package var description: String {
    let place = offset.map { " (at offset 0x\(String($0, radix: 16)))" } ?? ""
    return "\(file.escapedForDisplay(limit: 1_000)): error: \(message)\(place) [\(code)]"
  }
}

extension Diagnostic.Code {
  /// A file or folder that the system cannot open or read.
  package static let unreadableFile: Self = "unreadable-file"
  /// A file with contents that contradict its format.
  package static let damagedFile: Self = "damaged-file"
  /// A file with a format or a feature that the tool does not read.
  package static let unsupportedFile: Self = "unsupported-file"
  /// An architecture that a file does not contain.
  package static let architectureNotFound: Self = "architecture-not-found"
  /// A list of expected records that the tool did not write.
  package static let malformedList: Self = "malformed-list"
}
