/// A little-endian 32-bit or 64-bit ELF file: a program, a shared object, or a relocatable object.
///
/// The ELF gABI specifies the format. Like a loader, the reader finds the contents of a linked
/// image by its program headers, because the section headers can be missing or wrong. It finds
/// those of an object by the section headers.
final class ELFFile: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]

  /// The sections of records that no note segment contains.
  ///
  /// The runtime does not find these records, because loaders report only segments.
  let unreachableRecordSections: [Section]
  /// The error in the section headers of a linked image; nil if they can be read.
  ///
  /// The image can be read without them.
  let sectionProblem: InspectionError?
  /// A Boolean value that indicates whether the object contains code for link-time optimization.
  ///
  /// `gcc -flto` writes such objects, which contain records only after linking.
  let isLinkTimeCode: Bool

  let machine: ELFMachine
  let sectionHeaders: [ELFSectionHeader]
  /// The mapping from addresses to the bytes of the file.
  let extents: ELFExtents
  let segments: [ELFSegment]
  var isObject: Bool { header.type == .object }

  /// The dynamic section or the error in it; nil before the first request.
  ///
  /// The value in the result is nil in static programs. Errors are kept because each record needs
  /// the section, and reading it again takes time.
  var dynamic: Result<ELFDynamicSection?, InspectionError>?
  /// The relocations of the image or the error in them; nil before the first pointer is read.
  ///
  /// The value stays nil in static programs.
  var dynamicRelocations: Result<ELFDynamicRelocations, InspectionError>?
  var objectRelocations: ELFObjectRelocations?

  /// Returns whether a view starts like an ELF file.
  static func isELF(_ view: BinaryView) throws(InspectionError) -> Bool { try ELFHeader.isELF(view) }

  /// Reads headers and sections.
  ///
  /// - Throws: An ``InspectionError`` if they contradict the gABI or are not inside the file.
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

    // `objcopy --only-keep-debug` leaves program headers without contents, and the notes as they
    // were.
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
