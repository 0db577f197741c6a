/// The contents of the dynamic section of a linked image.
struct ELFDynamicSection {
  private var values: [UInt64: UInt64] = [:]
  /// The offsets of the names of the libraries that the image links, in the table of strings.
  private(set) var libraries: [UInt64] = []

  /// Reads the dynamic section of an image; returns nil if there is none, as in static programs.
  init?(
    _ segments: [ELFSegment], _ map: AddressMap, _ view: BinaryView, is64Bit: Bool
  ) throws(InspectionProblem) {
    guard let segment = segments.first(where: { $0.type == ELF.dynamicSegment && $0.fileSize > 0 }) else { return nil }
    let what = "the dynamic section at address \(segment.address.hex)"
    guard let offset = map.offset(at: segment.address, segment.fileSize) else {
      throw view.error(
        min(segment.offset, view.size), "\(what) (\(segment.fileSize) bytes) is not in a loaded segment")
    }
    let entrySize: UInt64 = is64Bit ? 16 : 8
    var cursor = try view.cursor(offset, segment.fileSize - segment.fileSize % entrySize, what)
    var names: Set<UInt64> = []
    while !cursor.isAtEnd {
      let tag = try cursor.word(is64Bit: is64Bit)
      let value = try cursor.word(is64Bit: is64Bit)
      if tag == 0 { break }
      // There is an entry for each library. Like loaders, use the last entry with any other tag.
      if tag == ELF.library, names.insert(value).inserted { libraries.append(value) }
      values[tag] = value
    }
  }

  /// Returns the value of the entry with a tag; nil if there is none.
  subscript(tag: UInt64) -> UInt64? { values[tag] }
}
