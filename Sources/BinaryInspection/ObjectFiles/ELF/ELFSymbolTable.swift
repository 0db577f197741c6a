/// An entry in a table of symbols.
struct ELFSymbol {
  var name: UInt32
  var value: UInt64
  var type: UInt8
  /// The index of the section as in the entry, where SHN_XINDEX refers to another table.
  var section: UInt32

  static func size(is64Bit: Bool) -> UInt64 { is64Bit ? 24 : 16 }

  init(_ cursor: inout ByteCursor, is64Bit: Bool) throws(InspectionProblem) {
    name = try cursor.next()
    value = is64Bit ? 0 : UInt64(try cursor.next(UInt32.self))
    if !is64Bit { try cursor.skip(4) }
    type = try cursor.next(UInt8.self) & 15
    try cursor.skip(1)
    section = UInt32(try cursor.next(UInt16.self))
    if is64Bit { (value, _) = (try cursor.next(), try cursor.skip(8)) }
  }
}

/// A table of symbols, with the tables of their names and of large section numbers.
struct ELFSymbolTable {
  let symbols: BinaryView
  /// The names; nil if the file has none.
  let strings: BinaryView?
  /// The section numbers that do not fit into a symbol; nil if the file has none.
  var sectionNumbers: BinaryView?
  let is64Bit: Bool

  func symbol(_ number: UInt32) throws(InspectionProblem) -> ELFSymbol {
    let size = ELFSymbol.size(is64Bit: is64Bit)
    var cursor = try symbols.cursor(UInt64(number) * size, size, "the symbol \(number)")
    return try ELFSymbol(&cursor, is64Bit: is64Bit)
  }

  /// Returns the name of a symbol, or only the beginning of a very long name.
  func name(of symbol: ELFSymbol) throws(InspectionProblem) -> String {
    guard let strings, symbol.name != 0 else { return "" }
    return try strings.text(UInt64(symbol.name), "the name of a symbol")
  }

  /// Returns the index of the section that defines a symbol; nil for undefined and absolute
  /// symbols.
  func section(of symbol: ELFSymbol, number: UInt32) throws(InspectionProblem) -> Int? {
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

  /// Calls a function with each symbol and its number.
  func visit(_ body: (ELFSymbol, UInt32) throws(InspectionProblem) -> Void) throws(InspectionProblem) {
    let size = symbols.size - symbols.size % ELFSymbol.size(is64Bit: is64Bit)
    var cursor = try symbols.cursor(0, size, "the table of symbols")
    var number: UInt32 = 0
    while !cursor.isAtEnd {
      try body(ELFSymbol(&cursor, is64Bit: is64Bit), number)
      number &+= 1
    }
  }
}

extension ELFFile {
  /// Returns the first table of symbols of a type; nil if there is none.
  func symbolTable(_ type: UInt32) throws(InspectionProblem) -> ELFSymbolTable? {
    guard let index = sectionHeaders.firstIndex(where: { $0.type == type && $0.hasBytes }),
      let symbols = try sectionHeaders[index].part(of: view, "the table of symbols")
    else { return nil }
    let link = Int(sectionHeaders[index].link)
    let numbers = sectionHeaders.last { $0.type == ELF.extendedIndices && Int($0.link) == index }
    return ELFSymbolTable(
      symbols: symbols,
      strings: link < sectionHeaders.count ? try sectionHeaders[link].part(of: view, "the names of symbols") : nil,
      sectionNumbers: try numbers?.part(of: view, "the section numbers of symbols"), is64Bit: header.is64Bit)
  }

  /// Returns the table of symbols for the dynamic loader.
  func dynamicSymbols() throws(InspectionProblem) -> ELFSymbolTable {
    // The dynamic section does not state the size of the table, so it ends with its segment.
    guard let dynamic = try dynamic.get(), let address = dynamic[ELF.symbols], let offset = map.offset(at: address, 1),
      let region = map.region(at: address)
    else {
      throw view.error(0, "a relocation refers to a symbol, but no loaded segment has a dynamic symbol table")
    }
    let symbols = try view.part(
      offset, region.fileSize - (address - region.address), name: view.name, what: "the dynamic symbol table")
    return ELFSymbolTable(symbols: symbols, strings: try dynamicStrings(dynamic), is64Bit: header.is64Bit)
  }

  /// Returns the names in the dynamic section; nil if the file has none.
  private func dynamicStrings(_ dynamic: ELFDynamicSection) throws(InspectionProblem) -> BinaryView? {
    guard let address = dynamic[ELF.stringTable], let size = dynamic[ELF.stringSize] else { return nil }
    guard let offset = map.offset(at: address, size) else {
      throw view.error(0, "the dynamic string table at address \(address.hex) is not in a loaded segment")
    }
    return try view.part(offset, size, name: view.name, what: "the dynamic string table")
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    guard let table = try? symbolTable(ELF.symbolTable) else { return }
    try? table.visit { symbol, _ in
      guard symbol.type == ELF.variable, Int(symbol.section) < sections.count else { return }
      body(symbol.value &+ (isObject ? sections[Int(symbol.section)].address : 0)) { try? table.name(of: symbol) }
    }
  }

  /// The names in the dynamic section.
  ///
  /// They are empty if they cannot be read, because records do not depend on them.
  var linkage: Linkage {
    guard let dynamic = try? dynamic.get(), let strings = try? dynamicStrings(dynamic) else { return Linkage() }
    // Names can overlap in a file, so all of them together can be far longer than the file.
    var left = view.size
    func name(_ offset: UInt64) -> String? {
      guard left > 0, let name = try? strings.text(offset, "the name of a library") else { return nil }
      left -= min(left, UInt64(name.utf8.count) + 1)
      return name.lastPathComponent
    }
    return Linkage(name: dynamic[ELF.ownName].flatMap(name), libraries: dynamic.libraries.compactMap(name))
  }
}
