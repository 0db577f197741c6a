extension ELFFile {
  /// Returns the value of the pointer at an address after the image is loaded or the object is
  /// linked.
  ///
  /// A symbol that the image defines is an address in the image, although another image can take
  /// precedence at run time. A value that a function returns at run time (`R_*_IRELATIVE`,
  /// `STT_GNU_IFUNC`) is a symbol with the name or the address of the function.
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer {
    isObject ? try objectPointer(at: address) : try linkedPointer(at: address)
  }

  func relativePointer(at address: UInt64) throws(InspectionError) -> UInt64? {
    let distance = Int32(bitPattern: try word(at: address, "a relative pointer"))
    if isObject { return try objectDistance(at: address, distance) }
    guard distance != 0 else { return nil }
    let target = sum(address, Int64(distance))
    return extents.extent(at: target) == nil ? nil : target
  }

  // MARK: Linked images

  private func linkedPointer(at address: UInt64) throws(InspectionError) -> Pointer {
    let value = try pointerValue(at: address)
    let plain: Pointer = value == 0 ? .null : .address(value)
    guard let relocations = try findRelocations() else { return plain }
    // RELR tables need no reader, because the words that they relocate already contain addresses.
    guard let relocation = try relocations.relocation(at: address) else { return plain }
    let inPlace = Int64(bitPattern: value)
    switch machine.relocation(relocation.type) {
    case .none: return plain
    case .relative: return .address(sum(0, relocation.addend ?? inPlace))
    case .indirect: return .symbol("ifunc at \(hex(sum(0, relocation.addend ?? inPlace)))", 0)
    case .absolute:
      let addend = relocation.addend ?? signed(value)
      return pointer(to: try dynamicTarget(relocation.symbol), addend)
    // If the relocation has no addend, the word contains a value for lazy binding instead.
    case .symbol: return pointer(to: try dynamicTarget(relocation.symbol), relocation.addend ?? 0)
    case .distance, .add, .subtract, .other:
      throw view.error(
        extents.offset(at: address, 1) ?? 0,
        "the pointer at address \(hex(address)) has a relocation of type \(relocation.type), which is not a known"
          + " relocation of a pointer on '\(machine.name)'")
    }
  }

  private func findRelocations() throws(InspectionError) -> ELFDynamicRelocations? {
    if dynamicRelocations == nil, let dynamic = try dynamicSection() {
      let ranges = recordSections.map { $0.address..<$0.address + $0.size }
      do throws(InspectionError) {
        dynamicRelocations = .success(
          try ELFDynamicRelocations(dynamic, of: view, machine, extents, ranges: ranges))
      } catch {
        dynamicRelocations = .failure(error)
      }
    }
    return try dynamicRelocations?.get()
  }

  func dynamicSection() throws(InspectionError) -> ELFDynamicSection? {
    if dynamic == nil {
      do throws(InspectionError) {
        dynamic = .success(try ELFDynamicSection(segments, extents, view, fileHeader))
      } catch {
        dynamic = .failure(error)
      }
    }
    return try dynamic?.get()
  }

  private func dynamicTarget(_ number: UInt32) throws(InspectionError) -> ELFTarget {
    if number == 0 { return .address(0) }
    guard let dynamic = try dynamicSection(), let symbols = dynamic.symbols else {
      throw view.error(0, "a relocation refers to symbol \(number), but the dynamic section has no symbol table")
    }
    let size = ELFSymbol.size(is64Bit: header.is64Bit)
    let (address, overflows) = symbols.addingReportingOverflow(UInt64(number) * size)
    guard !overflows, let offset = extents.offset(at: address, size) else {
      throw view.error(0, "a relocation refers to symbol \(number), which is not in a loaded segment")
    }
    var cursor = try view.cursor(offset, size, "a dynamic symbol")
    let symbol = try ELFSymbol(&cursor, is64Bit: header.is64Bit)
    if symbol.section != ELF.undefined, symbol.type != ELF.indirectFunction { return .address(symbol.value) }
    guard let strings = dynamic.strings, UInt64(symbol.name) < strings.size else {
      throw view.error(offset, "the name of dynamic symbol \(number) must be within the string table")
    }
    guard let nameOffset = extents.offset(at: strings.address &+ UInt64(symbol.name), 1) else {
      throw view.error(offset, "the name of dynamic symbol \(number) is not in a loaded segment")
    }
    return .named(try view.symbolName(nameOffset, "the name of dynamic symbol \(number)"))
  }

  // MARK: Objects

  private func objectPointer(at address: UInt64) throws(InspectionError) -> Pointer {
    let value = try pointerValue(at: address)
    for item in try relocations(at: address) {
      switch machine.relocation(item.entry.type) {
      case .none: continue
      case .absolute, .symbol:
        return pointer(to: try objectRelocations!.target(item), item.entry.addend ?? signed(value))
      default:
        throw view.error(
          extents.offset(at: address, 1) ?? 0,
          "the pointer at address \(hex(address)) has a relocation of type \(item.entry.type), which is not a known"
            + " relocation of a pointer on '\(machine.name)'")
      }
    }
    return value == 0 ? .null : .address(value)
  }

  private func objectDistance(at address: UInt64, _ distance: Int32) throws(InspectionError) -> UInt64? {
    var added: UInt64?
    for item in try relocations(at: address) {
      let addend = item.entry.addend ?? Int64(distance)
      switch machine.relocation(item.entry.type) {
      // The linked value is the distance from the word, so the target is the symbol plus the
      // addend.
      case .distance:
        guard case .address(let target) = try objectRelocations!.target(item) else { return nil }
        return sum(target, addend)
      case .add:
        guard case .address(let target) = try objectRelocations!.target(item) else { return nil }
        added = sum(target, addend)
      case .subtract:
        guard let added, case .address(let from) = try objectRelocations!.target(item) else { return nil }
        return sum(address &+ added &- sum(from, addend), 0)
      case .none: continue
      default:
        throw view.error(
          extents.offset(at: address, 1) ?? 0,
          "the relative pointer at address \(hex(address)) has a relocation of type \(item.entry.type), which is not"
            + " a known relocation of a relative pointer on '\(machine.name)'")
      }
    }
    // The compiler resolves distances in one section, so they have no relocations.
    return distance == 0 ? nil : sum(address, Int64(distance))
  }

  private func relocations(at address: UInt64) throws(InspectionError) -> ArraySlice<ELFObjectRelocations.Item> {
    guard let extent = extents.extent(at: address), let section = extent.section else { return [] }
    if objectRelocations == nil { objectRelocations = try ELFObjectRelocations(self) }
    return try objectRelocations!.relocations(in: section, at: address - extent.address)
  }

  // MARK: Values

  private func pointer(to target: ELFTarget, _ addend: Int64) -> Pointer {
    switch target {
    case .address(let address): .address(sum(address, addend))
    case .named(let name): .symbol(name, addend)
    }
  }

  /// Returns the value of a word as a signed addend.
  private func signed(_ value: UInt64) -> Int64 {
    header.is64Bit ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
  }
}
