/// The contents of a file's load commands that records and metadata need.
struct MachOLoadCommands {
  private(set) var segments: [AddressMap.Region] = []
  private(set) var sections: [MachOSection] = []
  private(set) var symbolTable: MachOSymbolTable?
  private(set) var chainedFixups: BinaryView?
  private(set) var linkage = Linkage()
  /// The number of the first platform that the file states.
  private(set) var platform: UInt32?
  /// The encrypted range of the file; nil if there is none.
  private(set) var encrypted: Range<UInt64>?

  private let view: BinaryView
  private let header: MachOHeader

  init(_ view: BinaryView, _ header: MachOHeader) throws(InspectionProblem) {
    (self.view, self.header) = (view, header)
    var cursor = try view.cursor(header.size, UInt64(header.commandsSize), "the load commands")
    for _ in 0..<header.commandCount {
      let offset = cursor.offset
      let kind: UInt32 = try cursor.next()
      let size: UInt32 = try cursor.next()
      // A positive size suffices for the loop to end. Do not require a multiple of eight, because
      // dyld accepts multiples of four even in 64-bit files.
      guard size >= 8 else {
        throw view.error(offset, "the load command \(UInt64(kind).hex) has the invalid size of \(size) bytes")
      }
      try cursor.skip(Int(size) - 8)
      var command = try view.cursor(offset + 8, UInt64(size) - 8, "the load command \(UInt64(kind).hex)")
      try read(kind, &command, offset)
    }
    if let encrypted {
      for index in sections.indices where sections[index].section.overlaps(encrypted) {
        sections[index].section.isEncrypted = true
      }
    }
    try refuseOverlaps()
  }

  /// Throws an error if parts of a file overlap, in memory or in the file.
  ///
  /// Debug symbols and similar files are not checked, because they register nothing and their
  /// layout depends on the tool.
  private func refuseOverlaps() throws(InspectionProblem) {
    if header.isLoaded {
      try view.refuseOverlap(
        segments.map { Span(start: $0.address, size: $0.size, name: $0.name) }, "segments", inMemory: true)
      try view.refuseOverlap(segments.map { Span(start: $0.offset, size: $0.fileSize, name: $0.name) }, "segments")
    }
    guard header.type != .other else { return }
    try view.refuseOverlap(
      sections.map { Span(start: $0.section.address, size: $0.section.size, name: $0.section.name) }, inMemory: true)
    guard header.isObject else { return }
    _ = try view.withoutOverlap(sections.map(\.section).filter { $0.offset != nil })
    // This check limits the number of all relocations by the size of the file.
    try view.refuseOverlap(
      sections.map { Span(start: $0.relocationOffset, size: $0.relocationCount * 8, name: $0.section.name) },
      "relocations of the sections")
  }

  private mutating func read(
    _ kind: UInt32, _ cursor: inout ByteCursor, _ commandOffset: UInt64
  ) throws(InspectionProblem) {
    switch kind {
    case MachO.Command.segment, MachO.Command.segment64:
      let reader = MachOSegmentReader(view: view, header: header)
      let (segment, sections) = try reader.read(&cursor, commandOffset: commandOffset, number: segments.count)
      segments.append(segment)
      self.sections += sections
    case MachO.Command.symbolTable:
      let offset = UInt64(try cursor.next(UInt32.self))
      let size = UInt64(try cursor.next(UInt32.self)) * (header.is64Bit ? 16 : 12)
      symbolTable = MachOSymbolTable(
        symbols: try view.part(offset, size, name: view.name, what: "the symbol table"),
        strings: try part(&cursor, "the string table"), is64Bit: header.is64Bit)
    case MachO.Command.chainedFixups:
      let fixups = try part(&cursor, "the chained fixups")
      chainedFixups = fixups.size > 0 ? fixups : nil
    case MachO.Command.encryptionInfo, MachO.Command.encryptionInfo64:
      let part = try part(&cursor, "the encrypted part")
      let start = part.start - view.start
      if try cursor.next(UInt32.self) != 0 { encrypted = start..<start + part.size }
    case MachO.Command.ownName: linkage.name = try Self.libraryName(&cursor)
    case MachO.Command.library, MachO.Command.weakLibrary, MachO.Command.exportedLibrary, MachO.Command.upwardLibrary:
      if let name = try Self.libraryName(&cursor) { linkage.libraries.append(name) }
    case MachO.Command.buildVersion where cursor.left >= 4:
      let number: UInt32 = try cursor.next()
      platform = platform ?? (number == MachO.macCatalyst ? MachO.macOS : number)
    default: platform = platform ?? MachO.platforms[kind]
    }
  }

  /// Returns the file name in a load command that names a library; nil if the command has none.
  private static func libraryName(_ cursor: inout ByteCursor) throws(InspectionProblem) -> String? {
    guard cursor.left >= 4 else { return nil }
    // The offset of the name is relative to the beginning of the command.
    let offset: UInt32 = try cursor.next()
    guard offset >= 12, UInt64(offset) - 12 < cursor.left else { return nil }
    try cursor.skip(Int(offset) - 12)
    return try cursor.text(Int(clamping: cursor.left)).lastPathComponent
  }

  /// Reads an offset and a size of 32 bits each, and returns that part of the file.
  private func part(_ cursor: inout ByteCursor, _ what: String) throws(InspectionProblem) -> BinaryView {
    let offset = UInt64(try cursor.next(UInt32.self))
    return try view.part(offset, UInt64(try cursor.next(UInt32.self)), name: view.name, what: what)
  }
}

extension Section {
  /// Returns whether some bytes of the section are in a range of the file.
  fileprivate func overlaps(_ range: Range<UInt64>) -> Bool {
    guard let offset else { return false }
    return (offset..<offset + size).overlaps(range)
  }
}
