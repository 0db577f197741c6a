/// The symbols that chained fixups bind to.
///
/// The types `dyld_chained_import…` in Apple's `mach-o/fixup-chains.h` define the format.
struct ChainedImports {
  private enum Format: UInt32 {
    case plain = 1
    case withAddend = 2
    case withAddend64 = 3

    var size: UInt64 {
      switch self {
      case .plain: 4
      case .withAddend: 8
      case .withAddend64: 16
      }
    }
  }

  private let part: BinaryView
  private let offset: UInt64
  private let namesOffset: UInt64
  private let count: UInt64
  private let format: Format

  /// Reads the location of the imports from the header of the fixups.
  init(_ part: BinaryView, _ header: inout ByteCursor) throws(InspectionError) {
    self.part = part
    offset = UInt64(try header.next(UInt32.self))
    namesOffset = UInt64(try header.next(UInt32.self))
    count = UInt64(try header.next(UInt32.self))
    let formatOffset = header.offset
    let number: UInt32 = try header.next()
    // The format does not matter if there are no imports.
    guard let format = Format(rawValue: number) ?? (count == 0 ? .plain : nil) else {
      throw part.error(formatOffset, "the imports of the chained fixups have the unknown format \(number)")
    }
    self.format = format
    let compression: UInt32 = try header.next()
    guard compression == 0 || count == 0 else {
      throw part.error(
        formatOffset + 4, "the names of the chained fixups' imports are compressed, which is not supported",
        code: .unsupportedFile)
    }
    guard offset + count * format.size <= part.size else {
      throw part.error(
        formatOffset - 4,
        "\(count) imports at 0x\(String(offset, radix: 16)) must be within the chained fixups, which have \(part.size) bytes"
      )
    }
  }

  /// Returns the name of an import, and the addend that the import adds to its address.
  func symbol(_ ordinal: UInt64) throws(InspectionError) -> (name: String, addend: Int64) {
    guard ordinal < count else {
      throw part.error(offset, "a fixup refers to import \(ordinal), but the number of imports is \(count)")
    }
    var cursor = try part.cursor(offset + ordinal * format.size, format.size, "an import of the chained fixups")
    var nameOffset: UInt64
    var addend: Int64 = 0
    switch format {
    case .plain, .withAddend:
      // The lower nine bits are the library and a flag for weak imports.
      nameOffset = UInt64(try cursor.next(UInt32.self)).bits(9, 23)
      if format == .withAddend { addend = Int64(try cursor.next(Int32.self)) }
    case .withAddend64:
      nameOffset = try cursor.next(UInt64.self).bits(32, 32)
      addend = try cursor.next(Int64.self)
    }
    nameOffset += namesOffset
    guard nameOffset < part.size else {
      throw part.error(offset + ordinal * format.size, "the name of an import must be within the chained fixups")
    }
    return (try part.symbolName(nameOffset, "the name of an import"), addend)
  }
}
