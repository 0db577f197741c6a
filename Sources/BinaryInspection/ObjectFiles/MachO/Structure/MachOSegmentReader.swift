/// A section with the information that relocating it needs.
///
/// The types `section` and `section_64` in `mach-o/loader.h` define the format.
struct MachOSection {
  var section: Section
  /// The index of the segment.
  let segment: Int
  let relocationOffset: UInt64
  let relocationCount: UInt64
}

/// A reader of the load command of a segment.
///
/// The types `segment_command` and `segment_command_64` in `mach-o/loader.h` define the format.
struct MachOSegmentReader {
  let view: BinaryView
  let header: MachOHeader

  /// Reads the rest of a load command after its kind and size.
  ///
  /// - Parameter number: The index of the segment.
  func read(
    _ cursor: inout ByteCursor, commandOffset: UInt64, number: Int
  ) throws(InspectionProblem) -> (AddressMap.Region, [MachOSection]) {
    let name = try cursor.text(16)
    let address = try cursor.word(is64Bit: header.is64Bit)
    let size = try cursor.word(is64Bit: header.is64Bit)
    let fileOffset = try cursor.word(is64Bit: header.is64Bit)
    let fileSize = try cursor.word(is64Bit: header.is64Bit)
    try cursor.skip(4)
    let protection: UInt32 = try cursor.next()
    let count = UInt64(try cursor.next(UInt32.self))
    let flags: UInt32 = try cursor.next()
    guard fileSize == 0 || fileSize <= view.size && fileOffset <= view.size - fileSize else {
      throw outside("segment", name, fileSize, fileOffset, commandOffset)
    }
    // The segment of the page of null pointers is inaccessible.
    let segment = AddressMap.Region(
      name: name, index: number, address: address, size: size, offset: fileOffset, fileSize: min(fileSize, size),
      isReadable: protection != 0 || fileSize > 0, isEncrypted: flags & MachO.protectedSegment != 0)
    try view.checkEntryCount(count, at: commandOffset, "sections of the segment '\(name)'")
    var sections: [MachOSection] = []
    for _ in 0..<count { sections.append(try section(&cursor, in: segment)) }
    return (segment, sections)
  }

  private func section(
    _ cursor: inout ByteCursor, in segment: AddressMap.Region
  ) throws(InspectionProblem) -> MachOSection {
    let commandOffset = cursor.offset
    let sectionName = try cursor.text(16)
    let name = "\(try cursor.text(16)),\(sectionName)"
    let address = try cursor.word(is64Bit: header.is64Bit)
    let size = try cursor.word(is64Bit: header.is64Bit)
    let offset = UInt64(try cursor.next(UInt32.self))
    try cursor.skip(4)
    let relocationOffset = UInt64(try cursor.next(UInt32.self))
    let relocationCount = UInt64(try cursor.next(UInt32.self))
    let type = try cursor.next(UInt32.self) & MachO.sectionTypeMask
    try cursor.skip(header.is64Bit ? 12 : 8)

    var section = Section(name: name, address: address, size: size)
    // Files of debug symbols contain the headers of all sections, but the bytes of only a few
    // segments.
    let isElsewhere = header.type == .other && (segment.fileSize == 0 || offset == 0)
    if !MachO.zeroFilledSections.contains(type), !isElsewhere, size > 0 || offset <= view.size {
      guard size <= view.size, offset <= view.size - size else {
        throw outside("section", name, size, offset, commandOffset)
      }
      // The runtime uses the address and tools use the offset, so the two must match.
      let distance = address &- segment.address
      let isInSegment = distance < segment.fileSize && size <= segment.fileSize - distance
      guard size == 0 || !header.isLoaded || isInSegment && offset == segment.offset + distance else {
        throw view.error(
          commandOffset,
          "the section '\(name)' has an address or an offset that does not match its segment, '\(segment.name)'")
      }
      section.offset = offset
      section.isEncrypted = segment.isEncrypted
    }
    return MachOSection(
      section: section, segment: segment.index, relocationOffset: relocationOffset, relocationCount: relocationCount)
  }

  private func outside(
    _ kind: String, _ name: String, _ size: UInt64, _ offset: UInt64, _ commandOffset: UInt64
  ) -> InspectionProblem {
    view.error(
      commandOffset,
      "the \(kind) '\(name)' (\(size) bytes at \(offset.hex)) must be within the file, which has \(view.size) bytes")
  }
}
