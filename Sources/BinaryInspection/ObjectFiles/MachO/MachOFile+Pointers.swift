extension MachOFile {
  /// Returns the value of the pointer at an address after the image is loaded.
  ///
  /// In an image without chained fixups, the file contains the address of every target in the
  /// image. The reader does not interpret the opcodes of LC_DYLD_INFO, so a pointer to another
  /// image has the value in the file, usually null. In an object, a pointer with a relocation is a
  /// symbol without a name.
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer {
    if machHeader.isObject, try relocatedAddresses(around: address).contains(address) { return .symbol("", 0) }
    let raw = try number(at: address, "a pointer")
    guard raw != 0 else { return .null }
    guard let fixups = try findFixups() else { return .address(raw) }
    let region = try map.region(at: address, header.pointerSize, "a pointer")
    return try fixups.pointer(raw, at: address, segment: region.index)
  }

  func relativePointer(at address: UInt64) throws(InspectionError) -> UInt64? {
    let distance = Int32(bitPattern: try word(at: address, "a relative pointer"))
    guard distance != 0 else { return nil }
    let target = address &+ UInt64(bitPattern: Int64(distance))
    return header.is64Bit ? target : target & 0xffff_ffff
  }

  private func findFixups() throws(InspectionError) -> ChainedFixups? {
    if let fixups { return try fixups.get() }
    guard let range = commands.chainedFixups, range.isPresent else { return nil }
    let result: Result<ChainedFixups, InspectionError>
    do throws(InspectionError) {
      // The offsets in fixups count from the address of the header.
      guard let base = commands.segments.first(where: { $0.fileOffset == 0 && $0.fileSize > 0 })?.address else {
        throw view.error(range.offset, "there are chained fixups, but no segment contains the header")
      }
      result = .success(
        try ChainedFixups(view, range, segments: commands.segments, base: base, is64Bit: header.is64Bit))
    } catch {
      result = .failure(error)
    }
    // Keep errors as well, because every record needs the fixups.
    fixups = result
    return try result.get()
  }

  /// Returns the addresses in the section around an address that have relocations.
  ///
  /// The type `relocation_info` in `mach-o/reloc.h` defines the format of relocations. Those of the
  /// processors on which Swift runs are not scattered, so they begin with an offset in the section.
  private func relocatedAddresses(around address: UInt64) throws(InspectionError) -> Set<UInt64> {
    let index = try map.region(at: address, 1, "a pointer").index
    if let known = relocated[index] { return known }
    let entry = commands.sections[index]
    var cursor = try view.cursor(
      entry.relocationOffset, entry.relocationCount * 8, "the relocations of the section '\(entry.section.name)'")
    var addresses: Set<UInt64> = []
    while !cursor.isAtEnd {
      addresses.insert(entry.section.address &+ UInt64(try cursor.next(UInt32.self)))
      try cursor.skip(4)
    }
    relocated[index] = addresses
    return addresses
  }
}
