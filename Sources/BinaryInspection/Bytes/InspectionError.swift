import Registry

/// An error that states why a file, or a part of it, cannot be read.
package struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path as the caller passed it, with the slice or the archive member in parentheses.
  package let file: String
  /// The offset of the error in the file; nil if the error is about the file as a whole.
  package let offset: UInt64?
  /// The description of the problem.
  package let message: String

  package init(file: String, offset: UInt64? = nil, message: String) {
    self.file = file
    self.offset = offset
    self.message = message
  }

  package var description: String {
    let place = offset.map { " at offset 0x" + String($0, radix: 16) } ?? ""
    return "\(file.escapedForDisplay(limit: 1_000)): error: \(message)\(place)"
  }
}
