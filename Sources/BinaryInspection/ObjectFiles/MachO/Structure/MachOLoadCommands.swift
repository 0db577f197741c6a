/// The header of a thin little-endian file, and the parts of its load commands that an inspection
/// uses. `mach-o/loader.h` defines the format.
struct MachOLoadCommands {
  private(set) var header: ImageHeader
  private(set) var segments: [Section] = []
  private(set) var sections: [(section: Section, segment: Int, relocations: Section)] = []
  private(set) var symbolTable: SymbolTable?
  private(set) var chainedFixups: BinaryView?
  private(set) var linkage = Linkage()
  private(set) var encrypted: Range<UInt64>?
  private let view: BinaryView

  private static let types: [UInt32: ImageHeader.FileType] = [1: .object, 2: .executable, 6: .library, 8: .bundle]

  init(_ view: BinaryView) throws(InspectionProblem) {
    self.view = view
    guard try !view.starts(with: MachO.sharedCacheMagic) else {
      throw view.error(
        0, "is a shared cache of dyld; extract its images with another tool first", code: .unsupportedFile)
    }
    guard try view.starts(with: MachO.magic32, MachO.magic64) else {
      throw view.error(
        0, "is a big-endian Mach-O file, such as for PowerPC; only little-endian files are supported",
        code: .unsupportedFile)
    }
    let is64Bit = try view.starts(with: MachO.magic64)
    var start = try view.cursor(4, min(view.size, 32) - 4, "the header of a Mach-O file")
    let architecture = MachO.architecture(try start.next(), try start.next())
    header = ImageHeader(
      format: .machO, type: Self.types[try start.next()] ?? .other, architecture: architecture, is64Bit: is64Bit)
    let count: UInt32 = try start.next()
    var cursor = try view.cursor(is64Bit ? 32 : 28, try start.long(), "the load commands")
    for _ in 0..<count {
      let offset = cursor.offset
      let kind: UInt32 = try cursor.next()
      let size: UInt32 = try cursor.next()
      // Accept sizes that aren't multiples of eight, because dyld accepts multiples of four even in
      // 64-bit files.
      guard size >= 8 else {
        throw view.error(offset, "the load command \(UInt64(kind).hex) has the invalid size of \(UInt64(size).bytes)")
      }
      try cursor.skip(Int(size) - 8)
      var command = try view.cursor(offset + 8, UInt64(size) - 8, "the load command \(UInt64(kind).hex)")
      try read(kind, &command, offset)
    }
    if let encrypted {
      for (index, (section, _, _)) in sections.enumerated() {
        guard let start = section.offset, encrypted.overlaps(start..<start + section.size) else { continue }
        sections[index].section.isEncrypted = true
      }
    }
    try refuseOverlaps()
    header.isEncrypted = encrypted != nil || segments.contains { $0.isEncrypted && $0.fileSize > 0 }
    header.isStripped = try !hasSymbols()
  }

  /// Returns true if a file isn't stripped. In every image, linkers leave some defined symbols that
  /// are neither exported symbols nor debug symbols. A stripped image has none of these, and a
  /// stripped object defines no symbols. Debug symbols also mean that an image isn't stripped,
  /// except for the symbol that `strip` itself adds.
  private func hasSymbols() throws(InspectionProblem) -> Bool {
    var isFound = false
    try symbolTable?.visit { symbol in
      isFound =
        symbol.isForDebugger
        ? symbol.info != MachO.Symbol.option && !header.isObject
        : symbol.isDefined && (header.isObject || symbol.info & MachO.Symbol.external == 0)
      return !isFound
    }
    return isFound
  }

  /// True for an image that dyld loads, so that dyld's rules apply.
  private var isLoaded: Bool { !header.isObject && header.type != .other }

  /// Throws an error if parts of a file overlap, in memory or in the file. Debug symbols and
  /// similar files aren't checked, because they register nothing and their layout varies.
  private func refuseOverlaps() throws(InspectionProblem) {
    let contents = sections.map(\.section)
    if isLoaded {
      try view.refuseOverlap(segments, "segments", inMemory: true)
      try view.refuseOverlap(segments, "segments")
    }
    guard header.type != .other else { return }
    try view.refuseOverlap(contents, inMemory: true)
    guard header.isObject else { return }
    try view.refuseOverlap(contents)
    // This check bounds the total number of relocations by the size of the file.
    try view.refuseOverlap(sections.map(\.relocations), "relocations of the sections")
  }

  private mutating func read(
    _ kind: UInt32, _ cursor: inout ByteCursor, _ commandOffset: UInt64
  ) throws(InspectionProblem) {
    switch kind {
    case _ where MachO.Command.segments.contains(kind): try readSegment(&cursor, commandOffset)
    case MachO.Command.symbolTable:
      let offset = try cursor.long()
      let size = try cursor.long() * SymbolTable.entrySize(isELF: false, is64Bit: header.is64Bit)
      symbolTable = SymbolTable(
        symbols: try view.part(offset, size, what: "the symbol table"),
        strings: try part(&cursor, "the string table"), isELF: false, is64Bit: header.is64Bit)
    case MachO.Command.chainedFixups:
      let fixups = try part(&cursor, "the chained fixups")
      chainedFixups = fixups.size > 0 ? fixups : nil
    case _ where MachO.Command.encryptionInfo.contains(kind):
      let part = try part(&cursor, "the encrypted part")
      let start = part.start - view.start
      if try cursor.next(UInt32.self) != 0 { encrypted = start..<start + part.size }
    case MachO.Command.ownName: linkage.name = try Self.libraryName(&cursor)
    case _ where MachO.Command.libraries.contains(kind):
      if let name = try Self.libraryName(&cursor) { linkage.libraries.append(name) }
    case MachO.Command.buildVersion where cursor.left >= 4:
      let number: UInt32 = try cursor.next()
      header.platform = header.platform ?? (number == MachO.macCatalyst ? MachO.macOS : number)
    default: header.platform = header.platform ?? MachO.platforms[kind]
    }
  }

  private static func libraryName(_ cursor: inout ByteCursor) throws(InspectionProblem) -> String? {
    guard cursor.left >= 4 else { return nil }
    // The offset of the name is relative to the command.
    let offset: UInt32 = try cursor.next()
    guard offset >= 12, UInt64(offset) - 12 < cursor.left else { return nil }
    try cursor.skip(Int(offset) - 12)
    return try cursor.text(Int(clamping: cursor.left)).lastPathComponent
  }

  private func part(_ cursor: inout ByteCursor, _ what: String) throws(InspectionProblem) -> BinaryView {
    try view.part(try cursor.long(), try cursor.long(), what: what)
  }

  private mutating func readSegment(
    _ cursor: inout ByteCursor, _ commandOffset: UInt64
  ) throws(InspectionProblem) {
    let name = try cursor.text(16)
    let (address, size) = (try word(&cursor), try word(&cursor))
    let (offset, fileSize) = (try word(&cursor), try word(&cursor))
    try cursor.skip(4)
    let protection = try cursor.long()
    let count = try cursor.long()
    let flags: UInt32 = try cursor.next()
    if fileSize > 0 { try view.check(offset, fileSize, "the segment '\(name)'", statedAt: commandOffset) }
    // The segment that null pointers refer to, `__PAGEZERO`, is inaccessible.
    let segment = Section(
      name: name, index: segments.count, address: address, size: size, offset: offset,
      zeros: size - min(fileSize, size), isReadable: protection != 0 || fileSize > 0,
      isEncrypted: flags & MachO.protectedSegment != 0)
    segments.append(segment)
    for _ in 0..<count { try readSection(&cursor, in: segment) }
  }

  private mutating func readSection(
    _ cursor: inout ByteCursor, in segment: Section
  ) throws(InspectionProblem) {
    let commandOffset = cursor.offset
    let sectionName = try cursor.text(16)
    let name = "\(try cursor.text(16)),\(sectionName)"
    let (address, size, offset) = (try word(&cursor), try word(&cursor), try cursor.long())
    try cursor.skip(4)
    let start = try cursor.long()
    let relocations = Section(name: name, size: try cursor.long() * 8, offset: start)
    let type = try cursor.next(UInt32.self) & MachO.sectionTypeMask
    try cursor.skip(header.is64Bit ? 12 : 8)

    var section = Section(name: name, index: sections.count, address: address, size: size)
    // Debug symbols contain the headers of all sections, but the bytes of only a few segments.
    let isElsewhere = header.type == .other && (segment.fileSize == 0 || offset == 0)
    if !MachO.zeroFilledSections.contains(type), !isElsewhere, size > 0 || offset <= view.size {
      try view.check(offset, size, "the section '\(name)'", statedAt: commandOffset)
      // The runtime uses the address and tools use the offset, so the two must match.
      let distance = address &- segment.address
      let isInSegment = distance < segment.fileSize && size <= segment.fileSize - distance
      guard size == 0 || !isLoaded || isInSegment && offset == (segment.offset ?? 0) + distance else {
        throw view.error(
          commandOffset,
          "the section '\(name)' has an address or an offset that does not match its segment, '\(segment.name)'")
      }
      section.offset = offset
      section.isEncrypted = segment.isEncrypted
    }
    sections.append((section, segment.index, relocations))
  }

  private func word(_ cursor: inout ByteCursor) throws(InspectionProblem) -> UInt64 {
    try cursor.word(is64Bit: header.is64Bit)
  }
}
