@testable import BinaryInspection

/// A symbol of an object file that is not only for debuggers.
struct ObjectSymbol: Equatable {
  var name: String
  /// The address; zero for a symbol that is not defined in the file.
  var address: UInt64
  /// A Boolean value that indicates whether the file defines the symbol.
  var isDefined: Bool
}

extension ObjectFile {
  /// Returns the sections with a name, which on Mach-O includes the segment.
  func sections(named name: String) -> [Section] { sections.filter { $0.name == name } }
}

extension MachOFile {
  /// Returns the exported, local, and undefined symbols of the symbol table.
  func symbols() throws(InspectionError) -> [ObjectSymbol] {
    var symbols: [ObjectSymbol] = []
    guard let table = commands.symbolTable else { return [] }
    try table.visit { entry throws(InspectionError) in
      if entry.isForDebugger { return true }
      symbols.append(
        ObjectSymbol(
          name: try table.name(of: entry), address: entry.isDefined ? entry.value : 0, isDefined: entry.isDefined))
      return true
    }
    return symbols
  }
}

extension ELFFile {
  /// Returns the symbols of the file.
  ///
  /// A stripped file has only the symbols for the dynamic loader.
  func symbols() throws(InspectionError) -> [ObjectSymbol] {
    let full = sectionHeaders.firstIndex { $0.type == ELF.symbolTable && $0.hasBytes }
    guard let index = full ?? sectionHeaders.firstIndex(where: { $0.type == ELF.dynamicSymbols && $0.hasBytes }) else {
      return []
    }
    let table = sectionHeaders[index]
    var names = try ELFNames(sectionHeaders, index: table.link, of: view)
    var cursor = try view.cursor(
      table.offset, table.size - table.size % ELFSymbol.size(is64Bit: header.is64Bit),
      "the table of symbols")
    var symbols: [ObjectSymbol] = []
    var number: UInt32 = 0
    while !cursor.isAtEnd {
      defer { number &+= 1 }
      let symbol = try ELFSymbol(&cursor, is64Bit: header.is64Bit)
      if symbol.type == ELF.sectionSymbol || symbol.name == 0 { continue }
      let name = try names.name(at: symbol.name, "the name of symbol \(number)")
      let isDefined = symbol.section != ELF.undefined
      var address = isDefined ? symbol.value : 0
      if isObject, let section = try symbolTable(index).section(of: symbol, number: number) {
        guard section < sections.count else {
          throw view.error(table.offset, "symbol \(number) is in section \(section), and there are \(sections.count)")
        }
        address &+= sections[section].address
      }
      symbols.append(ObjectSymbol(name: name, address: address, isDefined: isDefined))
    }
    return symbols
  }
}
