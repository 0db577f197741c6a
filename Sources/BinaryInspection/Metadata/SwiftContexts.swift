import Registry

/// A reader of the names in the context descriptors of Swift metadata.
///
/// `TargetContextDescriptor` in `swift/ABI/Metadata.h` defines the layout.
struct SwiftContexts {
  /// The kind of the descriptors that a section refers to.
  enum Kind {
    case type, `protocol`
  }

  private let object: any ObjectFile
  private(set) var names: GatheredNames
  /// The full names of the contexts that were read; nil if a name cannot be determined.
  private var paths: [UInt64: String?] = [:]
  /// The full names of the contexts that pointers refer to, by the addresses of the pointers.
  private var linked: [UInt64: String?] = [:]

  /// The largest depth of nested contexts.
  ///
  /// No code reaches it. It also ends a cycle of parents.
  private static let depthLimit = 100

  init(_ object: any ObjectFile) {
    self.object = object
    names = GatheredNames(object)
  }

  /// Reads a section of relative pointers to descriptors.
  mutating func add(_ section: Section, _ kind: Kind) throws(InspectionProblem) {
    guard section.size.isMultiple(of: 4) else {
      throw object.error(
        at: section.address,
        "the section '\(section.name)' is not a list of relative pointers; it has \(section.size) bytes")
    }
    for index in 0..<section.size / 4 {
      let address = section.address &+ index * 4
      // Linkers can leave zeros between the contents of two object files.
      guard let marked = try object.relativePointer(at: address) else { continue }
      // The low bits indicate whether the target is a descriptor or a pointer to one. Types have
      // two bits, whose other two values are for Objective-C classes and do not occur in these
      // sections.
      let bits = (marked &- address) & (kind == .type ? 3 : 1)
      guard bits < 2 else { continue }
      names.insert(try path(marked &- bits, isIndirect: bits == 1, depth: 0))
    }
  }

  /// Returns the full name of the context that a reference leads to, directly or through a pointer.
  private mutating func path(_ target: UInt64, isIndirect: Bool, depth: Int) throws(InspectionProblem) -> String? {
    guard isIndirect else { return try path(of: target, depth: depth) }
    if let path = linked[target] { return path }
    let path = try path(object.pointer(at: target), depth: depth)
    linked[target] = .some(path)
    return path
  }

  private mutating func path(_ pointer: Pointer, depth: Int) throws(InspectionProblem) -> String? {
    switch pointer {
    case .address(let address): return try path(of: address, depth: depth)
    // The context is in another image, or the loader can choose one there, so only its symbol is
    // known.
    case .symbol(let symbol, let addend):
      try names.count(symbol, at: nil, weight: 1)
      return addend == 0 ? MangledTypeName.path(ofSymbol: symbol) : nil
    case .null: return nil
    }
  }

  private mutating func path(of context: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    if let path = paths[context] { return path }
    guard depth <= Self.depthLimit else {
      throw object.error(
        at: context, "the contexts of a Swift type are nested more than \(Self.depthLimit) levels deep, or form a cycle"
      )
    }
    let path = try readPath(of: context, depth: depth)
    if let path { try names.count(path, at: context) }
    paths[context] = .some(path)
    return path
  }

  private mutating func readPath(of context: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    // Five bits of the flags are the kind. The parent follows, and in most kinds the name.
    let kind = try object.number(at: context, size: 4, "the descriptor of a Swift context") & 31
    switch kind {
    case 0: return try name(of: context)
    case 1: return try extendedPath(context &+ 8, depth: depth)
    // Anonymous contexts, which contain private and local types, and opaque types have no name.
    case 2, 4: return try parent(of: context, depth: depth)
    case 3, 16, 17, 18:
      let name = try name(of: context)
      guard let name, let parent = try parent(of: context, depth: depth) else { return nil }
      return "\(parent).\(name)"
    default:
      throw object.error(
        at: context, "expected a context in Swift's metadata, but found the unknown kind \(kind)")
    }
  }

  private mutating func parent(of context: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    let address = context &+ 4
    guard let marked = try object.relativePointer(at: address) else { return nil }
    let bits = (marked &- address) & 1
    return try path(marked &- bits, isIndirect: bits == 1, depth: depth + 1)
  }

  /// Returns the name of a context without its parents.
  ///
  /// More information follows the NUL in the names of imported types. The part before the NUL is
  /// the name in Swift code.
  private mutating func name(of context: UInt64) throws(InspectionProblem) -> String? {
    guard let address = try object.relativePointer(at: context &+ 8) else { return nil }
    let name = try object.map.cString(at: address, "the name of a Swift context")
    try names.count(name, at: address)
    // A raw identifier has backticks and nonbreaking spaces.
    return name.isEmpty ? nil : name.recordForm
  }

  /// Returns the full name of the type that an extension extends.
  ///
  /// The descriptor contains a mangled name, which usually starts with a symbolic reference to
  /// another descriptor (`docs/ABI/Mangling.rst`).
  private mutating func extendedPath(_ field: UInt64, depth: Int) throws(InspectionProblem) -> String? {
    guard let address = try object.relativePointer(at: field) else { return nil }
    let first = try object.map.bytes(at: address, 1, "the name of the type that a Swift extension extends")[0]
    if first == 1 || first == 2 {
      guard let target = try object.relativePointer(at: address &+ 1) else { return nil }
      return try path(target, isIndirect: first == 2, depth: depth + 1)
    }
    let mangled = try object.map.cString(at: address, "the name of the type that a Swift extension extends")
    try names.count(mangled, at: address)
    return MangledTypeName.path(mangled)
  }
}
