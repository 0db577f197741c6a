/// A relocation of a Mach-O file.
///
/// The types `relocation_info` and `scattered_relocation_info` in `mach-o/reloc.h` define the
/// format.
struct MachORelocation: Equatable {
  /// The offset of the relocated value from the start of the section or the image.
  let address: UInt64
  let type: UInt32
  /// The size of the relocated value in bytes.
  let size: UInt64
  let isRelative: Bool
  let target: Target

  enum Target: Equatable {
    /// The index of a symbol.
    case symbol(UInt64)
    /// The number of a section, counted from one; zero for none.
    case section(UInt64)
    /// The address of the target of a scattered relocation, without the addend.
    case scattered(UInt64)
  }

  /// Reads a relocation.
  ///
  /// - Parameter canBeScattered: A Boolean value that indicates whether the processor has scattered
  ///   relocations, as i386 and armv7 do.
  init(_ cursor: inout ByteCursor, canBeScattered: Bool) throws(InspectionError) {
    let first: UInt32 = try cursor.next()
    let second: UInt32 = try cursor.next()
    if canBeScattered, first & 0x8000_0000 != 0 {
      address = UInt64(first & 0x00ff_ffff)
      type = first >> 24 & 0xf
      size = 1 << UInt64(first >> 28 & 0x3)
      isRelative = first & 0x4000_0000 != 0
      target = .scattered(UInt64(second))
    } else {
      address = UInt64(first)
      type = second >> 28
      size = 1 << UInt64(second >> 25 & 0x3)
      isRelative = second & 0x0100_0000 != 0
      let number = UInt64(second & 0x00ff_ffff)
      target = second & 0x0800_0000 != 0 ? .symbol(number) : .section(number)
    }
  }
}

/// The relocations of a section, which are found by address.
struct MachORelocations {
  private let view: BinaryView
  private let offset: UInt64
  private let canBeScattered: Bool
  /// The sorted relocations: the address in the upper half, the table index in the lower half.
  private var index: [UInt64] = []

  /// Reads a table of relocations.
  ///
  /// - Parameters:
  ///   - skipped: The type of relocations that only extend the preceding one and have no address.
  ///   - limit: The number of bytes in which all addresses must be.
  ///   - what: The subject of errors.
  init(
    _ view: BinaryView, offset: UInt64, count: UInt64, canBeScattered: Bool, skipped: UInt32?, limit: UInt64,
    what: String
  ) throws(InspectionError) {
    self.view = view
    self.offset = offset
    self.canBeScattered = canBeScattered
    var cursor = try view.cursor(offset, count * 8, what)
    index.reserveCapacity(Int(count))
    for number in 0..<count {
      let place = cursor.offset
      let relocation = try MachORelocation(&cursor, canBeScattered: canBeScattered)
      if relocation.type == skipped { continue }
      // The size is not checked, because some types use its bits for something else.
      guard relocation.address < limit else {
        throw view.error(
          place,
          "\(what) must be within its \(limit) bytes, but one is at 0x\(String(relocation.address, radix: 16))")
      }
      index.append(relocation.address << 32 | number)
    }
    index.sort()
  }

  /// Returns the relocations at an address in file order, and at most three of them.
  func relocations(at address: UInt64) throws(InspectionError) -> [MachORelocation] {
    var low = index.firstSortedIndex { $0 >> 32 >= address }
    var found: [MachORelocation] = []
    while low < index.count, index[low] >> 32 == address, found.count < 3 {
      var cursor = try view.cursor(offset + (index[low] & 0xffff_ffff) * 8, 8, "a relocation")
      found.append(try MachORelocation(&cursor, canBeScattered: canBeScattered))
      low += 1
    }
    return found
  }
}
