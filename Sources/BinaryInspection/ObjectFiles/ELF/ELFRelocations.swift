/// A file's relocations by the addresses that they change.
struct ELFRelocations {
  struct Table {
    /// The range in the file. Its name is the subject of errors.
    let range: Span
    let hasAddends: Bool
    /// The addend of relocations that don't state one; nil if the relocated words contain it.
    var addend: Int64?
    /// The address of the section that the table relocates; zero in a linked image.
    var base: UInt64 = 0
  }

  struct Entry {
    let address: UInt64
    /// The addend; nil if the relocated word contains it.
    let addend: Int64?
    let symbol: UInt32
    let type: UInt32
  }

  private let view: BinaryView
  /// The relocations by address. Several relocations at one address form a computation, whose order
  /// the stable sort keeps.
  private var entries: [Entry] = []

  /// The limit on relocations of one word. Processors need at most three for a sum. Without a
  /// limit, a hostile file could make many pointers read one word with a million relocations.
  private static let limit = 64

  init(_ tables: [Table], is64Bit: Bool, of view: BinaryView) throws(InspectionProblem) {
    self.view = view
    for table in tables {
      let entrySize: UInt64 = (is64Bit ? 16 : 8) + (table.hasAddends ? (is64Bit ? 8 : 4) : 0)
      entries += try view.table(table.range.start, table.range.size / entrySize, of: entrySize, table.range.name) {
        cursor throws(InspectionProblem) in
        let (address, info) = (try cursor.word(is64Bit: is64Bit), try cursor.word(is64Bit: is64Bit))
        var addend = table.addend
        if table.hasAddends { addend = is64Bit ? try cursor.next() : Int64(try cursor.next(Int32.self)) }
        return Entry(
          address: table.base &+ address, addend: addend, symbol: UInt32(is64Bit ? info >> 32 : info >> 8),
          type: is64Bit ? UInt32(truncatingIfNeeded: info) : UInt32(info & 0xff))
      }
    }
    // The type zero has no effect on any processor.
    entries.removeAll { $0.type == 0 }
    entries.sort { $0.address < $1.address }
  }

  func entries(at address: UInt64) throws(InspectionProblem) -> ArraySlice<Entry> {
    let start = entries.firstSortedIndex { $0.address >= address }
    var end = start
    while end < entries.count, entries[end].address == address {
      end += 1
      guard end - start <= Self.limit else {
        throw view.error(nil, "the word at address \(address.hex) has more than \(Self.limit) relocations")
      }
    }
    return entries[start..<end]
  }
}
