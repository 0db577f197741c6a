/// A relocation: `relocation_info` and `scattered_relocation_info` of `mach-o/reloc.h`.
struct MachORelocation: Equatable {
  /// From the start of the section, or of the image.
  let address: UInt64
  let type: UInt32
  /// In bytes.
  let size: UInt64
  let isRelative: Bool
  let target: Target

  enum Target: Equatable {
    /// The index of a symbol.
    case symbol(UInt64)
    /// The number of a section, counted from one; zero for none.
    case section(UInt64)
    /// A scattered one: an address in the section that is meant, whatever is added to it.
    case scattered(UInt64)
  }

  /// - Parameter canBeScattered: Whether the processor has scattered ones: i386 and armv7 have.
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

/// Some relocations of a file, to be found by their address.
struct MachORelocations {
  private let view: BinaryView
  private let offset: UInt64
  private let canBeScattered: Bool
  /// The address in the upper half, the index in the table in the lower one; sorted.
  private var index: [UInt64] = []

  /// - Parameters:
  ///   - skipped: The type of those that only add to the one before them, and have no address of their own.
  ///   - limit: How many bytes they may be in.
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
      // Some types have other things where the size is, so it says nothing here.
      guard relocation.address < limit else {
        throw view.error(
          place, "\(what) lead out of it, to 0x\(String(relocation.address, radix: 16)) of \(limit) bytes")
      }
      index.append(relocation.address << 32 | number)
    }
    index.sort()
  }

  /// The relocations at an address, in the order of the file; more than two of them are cut off.
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
