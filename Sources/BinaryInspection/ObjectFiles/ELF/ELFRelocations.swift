/// A reader of a file's relocation tables.
enum ELFRelocations {
  struct Table {
    /// The range in the file. Its name is the subject of errors.
    let range: Span
    let hasAddends: Bool
    /// The address of the section that an object's table relocates; zero in a linked image.
    var base: UInt64 = 0
  }

  struct Entry {
    /// The addend; nil if the relocated word contains it.
    let addend: Int64?
    let symbol: UInt32
  }

  /// Returns the first relocation with an effect at each address.
  static func read(
    _ tables: [Table], is64Bit: Bool, of view: BinaryView
  ) throws(InspectionProblem) -> [UInt64: Entry] {
    var entries: [UInt64: Entry] = [:]
    for table in tables {
      let entrySize: UInt64 = (is64Bit ? 16 : 8) + (table.hasAddends ? (is64Bit ? 8 : 4) : 0)
      try view.visitTable(table.range.start, table.range.size / entrySize, of: entrySize, table.range.name) {
        cursor throws(InspectionProblem) in
        let (address, info) = (try cursor.word(is64Bit: is64Bit), try cursor.word(is64Bit: is64Bit))
        var addend: Int64?
        if table.hasAddends { addend = is64Bit ? try cursor.next() : Int64(try cursor.next(Int32.self)) }
        // Relocation type 0 has no effect on any processor.
        if info & (is64Bit ? 0xffff_ffff : 0xff) != 0, entries[table.base &+ address] == nil {
          let symbol = UInt32(is64Bit ? info >> 32 : info >> 8)
          entries[table.base &+ address] = Entry(addend: addend, symbol: symbol)
        }
        return true
      }
    }
    return entries
  }
}
