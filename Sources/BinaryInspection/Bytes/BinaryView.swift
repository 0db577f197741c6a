import Registry

/// A file, or part of a file, such as a slice, an archive member, or a table.
///
/// Offsets are relative to the start of the view, but offsets in errors are relative to the file.
package struct BinaryView {
  let file: FileBytes
  /// The name in errors: the path, followed by any slice and member in parentheses.
  let name: String
  /// The offset of the view in the file.
  package let start: UInt64
  package let size: UInt64

  /// The maximum number of bytes in one read, because a sparse file can be larger than memory.
  private static let largestRead: UInt64 = 1 << 30

  /// Returns a part of this view.
  ///
  /// - Parameters:
  ///   - name: The name of the part in errors; nil to use this view's name.
  ///   - what: The subject of an error, such as `"the slice for arm64"`.
  func part(
    _ offset: UInt64, _ size: UInt64, name: String? = nil, what: String
  ) throws(InspectionProblem) -> BinaryView {
    try check(offset, size, what)
    return BinaryView(file: file, name: name ?? self.name, start: start + offset, size: size)
  }

  /// Reads the bytes of a range. `what` is the subject of an error.
  package func bytes(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> [UInt8] {
    try check(offset, count, what())
    guard count <= Self.largestRead else {
      throw error(offset, "cannot read \(what()): \(count) bytes exceed the limit of 1 GB", code: .unsupportedFile)
    }
    return try file.read(start + offset, Int(count))
  }

  /// Reads the text up to the next NUL or the limit. The limit bounds the time, because many
  /// pointers in a hostile file can refer to one long name. Real type names are shorter.
  func text(
    _ offset: UInt64, limit: Int = 4_096, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> String {
    let text = try String.text(upTo: limit, of: offset < size ? size - offset : 0) {
      position, count throws(InspectionProblem) in
      try file.read(start + offset + position, Int(count))
    }
    guard let text else { throw error(offset, "\(what()) is not terminated") }
    return text
  }

  func starts(with magics: [UInt8]...) throws(InspectionProblem) -> Bool {
    for magic in magics where size >= UInt64(magic.count) {
      if try bytes(0, UInt64(magic.count), "the beginning") == magic { return true }
    }
    return false
  }

  /// Creates an error about the view or about an offset, which is clamped to the view's end.
  func error(_ offset: UInt64?, _ text: String, code: Diagnostic.Code = .damagedFile) -> InspectionProblem {
    InspectionProblem(file: name, offset: offset.map { start + min($0, size) }, code: code, text: text)
  }

  func note(_ code: Diagnostic.Code, _ text: String) -> InspectionProblem {
    InspectionProblem(file: name, severity: .note, code: code, text: text)
  }

  /// Throws an error if a range isn't inside this view.
  ///
  /// - Parameter place: The offset to report in errors; nil to report the start of the range.
  func check(
    _ offset: UInt64, _ count: UInt64, _ what: @autoclosure () -> String, statedAt place: UInt64? = nil
  ) throws(InspectionProblem) {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard !overflows, end <= size else {
      throw error(
        place ?? offset,
        "\(what()) (\(count.bytes)\(place != nil || offset > size ? " at \(offset.hex)" : ""))"
          + " must be within the \(start == 0 && size == file.size ? "file" : "part"), which has \(size.bytes)")
    }
  }
}

extension BinaryView {
  init(_ file: FileBytes) {
    self.init(file: file, name: file.path, start: 0, size: file.size)
  }
}

extension UInt64 {
  var hex: String { "0x" + String(self, radix: 16) }
  var bytes: String { "\(self) byte\(self == 1 ? "" : "s")" }
}

extension String {
  /// Returns the text up to a NUL or a limit, or nil if `size` bytes end before both.
  static func text(
    upTo limit: Int, of size: UInt64, _ read: (UInt64, UInt64) throws(InspectionProblem) -> [UInt8]
  ) throws(InspectionProblem) -> String? {
    var text: [UInt8] = []
    var end: Int?
    while end == nil, text.count < limit {
      let rest = size - UInt64(text.count)
      guard rest > 0 else { return nil }
      let piece = try read(UInt64(text.count), Swift.min(256, rest))
      end = piece.firstIndex(of: 0)
      text += piece[..<(end ?? piece.count)]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
