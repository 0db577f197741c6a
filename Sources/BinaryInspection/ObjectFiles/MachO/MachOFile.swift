/// A thin Mach-O file: an executable, a dylib, a bundle, an object.
///
/// Its sections are called as tools do, `"__DATA,__reg_modules"`; in objects, which have one segment for all of them, each section's own
/// segment name counts. What it says of addresses is what the run time would see, before the image is moved.
final class MachOFile: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]

  let machHeader: MachOHeader
  let commands: MachOLoadCommands
  let map: MachOAddressMap

  /// What `pointer(at:)` found out about the image at its first call.
  var fixups: Result<MachOFixups, InspectionError>?
  /// The relocations of sections in objects, by the section's index.
  var relocations: [Int: Result<MachORelocations, InspectionError>] = [:]

  /// Whether a view begins as a Mach-O file or as a cache of them, even one that cannot be read here.
  static func isMachO(_ view: BinaryView) throws(InspectionError) -> Bool { try MachOHeader.isMachO(view) }

  /// Reads the header and the load commands.
  ///
  /// - Throws: If they lead out of the file or contradict each other; for big-endian files, shared caches and collections of kernel
  ///   extensions, which are not read.
  init(_ view: BinaryView) throws(InspectionError) {
    self.view = view
    machHeader = try MachOHeader(view)
    commands = try MachOLoadCommands(view, machHeader)
    map = MachOAddressMap(view, machHeader, commands)
    sections = commands.sections.map(\.section)
    recordSections = Self.recordSections(machHeader, commands)
    var header = ImageHeader(
      format: .machO, type: machHeader.type, architecture: machHeader.architecture.name, is64Bit: machHeader.is64Bit)
    header.isEncrypted = commands.encrypted != nil || commands.segments.contains { $0.isProtected && $0.fileSize > 0 }
    header.isStripped = try Self.isStripped(view, machHeader, commands)
    self.header = header
  }

  /// The segment and the sections in which the run time looks for records, with `getsectiondata`: these, and no others.
  private static let recordSegment = "__DATA"
  private static let recordSectionNames = ["__reg_modules", "__reg_services", "__reg_exports"]

  private static func recordSections(_ header: MachOHeader, _ commands: MachOLoadCommands) -> [Section] {
    // From debug symbols and the like nothing is registered, and in them sections may stand on one another.
    guard header.isLoaded || header.isObject else { return [] }
    let names = Set(recordSectionNames.map { "\(recordSegment),\($0)" })
    var sections: [Section] = []
    for entry in commands.sections where names.contains(entry.section.name) {
      if !header.isObject, commands.segments[entry.segment].name != recordSegment { continue }
      sections.append(entry.section)
    }
    return sections
  }

  /// Whether the file was stripped: in an image, there is no symbol that is defined and neither exported nor for debuggers, as linkers
  /// leave some in every image; in an object, no symbol at all is defined.
  private static func isStripped(
    _ view: BinaryView, _ header: MachOHeader, _ commands: MachOLoadCommands
  ) throws(InspectionError) -> Bool {
    guard let table = commands.symbolTable else { return true }
    let symbols = MachOSymbolTable(view: view, is64Bit: header.is64Bit, table: table)
    if header.isObject { return try !symbols.contains(in: 0..<table.count) { $0.isDefined } }
    var range = 0..<table.count
    // Local symbols stand together, and where there are some the first of them answers.
    if let dynamic = commands.dynamicSymbolTable {
      range = dynamic.firstLocal..<dynamic.firstLocal + dynamic.localCount
    }
    // Symbols for debuggers are a sign, too, but for the one that `strip` leaves behind.
    return try !symbols.contains(in: range) { entry in
      entry.isForDebugger ? entry.type != MachO.Symbol.option : entry.isDefined && !entry.isExternal
    }
  }

  var symbolTable: MachOSymbolTable? {
    commands.symbolTable.map { MachOSymbolTable(view: view, is64Bit: machHeader.is64Bit, table: $0) }
  }

  /// The bytes at an address, through segments or, in objects, sections.
  ///
  /// - Throws: If the address is in none of them, or its bytes are encrypted.
  func bytes(at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> [UInt8]
  {
    try map.bytes(at: address, count, what())
  }

  func cString(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> String {
    try map.cString(at: address, what())
  }

  /// The number of a pointer's size at an address, as it stands in the file.
  func pointerBytes(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> UInt64 {
    let bytes = try map.bytes(at: address, header.pointerSize, what())
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
