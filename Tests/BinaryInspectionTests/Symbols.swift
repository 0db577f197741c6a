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
  func symbols() throws(InspectionProblem) -> [ObjectSymbol] {
    var symbols: [ObjectSymbol] = []
    guard let table = commands.symbolTable else { return [] }
    try table.visit { entry throws(InspectionProblem) in
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
  func symbols() throws(InspectionProblem) -> [ObjectSymbol] {
    let full = try symbolTable(ELF.symbolTable)
    guard let table = full == nil ? try symbolTable(ELF.dynamicSymbols) : full else { return [] }
    var symbols: [ObjectSymbol] = []
    try table.visit { symbol, number throws(InspectionProblem) in
      let isSection = symbol.type == 3
      if isSection || symbol.name == 0 { return }
      let isDefined = symbol.section != ELF.undefined
      var address = isDefined ? symbol.value : 0
      if isObject, let section = try table.section(of: symbol, number: number) {
        guard section < sections.count else {
          throw view.error(0, "symbol \(number) is in section \(section), and there are \(sections.count)")
        }
        address &+= sections[section].address
      }
      symbols.append(ObjectSymbol(name: try table.name(of: symbol), address: address, isDefined: isDefined))
    }
    return symbols
  }
}
