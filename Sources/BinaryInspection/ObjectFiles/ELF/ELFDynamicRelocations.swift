/// The relocations of a linked image, found by their address.
///
/// A big image has a million of them, and records ask for few: the tables are read once for the ranges with records, and sorted as a whole
/// only when a place elsewhere is asked for.
struct ELFDynamicRelocations {
  private struct Table {
    var offset: UInt64
    var size: UInt64
    var layout: ELFRelocationLayout
    var name: String
  }

  /// Where an entry stands in the file, by the place it relocates.
  private struct Position {
    var place: UInt64
    var offset: UInt64
    var hasAddend: Bool
  }

  private let view: BinaryView
  private let machine: ELFMachine
  private var tables: [Table] = []
  private let relative: ELFRelativeTable?
  private let ranges: [Range<UInt64>]
  private var near: [Position] = []
  private var all: [Position]?

  /// - Parameter ranges: Where most questions will be, by address and without overlap.
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
        "its relocations are packed in Android's own form, which is not read; link with --pack-dyn-relocs=relr or none")
    }
    func offset(_ table: ELFDynamicSection.Table, _ name: String) throws(InspectionError) -> UInt64 {
      guard let offset = extents.offset(at: table.address, table.size) else {
        throw view.error(
          0,
          "the table of \(name) relocations (\(table.size) bytes at address 0x\(String(table.address, radix: 16)))"
            + " is not among the loaded bytes")
      }
      return offset
    }
    func add(_ table: ELFDynamicSection.Table?, _ hasAddends: Bool, _ name: String) throws(InspectionError) -> Table? {
      guard let table else { return nil }
      let layout = ELFRelocationLayout(machine: machine, hasAddends: hasAddends)
      let start = try offset(table, name)
      guard table.size % layout.entrySize == 0 else {
        throw view.error(
          start, "the table of \(name) relocations has \(table.size) bytes, which is no multiple of \(layout.entrySize)"
        )
      }
      return Table(offset: start, size: table.size, layout: layout, name: name)
    }
    tables = [
      try add(dynamic.rela, true, "RELA"), try add(dynamic.rel, false, "REL"),
      try add(dynamic.programLinkage, dynamic.programLinkageHasAddends, "PLT"),
    ].compactMap { $0 }

    if let table = dynamic.relr {
      let size: UInt64 = machine.is64Bit ? 8 : 4
      let start = try offset(table, "RELR")
      guard table.size % size == 0 else {
        throw view.error(
          start, "the table of RELR relocations has \(table.size) bytes, which is no multiple of \(size)")
      }
      relative = try ELFRelativeTable(
        try view.cursor(start, table.size, isBigEndian: machine.isBigEndian, "the table of RELR relocations"),
        is64Bit: machine.is64Bit)
    } else {
      relative = nil
    }
    near = try positions { place in ranges.contains(place) }
  }

  /// Whether RELR adds the image's address to the word at an address.
  func isRelative(_ address: UInt64) -> Bool { relative?.contains(address) ?? false }

  /// The relocation of the word at an address.
  mutating func relocation(at address: UInt64) throws(InspectionError) -> ELFRelocationEntry? {
    if ranges.contains(address) { return try read(near, address) }
    if let all { return try read(all, address) }
    let positions = try positions { _ in true }
    all = positions
    return try read(positions, address)
  }

  private func positions(_ isWanted: (UInt64) -> Bool) throws(InspectionError) -> [Position] {
    var positions: [Position] = []
    for table in tables {
      let bytes = try view.bytes(table.offset, table.size, "the table of \(table.name) relocations")
      let (size, is64Bit, isBigEndian) = (Int(table.layout.entrySize), machine.is64Bit, machine.isBigEndian)
      bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: size) {
          let place: UInt64
          if is64Bit {
            let raw = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            place = isBigEndian ? UInt64(bigEndian: raw) : UInt64(littleEndian: raw)
          } else {
            let raw = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
            place = UInt64(isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw))
          }
          guard isWanted(place) else { continue }
          positions.append(
            Position(place: place, offset: table.offset + UInt64(start), hasAddend: table.layout.hasAddends))
        }
      }
    }
    positions.sort { ($0.place, $0.offset) < ($1.place, $1.offset) }
    return positions
  }

  private func read(_ positions: [Position], _ address: UInt64) throws(InspectionError) -> ELFRelocationEntry? {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle].place < address { low = middle + 1 } else { high = middle }
    }
    guard low < positions.count, positions[low].place == address else { return nil }
    let layout = ELFRelocationLayout(machine: machine, hasAddends: positions[low].hasAddend)
    var cursor = try view.cursor(
      positions[low].offset, layout.entrySize, isBigEndian: machine.isBigEndian, "a relocation")
    return try layout.next(&cursor)
  }
}

extension [Range<UInt64>] {
  /// Whether one of the ranges, which are in order, contains an address.
  fileprivate func contains(_ address: UInt64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && address < self[low - 1].upperBound
  }
}
