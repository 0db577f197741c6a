/// How an image's pointers are told to the dynamic loader.
enum MachOFixups {
  /// `LC_DYLD_CHAINED_FIXUPS`.
  case chained(ChainedFixups)
  /// `LC_DYLD_INFO`; what it does not bind stands in the file.
  case opcodes(BoundAddresses)
  /// Neither of them; every pointer stands in the file.
  case none
}

extension MachOFile {
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer {
    if machHeader.isObject { return try objectPointer(at: address) }
    let raw = try pointerBytes(at: address, "a pointer")
    let region = try map.region(at: address, header.pointerSize, "a pointer")
    // What is not in the file is zero, and nothing is fixed up there.
    guard address - region.address < region.fileSize else { return .null }
    let offset = region.fileOffset + (address - region.address)
    switch try findFixups() {
    case .chained(let chained):
      if let pointer = try chained.pointer(raw, at: address, segment: region.index) { return pointer }
    case .opcodes(let addresses):
      if let pointer = try addresses.pointer(atFileOffset: offset) { return pointer }
    case .none: break
    }
    return raw == 0 ? .null : .address(raw)
  }

  func relativePointer(at address: UInt64) throws(InspectionError) -> UInt64? {
    if machHeader.isObject { return try objectRelativePointer(at: address) }
    let distance = Int32(bitPattern: try word(at: address, "a relative pointer"))
    return distance == 0 ? nil : self.address(address, plus: Int64(distance))
  }

  /// An address at a distance from another one, as the processor adds them.
  func address(_ address: UInt64, plus distance: Int64) -> UInt64 {
    let sum = address &+ UInt64(bitPattern: distance)
    return header.is64Bit ? sum : sum & 0xffff_ffff
  }

  /// What a symbol's address is, plus an offset: a place in this file if it is defined here.
  func pointer(toSymbol index: UInt64, plus addend: Int64) throws(InspectionError) -> Pointer {
    guard let symbolTable else {
      throw InspectionError(file: view.name, message: "a relocation is for a symbol, but there is no symbol table")
    }
    let entry = try symbolTable.entry(index)
    if machHeader.isObject, entry.isDefined { return .address(address(entry.value, plus: addend)) }
    return .symbol(try symbolTable.beginning(ofName: entry), addend)
  }

  /// The header's address, which offsets in fixups count from.
  var base: UInt64? { commands.segments.first { $0.fileOffset == 0 && $0.fileSize > 0 }?.address }

  private func findFixups() throws(InspectionError) -> MachOFixups {
    if let fixups { return try fixups.get() }
    let result: Result<MachOFixups, InspectionError>
    do throws(InspectionError) { result = .success(try makeFixups()) } catch { result = .failure(error) }
    // What is wrong with them is found out once, too: looking costs as much as they are long.
    fixups = result
    return try result.get()
  }

  private func makeFixups() throws(InspectionError) -> MachOFixups {
    if let range = commands.chainedFixups, range.isPresent {
      guard let base else { throw view.error(range.offset, "there are chained fixups, but no segment has the header") }
      return .chained(
        try ChainedFixups(view, range, segments: commands.segments, base: base, is64Bit: header.is64Bit))
    }
    if let info = commands.dyldInfo {
      return .opcodes(
        try BoundAddresses(view, info, segments: commands.segments, is64Bit: header.is64Bit))
    }
    return .none
  }
}
