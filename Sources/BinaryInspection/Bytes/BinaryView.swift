/// A part of a file that is a binary: the file, a slice of it, or a member of an archive.
///
/// Offsets are from the start of the part, those of errors from the start of the file.
package struct BinaryView {
  let file: FileBytes
  /// The name in errors: the path, with the slice or the member in parentheses.
  let name: String
  /// The offset in the file.
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

  /// A sparse file may be longer than memory without that it takes room on a disk.
  private static let largestRead: UInt64 = 1 << 30

  /// A part of this one.
  ///
  /// - Parameter what: What an error says of it: `"the slice for arm64"`.
  func part(_ offset: UInt64, _ size: UInt64, name: String, what: String) throws(InspectionError) -> BinaryView {
    try check(offset, size, what)
    return BinaryView(file: file, name: name, start: start + offset, size: size)
  }

  /// The bytes `offset ..< offset + count`.
  ///
  /// - Parameter what: The subject of an error; evaluated only then.
  package func bytes(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> [UInt8] {
    try checkRead(offset, count, what())
    // It is inside of the file, and so fits: arrays are no longer than memory, and files here no longer than `off_t`.
    return try file.read(start + offset, Int(count))
  }

  /// The bytes `offset ..< offset + count` where records can be read in them.
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
      throw error(offset, "\(what()) has \(count) bytes, more than 1 GB, which is more than is read at once")
    }
  }

  /// The text up to the next NUL.
  ///
  /// - Parameter limit: How many bytes it may have.
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
    throw error(offset, "\(what()) has no end")
  }

  /// The name of a symbol, or the beginning of a very long one.
  ///
  /// Any number of pointers can be bound to one name, so the time to read a pointer must not grow
  /// with the file.
  func symbolName(_ offset: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> String {
    var text: [UInt8] = []
    while text.count < Self.symbolNameLimit {
      guard offset &+ UInt64(text.count) < size else { throw error(offset, "\(what()) has no end") }
      let position = offset + UInt64(text.count)
      let piece = try file.read(start + position, Int(min(256, size - position)))
      if let end = piece.firstIndex(of: 0) { return String(decoding: text + piece[..<end], as: UTF8.self) }
      text += piece
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Types' names are no longer, and messages show less.
  private static let symbolNameLimit = 4_096

  /// An error about a place in it; what a file says is anywhere else is said to be at its end.
  func error(_ offset: UInt64, _ message: String) -> InspectionError {
    InspectionError(file: name, offset: start + min(offset, size), message: message)
  }

  /// Throws an error if a table has more entries than any binary that a linker writes.
  ///
  /// Tables are read into memory as a whole. Most of them need no limit, because each entry has
  /// bytes of its own in the file. Headers have one: a sparse file can hold billions of them.
  ///
  /// - Parameters:
  ///   - count: The number of entries.
  ///   - offset: The offset of the table, for the error.
  ///   - what: The subject of the error: `"section headers"`.
  func checkEntryCount(
    _ count: UInt64, at offset: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) {
    guard count <= Self.entryLimit else {
      throw error(offset, "\(count) \(what()) are more than the \(Self.entryLimit) that are read")
    }
  }

  /// The largest number of headers of one kind in a binary.
  private static let entryLimit: UInt64 = 1 << 20

  func check(_ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard !overflows, end <= size else {
      let isBehind = offset > size
      throw InspectionError(
        file: name, offset: start &+ min(offset, size),
        message: "\(what()) (\(count) bytes\(isBehind ? " at 0x" + String(offset, radix: 16) : ""))"
          + " leads out of the \(start == 0 && size == file.size ? "file" : "part"), which has \(size) bytes")
    }
  }
}
