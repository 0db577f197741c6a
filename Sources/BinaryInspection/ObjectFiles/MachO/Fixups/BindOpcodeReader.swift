/// An interpreter of the opcodes that bind pointers to symbols.
///
/// `mach-o/loader.h` defines the opcodes (`BIND_OPCODE_…`).
struct BindOpcodeReader {
  typealias Bound = (_ fileOffset: UInt64, BoundAddresses.Value) throws(InspectionError) -> Void

  private let view: BinaryView
  private let what: String
  private let segments: [MachOSegment]
  private let pointerSize: UInt64
  private let isLazy: Bool
  private var cursor: ByteCursor
  /// The number of pointers that can still be bound, which the size of the file limits.
  ///
  /// The size of the opcodes does not limit the number, because they can contain loops.
  private(set) var remainingCount: UInt64

  private var segment: Int?
  /// The offset in the segment.
  ///
  /// Additions wrap, as in dyld.
  private var offset: UInt64 = 0
  private var nameOffset: UInt64?
  private var addend: Int64 = 0
  /// A Boolean value that indicates whether a pointer is bound, and not a part of an instruction.
  private var isPointer = true

  init(
    _ view: BinaryView, _ range: MachOLoadCommands.FileRange, _ what: String, segments: [MachOSegment],
    pointerSize: UInt64,
    isLazy: Bool, remainingCount: UInt64
  ) throws(InspectionError) {
    self.view = view
    self.what = what
    self.segments = segments
    self.pointerSize = pointerSize
    self.isLazy = isLazy
    self.remainingCount = remainingCount
    cursor = try view.cursor(range.offset, range.size, what)
  }

  mutating func run(_ bound: Bound) throws(InspectionError) {
    while !cursor.isAtEnd {
      let opcodeOffset = cursor.offset
      let byte: UInt8 = try cursor.next()
      let immediate = UInt64(byte & 0x0f)
      switch byte & 0xf0 {
      case 0x00:  // DONE. Each lazy binding ends with it, because dyld runs one at a time.
        if !isLazy { return }
      case 0x10, 0x30: break  // SET_DYLIB_ORDINAL_IMM, SET_DYLIB_SPECIAL_IMM: not needed.
      case 0x20: _ = try cursor.uleb()  // SET_DYLIB_ORDINAL_ULEB: not needed.
      case 0x40: try setSymbol()
      case 0x50: try setType(immediate, opcodeOffset)
      case 0x60: addend = try cursor.sleb()
      case 0x70:
        guard immediate < segments.count else {
          throw view.error(opcodeOffset, "\(what) refer to segment \(immediate), which does not exist")
        }
        segment = Int(immediate)
        offset = try cursor.uleb()
      case 0x80: offset &+= try cursor.uleb()
      case 0x90: try bind(opcodeOffset, bound)
      case 0xa0:
        try bind(opcodeOffset, bound)
        offset &+= try cursor.uleb()
      case 0xb0:
        try bind(opcodeOffset, bound)
        offset &+= immediate * pointerSize
      case 0xc0:
        let count = try cursor.uleb()
        let skip = try cursor.uleb()
        // The limit on bound pointers ends the loop, regardless of the count.
        var done: UInt64 = 0
        while done < count {
          try bind(opcodeOffset, bound)
          offset &+= skip
          done += 1
        }
      default: throw view.error(opcodeOffset, "\(what) contain the unknown opcode 0x\(String(byte, radix: 16))")
      }
    }
  }

  private mutating func setSymbol() throws(InspectionError) {
    nameOffset = cursor.offset
    while try cursor.next(UInt8.self) != 0 {}
  }

  private mutating func setType(_ type: UInt64, _ opcodeOffset: UInt64) throws(InspectionError) {
    guard (1...3).contains(type) else {
      throw view.error(opcodeOffset, "\(what) contain the unknown type \(type)")
    }
    // BIND_TYPE_TEXT_PCREL32 is the only type that is not an address.
    isPointer = type != 3
  }

  private mutating func bind(_ opcodeOffset: UInt64, _ bound: Bound) throws(InspectionError) {
    guard let nameOffset else { throw view.error(opcodeOffset, "\(what) bind a pointer before they name a symbol") }
    let offset = try fileOffset(opcodeOffset)
    try countBinding(opcodeOffset)
    if isPointer { try bound(offset, BoundAddresses.Value(nameOffset: nameOffset, addend: addend)) }
    self.offset &+= pointerSize
  }

  /// Returns the file offset of the pointer that is bound next.
  private func fileOffset(_ opcodeOffset: UInt64) throws(InspectionError) -> UInt64 {
    guard let segment else { throw view.error(opcodeOffset, "\(what) bind a pointer before they name a segment") }
    let fileSize = segments[segment].fileSize
    guard fileSize >= pointerSize, offset <= fileSize - pointerSize else {
      throw view.error(
        opcodeOffset,
        "\(what) bind a pointer at 0x\(String(offset, radix: 16)), which is outside of the segment"
          + " '\(segments[segment].name)'")
    }
    return segments[segment].fileOffset + offset
  }

  private mutating func countBinding(_ opcodeOffset: UInt64) throws(InspectionError) {
    guard remainingCount > 0 else {
      throw view.error(opcodeOffset, "\(what) bind more pointers than the file has room for")
    }
    remainingCount -= 1
  }
}
