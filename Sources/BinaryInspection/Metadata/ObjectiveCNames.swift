/// A reader of the names of Objective-C classes or protocols.
///
/// Each pointer in a list refers to a class, which refers to its data, which refers to the name, or
/// to a protocol, which refers to its name.
struct ObjectiveCNames {
  /// The kind of the declarations in a list.
  enum Kind {
    case `class`, `protocol`
  }

  private let object: any ObjectFile
  private let pointerSize: UInt64
  private(set) var names: GatheredNames
  private var seen: Set<UInt64> = []

  init(_ object: any ObjectFile) {
    self.object = object
    pointerSize = object.header.pointerSize
    names = GatheredNames(object)
  }

  /// Reads a section of pointers to declarations.
  mutating func add(_ section: Section, _ kind: Kind) throws(InspectionProblem) {
    guard section.size.isMultiple(of: pointerSize) else {
      throw object.error(
        at: section.address, "the section '\(section.name)' is not a list of pointers; it has \(section.size) bytes")
    }
    for index in 0..<section.size / pointerSize {
      guard let item = try target(section.address &+ index * pointerSize), seen.insert(item).inserted else { continue }
      switch kind {
      case .class: try addClass(item)
      // The pointer to the name of a protocol follows `isa`.
      case .protocol: try addName(at: item &+ pointerSize, "the name of an Objective-C protocol")
      }
    }
  }

  private mutating func addClass(_ type: UInt64) throws(InspectionProblem) {
    // The pointer to the data follows `isa`, the superclass, and two fields of the cache. Its low
    // bits indicate whether Swift code declared the class.
    guard let marked = try target(type &+ 4 * pointerSize) else { return names.insert(nil) }
    let data = marked & ~(object.header.is64Bit ? 7 : 3)
    // The pointer to the name follows `flags`, `instanceStart`, `instanceSize`, padding on 64-bit
    // systems, and `ivarLayout`.
    try addName(at: data &+ (object.header.is64Bit ? 24 : 16), "the name of an Objective-C class")
  }

  /// Adds the name to which the pointer at an address refers.
  private mutating func addName(at address: UInt64, _ what: String) throws(InspectionProblem) {
    guard let name = try target(address) else { return names.insert(nil) }
    let text = try object.map.cString(at: name, what)
    try names.count(text, at: name)
    guard !text.isEmpty else { throw object.error(at: name, "\(what) is empty") }
    names.insert(text)
  }

  /// Returns the target of a pointer in this image; nil if it is null or in another image.
  private mutating func target(_ address: UInt64) throws(InspectionProblem) -> UInt64? {
    switch try object.pointer(at: address) {
    case .address(let target): return target
    case .null: return nil
    case .symbol(let symbol, _):
      try names.count(symbol, at: nil, weight: 1)
      names.insert(nil)
      return nil
    }
  }
}
