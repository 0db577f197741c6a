/// The information from which the dynamic loader computes an image's pointers.
enum MachOFixups {
  /// The fixups of the load command LC_DYLD_CHAINED_FIXUPS.
  case chained(ChainedFixups)
  /// The bound pointers of the load command LC_DYLD_INFO; the file contains all other pointers.
  case opcodes(BoundAddresses)
  /// The absence of both load commands; the file contains all pointers.
  case none
}

extension MachOFile {
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer {
    if machHeader.isObject { return try objectPointer(at: address) }
    let raw = try pointerBytes(at: address, "a pointer")
    let region = try map.region(at: address, header.pointerSize, "a pointer")
    // Bytes that are not in the file are zero, and no fixup applies to them.
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

  /// Returns an address at a distance from another one, with the processor's overflow behavior.
  func address(_ address: UInt64, plus distance: Int64) -> UInt64 {
    let sum = address &+ UInt64(bitPattern: distance)
    return header.is64Bit ? sum : sum & 0xffff_ffff
  }

  /// Returns the address of a symbol plus an addend.
  ///
  /// The result is an address in this file if the file is an object that defines the symbol, and
  /// otherwise the symbol itself.
  func pointer(toSymbol index: UInt64, plus addend: Int64) throws(InspectionError) -> Pointer {
    guard let symbolTable else {
      throw InspectionError(file: view.name, message: "a relocation refers to a symbol, but there is no symbol table")
    }
    let entry = try symbolTable.entry(index)
    if machHeader.isObject, entry.isDefined { return .address(address(entry.value, plus: addend)) }
    return .symbol(try symbolTable.beginning(ofName: entry), addend)
  }

  /// The address of the header, from which the offsets in fixups count.
  var base: UInt64? { commands.segments.first { $0.fileOffset == 0 && $0.fileSize > 0 }?.address }

  private func findFixups() throws(InspectionError) -> MachOFixups {
    if let fixups { return try fixups.get() }
    let result: Result<MachOFixups, InspectionError>
    do throws(InspectionError) { result = .success(try makeFixups()) } catch { result = .failure(error) }
    // Keep errors as well, because finding them again takes time in proportion to the fixups' size.
    fixups = result
    return try result.get()
  }

  private func makeFixups() throws(InspectionError) -> MachOFixups {
    if let range = commands.chainedFixups, range.isPresent {
      guard let base else {
        throw view.error(range.offset, "there are chained fixups, but no segment contains the header")
      }
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
