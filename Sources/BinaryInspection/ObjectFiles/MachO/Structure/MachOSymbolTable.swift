/// The symbols of a file, which are read one at a time.
///
/// The types `nlist` and `nlist_64` in `mach-o/nlist.h` define the format.
struct MachOSymbolTable {
  struct Entry {
    let nameOffset: UInt64
    let type: UInt8
    let value: UInt64

    var isForDebugger: Bool { type & MachO.Symbol.stabMask != 0 }
    var isExternal: Bool { type & MachO.Symbol.external != 0 }
    /// A Boolean value that indicates whether this file defines the symbol.
    var isDefined: Bool {
      !isForDebugger && [MachO.Symbol.inSection, MachO.Symbol.absolute].contains(type & MachO.Symbol.typeMask)
    }
  }

  let symbols: BinaryView
  let strings: BinaryView
  let is64Bit: Bool

  /// Returns the name of a symbol, or only the beginning of a very long name.
  func name(of entry: Entry) throws(InspectionProblem) -> String {
    entry.nameOffset == 0 ? "" : try strings.text(entry.nameOffset, "the name of a symbol")
  }

  /// Calls a function with each symbol until the function returns false.
  func visit(_ body: (Entry) throws(InspectionProblem) -> Bool) throws(InspectionProblem) {
    var cursor = try symbols.cursor(0, symbols.size, "the symbol table")
    while !cursor.isAtEnd {
      let nameOffset = UInt64(try cursor.next(UInt32.self))
      let type: UInt8 = try cursor.next()
      try cursor.skip(3)
      let value = try cursor.word(is64Bit: is64Bit)
      guard try body(Entry(nameOffset: nameOffset, type: type, value: value)) else { return }
    }
  }
}
