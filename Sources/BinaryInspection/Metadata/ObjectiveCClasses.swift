/// A reader of the names of Objective-C classes.
///
/// Each pointer in a list refers to a class, which refers to its data, which refers to the name.
struct ObjectiveCClasses {
  private let object: any ObjectFile
  private let pointerSize: UInt64
  private(set) var names: GatheredNames
  /// A Boolean value that indicates whether every name could be read.
  private(set) var isComplete = true
  private var seen: Set<UInt64> = []

  init(_ object: any ObjectFile) {
    self.object = object
    pointerSize = object.header.pointerSize
    names = GatheredNames(object)
  }

  /// Reads a section of pointers to classes.
  mutating func add(_ section: Section) throws(InspectionError) {
    guard section.size.isMultiple(of: pointerSize) else {
      throw object.error(
        at: section.address, "the section '\(section.name)' is not a list of pointers; it has \(section.size) bytes")
    }
    for index in 0..<section.size / pointerSize {
      guard let type = try target(section.address &+ index * pointerSize), seen.insert(type).inserted else { continue }
      try addClass(type)
    }
  }

  private mutating func addClass(_ type: UInt64) throws(InspectionError) {
    // The pointer to the data follows `isa`, the superclass, and two fields of the cache. Its low
    // bits indicate whether Swift code declared the class.
    guard let marked = try target(type &+ 4 * pointerSize) else {
      isComplete = false
      return
    }
    let data = marked & ~(object.header.is64Bit ? 7 : 3)
    // The pointer to the name follows `flags`, `instanceStart`, `instanceSize`, padding on 64-bit
    // systems, and `ivarLayout`.
    guard let name = try target(data &+ (object.header.is64Bit ? 24 : 16)) else {
      isComplete = false
      return
    }
    let text = try object.cString(at: name, "the name of an Objective-C class")
    try names.count(text, object, at: name)
    guard !text.isEmpty else { throw object.error(at: name, "an Objective-C class has no name") }
    names.insert(text)
  }

  /// Returns the target of a pointer in this image; nil if it is null or in another image.
  private mutating func target(_ address: UInt64) throws(InspectionError) -> UInt64? {
    switch try object.pointer(at: address) {
    case .address(let target): return target
    case .null: return nil
    case .symbol(let symbol, _):
      try names.countSymbol(symbol, object)
      isComplete = false
      return nil
    }
  }
}
