/// The contents of the dynamic section of a linked image.
struct ELFDynamicSection {
  private let values: [UInt64: UInt64]
  /// The offsets of the names of the libraries that the image links, in the table of strings.
  let libraries: [UInt64]

  /// Reads the dynamic section of an image; returns nil if there is none, as in static programs.
  init?(
    _ segments: [ELFSegment], _ map: AddressMap, _ view: BinaryView, is64Bit: Bool
  ) throws(InspectionProblem) {
    guard let segment = segments.first(where: { $0.type == ELF.dynamicSegment && $0.fileSize > 0 }) else { return nil }
    let what = "the dynamic section at address \(segment.address.hex)"
    guard let offset = map.offset(at: segment.address, segment.fileSize) else {
      throw view.error(
        min(segment.offset, view.size), "\(what) (\(segment.fileSize) bytes) is not in a loaded segment")
    }
    let entrySize: UInt64 = is64Bit ? 16 : 8
    var names: Set<UInt64> = []
    var (libraries, values): ([UInt64], [UInt64: UInt64]) = ([], [:])
    try view.visitTable(offset, segment.fileSize / entrySize, of: entrySize, what) {
      cursor throws(InspectionProblem) in
      (tag: try cursor.word(is64Bit: is64Bit), value: try cursor.word(is64Bit: is64Bit))
    } _: { entry in
      guard entry.tag != 0 else { return false }
      // There is an entry for each library. Like loaders, use the last entry with any other tag.
      if entry.tag == ELF.library, names.insert(entry.value).inserted { libraries.append(entry.value) }
      values[entry.tag] = entry.value
      return true
    }
    (self.libraries, self.values) = (libraries, values)
  }

  /// Returns the value of the entry with a tag; nil if there is none.
  subscript(tag: UInt64) -> UInt64? { values[tag] }
}

extension ELFFile {
  /// Returns the table of symbols for the dynamic loader.
  func dynamicSymbols() throws(InspectionProblem) -> SymbolTable {
    // The dynamic section does not state the size of the table, so it ends with its segment.
    guard let dynamic = try dynamic.get(), let address = dynamic[ELF.symbols], let offset = map.offset(at: address, 1),
      let region = map.region(at: address)
    else {
      throw view.error(0, "a relocation refers to a symbol, but no loaded segment has a dynamic symbol table")
    }
    return SymbolTable(
      symbols: try view.part(
        offset, region.fileSize - (address - region.address), what: "the dynamic symbol table"),
      strings: try dynamicStrings(dynamic), isELF: true, is64Bit: header.is64Bit)
  }

  /// Returns the names in the dynamic section; nil if the file has none.
  private func dynamicStrings(_ dynamic: ELFDynamicSection) throws(InspectionProblem) -> BinaryView? {
    guard let address = dynamic[ELF.stringTable], let size = dynamic[ELF.stringSize] else { return nil }
    guard let offset = map.offset(at: address, size) else {
      throw view.error(0, "the dynamic string table at address \(address.hex) is not in a loaded segment")
    }
    return try view.part(offset, size, what: "the dynamic string table")
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
