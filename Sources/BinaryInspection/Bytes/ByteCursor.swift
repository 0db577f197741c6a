/// A position in a range of bytes, for reading numbers in sequence.
struct ByteCursor {
  fileprivate let view: BinaryView
  fileprivate let what: String
  fileprivate let isBigEndian: Bool
  fileprivate let start: UInt64
  fileprivate let bytes: [UInt8]
  fileprivate var position = 0

  var offset: UInt64 { start + UInt64(position) }

  var left: UInt64 { UInt64(bytes.count - position) }

  /// Skips the next bytes and returns the index of the first skipped byte.
  @discardableResult mutating func skip(_ count: Int) throws(InspectionProblem) -> Int {
    guard count >= 0, count <= bytes.count - position else { throw view.error(offset, "unexpected end of \(what)") }
    defer { position += count }
    return position
  }

  mutating func next<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(InspectionProblem) -> Number {
    let index = try skip(MemoryLayout<Number>.size)
    let raw = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: Number.self) }
    return isBigEndian ? Number(bigEndian: raw) : Number(littleEndian: raw)
  }

  /// Reads the next number: eight bytes in a 64-bit format, and four bytes otherwise.
  mutating func word(is64Bit: Bool) throws(InspectionProblem) -> UInt64 {
    is64Bit ? try next(UInt64.self) : try long()
  }

  mutating func long() throws(InspectionProblem) -> UInt64 { UInt64(try next(UInt32.self)) }

  /// Reads a fixed-size text field, up to its first NUL.
  mutating func text(_ count: Int) throws(InspectionProblem) -> String {
    let index = try skip(count)
    return String(decoding: bytes[index..<position].prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension BinaryView {
  func cursor(
    _ offset: UInt64, _ count: UInt64, isBigEndian: Bool = false, _ what: String
  ) throws(InspectionProblem) -> ByteCursor {
    let bytes = try bytes(offset, count, what)
    return ByteCursor(view: self, what: what, isBigEndian: isBigEndian, start: offset, bytes: bytes)
  }

  func table<Entry>(
    _ offset: UInt64, _ count: UInt64, of size: UInt64, isBigEndian: Bool = false, _ what: String,
    _ read: (inout ByteCursor) throws(InspectionProblem) -> Entry
  ) throws(InspectionProblem) -> [Entry] {
    var cursor = try cursor(offset, count * size, isBigEndian: isBigEndian, what)
    var entries: [Entry] = []
    entries.reserveCapacity(Int(count))
    while cursor.left > 0 { entries.append(try read(&cursor)) }
    return entries
  }

  /// Calls a function with each entry of a table until the function returns false. Only part of the
  /// table is in memory at a time, because a sparse file's table can be long.
  func visitTable(
    _ offset: UInt64, _ count: UInt64, of size: UInt64, _ what: String,
    _ body: (inout ByteCursor) throws(InspectionProblem) -> Bool
  ) throws(InspectionProblem) {
    for first in stride(from: 0, to: count, by: 4_096) {
      var cursor = try cursor(offset + first * size, min(4_096, count - first) * size, what)
      while cursor.left > 0 { guard try body(&cursor) else { return } }
    }
  }
}
