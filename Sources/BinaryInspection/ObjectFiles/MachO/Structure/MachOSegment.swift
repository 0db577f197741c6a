/// A segment without its sections.
///
/// The types `segment_command` and `segment_command_64` in `mach-o/loader.h` define the format.
struct MachOSegment {
  let name: String
  let address: UInt64
  let size: UInt64
  let fileOffset: UInt64
  let fileSize: UInt64
  let protection: UInt32
  let flags: UInt32
  /// The offset of the load command.
  let commandOffset: UInt64

  var end: UInt64 { address + size }
  var isProtected: Bool { flags & MachO.SegmentFlag.protected != 0 }
  /// A Boolean value that indicates whether the segment is inaccessible, like the page of null
  /// pointers.
  var isInaccessible: Bool { protection == 0 && fileSize == 0 }
}

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

/// A reader of the load command of a segment, which checks the segment by the rules of LLVM and
/// dyld.
struct MachOSegmentReader {
  let view: BinaryView
  let header: MachOHeader

  /// Reads the rest of a load command after its kind and size.
  ///
  /// - Parameter number: The index of the segment.
  func read(
    _ cursor: inout ByteCursor, commandOffset: UInt64, number: Int
  ) throws(InspectionError) -> (MachOSegment, [MachOSection]) {
    let name = try cursor.text(16)
    let address = try cursor.word(is64Bit: header.is64Bit)
    let size = try cursor.word(is64Bit: header.is64Bit)
    let fileOffset = try cursor.word(is64Bit: header.is64Bit)
    let fileSize = try cursor.word(is64Bit: header.is64Bit)
    _ = try cursor.next(UInt32.self)  // The maximum protection.
    let protection: UInt32 = try cursor.next()
    let count = UInt64(try cursor.next(UInt32.self))
    let flags: UInt32 = try cursor.next()
    let segment = MachOSegment(
      name: name, address: address, size: size, fileOffset: fileOffset, fileSize: fileSize, protection: protection,
      flags: flags, commandOffset: commandOffset)
    try check(segment)

    // Check that the load command contains all sections before they take memory.
    guard count * (header.is64Bit ? 80 : 68) <= cursor.left else {
      throw view.error(
        commandOffset, "the segment '\(name)' has \(count) sections, more than its load command has room for")
    }
    try view.checkEntryCount(count, at: commandOffset, "sections of the segment '\(name)'")
    var sections: [MachOSection] = []
    for _ in 0..<count { sections.append(try section(&cursor, in: segment, number)) }
    return (segment, sections)
  }

  private func check(_ segment: MachOSegment) throws(InspectionError) {
    let (end, overflows) = segment.address.addingReportingOverflow(segment.size)
    guard !overflows, header.is64Bit || end <= 1 << 32 else {
      throw view.error(segment.commandOffset, "the addresses of the segment '\(segment.name)' overflow")
    }
    let (fileEnd, fileOverflows) = segment.fileOffset.addingReportingOverflow(segment.fileSize)
    guard segment.fileSize == 0 || !fileOverflows && fileEnd <= view.size else {
      throw view.error(
        segment.commandOffset,
        "the segment '\(segment.name)' (\(segment.fileSize) bytes at 0x\(String(segment.fileOffset, radix: 16)))"
          + " must be within the file, which has \(view.size) bytes")
    }
    guard segment.fileSize <= segment.size || segment.size == 0 && !header.isLoaded else {
      throw view.error(
        segment.commandOffset, "the segment '\(segment.name)' has more bytes in the file than in memory")
    }
  }

  private func section(
    _ cursor: inout ByteCursor, in segment: MachOSegment, _ number: Int
  ) throws(InspectionError) -> MachOSection {
    let commandOffset = cursor.offset
    let sectionName = try cursor.text(16)
    let name = "\(try cursor.text(16)),\(sectionName)"
    let address = try cursor.word(is64Bit: header.is64Bit)
    let size = try cursor.word(is64Bit: header.is64Bit)
    let offset = UInt64(try cursor.next(UInt32.self))
    let alignment: UInt32 = try cursor.next()
    let relocationOffset = UInt64(try cursor.next(UInt32.self))
    let relocationCount = UInt64(try cursor.next(UInt32.self))
    let flags: UInt32 = try cursor.next()
    try cursor.skip(header.is64Bit ? 12 : 8)

    guard alignment < 32 else {
      throw view.error(commandOffset, "the section '\(name)' is aligned to 2^\(alignment), more than 2^31")
    }
    let (end, overflows) = address.addingReportingOverflow(size)
    guard !overflows, header.is64Bit || end <= 1 << 32 else {
      throw view.error(commandOffset, "the addresses of the section '\(name)' overflow")
    }
    if header.isLoaded {
      guard address >= segment.address, end <= segment.end else {
        throw view.error(commandOffset, "the section '\(name)' is not within its segment, '\(segment.name)'")
      }
    }
    var section = Section(name: name, address: address, size: size, alignment: 1 << UInt64(alignment))
    section.offset = try fileOffset(
      offset, of: section, type: flags & MachO.SectionType.mask, in: segment, commandOffset)
    section.isEncrypted = segment.isProtected && section.offset != nil
    return MachOSection(
      section: section, segment: number, relocationOffset: relocationOffset, relocationCount: relocationCount)
  }

  /// Returns the checked offset of a section's bytes; nil if the file does not contain them.
  private func fileOffset(
    _ offset: UInt64, of section: Section, type: UInt32, in segment: MachOSegment, _ commandOffset: UInt64
  ) throws(InspectionError) -> UInt64? {
    let zeroFill = [MachO.SectionType.zeroFill, MachO.SectionType.bigZeroFill, MachO.SectionType.threadLocalZeroFill]
    if zeroFill.contains(type) { return nil }
    if section.size == 0 { return offset <= view.size ? offset : nil }
    // Files of debug symbols contain the headers of all sections, but the bytes of only a few
    // segments.
    if !header.isLoaded, !header.isObject, segment.fileSize == 0 || offset == 0 { return nil }
    guard section.size <= view.size, offset <= view.size - section.size else {
      throw view.error(
        commandOffset,
        "the section '\(section.name)' (\(section.size) bytes at 0x\(String(offset, radix: 16)))"
          + " must be within the file, which has \(view.size) bytes")
    }
    guard header.isLoaded else { return offset }
    // The runtime uses the address and tools use the offset, so the two must match.
    let distance = section.address - segment.address
    guard offset >= segment.fileOffset, offset - segment.fileOffset == distance, distance < segment.fileSize,
      section.size <= segment.fileSize - distance
    else {
      throw view.error(
        commandOffset,
        "the section '\(section.name)' has an offset in the file that does not match its segment, '\(segment.name)'")
    }
    return offset
  }
}
