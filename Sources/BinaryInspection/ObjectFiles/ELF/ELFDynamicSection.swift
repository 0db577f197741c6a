/// The contents of the dynamic section of a linked image.
struct ELFDynamicSection {
  /// The address and the size of a table.
  struct Table: Equatable {
    var address: UInt64
    var size: UInt64
  }

  var rela: Table?
  var rel: Table?
  /// The relocations of the procedure linkage table, in the format REL or RELA.
  var programLinkage: Table?
  var programLinkageHasAddends: Bool
  var symbols: UInt64?
  var strings: Table?
  var flags1: UInt64
  /// The offsets of the names of the libraries that the image links, in the table of strings.
  var libraries: [UInt64] = []
  /// The offset of the name by which other images link the image.
  var ownName: UInt64?
  /// A Boolean value that indicates whether relocations are in Android's packed format.
  var hasAndroidRelocations: Bool

  /// Creates the contents of the dynamic section of an image.
  ///
  /// - Returns: Nil if there is no dynamic section, as in static programs.
  init?(
    _ segments: [ELFSegment], _ map: AddressMap, _ view: BinaryView, _ header: ELFHeader
  ) throws(InspectionError) {
    guard let segment = segments.first(where: { $0.type == ELF.dynamicSegment && $0.fileSize > 0 }) else { return nil }
    let what = "the dynamic section at address \(segment.address.hex)"
    guard let offset = map.offset(at: segment.address, segment.fileSize) else {
      throw view.error(
        min(segment.offset, view.size), "\(what) (\(segment.fileSize) bytes) is not in a loaded segment")
    }
    let entrySize: UInt64 = header.is64Bit ? 16 : 8
    var cursor = try view.cursor(
      offset, segment.fileSize - segment.fileSize % entrySize, what)
    var values: [UInt64: UInt64] = [:]
    while !cursor.isAtEnd {
      let tag = try cursor.word(is64Bit: header.is64Bit)
      let value = try cursor.word(is64Bit: header.is64Bit)
      if tag == 0 { break }
      // Names of libraries can occur several times by design. Like loaders, use the last entry with
      // any other tag.
      if tag == ELF.library { libraries.append(value) }
      values[tag] = value
    }
    func check(_ tag: UInt64, _ size: UInt64, _ name: String) throws(InspectionError) {
      guard let value = values[tag], value != size else { return }
      throw view.error(offset, "\(what) specifies that \(name) has entries of \(value) bytes instead of \(size)")
    }
    let (rela, rel): (UInt64, UInt64) = header.is64Bit ? (24, 16) : (12, 8)
    try check(ELF.relaEntry, rela, "RELA")
    try check(ELF.relEntry, rel, "REL")
    try check(ELF.symbolEntry, ELFSymbol.size(is64Bit: header.is64Bit), "the symbol table")

    func table(_ address: UInt64, _ size: UInt64) -> Table? {
      guard let address = values[address], let size = values[size], size > 0 else { return nil }
      return Table(address: address, size: size)
    }
    self.rela = table(ELF.relaTable, ELF.relaSize)
    self.rel = table(ELF.relTable, ELF.relSize)
    programLinkage = table(ELF.programLinkage, ELF.programLinkageSize)
    programLinkageHasAddends = values[ELF.programLinkageKind] == ELF.relaTable
    symbols = values[ELF.symbols]
    strings = table(ELF.stringTable, ELF.stringSize)
    flags1 = values[ELF.flags1] ?? 0
    ownName = values[ELF.ownName]
    hasAndroidRelocations = values[ELF.androidRel] != nil || values[ELF.androidRela] != nil
  }
}
