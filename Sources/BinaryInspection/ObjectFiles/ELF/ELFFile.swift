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
  let map: AddressMap

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
  let fileHeader: ELFHeader
  let sectionHeaders: [ELFSectionHeader]
  let segments: [ELFSegment]
  var isObject: Bool { header.type == .object }

  /// The dynamic section or the error in it; nil before the first request.
  ///
  /// The value in the result is nil in static programs. Errors are kept because each record needs
  /// the section, and reading it again takes time.
  var dynamic: Result<ELFDynamicSection?, InspectionError>?
  /// The relocations or the error in them; nil before the first pointer is read.
  var relocations: Result<ELFRelocations, InspectionError>?
  /// The tables of symbols that were read, by their section; zero for the dynamic symbols.
  var symbolTables: [Int: ELFSymbolTable] = [:]

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
    fileHeader = header
    sectionHeaders = headers
    sections = named
    segments = isLinked ? allSegments : []
    if isLinked, !allSegments.isEmpty {
      map = AddressMap(
        try Self.regions(allSegments, of: view, is64Bit: header.is64Bit), ofObject: false, view)
    } else {
      let regions = isDebugOnly ? [] : Self.regions(named, headers, isObject: isObject)
      map = AddressMap(regions, ofObject: true, view)
    }

    let records = named.filter { $0.name == ELFSections.records && $0.offset != nil && $0.size > 0 }
    if isObject {
      recordSections = try view.withoutOverlap(records)
      unreachableRecordSections = []
    } else if isLinked {
      let notes = try map.notes(allSegments, of: view)
      recordSections = notes
      unreachableRecordSections = records.filter { !notes.contain($0) }
    } else {
      (recordSections, unreachableRecordSections) = ([], [])
    }

    isLinkTimeCode =
      isObject && records.isEmpty && named.contains { $0.name.hasPrefix(".gnu.lto_") }
      && !headers.contains { $0.flags & ELF.instructions != 0 && $0.size > 0 }
    let isStripped = !headers.contains {
      $0.type == ELF.symbolTable && $0.size > ELFSymbol.size(is64Bit: header.is64Bit)
    }
    let isProgram: Bool
    if header.type == ELF.dynamic, isLinked {
      let flags = try? ELFDynamicSection(segments, map, view, header)?.flags1
      isProgram =
        segments.contains { $0.type == ELF.interpreter }
        || (flags ?? 0) & ELF.isPositionIndependentProgram != 0
    } else {
      isProgram = header.type == ELF.executable
    }
    self.header = ImageHeader(
      format: .elf, type: isObject ? .object : !isLinked ? .other : isProgram ? .executable : .library,
      architecture: machine.name, is64Bit: header.is64Bit, isStripped: isStripped)
  }

  /// Returns the loaded segments of a linked image.
  private static func regions(
    _ segments: [ELFSegment], of view: BinaryView, is64Bit: Bool
  ) throws(InspectionError) -> [AddressMap.Region] {
    var regions: [AddressMap.Region] = []
    for (index, segment) in segments.enumerated() where segment.type == ELF.load && segment.memorySize > 0 {
      let (end, overflows) = segment.address.addingReportingOverflow(segment.memorySize)
      let (fileEnd, fileOverflows) = segment.offset.addingReportingOverflow(segment.fileSize)
      let what = "the segment at address \(segment.address.hex)"
      guard !overflows, is64Bit || end <= 1 << 32 else {
        throw view.error(0, "\(what) (\(segment.memorySize) bytes) must be within the address space")
      }
      guard segment.fileSize <= segment.memorySize else {
        throw view.error(
          segment.offset,
          "\(what) has more bytes in the file (\(segment.fileSize)) than in memory (\(segment.memorySize))")
      }
      guard !fileOverflows, fileEnd <= view.size else {
        throw view.error(
          segment.offset,
          "\(what) (\(segment.fileSize) bytes at \(segment.offset.hex)) must be within the file, which has \(view.size)"
            + " bytes; the file is truncated")
      }
      regions.append(
        AddressMap.Region(
          name: "\(index)", index: index, address: segment.address, size: segment.memorySize, offset: segment.offset,
          fileSize: segment.fileSize, isReadable: segment.flags & ELF.readable != 0))
    }
    return regions
  }

  /// Returns all sections of an object, or the loaded sections of another file.
  private static func regions(
    _ sections: [Section], _ headers: [ELFSectionHeader], isObject: Bool
  ) -> [AddressMap.Region] {
    sections.enumerated().compactMap { index, section in
      guard section.size > 0, isObject || headers[index].flags & ELF.allocated != 0,
        !section.address.addingReportingOverflow(section.size).overflow
      else { return nil }
      return AddressMap.Region(
        name: section.name, index: index, address: section.address, size: section.size, offset: section.offset ?? 0,
        fileSize: section.offset == nil ? 0 : section.size, isCompressed: headers[index].flags & ELF.compressed != 0)
    }
  }
}
