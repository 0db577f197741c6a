/// An entry of a table of symbols.
struct ELFSymbol {
  var name: UInt32
  var value: UInt64
  var type: UInt8
  /// `SHN_XINDEX` is not resolved.
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

/// What a relocation refers to.
enum ELFTarget: Equatable {
  case address(UInt64)
  /// In another image, or chosen at run time.
  case named(String)
}

extension ELFFile {
  /// The symbols that the file has: all of them, or where it is stripped those for the dynamic loader. Without those of sections.
  func symbols() throws(InspectionError) -> [ObjectSymbol] {
    let full = sectionHeaders.firstIndex { $0.type == ELF.symbolTable && $0.hasBytes }
    guard let index = full ?? sectionHeaders.firstIndex(where: { $0.type == ELF.dynamicSymbols && $0.hasBytes }) else {
      return []
    }
    let table = sectionHeaders[index]
    var names = try ELFNames(sectionHeaders, index: table.link, of: view)
    var cursor = try view.cursor(
      table.offset, table.size - table.size % ELFSymbol.size(is64Bit: header.is64Bit), isBigEndian: header.isBigEndian,
      "the table of symbols")
    var symbols: [ObjectSymbol] = []
    if isObject, objectRelocations == nil { objectRelocations = try ELFObjectRelocations(self) }
    var number: UInt32 = 0
    while !cursor.isAtEnd {
      defer { number &+= 1 }
      let symbol = try ELFSymbol(&cursor, is64Bit: header.is64Bit)
      if symbol.type == ELF.sectionSymbol || symbol.name == 0 { continue }
      let name = try names.name(at: symbol.name, "the name of symbol \(number)")
      let isDefined = symbol.section != ELF.undefined
      var address = isDefined ? symbol.value : 0
      if isObject, let section = try objectRelocations?.sectionIndex(of: symbol, number, in: index) {
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
