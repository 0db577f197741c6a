/// Reads numbers one after another, in a given byte order, and never behind the end.
struct ByteCursor {
  let bytes: [UInt8]
  let isBigEndian: Bool
  /// Where the next number is read, from the start of `bytes`.
  var position = 0

  private let view: BinaryView
  private let start: UInt64
  private let what: String

  init(_ bytes: [UInt8], at start: UInt64, of view: BinaryView, isBigEndian: Bool, what: String) {
    self.bytes = bytes
    self.start = start
    self.view = view
    self.isBigEndian = isBigEndian
    self.what = what
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Where the next number is read, from the start of the view.
  var offset: UInt64 { start + UInt64(position) }

  /// The next number.
  mutating func next<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(InspectionError) -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size, position >= 0 else { throw error("\(what) ends in the middle of a field") }
    defer { position += size }
    let raw = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    return isBigEndian ? Number(bigEndian: raw) : Number(littleEndian: raw)
  }

  /// The next number of four or eight bytes.
  mutating func word(is64Bit: Bool) throws(InspectionError) -> UInt64 {
    if is64Bit { return try next(UInt64.self) }
    return UInt64(try next(UInt32.self))
  }

  /// The next `count` bytes.
  mutating func take(_ count: Int) throws(InspectionError) -> ArraySlice<UInt8> {
    guard count >= 0, bytes.count - position >= count else { throw error("\(what) ends in the middle of a field") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// The next `count` bytes as text, up to their first NUL.
  mutating func text(_ count: Int) throws(InspectionError) -> String {
    let bytes = try take(count)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The next number of DWARF's form ULEB128, as dyld's opcodes have them.
  mutating func uleb() throws(InspectionError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try next()
      guard shift < 64, shift < 63 || byte & 0x7e == 0 else { throw error("\(what) has a number of more than 64 bits") }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// The next number of DWARF's form SLEB128.
  mutating func sleb() throws(InspectionError) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try next()
      guard shift < 64 else { throw error("\(what) has a number of more than 64 bits") }
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 {
        if byte & 0x40 != 0, shift < 64 { value |= ~0 << shift }
        return Int64(bitPattern: value)
      }
    }
  }

  /// An error about what is read next.
  func error(_ message: String) -> InspectionError { view.error(offset, message) }
}
