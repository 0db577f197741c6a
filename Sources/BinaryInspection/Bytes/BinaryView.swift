import Registry

/// A part of a file that is a binary: the file, a slice of it, or a member of an archive.
///
/// Offsets count from the start of the part. The offsets of errors count from the start of the
/// file.
package struct BinaryView {
  let file: FileBytes
  /// The name in errors: the path, with the slice or the member in parentheses.
  let name: String
  /// The offset of the part in the file.
  package let start: UInt64
  package let size: UInt64

  init(_ file: FileBytes) {
    self.init(file: file, name: file.path, start: 0, size: file.size)
  }

  private init(file: FileBytes, name: String, start: UInt64, size: UInt64) {
    self.file = file
    self.name = name
    self.start = start
    self.size = size
  }

  /// The largest number of bytes that are read at once.
  ///
  /// A sparse file can be longer than memory although it takes no space on disk.
  private static let largestRead: UInt64 = 1 << 30

  /// Returns a part of this view.
  ///
  /// - Parameters:
  ///   - offset: The offset of the part in this view.
  ///   - size: The size of the part.
  ///   - name: The name of the part in errors.
  ///   - what: The subject of the error if the part is not inside this view:
  ///     `"the slice for arm64"`.
  func part(_ offset: UInt64, _ size: UInt64, name: String, what: String) throws(InspectionError) -> BinaryView {
    try check(offset, size, what)
    return BinaryView(file: file, name: name, start: start + offset, size: size)
  }

  /// Reads the bytes of a range.
  ///
  /// - Parameter what: The subject of an error, which is evaluated only if there is one.
  package func bytes(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> [UInt8] {
    try checkRead(offset, count, what())
    // The conversion to `Int` cannot trap, because `checkRead` limits the count.
    return try file.read(start + offset, Int(count))
  }

  /// Reads the bytes of a range into memory in which records are aligned.
  func alignedBytes(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> AlignedBytes {
    try checkRead(offset, count, what())
    let bytes = AlignedBytes(count: Int(count))
    try file.read(start + offset, into: bytes.bytes)
    return bytes
  }

  private func checkRead(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) {
    try check(offset, count, what())
    guard count <= Self.largestRead else {
      throw error(offset, "cannot read \(what()): \(count) bytes exceed the limit of 1 GB", code: .unsupportedFile)
    }
  }

  /// Reads the text up to the next NUL.
  ///
  /// - Parameter limit: The largest number of bytes in the text.
  func cString(
    _ offset: UInt64, limit: Int = 65_536, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> String {
    var text: [UInt8] = []
    while text.count <= limit, offset &+ UInt64(text.count) < size {
      let position = offset + UInt64(text.count)
      let piece = try file.read(start + position, Int(min(256, size - position)))
      if let end = piece.firstIndex(of: 0) { return String(decoding: text + piece[..<end], as: UTF8.self) }
      text += piece
    }
    throw error(offset, "\(what()) is not terminated")
  }

  /// Reads the name of a symbol, or only the beginning of a very long name.
  ///
  /// Any number of pointers can be bound to one name, so the time to read a pointer must not grow
  /// with the file.
  func symbolName(_ offset: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> String {
    var text: [UInt8] = []
    while text.count < Self.symbolNameLimit {
      guard offset &+ UInt64(text.count) < size else { throw error(offset, "\(what()) is not terminated") }
      let position = offset + UInt64(text.count)
      let piece = try file.read(start + position, Int(min(256, size - position)))
      if let end = piece.firstIndex(of: 0) { return String(decoding: text + piece[..<end], as: UTF8.self) }
      text += piece
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number of bytes to which names of symbols are truncated.
  ///
  /// The names of types are never longer, and messages show less.
  private static let symbolNameLimit = 4_096

  /// Creates an error about an offset in this part.
  ///
  /// An offset beyond the part is replaced with the end of the part.
  func error(_ offset: UInt64, _ message: String, code: Diagnostic.Code = .damagedFile) -> InspectionError {
    InspectionError(file: name, offset: start + min(offset, size), code: code, message: message)
  }

  /// Throws an error if a table has more entries than any binary that a linker writes.
  ///
  /// Tables are read into memory as a whole. Most of them need no limit, because each entry has its
  /// own bytes in the file. Headers need one, because a sparse file can hold billions of them.
  ///
  /// - Parameters:
  ///   - count: The number of entries.
  ///   - offset: The offset of the table, for the error.
  ///   - what: The subject of the error: `"section headers"`.
  func checkEntryCount(
    _ count: UInt64, at offset: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) {
    guard count <= Self.entryLimit else {
      throw error(offset, "\(count) \(what()) exceed the limit of \(Self.entryLimit)", code: .unsupportedFile)
    }
  }

  /// The largest number of headers of one kind in a binary.
  private static let entryLimit: UInt64 = 1 << 20

  /// Throws an error if a range is not inside this part.
  func check(_ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard !overflows, end <= size else {
      let isBehind = offset > size
      throw InspectionError(
        file: name, offset: start &+ min(offset, size),
        message: "\(what()) (\(count) bytes\(isBehind ? " at 0x" + String(offset, radix: 16) : ""))"
          + " must be within the \(start == 0 && size == file.size ? "file" : "part"), which has \(size) bytes")
    }
  }
}
