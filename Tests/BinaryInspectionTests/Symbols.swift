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
  /// Returns the bytes at an address; bytes that the file does not contain are zero.
  func bytes(at address: UInt64, _ count: UInt64, _ what: String) throws(InspectionProblem) -> [UInt8] {
    try map.bytes(at: address, count, what)
  }

  /// Returns the text at an address up to its NUL.
  func cString(at address: UInt64, _ what: String) throws(InspectionProblem) -> String {
    try map.cString(at: address, what)
  }

  /// Returns the sections with a name, which on Mach-O includes the segment.
  func sections(named name: String) -> [Section] { sections.filter { $0.name == name } }
}

extension MachOFile {
  /// Returns the exported, local, and undefined symbols of the symbol table.
  func symbols() throws(InspectionProblem) -> [ObjectSymbol] {
    guard let table = commands.symbolTable else { return [] }
    var symbols: [ObjectSymbol] = []
    for symbol in try table.all() where !symbol.isForDebugger {
      symbols.append(
        ObjectSymbol(
          name: try table.name(of: symbol), address: symbol.isDefined ? symbol.value : 0, isDefined: symbol.isDefined))
    }
    return symbols
  }
}

extension ELFFile {
  /// The error in the section headers of a linked image, if any.
  var sectionProblem: InspectionProblem? {
    do throws(InspectionProblem) {
      _ = try ELFHeader(view).sections(view)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the symbols of the file, whose addresses are relative to the section in an object.
  ///
  /// A stripped file has only the symbols for the dynamic loader.
  func symbols() throws(InspectionProblem) -> [ObjectSymbol] {
    let full = try symbolTable(ELF.symbolTable)
    guard let table = full == nil ? try symbolTable(11) : full else { return [] }
    var symbols: [ObjectSymbol] = []
    for symbol in try table.all() {
      let isSection = symbol.info & 15 == 3
      if isSection || symbol.name == 0 { continue }
      let isDefined = symbol.section != ELF.undefined
      symbols.append(
        ObjectSymbol(
          name: try table.name(of: symbol), address: isDefined ? symbol.value : 0, isDefined: isDefined))
    }
    return symbols
  }
}

extension SymbolTable {
  /// Returns all symbols.
  func all() throws(InspectionProblem) -> [Symbol] {
    var symbols: [Symbol] = []
    try visit { symbol in
      symbols.append(symbol)
      return true
    }
    return symbols
  }
}
