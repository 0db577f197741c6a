/// A position in a range of bytes, from which numbers are read in sequence.
///
/// A cursor never reads beyond the end of its range. It keeps one piece of the range in memory at a
/// time.
struct ByteCursor {
  let isBigEndian: Bool

  private let view: BinaryView
  private let what: String
  private let end: UInt64
  /// The offset of the piece in the view.
  private var start: UInt64
  private var piece: [UInt8] = []
  /// The offset of the next number in the piece.
  private var position = 0

  private static let pieceSize: UInt64 = 1 << 16

  /// Creates a cursor for bytes that the caller has found to be inside the view.
  fileprivate init(of view: BinaryView, _ offset: UInt64, _ count: UInt64, isBigEndian: Bool, what: String) {
    self.view = view
    self.what = what
    self.isBigEndian = isBigEndian
    start = offset
    end = offset + count
  }

  /// The offset of the next number in the view.
  var offset: UInt64 { start + UInt64(position) }

  /// The number of remaining bytes.
  var left: UInt64 { end - offset }

  var isAtEnd: Bool { left == 0 }

  /// Loads the piece with the next bytes if the current piece does not contain all of them.
  private mutating func need(_ count: Int) throws(InspectionError) {
    if piece.count - position >= count { return }
    guard UInt64(count) <= left else { throw error("unexpected end of \(what)") }
    let pieceStart = offset
    piece = try view.bytes(pieceStart, min(left, max(Self.pieceSize, UInt64(count))), what)
    (start, position) = (pieceStart, 0)
  }

  /// Reads the next number.
  mutating func next<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(InspectionError) -> Number {
    let size = MemoryLayout<Number>.size
    try need(size)
    defer { position += size }
    let raw = piece.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    return isBigEndian ? Number(bigEndian: raw) : Number(littleEndian: raw)
  }

  /// Reads the next number, which has eight bytes in a 64-bit format and four bytes otherwise.
  mutating func word(is64Bit: Bool) throws(InspectionError) -> UInt64 {
    if is64Bit { return try next(UInt64.self) }
    return UInt64(try next(UInt32.self))
  }

  /// Skips the next bytes.
  mutating func skip(_ count: Int) throws(InspectionError) {
    guard count >= 0, UInt64(count) <= left else { throw error("unexpected end of \(what)") }
    if count <= piece.count - position {
      position += count
    } else {
      (start, piece, position) = (offset + UInt64(count), [], 0)
    }
  }

  /// Reads text of a fixed size, up to its first NUL.
  mutating func text(_ count: Int) throws(InspectionError) -> String {
    try need(count)
    defer { position += count }
    return String(decoding: piece[position..<position + count].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Creates an error about the bytes at the current offset.
  func error(_ message: String) -> InspectionError { view.error(offset, message) }
}

extension BinaryView {
  /// Returns a cursor at the beginning of a range.
  func cursor(
    _ offset: UInt64, _ count: UInt64, isBigEndian: Bool = false, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> ByteCursor {
    let what = what()
    try check(offset, count, what)
    return ByteCursor(of: self, offset, count, isBigEndian: isBigEndian, what: what)
  }
}
