import Registry

/// A reader of the names in Swift and Objective-C metadata.
///
/// The names reveal, without running code, whether a record's name is valid: a type that no file
/// declares doesn't exist at run time.
///
/// `TargetContextDescriptor` in `swift/ABI/Metadata.h` defines the layout of Swift's metadata. Each
/// pointer in the Objective-C lists refers to a class or a protocol. A class's data contains a
/// pointer to the name; a protocol contains this pointer itself.
package struct MetadataReader {
  /// The kind of declarations that a section refers to.
  package enum Kind: CaseIterable {
    case `protocol`
    /// A Swift protocol that's marked `@objc` and has no Swift descriptor.
    case objectiveCProtocol
    case type
    /// An Objective-C class. Swift classes have mangled names, such as `"_TtC4Cart11DefaultCart"`.
    case objectiveCClass

    fileprivate var isSwift: Bool { self == .type || self == .protocol }

    /// The names of the sections, which Swift's `GenDecl.cpp` and Apple's objc4 define. On Mach-O,
    /// linkers can move these sections to any segment.
    fileprivate var sections: Set<Substring> {
      switch self {
      case .type: ["__swift5_types", "__swift5_types2", "swift5_type_metadata", "swift5_type_metadata_2"]
      case .protocol: ["__swift5_protos", "swift5_protocols"]
      case .objectiveCClass: ["__objc_classlist"]
      case .objectiveCProtocol: ["__objc_protolist"]
      }
    }
  }

  /// The names of the current kind; nil if one of them can't be read.
  private var names: Set<String>? = []
  /// The names of structures and enumerations.
  private(set) var values: Set<String> = []

  private let object: any ObjectFile
  private let pointerSize: UInt64
  /// The full names of contexts by their addresses; nil if a name can't be determined.
  private var paths: [UInt64: String?] = [:]
  private var seen: Set<UInt64> = []
  /// The total weight of the names and symbols that can still be read. Names can overlap in a file,
  /// so together they can be far longer than the file.
  private var left: UInt64

  /// The maximum depth of nested contexts, which real code doesn't reach. It ends the search if
  /// contexts form a cycle.
  private static let depthLimit = 100

  package init(_ object: any ObjectFile) {
    self.object = object
    pointerSize = object.header.pointerSize
    left = min(object.view.size &+ 65_536, 1 << 59) * 16
  }

  /// Returns the full names of the declarations of a kind, such as `"Cart.Outer.Inner"`.
  ///
  /// The name of a generic type has no arguments. The name of a type in an extension starts with
  /// the extended type's name. The names of private and local types omit the contexts that make
  /// them private or local.
  ///
  /// - Returns: The names; nil if the file is an object, has no section headers, or is encrypted,
  ///   or if a name is unknown. For the Objective-C kinds, the result is empty in ELF files.
  /// - Throws: An ``InspectionProblem`` if the sections can't be read or overlap. No linker writes
  ///   such a file, and reading many sections with the same bytes would take too long.
  package mutating func names(of kind: Kind) throws(InspectionProblem) -> Set<String>? {
    if !kind.isSwift, object.header.format == .elf { return [] }
    guard !object.sections.isEmpty, object.header.hasReadableMetadata else { return nil }
    names = []
    for section in try sections(named: kind.sections) { try add(section, kind) }
    return names
  }

  /// Returns the full names of types, each with a protocol that the type conforms to, except
  /// protocols in the standard library. `TargetProtocolConformanceDescriptor` defines the layout:
  /// relative pointers to the protocol, the type, and the witness table, then flags.
  mutating func conformances() throws(InspectionProblem) -> [(type: String, protocol: String)] {
    guard object.header.hasReadableMetadata else { return [] }
    var found: [(String, String)] = []
    for section in try sections(named: ["__swift5_proto", "swift5_protocol_conformances"]) {
      for address in (0..<section.size / 4).lazy.map({ section.address &+ $0 * 4 }) {
        guard let conformance = try object.relativePointer(at: address),
          let name = try path(from: conformance, depth: 0), !name.hasPrefix("Swift."),
          let type = try object.relativePointer(at: conformance &+ 4)
        else { continue }
        // Three bits state whether the reference to the type is direct, indirect, or Objective-C.
        let kind = try object.number(at: conformance &+ 12, size: 4, "the flags of a conformance") >> 3 & 7
        // If one type can't be read, continue with the others.
        let path =
          kind == 0 ? try? self.path(of: type, depth: 0) : kind == 1 ? try? linkedPath(type, depth: 0) : nil
        if let path { found.append((path, name)) }
      }
    }
    return found
  }

  /// Returns the sections with any of the names; none for debug symbols and similar files, which
  /// contain only the headers of these sections.
  private func sections(named names: Set<Substring>) throws(InspectionProblem) -> [Section] {
    if object.header.type == .other { return [] }
    let found = object.sections.filter { $0.fileSize > 0 && names.contains($0.name.split(separator: ",").last ?? "") }
    try object.view.refuseOverlap(found)
    return found
  }

  private mutating func add(_ section: Section, _ kind: Kind) throws(InspectionProblem) {
    let size = kind.isSwift ? 4 : pointerSize
    guard section.size.isMultiple(of: size) else {
      throw object.error(
        at: section.address,
        "the section '\(section.name)' is not a list of \(kind.isSwift ? "relative " : "")pointers; it has"
          + " \(section.size.bytes)")
    }
    for address in (0..<section.size / size).lazy.map({ section.address &+ $0 * size }) {
      switch kind {
      // Linkers can leave zeros between the contents of two object files.
      case .type, .protocol:
        guard let target = try object.relativePointer(at: address) else { continue }
        // For types, two bits indicate the target's kind. Two of their four values are for
        // Objective-C classes and don't occur in these sections.
        if kind == .type, (target &- address) & 2 != 0 { continue }
        insert(try path(from: address, depth: 0))
      case .objectiveCClass:
        if let type = try target(address), seen.insert(type).inserted { try addClass(type) }
      case .objectiveCProtocol:
        // The pointer to the name follows `isa`.
        guard let item = try target(address), seen.insert(item).inserted else { continue }
        let name = try name(at: item &+ pointerSize, "the name of an Objective-C protocol")
        // A Swift protocol's name is mangled, such as `"_TtP4Cart5Clock_"`.
        guard let name, name.hasPrefix("_Tt") else { continue }
        let isKnown = name.hasPrefix("_TtP") && name.hasSuffix("_")
        insert(isKnown ? MangledTypeName.path(name.dropFirst(4).dropLast() + "P") : nil)
      }
    }
  }

  private mutating func insert(_ name: String?) { if let name { names?.insert(name) } else { names = nil } }

  /// Subtracts the weight of a name from `left`, or throws an error if the weight exceeds `left`.
  /// Symbols have a low weight, because they aren't stored and many pointers can use one symbol.
  private mutating func count(_ text: String, at address: UInt64?, weight: UInt64 = 16) throws(InspectionProblem) {
    let count = (UInt64(text.utf8.count) + 1) * weight
    guard count <= left else {
      let message = "the names of its types and their symbols are together longer than the size of the file allows"
      throw address.map { object.error(at: $0, message) } ?? object.view.error(0, message)
    }
    left -= count
  }

  /// Returns the full name of the context behind a relative pointer. The lowest bit indicates
  /// whether the target is a pointer to the context.
  private mutating func path(from address: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    guard let marked = try object.relativePointer(at: address) else { return nil }
    let isIndirect = (marked &- address) & 1 == 1
    return try isIndirect ? linkedPath(marked &- 1, depth: depth) : path(of: marked, depth: depth)
  }

  private mutating func linkedPath(_ address: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    if let path = paths[address] { return path }
    var path: String?
    switch try object.pointer(at: address) {
    case .address(let target): path = try self.path(of: target, depth: depth)
    // The context is in another image, or the loader can choose a context from another image, so
    // only its symbol is known.
    case .symbol(let symbol, let addend):
      try count(symbol, at: nil, weight: 1)
      if addend == 0 { path = MangledTypeName.path(ofSymbol: symbol) }
    case .null: break
    }
    paths[address] = .some(path)
    return path
  }

  private mutating func path(of context: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    if let path = paths[context] { return path }
    guard depth <= Self.depthLimit else {
      throw object.error(
        at: context, "the contexts of a Swift type are nested more than \(Self.depthLimit) levels deep, or form a cycle"
      )
    }
    let path = try readPath(of: context, depth: depth)
    if let path { try count(path, at: context) }
    paths[context] = .some(path)
    return path
  }

  private mutating func readPath(of context: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    // Five bits of the flags are the kind. The parent and, for most kinds, the name follow.
    let kind = try object.number(at: context, size: 4, "the descriptor of a Swift context") & 31
    switch kind {
    case 0: return try name(of: context)
    case 1: return try extendedPath(context &+ 8, depth: depth)
    // Anonymous contexts, which contain private and local types, and opaque types have no name.
    case 2, 4: return try path(from: context &+ 4, depth: depth + 1)
    case 3, 16, 17, 18:
      let name = try name(of: context)
      guard let name, let parent = try path(from: context &+ 4, depth: depth + 1) else { return nil }
      if kind > 16 { values.insert("\(parent).\(name)") }
      return "\(parent).\(name)"
    default:
      throw object.error(
        at: context, "expected a context in Swift's metadata, but found the unknown kind \(kind)")
    }
  }

  /// Returns the name of a context without its parents. In the names of imported types, more
  /// information follows the NUL.
  private mutating func name(of context: UInt64) throws(InspectionProblem) -> String? {
    guard let address = try object.relativePointer(at: context &+ 8) else { return nil }
    let name = try object.map.cString(at: address, "the name of a Swift context")
    try count(name, at: address)
    // Normalize raw identifiers, which contain backticks and nonbreaking spaces.
    return name.isEmpty ? nil : name.recordForm
  }

  /// Returns the full name of the type that an extension extends. The descriptor contains a mangled
  /// name, which usually starts with a symbolic reference to another descriptor
  /// (`docs/ABI/Mangling.rst`).
  private mutating func extendedPath(_ field: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    guard let address = try object.relativePointer(at: field) else { return nil }
    let first = try object.map.bytes(at: address, 1, "the name of the type that a Swift extension extends")[0]
    if first == 1 || first == 2 {
      guard let target = try object.relativePointer(at: address &+ 1) else { return nil }
      return try first == 1 ? path(of: target, depth: depth + 1) : linkedPath(target, depth: depth + 1)
    }
    let mangled = try object.map.cString(at: address, "the name of the type that a Swift extension extends")
    try count(mangled, at: address)
    return MangledTypeName.path(mangled)
  }

  private mutating func addClass(_ type: UInt64) throws(InspectionProblem) {
    // The pointer to the data follows `isa`, the superclass, and two fields of the cache. Its low
    // bits indicate a Swift class.
    guard let marked = try target(type &+ 4 * pointerSize) else { return insert(nil) }
    let data = marked & ~(object.header.is64Bit ? 7 : 3)
    // The pointer to the name follows `flags`, `instanceStart`, `instanceSize`, padding on 64-bit
    // systems, and `ivarLayout`.
    insert(try name(at: data &+ (object.header.is64Bit ? 24 : 16), "the name of an Objective-C class"))
  }

  /// Returns the name that the pointer at an address refers to. If the name is unknown, the method
  /// returns nil and marks the names as incomplete.
  private mutating func name(at address: UInt64, _ what: String) throws(InspectionProblem) -> String? {
    guard let name = try target(address) else {
      insert(nil)
      return nil
    }
    let text = try object.map.cString(at: name, what)
    try count(text, at: name)
    guard !text.isEmpty else { throw object.error(at: name, "\(what) is empty") }
    return text
  }

  /// Returns a pointer's target in this image; nil for a null pointer or a target in another image.
  private mutating func target(_ address: UInt64) throws(InspectionProblem) -> UInt64? {
    switch try object.pointer(at: address) {
    case .address(let target): return target
    case .null: return nil
    case .symbol(let symbol, _):
      try count(symbol, at: nil, weight: 1)
      insert(nil)
      return nil
    }
  }
}
