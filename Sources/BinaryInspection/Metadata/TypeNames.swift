/// Which types a binary declares, as its Swift and Objective-C metadata say it.
///
/// A name in a record can be compared with them without running anything: one that is nowhere is nowhere at run time either.
package enum TypeNames {
  /// The full names of the classes, structures and enumerations of Swift: `"Cart.DefaultCart"`, `"Cart.Outer.Inner"`.
  ///
  /// Generic types have their plain name, what is declared in an extension has the path of what is extended, and what is private or
  /// local has the path without that. The sections are those of `swift/ABI/Metadata.h` and `SwiftTargetInfo`: arrays of relative
  /// pointers to descriptors.
  ///
  /// - Returns: Nil if it cannot be said: the file has no section headers, is encrypted, or a name stands in another image.
  package static func swiftTypes(in object: any ObjectFile) throws(InspectionError) -> Set<String>? {
    try swiftNames(
      in: object, ["__swift5_types", "__swift5_types2", "swift5_type_metadata", "swift5_type_metadata_2"], of: .type)
  }

  /// The full names of the protocols of Swift, in the same way.
  package static func swiftProtocols(in object: any ObjectFile) throws(InspectionError) -> Set<String>? {
    try swiftNames(in: object, ["__swift5_protos", "swift5_protocols"], of: .protocol)
  }

  /// The names of the classes of Objective-C as they stand in the file: of Swift's `"_TtC4Cart11DefaultCart"`.
  ///
  /// Those of `__objc_classlist`, through `class_t` and `class_ro_t` of Apple's objc4.
  ///
  /// - Returns: Nil if it cannot be said: the file is none of Mach-O, is encrypted, or a name stands in another image.
  package static func objectiveCClasses(in object: any ObjectFile) throws(InspectionError) -> Set<String>? {
    guard object.header.format == .machO, !object.header.isEncrypted else { return nil }
    var classes = ObjectiveCClasses(object)
    for section in try metadata(in: object, ["__objc_classlist"]) { try classes.add(section) }
    return classes.isComplete ? classes.names.all : nil
  }

  private static func swiftNames(
    in object: any ObjectFile, _ names: Set<String>, of kind: SwiftContexts.Kind
  ) throws(InspectionError) -> Set<String>? {
    guard !object.sections.isEmpty, !object.header.isEncrypted else { return nil }
    var contexts = SwiftContexts(object)
    for section in try metadata(in: object, names) { try contexts.add(section, kind) }
    return contexts.isComplete ? contexts.names.all : nil
  }

  /// The sections that have one of the names; on Mach-O in any segment, as linkers move them. Of debug symbols and the like, none.
  ///
  /// - Throws: If they share bytes, which no linker does: many that have all the same ones would take forever.
  private static func metadata(
    in object: any ObjectFile, _ names: Set<String>
  ) throws(InspectionError) -> [Section] {
    guard object.header.type != .other else { return [] }
    let sections = object.sections.filter { section in
      guard section.offset != nil, section.size > 0 else { return false }
      guard object.header.format == .machO else { return names.contains(section.name) }
      return names.contains(section.name.split(separator: ",").last.map(String.init) ?? "")
    }
    return try ELFSections.withoutOverlap(sections, of: object.view)
  }
}

/// Names that are gathered, no more of them than a file of this size can have, or as much as is nothing in memory.
struct GatheredNames {
  private(set) var all: Set<String> = []
  private var left: UInt64
  /// The same for the symbols that pointers are bound to: many may be to one symbol.
  private var symbolsLeft: UInt64

  init(_ object: any ObjectFile) {
    left = object.view.size &+ 65_536
    symbolsLeft = min(left, 1 << 59) * 16
  }

  mutating func insert(_ name: String) { all.insert(name) }

  /// Counts text that was read or made: names may overlap in a file, and be far longer together than it is.
  mutating func count(_ text: String, _ object: any ObjectFile, at address: UInt64) throws(InspectionError) {
    let count = UInt64(text.utf8.count) + 1
    guard count <= left else {
      throw object.error(at: address, "the names of its types are longer together than the file: they overlap")
    }
    left -= count
  }

  /// Counts a symbol's name that was read, which is not kept.
  mutating func countSymbol(_ name: String, _ object: any ObjectFile) throws(InspectionError) {
    let count = UInt64(name.utf8.count) + 1
    guard count <= symbolsLeft else {
      throw object.view.error(0, "the symbols that its types refer to are longer together than the file can warrant")
    }
    symbolsLeft -= count
  }
}

extension ObjectFile {
  /// An error about what stands at an address.
  func error(at address: UInt64, _ message: String) -> InspectionError {
    for section in sections where address >= section.address && address - section.address < section.size {
      if let offset = section.offset { return view.error(offset &+ (address - section.address), message) }
    }
    return InspectionError(file: view.name, message: "\(message), at address 0x\(String(address, radix: 16))")
  }
}
