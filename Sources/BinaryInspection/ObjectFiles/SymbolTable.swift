/// A symbol table and the table of its names.
///
/// The gABI defines the format for ELF, and `nlist` and `nlist_64` in `mach-o/nlist.h` define it
/// for Mach-O. The formats differ in a symbol's size and, in 32-bit files, in the order of members.
struct SymbolTable {
  struct Symbol {
    let name: UInt64
    let value: UInt64
    /// `st_info` in ELF, and `n_type` in Mach-O.
    let info: UInt8
    /// The section index in ELF, and `n_desc` in Mach-O.
    let section: UInt32
  }

  let symbols: BinaryView
  let strings: BinaryView?
  let isELF: Bool
  let is64Bit: Bool

  static func entrySize(isELF: Bool, is64Bit: Bool) -> UInt64 { isELF ? (is64Bit ? 24 : 16) : is64Bit ? 16 : 12 }

  private var entrySize: UInt64 { Self.entrySize(isELF: isELF, is64Bit: is64Bit) }

  func visit(_ body: (Symbol) -> Bool) throws(InspectionProblem) {
    try symbols.visitTable(0, symbols.size / entrySize, of: entrySize, "the table of symbols") {
      cursor throws(InspectionProblem) in body(try read(&cursor))
    }
  }

  func symbol(_ number: UInt32) throws(InspectionProblem) -> Symbol {
    try symbols.table(UInt64(number) * entrySize, 1, of: entrySize, "the symbol \(number)", read)[0]
  }

  private func read(_ cursor: inout ByteCursor) throws(InspectionProblem) -> Symbol {
    let name = try cursor.long()
    let (isShort, hasSize) = (isELF && !is64Bit, isELF && is64Bit)
    let shortValue = isShort ? try cursor.long() : 0
    if isShort { try cursor.skip(4) }
    let info: UInt8 = try cursor.next()
    try cursor.skip(1)
    let section = UInt32(try cursor.next(UInt16.self))
    let value = isShort ? shortValue : try cursor.word(is64Bit: is64Bit)
    if hasSize { try cursor.skip(8) }
    return Symbol(name: name, value: value, info: info, section: section)
  }

  /// Returns the name of a symbol, truncated if it's very long.
  func name(of symbol: Symbol) throws(InspectionProblem) -> String {
    guard let strings, symbol.name != 0 else { return "" }
    return try strings.text(symbol.name, "the name of a symbol")
  }
}
