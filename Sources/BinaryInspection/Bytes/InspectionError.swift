import Registry

/// Why a file cannot be read: which file, where in it, what is wrong.
package struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file as it was named, with the slice or the member of an archive: `"App (arm64)"`, `"libCart.a(Cart.o)"`.
  package let file: String
  /// Where in the file, in bytes from its beginning; nil if it is about the file as a whole.
  package let offset: UInt64?
  /// What is wrong there.
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
