/// The layout of a table of relocations: REL or RELA, for 32 or 64 bits.
struct ELFRelocationLayout {
  let machine: ELFMachine
  let hasAddends: Bool

  var entrySize: UInt64 {
    switch (machine.is64Bit, hasAddends) {
    case (true, true): 24
    case (true, false): 16
    case (false, true): 12
    case (false, false): 8
    }
  }

  /// Reads the entry at a cursor.
  func next(_ cursor: inout ByteCursor) throws(InspectionError) -> ELFRelocationEntry {
    let address = try cursor.word(is64Bit: machine.is64Bit)
    let (symbol, type): (UInt32, UInt32)
    if machine.is64Bit {
      let info: UInt64 = try cursor.next()
      (symbol, type) = (UInt32(info >> 32), UInt32(truncatingIfNeeded: info))
    } else {
      let info: UInt32 = try cursor.next()
      (symbol, type) = (info >> 8, info & 0xff)
    }
    var addend: Int64?
    if hasAddends {
      addend =
        machine.is64Bit ? try cursor.next(Int64.self) : Int64(try cursor.next(Int32.self))
    }
    return ELFRelocationEntry(address: address, symbol: symbol, type: type, addend: addend)
  }
}

/// An entry in a table of relocations.
struct ELFRelocationEntry {
  /// The address that is relocated; in objects, the offset in the section.
  var address: UInt64
  var symbol: UInt32
  var type: UInt32
  /// The addend; nil if the relocated word contains it.
  var addend: Int64?
}
