extension ELFFile {
  /// Returns the value of the pointer at an address after loading or linking.
  ///
  /// A relocation replaces a pointer with an addend, plus the address of the relocation's symbol,
  /// if any. This is true of all relocation types that occur in metadata, so the reader ignores the
  /// type. Types for thread-local and copied variables and for indirect functions don't occur.
  ///
  /// For a symbol that the image defines, the result is an address in the image, although another
  /// image's definition can take precedence at run time. In an object, the result for a relocated
  /// pointer is a symbol without a name, because only the linker knows the addresses.
  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer {
    let entry = try relocations.get()[address]
    if header.isObject { return entry == nil ? .null : .symbol("", 0) }
    let value = try number(at: address, "a pointer")
    // RELR tables need no handling, because the words that they relocate already contain addresses.
    guard let entry else { return value == 0 ? .null : .address(value) }
    let addend = entry.addend ?? (header.is64Bit ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value)))
    if entry.symbol == 0 { return .address(sum(0, addend)) }
    let table = try symbols.get()
    let symbol = try table.symbol(entry.symbol)
    if symbol.section == ELF.undefined { return .symbol(try table.name(of: symbol), addend) }
    return .address(sum(symbol.value, addend))
  }

  /// A table of relocations. The name of its range is the subject of errors. The base is the
  /// address of the section that an object's table relocates, or zero in a linked image.
  typealias RelocationTable = (range: Section, hasAddends: Bool, base: UInt64)

  func objectTables() throws(InspectionProblem) -> [RelocationTable] {
    let addresses = Dictionary(recordSections.map { ($0.index, $0.address) }, uniquingKeysWith: { first, _ in first })
    let tables = sectionHeaders.compactMap { table -> RelocationTable? in
      guard table.type == ELF.rela || table.type == ELF.rel, let start = table.section.offset,
        let base = addresses[Int(table.info)]
      else { return nil }
      let name = "the section of relocations '\(table.section.name)'"
      return (Section(name: name, size: table.section.size, offset: start), table.type == ELF.rela, base)
    }
    try view.refuseOverlap(tables.map(\.range))
    return tables
  }

  func dynamicTables() throws(InspectionProblem) -> [RelocationTable] {
    guard let dynamic = try dynamic.get() else { return [] }
    guard ELF.androidRelocations.allSatisfy({ dynamic[$0] == nil }) else {
      throw view.error(
        0,
        "the relocations are packed in Android's format, which is not supported; link with '--pack-dyn-relocs=relr' or"
          + " '--pack-dyn-relocs=none'", code: .unsupportedFile)
    }
    var tables: [RelocationTable] = []
    for (kind, addressTag, sizeTag) in ELF.relocations {
      guard let address = dynamic[addressTag]?.last, let size = dynamic[sizeTag]?.last, size > 0 else { continue }
      let name = "the table of \(kind) relocations"
      guard let offset = map.offset(at: address, size) else {
        throw view.error(0, "\(name) (\(size.bytes) at address \(address.hex)) is not in a loaded segment")
      }
      tables.append((Section(name: name, size: size, offset: offset), kind == "RELA", 0))
    }
    return tables
  }

  /// Returns the first relocation with an effect at each address. The addend is nil if the
  /// relocated word contains it.
  func readRelocations() throws(InspectionProblem) -> [UInt64: (addend: Int64?, symbol: UInt32)] {
    let is64Bit = header.is64Bit
    var entries: [UInt64: (addend: Int64?, symbol: UInt32)] = [:]
    for (range, hasAddends, base) in try header.isObject ? objectTables() : dynamicTables() {
      let entrySize: UInt64 = (is64Bit ? 16 : 8) + (hasAddends ? (is64Bit ? 8 : 4) : 0)
      try view.visitTable(range.offset ?? 0, range.size / entrySize, of: entrySize, range.name) {
        cursor throws(InspectionProblem) in
        let (address, info) = (try cursor.word(is64Bit: is64Bit), try cursor.word(is64Bit: is64Bit))
        var addend: Int64?
        if hasAddends { addend = is64Bit ? try cursor.next() : Int64(try cursor.next(Int32.self)) }
        // Relocation type 0 has no effect on any processor.
        if info & (is64Bit ? 0xffff_ffff : 0xff) != 0, entries[base &+ address] == nil {
          entries[base &+ address] = (addend, UInt32(is64Bit ? info >> 32 : info >> 8))
        }
        return true
      }
    }
    return entries
  }

  func symbolTable(_ type: UInt32) throws(InspectionProblem) -> SymbolTable? {
    guard let table = sectionHeaders.first(where: { $0.type == type && $0.section.offset != nil }),
      let symbols = try table.part(of: view, "the table of symbols")
    else { return nil }
    let link = Int(table.link)
    return SymbolTable(
      symbols: symbols,
      strings: link < sectionHeaders.count ? try sectionHeaders[link].part(of: view, "the names of symbols") : nil,
      isELF: true, is64Bit: header.is64Bit)
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    guard let table = try? symbolTable(ELF.symbolTable) else { return }
    try? table.visit { symbol in
      if symbol.info & 15 == ELF.variable, Int(symbol.section) < sections.count {
        let base = header.isObject ? sections[Int(symbol.section)].address : 0
        body(symbol.value &+ base) { try? table.name(of: symbol) }
      }
      return true
    }
  }

  /// Returns the values in the dynamic section by tag, or nil without a dynamic section. The tag
  /// for linked libraries has a value for each library. For other tags, loaders use the last value.
  static func dynamicSection(
    _ segments: [ELFSegment], _ map: AddressMap, _ view: BinaryView, is64Bit: Bool
  ) throws(InspectionProblem) -> [UInt64: [UInt64]]? {
    guard let segment = segments.first(where: { $0.type == ELF.dynamicSegment && $0.fileSize > 0 }) else { return nil }
    let what = "the dynamic section at address \(segment.memory.address.hex)"
    guard let offset = map.offset(at: segment.memory.address, segment.fileSize) else {
      throw view.error(
        min(segment.offset, view.size), "\(what) (\(segment.fileSize.bytes)) is not in a loaded segment")
    }
    let entrySize: UInt64 = is64Bit ? 16 : 8
    var values: [UInt64: [UInt64]] = [:]
    try view.visitTable(offset, segment.fileSize / entrySize, of: entrySize, what) {
      cursor throws(InspectionProblem) in
      let (tag, value) = (try cursor.word(is64Bit: is64Bit), try cursor.word(is64Bit: is64Bit))
      if tag != 0 { values[tag, default: []].append(value) }
      return tag != 0
    }
    return values
  }

  func dynamicSymbols() throws(InspectionProblem) -> SymbolTable {
    // The dynamic section doesn't contain the table's size, so assume that the table ends with its
    // segment.
    guard let dynamic = try dynamic.get(), let address = dynamic[ELF.symbols]?.last,
      let offset = map.offset(at: address, 1), let region = map.region(at: address)
    else {
      throw view.error(0, "a relocation refers to a symbol, but no loaded segment has a dynamic symbol table")
    }
    return SymbolTable(
      symbols: try view.part(
        offset, region.fileSize - (address - region.address), what: "the dynamic symbol table"),
      strings: try dynamicStrings(dynamic), isELF: true, is64Bit: header.is64Bit)
  }

  private func dynamicStrings(_ dynamic: [UInt64: [UInt64]]) throws(InspectionProblem) -> BinaryView? {
    guard let address = dynamic[ELF.stringTable]?.last, let size = dynamic[ELF.stringSize]?.last else { return nil }
    guard let offset = map.offset(at: address, size) else {
      throw view.error(0, "the dynamic string table at address \(address.hex) is not in a loaded segment")
    }
    return try view.part(offset, size, what: "the dynamic string table")
  }

  /// The names of the image and its linked libraries. A name that can't be read is left out,
  /// because records don't depend on the names.
  var linkage: Linkage {
    guard let dynamic = try? dynamic.get(), let strings = try? dynamicStrings(dynamic) else { return Linkage() }
    // Names can overlap in a file, so together they can be far longer than the file.
    var left = view.size
    func name(_ offset: UInt64) -> String? {
      guard left > 0, let name = try? strings.text(offset, "the name of a library") else { return nil }
      left -= min(left, UInt64(name.utf8.count) + 1)
      return name.lastPathComponent
    }
    let libraries = dynamic[ELF.library, default: []].unique()
    return Linkage(name: dynamic[ELF.ownName]?.last.flatMap(name), libraries: libraries.compactMap(name))
  }
}
