/// The header of an ELF file.
///
/// The numbers of sections and segments take the extended numbering of the gABI into account.
struct ELFHeader {
  var is64Bit: Bool
  var type: UInt16
  var machine: UInt16
  var segmentsOffset: UInt64
  var segmentCount: UInt64 = 0
  var sectionsOffset: UInt64
  var sectionCount: UInt64 = 0
  /// The index of the section with the names of the sections; zero if there is none.
  var namesIndex: UInt32 = 0
  /// The error in the numbers of the sections; nil if there is none.
  ///
  /// A linked image can be read without sections.
  var sectionProblem: InspectionError?

  var segmentSize: UInt64 { is64Bit ? 56 : 32 }
  var sectionSize: UInt64 { is64Bit ? 64 : 40 }

  static func isELF(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 4 else { return false }
    return try view.bytes(0, 4, "the beginning") == ELF.magic
  }

  init(_ view: BinaryView) throws(InspectionError) {
    guard try Self.isELF(view) else { throw view.error(0, "is not an ELF file; it does not begin with 7f 45 4c 46") }
    let identity = try view.bytes(0, 16, "the ELF identification")
    switch identity[4] {
    case 1: is64Bit = false
    case 2: is64Bit = true
    default: throw view.error(4, "the ELF class is \(identity[4]); expected 1 (32 bits) or 2 (64 bits)")
    }
    switch identity[5] {
    case 1: break
    case 2:
      throw view.error(
        5, "is a big-endian ELF file; only little-endian files are supported", code: .unsupportedFile)
    default: throw view.error(5, "the ELF byte order is \(identity[5]); expected 1 (little-endian) or 2 (big-endian)")
    }
    guard identity[6] == 1 else { throw view.error(6, "the ELF version is \(identity[6]); expected 1") }

    var cursor = try view.cursor(16, is64Bit ? 48 : 36, "the ELF header")
    type = try cursor.next()
    machine = try cursor.next()
    let version: UInt32 = try cursor.next()
    guard version == 1 else { throw view.error(20, "the ELF version is \(version); expected 1") }
    _ = try cursor.word(is64Bit: is64Bit)  // e_entry
    segmentsOffset = try cursor.word(is64Bit: is64Bit)
    sectionsOffset = try cursor.word(is64Bit: is64Bit)
    _ = try cursor.next(UInt32.self)  // e_flags
    _ = try cursor.next(UInt16.self)  // e_ehsize
    let (segmentSizeAt, entry): (UInt64, UInt16) = (cursor.offset, try cursor.next())
    let segments: UInt16 = try cursor.next()
    let (sectionSizeAt, sectionEntry): (UInt64, UInt16) = (cursor.offset, try cursor.next())
    let sections: UInt16 = try cursor.next()
    let names: UInt16 = try cursor.next()

    // Section zero contains the numbers that do not fit into the header.
    var first: ELFSectionHeader?
    if sectionsOffset != 0 {
      do throws(InspectionError) {
        guard UInt64(sectionEntry) == sectionSize else {
          throw view.error(sectionSizeAt, "section headers have \(sectionEntry) bytes instead of \(sectionSize)")
        }
        var table = try sectionTable(view, count: 1)
        let section = try table.nextSection(is64Bit: is64Bit)
        first = section
        sectionCount = sections == 0 ? section.size : UInt64(sections)
        namesIndex = names == UInt16(ELF.extendedIndex) ? section.link : UInt32(names)
        guard namesIndex == 0 || namesIndex < sectionCount else {
          throw view.error(
            sectionSizeAt + 4,
            "the section of names is section \(namesIndex), but the number of sections is \(sectionCount)")
        }
      } catch {
        sectionProblem = error
        (sectionCount, namesIndex) = (0, 0)
      }
    }

    if segments == ELF.manySegments {
      guard let first else {
        throw sectionProblem
          ?? view.error(
            segmentSizeAt + 2, "the number of segments must be in section 0, but there are no sections")
      }
      segmentCount = UInt64(first.info)
    } else {
      segmentCount = UInt64(segments)
    }
    guard segmentCount == 0 || UInt64(entry) == segmentSize else {
      throw view.error(segmentSizeAt, "program headers have \(entry) bytes instead of \(segmentSize)")
    }
  }

  /// Reads the program headers.
  func segments(_ view: BinaryView) throws(InspectionError) -> [ELFSegment] {
    guard segmentCount > 0 else { return [] }
    let (size, overflows) = segmentCount.multipliedReportingOverflow(by: segmentSize)
    guard !overflows else { throw view.error(segmentsOffset, "\(segmentCount) program headers do not fit in the file") }
    var cursor = try view.cursor(
      segmentsOffset, size, "the table of \(segmentCount) program headers")
    try view.checkEntryCount(segmentCount, at: segmentsOffset, "program headers")
    var segments: [ELFSegment] = []
    segments.reserveCapacity(Int(segmentCount))
    while !cursor.isAtEnd { segments.append(try cursor.nextSegment(is64Bit: is64Bit)) }
    return segments
  }

  /// Reads the section headers.
  func sections(_ view: BinaryView) throws(InspectionError) -> [ELFSectionHeader] {
    guard sectionCount > 0 else { return [] }
    var table = try sectionTable(view, count: sectionCount)
    try view.checkEntryCount(sectionCount, at: sectionsOffset, "section headers")
    var sections: [ELFSectionHeader] = []
    sections.reserveCapacity(Int(sectionCount))
    while !table.isAtEnd { sections.append(try table.nextSection(is64Bit: is64Bit)) }
    return sections
  }

  private func sectionTable(_ view: BinaryView, count: UInt64) throws(InspectionError) -> ByteCursor {
    let (size, overflows) = count.multipliedReportingOverflow(by: sectionSize)
    guard !overflows else { throw view.error(sectionsOffset, "\(count) section headers do not fit in the file") }
    return try view.cursor(sectionsOffset, size, "the table of \(count) section headers")
  }
}

/// A program header, which describes a segment to the loader.
struct ELFSegment {
  var type: UInt32
  var flags: UInt32
  var offset: UInt64
  var address: UInt64
  var fileSize: UInt64
  var memorySize: UInt64
  var alignment: UInt64
}

/// A section header.
struct ELFSectionHeader {
  /// The offset of the name in the section of names.
  var name: UInt32
  var type: UInt32
  var flags: UInt64
  var address: UInt64
  var offset: UInt64
  var size: UInt64
  var link: UInt32
  var info: UInt32
  var alignment: UInt64
  var entrySize: UInt64

  var hasBytes: Bool { type != ELF.noBits && type != 0 && size > 0 }
}

extension ByteCursor {
  fileprivate mutating func nextSegment(is64Bit: Bool) throws(InspectionError) -> ELFSegment {
    let type: UInt32 = try next()
    var flags: UInt32 = 0
    if is64Bit { flags = try next() }
    let offset = try word(is64Bit: is64Bit)
    let address = try word(is64Bit: is64Bit)
    _ = try word(is64Bit: is64Bit)  // p_paddr
    let fileSize = try word(is64Bit: is64Bit)
    let memorySize = try word(is64Bit: is64Bit)
    if !is64Bit { flags = try next() }
    return ELFSegment(
      type: type, flags: flags, offset: offset, address: address, fileSize: fileSize, memorySize: memorySize,
      alignment: try word(is64Bit: is64Bit))
  }

  fileprivate mutating func nextSection(is64Bit: Bool) throws(InspectionError) -> ELFSectionHeader {
    let name: UInt32 = try next()
    let type: UInt32 = try next()
    let flags = try word(is64Bit: is64Bit)
    let address = try word(is64Bit: is64Bit)
    let offset = try word(is64Bit: is64Bit)
    let size = try word(is64Bit: is64Bit)
    let link: UInt32 = try next()
    let info: UInt32 = try next()
    return ELFSectionHeader(
      name: name, type: type, flags: flags, address: address, offset: offset, size: size, link: link, info: info,
      alignment: try word(is64Bit: is64Bit), entrySize: try word(is64Bit: is64Bit))
  }
}
