/// A little-endian 32-bit or 64-bit ELF file: a program, a shared object, or a relocatable object.
///
/// The ELF gABI specifies the format. Like a loader, the reader uses program headers to find the
/// contents of a linked image, because section headers can be missing or wrong. For an object, it
/// uses section headers.
final class ELFFile: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]
  let map: AddressMap

  /// The record sections that aren't in a note segment. The runtime doesn't find these records,
  /// because loaders report only segments.
  let unreachableRecordSections: [Section]
  /// True for an object that contains link-time optimization code but no machine code, such as the
  /// output of `gcc -flto`. Its records don't exist until it's linked.
  let isLinkTimeCode: Bool

  let sectionHeaders: [ELFSectionHeader]

  /// The values in the dynamic section by tag, nil without a dynamic section, or the error from
  /// reading it. The error is kept, because each record needs the section, and reading takes time.
  let dynamic: Result<[UInt64: [UInt64]]?, InspectionProblem>
  private(set) lazy var relocations = Result { () throws(InspectionProblem) in
    try readRelocations()
  }
  private(set) lazy var symbols = Result { () throws(InspectionProblem) in try dynamicSymbols() }

  /// Reads headers and sections, or throws an error if they violate the gABI or aren't inside the
  /// file. A linked image with segments can be read without its section headers.
  init(_ view: BinaryView) throws(InspectionProblem) {
    let header = try ELFHeader(view)
    let isObject = header.type == ELF.relocatable
    let allSegments = try header.segments(view)

    var headers: [ELFSectionHeader] = []
    do throws(InspectionProblem) {
      headers = try header.sections(view)
    } catch {
      if isObject || allSegments.isEmpty { throw error }
    }

    // `objcopy --only-keep-debug` keeps notes and program headers, but not the segments' contents.
    let isDebugOnly =
      !isObject && headers.contains { $0.type == ELF.noBits && $0.flags & ELF.instructions != 0 }
      && !headers.contains { $0.type != ELF.noBits && $0.flags & ELF.instructions != 0 }
    let isLinked = (header.type == ELF.executable || header.type == ELF.dynamic) && !isDebugOnly

    self.view = view
    sectionHeaders = headers
    sections = headers.map(\.section)
    let segments = isLinked ? allSegments : []
    let map = AddressMap(try Self.regions(segments, of: view), ofObject: false, view)
    self.map = map
    dynamic = Result { () throws(InspectionProblem) in
      try Self.dynamicSection(segments, map, view, is64Bit: header.is64Bit)
    }

    let records = sections.filter { $0.name == ".note.registry" && $0.offset != nil && $0.size > 0 }
    let reachable = isObject ? records : map.notes(segments)
    try view.refuseOverlap(reachable)
    recordSections = reachable
    let loaded = AddressMap(reachable, ofObject: false, view)
    unreachableRecordSections = isLinked ? records.filter { loaded.offset(at: $0.address, $0.size) == nil } : []

    isLinkTimeCode =
      isObject && records.isEmpty && sections.contains { $0.name.hasPrefix(".gnu.lto_") }
      && !headers.contains { $0.flags & ELF.instructions != 0 && $0.section.size > 0 }
    let isStripped = !headers.contains {
      $0.type == ELF.symbolTable && $0.section.size > SymbolTable.entrySize(isELF: true, is64Bit: header.is64Bit)
    }
    let notes = segments.filter { $0.type == ELF.note }
    let entries = (try? dynamic.get()) ?? [:]
    // Libraries such as glibc's `libc.so.6` name an interpreter, too, but only libraries have a
    // name.
    let isProgram =
      header.type == ELF.executable
      || entries[ELF.ownName] == nil && segments.contains { $0.type == ELF.interpreter }
      || (entries[ELF.flags1]?.last ?? 0) & ELF.isPositionIndependentProgram != 0
    self.header = ImageHeader(
      format: .elf, type: isObject ? .object : !isLinked ? .other : isProgram ? .executable : .library,
      architecture: ELF.machines[[header.machine, header.is64Bit ? 64 : 32]] ?? "machine \(header.machine)",
      is64Bit: header.is64Bit, isStripped: isStripped,
      lacksNotes: notes.allSatisfy { $0.memory.size == 0 } && !notes.isEmpty)
  }

  private static func regions(
    _ segments: [ELFSegment], of view: BinaryView
  ) throws(InspectionProblem) -> [Section] {
    var regions: [Section] = []
    for (index, segment) in segments.enumerated() where segment.type == ELF.load {
      var region = segment.memory
      region.name = "\(index)"
      let what = "the segment at address \(region.address.hex)"
      guard !region.address.addingReportingOverflow(region.size).overflow else {
        throw view.error(0, "\(what) (\(region.size.bytes)) must be within the address space")
      }
      try view.check(segment.offset, segment.fileSize, what)
      regions.append(region)
    }
    return regions
  }
}
