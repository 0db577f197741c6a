/// The relocations of a linked image, which are found by address.
///
/// A large image has a million relocations, but records need only a few. The initializer collects
/// the relocations of the ranges with records. The first request for another address sorts all
/// relocations.
final class ELFDynamicRelocations {
  private struct Table {
    var offset: UInt64
    var size: UInt64
    var layout: ELFRelocationLayout
    var name: String
  }

  /// The offset of a relocation in the file, with the address that it relocates.
  private struct Position {
    var address: UInt64
    var offset: UInt64
    var hasAddend: Bool
  }

  private let view: BinaryView
  private let machine: ELFMachine
  private var tables: [Table] = []
  private let ranges: [Range<UInt64>]
  /// The relocations in the ranges.
  private var near: [Position] = []
  /// All relocations; nil before the first address outside of the ranges.
  private var all: Result<[Position], InspectionError>?

  /// Collects the relocations of ranges of addresses.
  ///
  /// - Parameter ranges: The ranges that most requests are for, sorted and without overlap.
  init(
    _ dynamic: ELFDynamicSection, of view: BinaryView, _ machine: ELFMachine, _ extents: ELFExtents,
    ranges: [Range<UInt64>]
  ) throws(InspectionError) {
    self.view = view
    self.machine = machine
    self.ranges = ranges
    guard !dynamic.hasAndroidRelocations else {
      throw view.error(
        0,
        "the relocations are packed in Android's format, which is not supported; link with '--pack-dyn-relocs=relr' or"
          + " '--pack-dyn-relocs=none'", code: .unsupportedFile)
    }
    func offset(_ table: ELFDynamicSection.Table, _ name: String) throws(InspectionError) -> UInt64 {
      guard let offset = extents.offset(at: table.address, table.size) else {
        throw view.error(
          0,
          "the table of \(name) relocations (\(table.size) bytes at address 0x\(String(table.address, radix: 16)))"
            + " is not in a loaded segment")
      }
      return offset
    }
    func add(_ table: ELFDynamicSection.Table?, _ hasAddends: Bool, _ name: String) throws(InspectionError) -> Table? {
      guard let table else { return nil }
      let layout = ELFRelocationLayout(machine: machine, hasAddends: hasAddends)
      let start = try offset(table, name)
      guard table.size % layout.entrySize == 0 else {
        throw view.error(
          start,
          "the table of \(name) relocations has \(table.size) bytes, which is not a multiple of \(layout.entrySize)"
        )
      }
      return Table(offset: start, size: table.size, layout: layout, name: name)
    }
    tables = [
      try add(dynamic.rela, true, "RELA"), try add(dynamic.rel, false, "REL"),
      try add(dynamic.programLinkage, dynamic.programLinkageHasAddends, "PLT"),
    ].compactMap { $0 }

    near = try positions { address in ranges.contains(address) }
  }

  /// Returns the relocation of the word at an address; nil if there is none.
  func relocation(at address: UInt64) throws(InspectionError) -> ELFRelocationEntry? {
    if ranges.contains(address) { return try read(near, address) }
    if all == nil {
      do throws(InspectionError) { all = .success(try positions { _ in true }) } catch { all = .failure(error) }
    }
    return try read(all?.get() ?? [], address)
  }

  private func positions(_ isWanted: (UInt64) -> Bool) throws(InspectionError) -> [Position] {
    // Count first, to allocate the list with its final size.
    var count: UInt64 = 0
    try visit { _, address, _ in if isWanted(address) { count += 1 } }
    var positions: [Position] = []
    positions.reserveCapacity(Int(count))
    try visit { table, address, offset in
      if isWanted(address) {
        positions.append(Position(address: address, offset: offset, hasAddend: table.layout.hasAddends))
      }
    }
    positions.sort { ($0.address, $0.offset) < ($1.address, $1.offset) }
    return positions
  }

  /// Calls a function with each relocation's table, address, and offset in the file.
  private func visit(_ body: (Table, _ address: UInt64, _ offset: UInt64) -> Void) throws(InspectionError) {
    for table in tables {
      let (size, is64Bit) = (Int(table.layout.entrySize), machine.is64Bit)
      var done: UInt64 = 0
      while done < table.size {
        let count = min(table.size - done, table.layout.entrySize << 12)
        let start = table.offset + done
        let bytes = try view.bytes(start, count, "the table of \(table.name) relocations")
        bytes.withUnsafeBytes { bytes in
          for position in stride(from: 0, to: bytes.count, by: size) {
            let address: UInt64
            if is64Bit {
              address = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            } else {
              address = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            }
            body(table, address, start + UInt64(position))
          }
        }
        done += count
      }
    }
  }

  private func read(_ positions: [Position], _ address: UInt64) throws(InspectionError) -> ELFRelocationEntry? {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle].address < address { low = middle + 1 } else { high = middle }
    }
    guard low < positions.count, positions[low].address == address else { return nil }
    let layout = ELFRelocationLayout(machine: machine, hasAddends: positions[low].hasAddend)
    var cursor = try view.cursor(
      positions[low].offset, layout.entrySize, "a relocation")
    return try layout.next(&cursor)
  }
}

extension [Range<UInt64>] {
  /// Returns whether one of the sorted ranges contains an address.
  fileprivate func contains(_ address: UInt64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && address < self[low - 1].upperBound
  }
}
