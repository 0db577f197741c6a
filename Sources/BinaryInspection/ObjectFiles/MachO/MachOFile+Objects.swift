/// The pointers in object files, whose values depend on the relocations of their sections.
///
/// The types of relocations are from `x86_64/reloc.h`, `arm64/reloc.h`, `generic/reloc.h`, and
/// `arm/reloc.h` in Apple's Mach-O headers.
extension MachOFile {
  /// The effect of a relocation on a pointer.
  private enum Kind {
    case pointer
    case subtractor
    /// The distance to a pointer that the linker creates.
    case pointerToPointer
    /// A signed pointer of arm64e, whose addend is in the lower half.
    case authenticated
    /// A difference of two addresses in this file, which the relocated word contains.
    case difference
    case other
  }

  func objectPointer(at address: UInt64) throws(InspectionError) -> Pointer {
    let raw = try pointerBytes(at: address, "a pointer")
    let found = try relocations(at: address)
    guard let relocation = found.first else {
      return try indirectPointer(raw, at: address) ?? (raw == 0 ? .null : .address(raw))
    }
    let kind = kind(of: relocation)
    guard found.count == 1, kind == .pointer || kind == .authenticated, relocation.size == header.pointerSize,
      !relocation.isRelative
    else {
      throw error(
        "the value at address 0x\(String(address, radix: 16)) is not a pointer, because its relocation has the type"
          + " \(relocation.type)")
    }
    switch relocation.target {
    case .symbol(let symbol):
      let addend = kind == .authenticated ? Int64(Int32(truncatingIfNeeded: raw)) : signed(raw)
      return try pointer(toSymbol: symbol, plus: addend)
    case .section(0), .scattered: return raw == 0 ? .null : .address(raw)
    case .section(let number):
      guard number <= UInt64(sections.count) else {
        throw error("a relocation refers to section \(number), but the number of sections is \(sections.count)")
      }
      // The word contains the target's address. Zero is a valid address, because the first section
      // of an object is there.
      return .address(kind == .authenticated ? raw & 0xffff_ffff : raw)
    }
  }

  func objectRelativePointer(at address: UInt64) throws(InspectionError) -> UInt64? {
    let content = Int64(Int32(bitPattern: try word(at: address, "a relative pointer")))
    let found = try relocations(at: address)
    guard let first = found.first else { return content == 0 ? nil : self.address(address, plus: content) }
    let kinds = found.map { kind(of: $0) }
    if kinds == [.difference] { return content == 0 ? nil : self.address(address, plus: content) }
    // The linker creates the pointer in between, which refers to another image.
    if kinds == [.pointerToPointer] { return nil }
    guard kinds == [.subtractor, .pointer], found.allSatisfy({ $0.size == 4 && !$0.isRelative }),
      case .symbol(let subtracted) = first.target
    else {
      throw error(
        "the value at address 0x\(String(address, radix: 16)) is not a relative pointer, because its relocation has the type"
          + " \(first.type)")
    }
    guard case .address(let origin) = try pointer(toSymbol: subtracted, plus: 0) else {
      throw error(
        "the relative pointer at address 0x\(String(address, radix: 16)) is relative to an address that is not in the file"
      )
    }
    // The subtracted symbol is usually at the relative pointer itself, but can be elsewhere.
    let shift = Int64(bitPattern: address &- origin)
    switch found[1].target {
    case .symbol(let symbol):
      guard case .address(let target) = try pointer(toSymbol: symbol, plus: content) else { return nil }
      return self.address(target, plus: shift)
    case .section, .scattered:
      // The word contains the target's address.
      return self.address(UInt64(bitPattern: content), plus: shift)
    }
  }

  func linkerPointer(at address: UInt64) throws(InspectionError) -> Pointer? {
    guard machHeader.isObject else { return nil }
    let found = try relocations(at: address)
    guard found.count == 1, kind(of: found[0]) == .pointerToPointer, case .symbol(let symbol) = found[0].target else {
      return nil
    }
    return try pointer(toSymbol: symbol, plus: 0)
  }

  /// Returns the value of a pointer in a section of indirect symbols; nil if it is in no such
  /// section.
  ///
  /// These sections contain only pointers, whose symbols are in the indirect symbol table.
  func indirectPointer(_ raw: UInt64, at address: UInt64) throws(InspectionError) -> Pointer? {
    guard let table = commands.dynamicSymbolTable, let entry = pointerSection(at: address) else { return nil }
    let (number, remainder) = (address - entry.section.address).quotientAndRemainder(dividingBy: header.pointerSize)
    guard remainder == 0 else { return nil }
    let index = UInt64(entry.indirectIndex) + number
    guard index < table.indirectCount else {
      throw error("the section '\(entry.section.name)' has more pointers than the indirect symbol table has symbols")
    }
    var cursor = try view.cursor(table.indirectOffset + index * 4, 4, "the indirect symbol table")
    let symbol: UInt32 = try cursor.next()
    if symbol & (MachO.Symbol.indirectLocal | MachO.Symbol.indirectAbsolute) != 0 { return nil }
    return try pointer(toSymbol: UInt64(symbol), plus: 0)
  }

  private func pointerSection(at address: UInt64) -> MachOSection? {
    let sections = commands.pointerSections
    let index = sections.firstSortedIndex { $0.section.address > address } - 1
    guard index >= 0, address - sections[index].section.address < sections[index].section.size else { return nil }
    return sections[index]
  }

  /// Returns a number that is as wide as a pointer, with its sign.
  func signed(_ raw: UInt64) -> Int64 {
    header.is64Bit ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
  }

  private func relocations(at address: UInt64) throws(InspectionError) -> [MachORelocation] {
    let region = try map.region(at: address, 1, "a pointer")
    let all: Result<MachORelocations, InspectionError>
    if let known = relocations[region.index] {
      all = known
    } else {
      do throws(InspectionError) { all = .success(try readRelocations(region.index)) } catch { all = .failure(error) }
      relocations[region.index] = all
    }
    return try all.get().relocations(at: address - region.address)
  }

  private func readRelocations(_ index: Int) throws(InspectionError) -> MachORelocations {
    let entry = commands.sections[index]
    let isModern = machHeader.architecture.hasModernRelocations
    return try MachORelocations(
      view, offset: entry.relocationOffset, count: entry.relocationCount, canBeScattered: !isModern,
      skipped: isModern ? nil : 1, limit: entry.section.size,
      what: "the relocations of the section '\(entry.section.name)'")
  }

  private func kind(of relocation: MachORelocation) -> Kind {
    let architecture = machHeader.architecture
    if architecture.isX86With64Bit {
      switch relocation.type {
      case 0: return .pointer
      case 4: return .pointerToPointer
      case 5: return .subtractor
      default: return .other
      }
    }
    if architecture.isARM64 {
      switch relocation.type {
      case 0: return .pointer
      case 1: return .subtractor
      case 7: return .pointerToPointer
      case 11: return .authenticated
      default: return .other
      }
    }
    switch (relocation.type, architecture.cpuType) {
    case (0, _): return .pointer
    case (2, _), (4, MachOArchitecture.typeI386), (3, MachOArchitecture.typeARM): return .difference
    default: return .other
    }
  }

  private func error(_ message: String) -> InspectionError { InspectionError(file: view.name, message: message) }
}
