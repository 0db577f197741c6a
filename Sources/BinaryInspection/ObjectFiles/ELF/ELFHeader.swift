/// The header of an ELF file.
///
/// Extended numbering (gABI) isn't supported for segments, because only core files need it there.
struct ELFHeader {
  let is64Bit: Bool
  let type: UInt16
  let machine: UInt16
  private let segmentsOffset: UInt64
  private let segmentCount: UInt64
  private let sectionsOffset: UInt64
  private let sectionCount: UInt64
  private let namesIndex: UInt32

  init(_ view: BinaryView) throws(InspectionProblem) {
    let identity = try view.bytes(0, 16, "the ELF identification")
    guard (1...2).contains(identity[4]) else {
      throw view.error(4, "the ELF class is \(identity[4]); expected 1 (32 bits) or 2 (64 bits)")
    }
    guard identity[5] == 1 else {
      throw view.error(
        5, "is a big-endian ELF file; only little-endian files are supported", code: .unsupportedFile)
    }
    is64Bit = identity[4] == 2
    var cursor = try view.cursor(16, is64Bit ? 48 : 36, "the ELF header")
    type = try cursor.next()
    machine = try cursor.next()
    // Skip the version and the entry point.
    try cursor.skip(is64Bit ? 12 : 8)
    segmentsOffset = try cursor.word(is64Bit: is64Bit)
    sectionsOffset = try cursor.word(is64Bit: is64Bit)
    // Skip the flags, the size of this header, and the size of a program header.
    try cursor.skip(8)
    segmentCount = UInt64(try cursor.next(UInt16.self))
    try cursor.skip(2)
    sectionCount = UInt64(try cursor.next(UInt16.self))
    namesIndex = UInt32(try cursor.next(UInt16.self))
  }

  func segments(_ view: BinaryView) throws(InspectionProblem) -> [ELFSegment] {
    if segmentCount == 0 { return [] }
    let what = "the table of \(segmentCount) program headers"
    return try view.table(segmentsOffset, segmentCount, of: is64Bit ? 56 : 32, what) {
      cursor throws(InspectionProblem) in try ELFSegment(&cursor, is64Bit: is64Bit)
    }
  }

  /// Reads the section headers and the names of the sections.
  func sections(_ view: BinaryView) throws(InspectionProblem) -> [ELFSectionHeader] {
    // Section header 0 contains the numbers that don't fit in the ELF header.
    guard let first = try sections(view, count: 1).first else { return [] }
    var sections = try sections(view, count: sectionCount == 0 ? first.section.size : sectionCount)
    let namesIndex = namesIndex == ELF.extendedIndex ? first.link : namesIndex
    guard namesIndex == 0 || namesIndex < sections.count else {
      throw view.error(
        0, "the section of names is section \(namesIndex), but the number of sections is \(sections.count)")
    }
    let strings = namesIndex == 0 ? nil : try sections[Int(namesIndex)].part(of: view, "the names of sections")
    for (index, header) in sections.enumerated() {
      if header.type != 0, header.nameOffset != 0, let strings {
        sections[index].section.name = try strings.text(
          UInt64(header.nameOffset), limit: Self.nameLimit, "the name of section \(index)")
      }
      sections[index].section.index = index
      let section = sections[index].section
      guard let offset = section.offset else { continue }
      try view.check(offset, section.size, "the section '\(section.name.isEmpty ? "\(index)" : section.name)'")
    }
    return sections
  }

  /// The byte limit for a name. Names can share suffixes, so together they can be longer than the
  /// file. C++ compilers write longer names only for sections that the tool doesn't read.
  private static let nameLimit = 512
  /// More section headers than any linker writes. The whole table is read into memory, and a sparse
  /// file can claim billions of headers.
  private static let sectionLimit: UInt64 = 1 << 20

  private func sections(_ view: BinaryView, count: UInt64) throws(InspectionProblem) -> [ELFSectionHeader] {
    if sectionsOffset == 0 || count == 0 { return [] }
    guard count <= Self.sectionLimit else {
      throw view.error(
        sectionsOffset, "\(count) section headers exceed the limit of \(Self.sectionLimit)", code: .unsupportedFile)
    }
    return try view.table(sectionsOffset, count, of: is64Bit ? 64 : 40, "the table of \(count) section headers") {
      cursor throws(InspectionProblem) in
      try ELFSectionHeader(&cursor, is64Bit: is64Bit, isObject: type == ELF.relocatable)
    }
  }
}

struct ELFSegment {
  let type: UInt32
  let offset: UInt64
  let fileSize: UInt64
  let memory: Section

  init(_ cursor: inout ByteCursor, is64Bit: Bool) throws(InspectionProblem) {
    type = try cursor.next()
    let flags64: UInt32 = is64Bit ? try cursor.next() : 0
    offset = try cursor.word(is64Bit: is64Bit)
    let address = try cursor.word(is64Bit: is64Bit)
    try cursor.skip(is64Bit ? 8 : 4)
    fileSize = try cursor.word(is64Bit: is64Bit)
    let size = try cursor.word(is64Bit: is64Bit)
    let flags = is64Bit ? flags64 : try cursor.next()
    memory = Section(
      name: "PT_NOTE", address: address, size: size, offset: offset, zeros: size - min(fileSize, size),
      isReadable: flags & ELF.readable != 0, noteAlignment: try cursor.word(is64Bit: is64Bit) >= 8 ? 8 : 4)
  }
}

struct ELFSectionHeader {
  fileprivate(set) var section: Section
  fileprivate let nameOffset: UInt32
  let type: UInt32
  let flags: UInt64
  let link: UInt32
  let info: UInt32

  /// Reads a header. Sections of objects have no addresses, so they use file offsets instead.
  init(_ cursor: inout ByteCursor, is64Bit: Bool, isObject: Bool) throws(InspectionProblem) {
    nameOffset = try cursor.next()
    type = try cursor.next()
    flags = try cursor.word(is64Bit: is64Bit)
    let (address, offset) = (try cursor.word(is64Bit: is64Bit), try cursor.word(is64Bit: is64Bit))
    let size = try cursor.word(is64Bit: is64Bit)
    link = try cursor.next()
    info = try cursor.next()
    let alignment = try cursor.word(is64Bit: is64Bit)
    try cursor.skip(is64Bit ? 8 : 4)
    section = Section(
      name: "", address: isObject ? offset : address, size: size,
      offset: type != ELF.noBits && type != 0 && size > 0 ? offset : nil,
      noteAlignment: type == ELF.noteSection ? (alignment >= 8 ? 8 : 4) : nil)
  }

  func part(of view: BinaryView, _ what: String) throws(InspectionProblem) -> BinaryView? {
    guard let offset = section.offset else { return nil }
    return try view.part(offset, section.size, what: what)
  }
}
