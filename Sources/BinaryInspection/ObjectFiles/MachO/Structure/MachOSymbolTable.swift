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
    var kind: UInt8 { type & MachO.Symbol.typeMask }
    /// A Boolean value that indicates whether this file defines the symbol.
    var isDefined: Bool { !isForDebugger && (kind == MachO.Symbol.inSection || kind == MachO.Symbol.absolute) }
  }

  let view: BinaryView
  let is64Bit: Bool
  let table: MachOLoadCommands.SymbolTable

  private var entrySize: UInt64 { is64Bit ? 16 : 12 }

  /// Returns the name of a symbol, or only the beginning of a very long name.
  func beginning(ofName entry: Entry) throws(InspectionError) -> String {
    try strings(entry)?.symbolName(entry.nameOffset, "the name of a symbol") ?? ""
  }

  /// Returns the table that contains a symbol's name; nil if the symbol has none.
  func strings(_ entry: Entry) throws(InspectionError) -> BinaryView? {
    guard entry.nameOffset > 0 || table.strings.isPresent else { return nil }
    let strings = try view.part(table.strings.offset, table.strings.size, name: view.name, what: "the string table")
    guard entry.nameOffset < strings.size else {
      throw view.error(
        table.strings.offset,
        "the name of a symbol is at \(entry.nameOffset) in a string table that has \(strings.size) bytes")
    }
    return strings
  }

  /// Returns whether one of the symbols in a range satisfies a condition.
  func contains(
    in range: Range<UInt64>, where fits: (Entry) -> Bool
  ) throws(InspectionError) -> Bool {
    var isFound = false
    try visit(range.clamped(to: 0..<table.count)) { entry throws(InspectionError) in
      isFound = fits(entry)
      return !isFound
    }
    return isFound
  }

  /// Calls a function with each symbol in a range until the function returns false.
  func visit(
    _ range: Range<UInt64>, _ body: (Entry) throws(InspectionError) -> Bool
  ) throws(InspectionError) {
    var index = range.lowerBound
    while index < range.upperBound {
      let count = min(1024, range.upperBound - index)
      var cursor = try view.cursor(table.offset + index * entrySize, count * entrySize, "the symbol table")
      for _ in 0..<count {
        guard try body(read(&cursor)) else { return }
      }
      index += count
    }
  }

  private func read(_ cursor: inout ByteCursor) throws(InspectionError) -> Entry {
    let nameOffset = UInt64(try cursor.next(UInt32.self))
    let type: UInt8 = try cursor.next()
    _ = try cursor.next(UInt8.self)
    _ = try cursor.next(UInt16.self)
    return Entry(nameOffset: nameOffset, type: type, value: try cursor.word(is64Bit: is64Bit))
  }
}
