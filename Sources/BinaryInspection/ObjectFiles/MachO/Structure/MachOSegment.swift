/// A segment: `segment_command` and `segment_command_64` of `mach-o/loader.h`, without its sections.
struct MachOSegment {
  let name: String
  let address: UInt64
  let size: UInt64
  let fileOffset: UInt64
  let fileSize: UInt64
  let protection: UInt32
  let flags: UInt32
  /// Where its load command stands.
  let commandOffset: UInt64

  var end: UInt64 { address + size }
  var isProtected: Bool { flags & MachO.SegmentFlag.protected != 0 }
  /// Whether nothing may be read there: the page of null pointers.
  var isInaccessible: Bool { protection == 0 && fileSize == 0 }
}

/// A section, and what relocating it needs: `section` and `section_64` of `mach-o/loader.h`.
struct MachOSection {
  var section: Section
  /// Which segment it is in, counted from zero.
  let segment: Int
  let type: UInt32
  let relocationOffset: UInt64
  let relocationCount: UInt64
  /// `reserved1`: of pointers to symbols, the first one's index in the indirect symbol table.
  let indirectIndex: UInt32
}

/// Reads a segment's load command, and holds it and its sections to what LLVM and dyld ask of them.
struct MachOSegmentReader {
  let view: BinaryView
  let header: MachOHeader

  /// Reads what follows a load command's kind and size.
  ///
  /// - Parameter number: Which segment it is, counted from zero.
  func read(
    _ cursor: inout ByteCursor, commandOffset: UInt64, number: Int
  ) throws(InspectionError) -> (MachOSegment, [MachOSection]) {
    let name = try cursor.text(16)
    let address = try cursor.word(is64Bit: header.is64Bit)
    let size = try cursor.word(is64Bit: header.is64Bit)
    let fileOffset = try cursor.word(is64Bit: header.is64Bit)
    let fileSize = try cursor.word(is64Bit: header.is64Bit)
    _ = try cursor.next(UInt32.self)  // The most that its protection may become.
    let protection: UInt32 = try cursor.next()
    let count = UInt64(try cursor.next(UInt32.self))
    let flags: UInt32 = try cursor.next()
    let segment = MachOSegment(
      name: name, address: address, size: size, fileOffset: fileOffset, fileSize: fileSize, protection: protection,
      flags: flags, commandOffset: commandOffset)
    try check(segment)

    // As many bytes as that have to be there, before anything is made of them.
    guard count * (header.is64Bit ? 80 : 68) <= cursor.left else {
      throw view.error(
        commandOffset, "the segment \(name) has \(count) sections, more than its load command has room for")
    }
    try view.checkEntryCount(count, at: commandOffset, "sections of the segment \(name)")
    var sections: [MachOSection] = []
    for _ in 0..<count { sections.append(try section(&cursor, in: segment, number)) }
    return (segment, sections)
  }

  private func check(_ segment: MachOSegment) throws(InspectionError) {
    let (end, overflows) = segment.address.addingReportingOverflow(segment.size)
    guard !overflows, header.is64Bit || end <= 1 << 32 else {
      throw view.error(segment.commandOffset, "the addresses of the segment \(segment.name) overflow")
    }
    let (fileEnd, fileOverflows) = segment.fileOffset.addingReportingOverflow(segment.fileSize)
    guard segment.fileSize == 0 || !fileOverflows && fileEnd <= view.size else {
      throw view.error(
        segment.commandOffset,
        "the segment \(segment.name) (\(segment.fileSize) bytes at 0x\(String(segment.fileOffset, radix: 16)))"
          + " leads out of the file, which has \(view.size) bytes")
    }
    guard segment.fileSize <= segment.size || segment.size == 0 && !header.isLoaded else {
      throw view.error(segment.commandOffset, "the segment \(segment.name) has more bytes in the file than in memory")
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
    let indirectIndex: UInt32 = try cursor.next()
    _ = try cursor.next(UInt32.self)
    if header.is64Bit { _ = try cursor.next(UInt32.self) }

    guard alignment < 32 else { throw view.error(commandOffset, "the section \(name) is aligned to 2^\(alignment)") }
    let (end, overflows) = address.addingReportingOverflow(size)
    guard !overflows, header.is64Bit || end <= 1 << 32 else {
      throw view.error(commandOffset, "the addresses of the section \(name) overflow")
    }
    if header.isLoaded {
      guard address >= segment.address, end <= segment.end else {
        throw view.error(commandOffset, "the section \(name) is not within its segment, \(segment.name)")
      }
    }
    var section = Section(name: name, address: address, size: size, alignment: 1 << UInt64(alignment))
    section.offset = try fileOffset(
      offset, of: section, type: flags & MachO.SectionType.mask, in: segment, commandOffset)
    section.isEncrypted = segment.isProtected && section.offset != nil
    return MachOSection(
      section: section, segment: number, type: flags & MachO.SectionType.mask, relocationOffset: relocationOffset,
      relocationCount: relocationCount, indirectIndex: indirectIndex)
  }

  /// Where a section's bytes stand, once that is seen to be right; nil if it has none in the file.
  private func fileOffset(
    _ offset: UInt64, of section: Section, type: UInt32, in segment: MachOSegment, _ commandOffset: UInt64
  ) throws(InspectionError) -> UInt64? {
    let zeroFill = [MachO.SectionType.zeroFill, MachO.SectionType.bigZeroFill, MachO.SectionType.threadLocalZeroFill]
    if zeroFill.contains(type) { return nil }
    if section.size == 0 { return offset <= view.size ? offset : nil }
    // Files of debug symbols keep the sections of the image, without their bytes, and few segments with some of their own.
    if !header.isLoaded, !header.isObject, segment.fileSize == 0 || offset == 0 { return nil }
    guard section.size <= view.size, offset <= view.size - section.size else {
      throw view.error(
        commandOffset,
        "the section \(section.name) (\(section.size) bytes at 0x\(String(offset, radix: 16)))"
          + " leads out of the file, which has \(view.size) bytes")
    }
    guard header.isLoaded else { return offset }
    // The run time goes by the address, tools go by the offset: both have to say the same.
    let distance = section.address - segment.address
    guard offset >= segment.fileOffset, offset - segment.fileOffset == distance, distance < segment.fileSize,
      section.size <= segment.fileSize - distance
    else {
      throw view.error(
        commandOffset, "the section \(section.name) is elsewhere in the file than in its segment, \(segment.name)")
    }
    return offset
  }
}
