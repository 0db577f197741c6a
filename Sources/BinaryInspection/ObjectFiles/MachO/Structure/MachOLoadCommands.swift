/// The contents of a file's load commands that records and metadata need.
struct MachOLoadCommands {
  /// A part of the file that a load command refers to.
  struct FileRange: Equatable {
    var offset: UInt64
    var size: UInt64
    /// A Boolean value that indicates whether the file has such a part.
    var isPresent: Bool { size > 0 }
  }

  /// The contents of the load command LC_SYMTAB.
  struct SymbolTable {
    var offset: UInt64
    var count: UInt64
    var strings: FileRange
  }

  private(set) var segments: [MachOSegment] = []
  private(set) var sections: [MachOSection] = []
  private(set) var symbolTable: SymbolTable?
  /// The range of the local symbols, which the load command LC_DYSYMTAB states.
  private(set) var localSymbols: Range<UInt64>?
  private(set) var chainedFixups: FileRange?
  private(set) var linkage = Linkage()
  /// The number of the first platform that the file states.
  private(set) var platform: UInt32?
  /// The encrypted range of the file; nil if there is none.
  private(set) var encrypted: Range<UInt64>?

  /// The kinds of load commands that were read and must not occur twice.
  private var seen: Set<UInt32> = []

  init(_ view: BinaryView, _ header: MachOHeader) throws(InspectionError) {
    let size = UInt64(header.commandsSize)
    var cursor = try view.cursor(header.size, size, "the load commands")
    guard UInt64(header.commandCount) * 8 <= size else {
      throw view.error(16, "\(header.commandCount) load commands do not fit into \(size) bytes")
    }
    for _ in 0..<header.commandCount {
      let commandOffset = cursor.offset
      guard cursor.left >= 8 else {
        throw view.error(commandOffset, "the load commands end before the last of \(header.commandCount)")
      }
      let kind: UInt32 = try cursor.next()
      let commandSize: UInt32 = try cursor.next()
      // A positive size suffices for the loop to end. Do not require a multiple of eight, because
      // dyld accepts multiples of four even in 64-bit files.
      guard commandSize >= 8, commandSize % 4 == 0 else {
        throw view.error(
          commandOffset, "the load command 0x\(String(kind, radix: 16)) has the invalid size of \(commandSize) bytes")
      }
      guard UInt64(commandSize) - 8 <= cursor.left else {
        throw view.error(
          commandOffset,
          "the load command 0x\(String(kind, radix: 16)) (\(commandSize) bytes) must be within the load commands")
      }
      var command = try cursor.part(
        UInt64(commandSize) - 8, what: "the load command 0x\(String(kind, radix: 16))")
      try read(kind, &command, commandOffset, view, header)
    }
    if let encrypted {
      for index in sections.indices where sections[index].section.overlaps(encrypted) {
        sections[index].section.isEncrypted = true
      }
    }
    try refuseOverlaps(view, header)
  }

  /// Throws an error if parts of a file overlap, in memory or in the file.
  ///
  /// Debug symbols and similar files are not checked, because they register nothing and their
  /// layout depends on the tool.
  private func refuseOverlaps(_ view: BinaryView, _ header: MachOHeader) throws(InspectionError) {
    if header.isLoaded {
      try view.refuseOverlap(
        segments.map { Span(start: $0.address, size: $0.size, name: $0.name, errorOffset: $0.commandOffset) },
        "segments", "in memory")
      try view.refuseOverlap(
        segments.map { Span(start: $0.fileOffset, size: $0.fileSize, name: $0.name, errorOffset: $0.commandOffset) },
        "segments")
    }
    guard header.isLoaded || header.isObject else { return }
    try view.refuseOverlap(
      sections.map { Span(start: $0.section.address, size: $0.section.size, name: $0.section.name, errorOffset: 0) },
      "sections", "in memory")
    guard header.isObject else { return }
    _ = try view.withoutOverlap(sections.map(\.section).filter { $0.offset != nil })
    // This check limits the number of all relocations by the size of the file.
    try view.refuseOverlap(
      sections.map { Span(start: $0.relocationOffset, size: $0.relocationCount * 8, name: $0.section.name) },
      "relocations of the sections")
  }

  /// The segments of an image by their addresses.
  var segmentRegions: [AddressMap.Region] {
    segments.enumerated().filter { $1.size > 0 && !$1.isInaccessible }.map { index, segment in
      AddressMap.Region(
        name: segment.name, index: index, address: segment.address, size: segment.size, offset: segment.fileOffset,
        fileSize: min(segment.fileSize, segment.size), isEncrypted: segment.isProtected)
    }
  }

  /// The sections of an object by their addresses.
  var sectionRegions: [AddressMap.Region] {
    sections.map(\.section).enumerated().filter { $1.size > 0 }.map { index, section in
      AddressMap.Region(
        name: section.name, index: index, address: section.address, size: section.size, offset: section.offset ?? 0,
        fileSize: section.offset == nil ? 0 : section.size, isEncrypted: section.isEncrypted)
    }
  }

  private mutating func read(
    _ kind: UInt32, _ cursor: inout ByteCursor, _ commandOffset: UInt64, _ view: BinaryView, _ header: MachOHeader
  ) throws(InspectionError) {
    switch kind {
    case MachO.Command.segment, MachO.Command.segment64:
      guard (kind == MachO.Command.segment64) == header.is64Bit else {
        throw view.error(commandOffset, "a segment has a \(header.is64Bit ? 32 : 64)-bit layout, unlike the file")
      }
      let reader = MachOSegmentReader(view: view, header: header)
      let (segment, sections) = try reader.read(&cursor, commandOffset: commandOffset, number: segments.count)
      segments.append(segment)
      self.sections += sections
    case MachO.Command.symbolTable:
      try once(kind, "LC_SYMTAB", commandOffset, view)
      try readSymbolTable(&cursor, view, header)
    case MachO.Command.dynamicSymbolTable:
      try once(kind, "LC_DYSYMTAB", commandOffset, view)
      let first = UInt64(try cursor.next(UInt32.self))
      localSymbols = first..<first + UInt64(try cursor.next(UInt32.self))
    case MachO.Command.chainedFixups:
      try once(kind, "LC_DYLD_CHAINED_FIXUPS", commandOffset, view)
      chainedFixups = try part(&cursor, "the chained fixups", view)
    case MachO.Command.encryptionInfo, MachO.Command.encryptionInfo64:
      try once(MachO.Command.encryptionInfo, "LC_ENCRYPTION_INFO", commandOffset, view)
      let range = try part(&cursor, "the encrypted part", view)
      if try cursor.next(UInt32.self) != 0 { encrypted = range.offset..<range.offset + range.size }
    case MachO.Command.ownName: linkage.name = try Self.libraryName(&cursor)
    case MachO.Command.library, MachO.Command.weakLibrary, MachO.Command.exportedLibrary, MachO.Command.upwardLibrary:
      if let name = try Self.libraryName(&cursor) { linkage.libraries.append(name) }
    case MachO.Command.buildVersion where cursor.left >= 4:
      let number: UInt32 = try cursor.next()
      platform = platform ?? (number == MachO.Platform.macCatalyst ? MachO.Platform.macOS : number)
    case MachO.Command.macOSVersion: platform = platform ?? MachO.Platform.macOS
    case MachO.Command.iOSVersion: platform = platform ?? MachO.Platform.iOS
    case MachO.Command.tvOSVersion: platform = platform ?? MachO.Platform.tvOS
    case MachO.Command.watchOSVersion: platform = platform ?? MachO.Platform.watchOS
    default: break
    }
  }

  /// Returns the file name in a load command that names a library; nil if the command has none.
  private static func libraryName(_ cursor: inout ByteCursor) throws(InspectionError) -> String? {
    guard cursor.left >= 4 else { return nil }
    // The offset of the name is relative to the beginning of the command.
    let offset: UInt32 = try cursor.next()
    guard offset >= 12, UInt64(offset) - 12 < cursor.left else { return nil }
    try cursor.skip(Int(offset) - 12)
    return try cursor.text(Int(clamping: cursor.left)).lastPathComponent
  }

  private mutating func readSymbolTable(
    _ cursor: inout ByteCursor, _ view: BinaryView, _ header: MachOHeader
  ) throws(InspectionError) {
    let commandOffset = cursor.offset - 8
    let offset = UInt64(try cursor.next(UInt32.self))
    let count = UInt64(try cursor.next(UInt32.self))
    try check(offset, count * (header.is64Bit ? 16 : 12), "the symbol table", commandOffset, view)
    symbolTable = SymbolTable(offset: offset, count: count, strings: try part(&cursor, "the string table", view))
  }

  /// Reads an offset and a size of 32 bits each, and checks that the part is inside the file.
  private func part(_ cursor: inout ByteCursor, _ what: String, _ view: BinaryView) throws(InspectionError) -> FileRange
  {
    let commandOffset = cursor.offset
    let offset = UInt64(try cursor.next(UInt32.self))
    let size = UInt64(try cursor.next(UInt32.self))
    try check(offset, size, what, commandOffset, view)
    return FileRange(offset: offset, size: size)
  }

  private func check(
    _ offset: UInt64, _ size: UInt64, _ what: String, _ commandOffset: UInt64, _ view: BinaryView
  ) throws(InspectionError) {
    // The sum does not overflow, because each term is at most 16 times a 32-bit number.
    guard size == 0 || offset + size <= view.size else {
      throw view.error(
        commandOffset,
        "\(what) (\(size) bytes at 0x\(String(offset, radix: 16))) must be within the file, which has \(view.size) bytes"
      )
    }
  }

  private mutating func once(
    _ kind: UInt32, _ name: String, _ commandOffset: UInt64, _ view: BinaryView
  ) throws(InspectionError) {
    guard seen.insert(kind).inserted else {
      throw view.error(commandOffset, "there is more than one load command '\(name)'")
    }
  }
}

extension Section {
  /// Returns whether some bytes of the section are in a range of the file.
  fileprivate func overlaps(_ range: Range<UInt64>) -> Bool {
    guard let offset else { return false }
    return (offset..<offset + size).overlaps(range)
  }
}
