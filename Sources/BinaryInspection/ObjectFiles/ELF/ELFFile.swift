/// A little-endian ELF file of 32 or 64 bits: a program, a shared object, or what is to be linked
/// still.
///
/// After the ELF gABI. What a loader maps is read by program headers, as a loader does; section headers may be missing there, or wrong.
/// In objects it is the other way round.
final class ELFFile: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]

  /// Sections of records that no note segment contains: at run time they are not found, as loaders tell of segments only.
  let unreachableRecordSections: [Section]
  /// Why the sections of a linked image are not known although it says that it has some. It can be read without.
  let sectionProblem: InspectionError?
  /// Whether the compiler left the code to the linker (`gcc -flto`), so that records are in it only after linking.
  let isLinkTimeCode: Bool

  let machine: ELFMachine
  let sectionHeaders: [ELFSectionHeader]
  /// What has addresses, by address.
  let extents: ELFExtents
  let segments: [ELFSegment]
  var isObject: Bool { header.type == .object }

  /// Nil before it is asked for; in it, nil in static programs. What is wrong is kept, too: each record asks for it, and looking costs as
  /// much as it is long.
  var dynamic: Result<ELFDynamicSection?, InspectionError>?
  /// Made at the first pointer, or why they cannot be; nil in static programs.
  var dynamicRelocations: Result<ELFDynamicRelocations, InspectionError>?
  var objectRelocations: ELFObjectRelocations?

  /// Whether a view begins as ELF files do.
  static func isELF(_ view: BinaryView) throws(InspectionError) -> Bool { try ELFHeader.isELF(view) }

  /// Reads headers and sections.
  ///
  /// - Throws: If they are not what the gABI says, or lead out of the file.
  init(_ view: BinaryView) throws(InspectionError) {
    let header = try ELFHeader(view)
    let isObject = header.type == ELF.relocatable
    let machine = ELFMachine(number: header.machine, is64Bit: header.is64Bit)
    let allSegments = try header.segments(view)

    var (headers, named): ([ELFSectionHeader], [Section]) = ([], [])
    var sectionProblem = header.sectionProblem
    if sectionProblem == nil {
      do throws(InspectionError) {
        headers = try header.sections(view)
        named = try ELFSections.read(headers, namesIndex: header.namesIndex, isObject: isObject, of: view)
      } catch {
        (headers, named, sectionProblem) = ([], [], error)
      }
    }
    if let sectionProblem, isObject || allSegments.isEmpty { throw sectionProblem }

    // `objcopy --only-keep-debug` leaves program headers that lead nowhere, and the notes as they were.
    let isDebugOnly =
      !isObject && headers.contains { $0.type == ELF.noBits && $0.flags & ELF.instructions != 0 }
      && !headers.contains { $0.type != ELF.noBits && $0.flags & ELF.instructions != 0 }
    let isLinked = (header.type == ELF.executable || header.type == ELF.dynamic) && !isDebugOnly

    self.view = view
    self.machine = machine
    self.sectionProblem = sectionProblem
    sectionHeaders = headers
    sections = named
    segments = isLinked ? allSegments : []
    if isLinked, !allSegments.isEmpty {
      extents = try ELFExtents(segments: allSegments, of: view, is64Bit: header.is64Bit)
    } else {
      extents = isDebugOnly ? ELFExtents() : ELFExtents(sections: named, headers: headers, isObject: isObject)
    }

    let records = named.filter { $0.name == ELFSections.records && $0.offset != nil && $0.size > 0 }
    if isObject {
      recordSections = try ELFSections.withoutOverlap(records, of: view)
      unreachableRecordSections = []
    } else if isLinked {
      let notes = try extents.notes(allSegments, of: view)
      recordSections = notes
      unreachableRecordSections = records.filter { record in
        !notes.contain(record)
      }
    } else {
      (recordSections, unreachableRecordSections) = ([], [])
    }

    isLinkTimeCode =
      isObject && records.isEmpty && named.contains { $0.name.hasPrefix(".gnu.lto_") }
      && !headers.contains { $0.flags & ELF.instructions != 0 && $0.size > 0 }
    let isStripped = !headers.contains {
      $0.type == ELF.symbolTable && $0.size > (header.is64Bit ? 24 : 16)
    }
    let isProgram: Bool
    if header.type == ELF.dynamic, isLinked {
      let flags = try? ELFDynamicSection(segments, extents, view, header)?.flags1
      isProgram =
        segments.contains { $0.type == ELF.interpreter }
        || (flags ?? 0) & ELF.isPositionIndependentProgram != 0
    } else {
      isProgram = header.type == ELF.executable
    }
    self.header = ImageHeader(
      format: .elf, type: isObject ? .object : !isLinked ? .other : isProgram ? .executable : .library,
      architecture: machine.name, is64Bit: header.is64Bit, isEncrypted: false,
      isStripped: isStripped)
    fileHeader = header
  }

  let fileHeader: ELFHeader
}
