/// An entry in a table of symbols.
struct ELFSymbol {
  var name: UInt32
  var value: UInt64
  var type: UInt8
  /// The index of the section as in the entry, where SHN_XINDEX refers to another table.
  var section: UInt32

  static func size(is64Bit: Bool) -> UInt64 { is64Bit ? 24 : 16 }

  init(_ cursor: inout ByteCursor, is64Bit: Bool) throws(InspectionError) {
    name = try cursor.next()
    if is64Bit {
      type = try cursor.next(UInt8.self) & 15
      _ = try cursor.next(UInt8.self)
      section = UInt32(try cursor.next(UInt16.self))
      value = try cursor.next()
      _ = try cursor.next(UInt64.self)
    } else {
      value = UInt64(try cursor.next(UInt32.self))
      _ = try cursor.next(UInt32.self)
      type = try cursor.next(UInt8.self) & 15
      _ = try cursor.next(UInt8.self)
      section = UInt32(try cursor.next(UInt16.self))
    }
  }
}

/// A table of symbols, with the tables of their names and of large section numbers.
struct ELFSymbolTable {
  let symbols: BinaryView
  /// The names; nil if the file has none.
  let strings: BinaryView?
  /// The section numbers that do not fit into a symbol; nil if the file has none.
  let sectionNumbers: BinaryView?
  let is64Bit: Bool

  func symbol(_ number: UInt32) throws(InspectionError) -> ELFSymbol {
    let size = ELFSymbol.size(is64Bit: is64Bit)
    let offset = UInt64(number) * size
    guard offset < symbols.size, symbols.size - offset >= size else {
      throw symbols.error(
        0, "a relocation refers to symbol \(number), but the number of symbols is \(symbols.size / size)")
    }
    var cursor = try symbols.cursor(offset, size, "a symbol")
    return try ELFSymbol(&cursor, is64Bit: is64Bit)
  }

  /// Returns the name of a symbol, or only the beginning of a very long name.
  func name(of symbol: ELFSymbol) throws(InspectionError) -> String {
    guard let strings, symbol.name != 0 else { return "" }
    guard UInt64(symbol.name) < strings.size else {
      throw strings.error(
        0, "the name of a symbol is at \(symbol.name) in a string table that has \(strings.size) bytes")
    }
    return try strings.text(UInt64(symbol.name), "the name of a symbol")
  }

  /// Returns the index of the section that defines a symbol; nil for undefined and absolute
  /// symbols.
  func section(of symbol: ELFSymbol, number: UInt32) throws(InspectionError) -> Int? {
    guard symbol.section == ELF.extendedIndex else {
      return symbol.section == ELF.undefined || symbol.section >= ELF.firstReserved ? nil : Int(symbol.section)
    }
    guard let sectionNumbers else {
      throw symbols.error(
        0, "the section of symbol \(number) is in a table ('SHT_SYMTAB_SHNDX') that does not exist")
    }
    var cursor = try sectionNumbers.cursor(UInt64(number) * 4, 4, "the section number of symbol \(number)")
    return Int(try cursor.next(UInt32.self))
  }
}

extension ELFFile {
  /// Returns the table of symbols in a section.
  func symbolTable(_ index: Int) throws(InspectionError) -> ELFSymbolTable {
    if let table = symbolTables[index] { return table }
    guard index < sectionHeaders.count, sectionHeaders[index].type == ELF.symbolTable,
      let symbols = try part(sectionHeaders[index], "the table of symbols")
    else { throw view.error(0, "relocations refer to section \(index) as their symbol table, which it is not") }
    let link = Int(sectionHeaders[index].link)
    let numbers = sectionHeaders.last { $0.type == ELF.extendedIndices && Int($0.link) == index }
    let table = ELFSymbolTable(
      symbols: symbols,
      strings: link < sectionHeaders.count ? try part(sectionHeaders[link], "the names of symbols") : nil,
      sectionNumbers: try numbers.flatMap { header throws(InspectionError) in
        try part(header, "the section numbers of symbols")
      },
      is64Bit: header.is64Bit)
    symbolTables[index] = table
    return table
  }

  /// Returns the table of symbols for the dynamic loader.
  func dynamicSymbols() throws(InspectionError) -> ELFSymbolTable {
    if let table = symbolTables[0] { return table }
    guard let dynamic = try dynamicSection(), let address = dynamic.symbols else {
      throw view.error(0, "a relocation refers to a symbol, but the dynamic section has no symbol table")
    }
    // The dynamic section does not state the size of the table, so it ends with its segment.
    guard let offset = map.offset(at: address, 1), let region = map.region(at: address) else {
      throw view.error(0, "the dynamic symbol table at address \(address.hex) is not in a loaded segment")
    }
    var strings: BinaryView?
    if let table = dynamic.strings {
      guard let offset = map.offset(at: table.address, table.size) else {
        throw view.error(0, "the dynamic string table at address \(table.address.hex) is not in a loaded segment")
      }
      strings = try view.part(offset, table.size, name: view.name, what: "the dynamic string table")
    }
    let size = region.fileSize - (address - region.address)
    let table = ELFSymbolTable(
      symbols: try view.part(offset, size, name: view.name, what: "the dynamic symbol table"), strings: strings,
      sectionNumbers: nil, is64Bit: header.is64Bit)
    symbolTables[0] = table
    return table
  }

  /// Returns the bytes of a section; nil if the file has none.
  private func part(_ header: ELFSectionHeader, _ what: String) throws(InspectionError) -> BinaryView? {
    header.hasBytes ? try view.part(header.offset, header.size, name: view.name, what: what) : nil
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    guard let index = sectionHeaders.firstIndex(where: { $0.type == ELF.symbolTable && $0.hasBytes }),
      let table = try? symbolTable(index), case let size = ELFSymbol.size(is64Bit: header.is64Bit),
      var cursor = try? table.symbols.cursor(0, table.symbols.size - table.symbols.size % size, "the table of symbols")
    else { return }
    while !cursor.isAtEnd, let symbol = try? ELFSymbol(&cursor, is64Bit: header.is64Bit) {
      guard symbol.type == ELF.variable, Int(symbol.section) < sections.count else { continue }
      body(symbol.value &+ (isObject ? sections[Int(symbol.section)].address : 0)) { try? table.name(of: symbol) }
    }
  }
}
