/// A thin Mach-O file, such as an executable, a dylib, a bundle, or an object.
///
/// Section names have the same form as in other tools, such as `"__DATA,__reg_modules"`. The
/// segment's name comes from the section's header, because an object has only one segment.
/// Addresses are as in the file, before the loader moves the image.
final class MachOFile: ObjectFile {
  let view: BinaryView
  let commands: MachOLoadCommands
  let sections: [Section]
  let recordSections: [Section]
  let map: AddressMap
  var header: ImageHeader { commands.header }
  var linkage: Linkage { commands.linkage }

  /// The fixups of the image; nil if it has none. The property stores an error too, so that records
  /// don't each read the fixups again.
  private lazy var fixups = Result { () throws(InspectionProblem) -> ChainedFixups? in
    guard let part = commands.chainedFixups else { return nil }
    // In some formats, a fixup's target is relative to the address of the header.
    guard let base = commands.segments.first(where: { $0.offset == 0 && $0.fileSize > 0 })?.address else {
      throw part.error(0, "there are chained fixups, but no segment contains the header")
    }
    return try ChainedFixups(part, base: base)
  }
  /// The relocated addresses in an object, by section index.
  private var relocated: [Int: Set<UInt64>] = [:]

  /// The segment that the runtime passes to `getsectiondata`.
  private static let recordSegment = "__DATA"
  private static let recordSectionNames = ["__reg_modules", "__reg_services", "__reg_exports"]

  /// Reads the header and the load commands. Throws an error if they, or parts that they describe,
  /// aren't in the file or contradict each other, or if this isn't a little-endian Mach-O file.
  init(_ view: BinaryView) throws(InspectionProblem) {
    self.view = view
    let commands = try MachOLoadCommands(view)
    let isObject = commands.header.isObject
    self.commands = commands
    sections = commands.sections.map(\.section)
    map = AddressMap(
      isObject ? sections : commands.segments.filter(\.isReadable), ofObject: isObject, view,
      encrypted: commands.encrypted)
    // Debug symbols and similar files register nothing, and their sections can overlap.
    let names = commands.header.type == .other ? [] : Self.recordSectionNames.map { "\(Self.recordSegment),\($0)" }
    recordSections = commands.sections.filter { entry in
      names.contains(entry.section.name)
        && (isObject || commands.segments[entry.segment].name == Self.recordSegment)
    }.map(\.section)
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    guard let table = commands.symbolTable else { return }
    try? table.visit { symbol in
      if symbol.isDefined { body(symbol.value) { try? table.name(of: symbol) } }
      return true
    }
  }

  /// Returns the value that the pointer at an address has after the image is loaded. Without
  /// chained fixups, the file contains the address of every target in the image. The reader doesn't
  /// interpret LC_DYLD_INFO, so a pointer to another image has the value in the file, usually null.
  /// In an object, a pointer with a relocation is returned as a symbol without a name.
  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer {
    if header.isObject, try relocatedAddresses(around: address).contains(address) { return .symbol("", 0) }
    let raw = try number(at: address, "a pointer")
    guard raw != 0 else { return .null }
    guard let fixups = try fixups.get() else { return .address(raw) }
    let region = try map.region(at: address, header.pointerSize, "a pointer")
    return try fixups.pointer(raw, segment: region.index)
  }

  /// Returns the relocated addresses in the section that contains an address. `mach-o/reloc.h`
  /// defines the format. A relocation begins with an offset in the section or, if it's scattered,
  /// with flags and an offset of 24 bits. Only 32-bit processors have scattered relocations.
  private func relocatedAddresses(around address: UInt64) throws(InspectionProblem) -> Set<UInt64> {
    let index = try map.region(at: address, 1, "a pointer").index
    if let known = relocated[index] { return known }
    let (section, table) = (commands.sections[index].section, commands.sections[index].relocations)
    let what = "the relocations of the section '\(section.name)'"
    let addresses = Set(
      try view.table(table.offset ?? 0, table.size / 8, of: 8, what) { cursor throws(InspectionProblem) -> UInt64? in
        let start = try cursor.long()
        try cursor.skip(4)
        guard start & MachO.scattered != 0 else { return section.address &+ start }
        return start & MachO.scatteredType == MachO.pair ? nil : section.address &+ (start & 0xff_ffff)
      }.compactMap(\.self))
    relocated[index] = addresses
    return addresses
  }
}

extension SymbolTable.Symbol {
  var isForDebugger: Bool { info & MachO.Symbol.stabMask != 0 }

  var isDefined: Bool {
    !isForDebugger && [MachO.Symbol.inSection, MachO.Symbol.absolute].contains(info & MachO.Symbol.typeMask)
  }
}
