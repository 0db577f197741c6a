/// A thin Mach-O file: an executable, a dylib, a bundle, or an object.
///
/// Sections have the same names as in other tools, such as `"__DATA,__reg_modules"`. An object has
/// one segment for all sections, so the segment name of each section applies there. Addresses are
/// those of the image before the loader moves it.
final class MachOFile: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]

  let machHeader: MachOHeader
  let commands: MachOLoadCommands
  let map: AddressMap

  /// The fixups of the image or the error in them; nil before the first pointer is read.
  var fixups: Result<ChainedFixups, InspectionError>?
  /// The addresses with relocations in the sections of an object, by the index of the section.
  var relocated: [Int: Set<UInt64>] = [:]

  /// Reads the header and the load commands.
  ///
  /// - Throws: An ``InspectionError`` if they are not inside the file or contradict each other, or
  ///   if the file is a big-endian file, a shared cache, or a collection of kernel extensions,
  ///   which are not supported.
  init(_ view: BinaryView) throws(InspectionError) {
    self.view = view
    machHeader = try MachOHeader(view)
    commands = try MachOLoadCommands(view, machHeader)
    map = AddressMap(
      machHeader.isObject ? commands.sectionRegions : commands.segmentRegions, ofObject: machHeader.isObject, view,
      encrypted: commands.encrypted)
    sections = commands.sections.map(\.section)
    recordSections = Self.recordSections(machHeader, commands)
    var header = ImageHeader(
      format: .machO, type: machHeader.type, architecture: machHeader.architecture.name, is64Bit: machHeader.is64Bit)
    header.platform = commands.platform
    header.isEncrypted = commands.encrypted != nil || commands.segments.contains { $0.isProtected && $0.fileSize > 0 }
    header.isStripped = try Self.isStripped(view, machHeader, commands)
    self.header = header
  }

  /// The segment in which the runtime finds records.
  ///
  /// The runtime calls `getsectiondata` with these names and no others.
  private static let recordSegment = "__DATA"
  /// The sections in which the runtime finds records.
  private static let recordSectionNames = ["__reg_modules", "__reg_services", "__reg_exports"]

  private static func recordSections(_ header: MachOHeader, _ commands: MachOLoadCommands) -> [Section] {
    // Debug symbols and similar files register nothing, and their sections can overlap.
    guard header.isLoaded || header.isObject else { return [] }
    let names = Set(recordSectionNames.map { "\(recordSegment),\($0)" })
    var sections: [Section] = []
    for entry in commands.sections where names.contains(entry.section.name) {
      if !header.isObject, commands.segments[entry.segment].name != recordSegment { continue }
      sections.append(entry.section)
    }
    return sections
  }

  /// Returns whether the symbols were removed from a file.
  ///
  /// Linkers leave some symbols in every image that are defined but neither exported nor for
  /// debuggers. A stripped image has none of these, and a stripped object defines no symbols.
  private static func isStripped(
    _ view: BinaryView, _ header: MachOHeader, _ commands: MachOLoadCommands
  ) throws(InspectionError) -> Bool {
    guard let table = commands.symbolTable else { return true }
    let symbols = MachOSymbolTable(view: view, is64Bit: header.is64Bit, table: table)
    if header.isObject { return try !symbols.contains(in: 0..<table.count) { $0.isDefined } }
    // Local symbols are contiguous. If there are some, the first of them is sufficient.
    let range = commands.localSymbols ?? 0..<table.count
    // Symbols for debuggers also show that the image is not stripped, except for the one that
    // `strip` adds.
    return try !symbols.contains(in: range) { entry in
      entry.isForDebugger ? entry.type != MachO.Symbol.option : entry.isDefined && !entry.isExternal
    }
  }

  var linkage: Linkage { commands.linkage }

  var symbolTable: MachOSymbolTable? {
    commands.symbolTable.map { MachOSymbolTable(view: view, is64Bit: machHeader.is64Bit, table: $0) }
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    guard let table = symbolTable else { return }
    try? table.visit(0..<table.table.count) { entry throws(InspectionError) in
      if entry.isDefined { body(entry.value) { try? table.beginning(ofName: entry) } }
      return true
    }
  }
}
