/// The relocations of an object file, which are read for each section on demand.
final class ELFObjectRelocations {
  /// A relocation with the index of the table of symbols that it refers to.
  struct Item {
    var entry: ELFRelocationEntry
    var symbols: Int
  }

  /// The file, which owns the relocations.
  private unowned let file: ELFFile
  /// The indices of the tables of relocations, by the index of the section that they relocate.
  private var tables: [UInt32: [Int]] = [:]
  /// The relocations that were read, by the index of the section.
  private var read: [Int: [Item]] = [:]
  /// The indices of the tables of large section numbers, by the index of the table of symbols.
  private var extendedIndices: [UInt32: Int] = [:]

  /// The largest number of relocations of one word.
  ///
  /// Processors need at most three for a sum. Without a limit, many pointers could lead to one word
  /// with a million relocations.
  private static let relocationLimit = 64

  init(_ file: ELFFile) throws(InspectionError) {
    self.file = file
    var ranges: [(start: UInt64, size: UInt64, name: String)] = []
    for (index, header) in file.sectionHeaders.enumerated() {
      if header.type == ELF.extendedIndices { extendedIndices[header.link] = index }
      guard header.type == ELF.rela || header.type == ELF.rel, header.hasBytes else { continue }
      tables[header.info, default: []].append(index)
      ranges.append((header.offset, header.size, file.sections[index].name))
    }
    try ELFSections.refuseOverlap(ranges, of: file.view)
  }

  /// Returns the relocations at an offset in a section.
  func relocations(in section: Int, at offset: UInt64) throws(InspectionError) -> ArraySlice<Item> {
    let items = try items(section)
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].entry.address < offset { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < items.count, items[end].entry.address == offset {
      end += 1
      guard end - low <= Self.relocationLimit else {
        throw file.view.error(
          file.sections[section].offset.map { $0 &+ offset } ?? 0,
          "one address in the section '\(file.sections[section].name)' has more than \(Self.relocationLimit) relocations"
        )
      }
    }
    return items[low..<end]
  }

  private func items(_ section: Int) throws(InspectionError) -> [Item] {
    if let items = read[section] { return items }
    var items: [Item] = []
    for index in tables[UInt32(section)] ?? [] {
      let header = file.sectionHeaders[index]
      let layout = ELFRelocationLayout(machine: file.machine, hasAddends: header.type == ELF.rela)
      let what = "the section of relocations '\(file.sections[index].name)'"
      guard header.entrySize == layout.entrySize, header.size % layout.entrySize == 0 else {
        throw file.view.error(
          header.offset,
          "\(what) has \(header.size) bytes in entries of \(header.entrySize) instead of \(layout.entrySize)")
      }
      var cursor = try file.view.cursor(header.offset, header.size, what)
      items.reserveCapacity(items.count + Int(header.size / layout.entrySize))
      while !cursor.isAtEnd { items.append(Item(entry: try layout.next(&cursor), symbols: Int(header.link))) }
    }
    // Keep the order of relocations at the same address, because they form one computation.
    var isSorted = true
    for index in items.indices.dropFirst() where items[index - 1].entry.address > items[index].entry.address {
      isSorted = false
      break
    }
    if !isSorted {
      items = items.enumerated().sorted {
        ($0.element.entry.address, $0.offset) < ($1.element.entry.address, $1.offset)
      }.map(\.element)
    }
    read[section] = items
    return items
  }

  /// Returns the target of a relocation.
  func target(_ item: Item) throws(InspectionError) -> ELFTarget {
    if item.entry.symbol == 0 { return .address(0) }
    let (headers, view) = (file.sectionHeaders, file.view)
    guard item.symbols < headers.count, headers[item.symbols].type == ELF.symbolTable else {
      throw view.error(0, "relocations refer to section \(item.symbols) as their symbol table, which it is not")
    }
    let table = headers[item.symbols]
    let size = ELFSymbol.size(is64Bit: file.header.is64Bit)
    let position = UInt64(item.entry.symbol) * size
    guard table.hasBytes, position < table.size, size <= table.size - position else {
      throw view.error(
        min(table.offset, view.size),
        "a relocation refers to symbol \(item.entry.symbol), but the number of symbols is \(table.size / size)")
    }
    var cursor = try view.cursor(table.offset + position, size, "a symbol")
    let symbol = try ELFSymbol(&cursor, is64Bit: file.header.is64Bit)
    let section = try sectionIndex(of: symbol, item.entry.symbol, in: item.symbols)
    guard let section, symbol.type != ELF.indirectFunction else {
      return .named(try name(symbol, table))
    }
    guard section < file.sections.count else {
      throw view.error(
        table.offset + position,
        "a symbol is in section \(section), but the number of sections is \(file.sections.count)"
      )
    }
    return .address(file.sections[section].address &+ symbol.value)
  }

  /// Returns the index of the section that defines a symbol; nil for undefined and absolute
  /// symbols.
  func sectionIndex(of symbol: ELFSymbol, _ number: UInt32, in table: Int) throws(InspectionError) -> Int? {
    guard symbol.section == ELF.extendedIndex else {
      return symbol.section == ELF.undefined || symbol.section >= ELF.firstReserved ? nil : Int(symbol.section)
    }
    guard let index = extendedIndices[UInt32(table)] else {
      throw file.view.error(
        0, "the section of symbol \(number) is in a table ('SHT_SYMTAB_SHNDX') that does not exist")
    }
    let header = file.sectionHeaders[index]
    let position = UInt64(number) * 4
    guard header.hasBytes, position < header.size, header.size - position >= 4 else {
      throw file.view.error(
        0, "the table of section numbers '\(file.sections[index].name)' has no entry for symbol \(number)")
    }
    var cursor = try file.view.cursor(
      header.offset + position, 4, "the number of a section")
    return Int(try cursor.next(UInt32.self))
  }

  private func name(_ symbol: ELFSymbol, _ table: ELFSectionHeader) throws(InspectionError) -> String {
    guard Int(table.link) < file.sectionHeaders.count, symbol.name != 0 else { return "" }
    let strings = file.sectionHeaders[Int(table.link)]
    guard strings.hasBytes, UInt64(symbol.name) < strings.size else {
      throw file.view.error(
        0, "the name of a symbol is at \(symbol.name) in a string table that has \(strings.size) bytes")
    }
    return try file.view.symbolName(strings.offset + UInt64(symbol.name), "the name of a symbol")
  }
}
