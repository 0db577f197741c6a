/// The chained fixups of an image.
///
/// Apple's `mach-o/fixup-chains.h` defines the format. A fixup contains a pointer's target and the
/// distance to the next fixup. Linkers add every pointer to a chain, so the reader decodes
/// individual pointers without following chains.
struct ChainedFixups {
  /// The load command's data. The offsets of its tables are relative to the start of this part.
  private let part: BinaryView
  private let base: UInt64
  private let startsOffset: UInt64
  private let importsOffset: UInt64
  private let namesOffset: UInt64
  private let importCount: UInt64
  /// The format of the imports, which are `dyld_chained_import…` structures.
  private let importFormat: UInt32

  /// The sizes of imports by format: with no addend, a 32-bit addend, and a 64-bit addend.
  private static let importSizes: [UInt32: UInt64] = [1: 4, 2: 8, 3: 16]

  /// Reads the header of the fixups. `base` is the address of the image's header.
  init(_ part: BinaryView, base: UInt64) throws(InspectionProblem) {
    (self.part, self.base) = (part, base)
    var header = try part.cursor(0, 28, "the header of the chained fixups")
    let version: UInt32 = try header.next()
    guard version == 0 else { throw part.error(0, "the chained fixups have version \(version) instead of 0") }
    startsOffset = try header.long()
    importsOffset = try header.long()
    namesOffset = try header.long()
    importCount = try header.long()
    importFormat = try header.next()
    let compression: UInt32 = try header.next()
    // Accept any format if there are no imports.
    guard importCount == 0 || Self.importSizes[importFormat] != nil && compression == 0 else {
      throw part.error(
        20,
        "the imports of the chained fixups have the format \(importFormat) with the compression \(compression),"
          + " which is not supported", code: .unsupportedFile)
    }
  }

  /// Returns the value of a pointer after its fixup is applied.
  ///
  /// - Parameter raw: The number in the file. It's never zero, because a null pointer has no fixup.
  func pointer(_ raw: UInt64, segment: Int) throws(InspectionProblem) -> Pointer {
    guard let format = try format(of: UInt64(segment)) else { return .address(raw) }
    guard let (ordinal, addend) = format.bind(raw) else { return .address(format.address(raw, base: base)) }
    let (name, more) = try symbol(ordinal)
    return .symbol(name, addend &+ more)
  }

  private func format(of segment: UInt64) throws(InspectionProblem) -> ChainedPointerFormat? {
    let what = "the starts of the chained fixups"
    var starts = try part.cursor(startsOffset, 4, what)
    let count = try starts.long()
    guard segment < count else { return nil }
    var table = try part.cursor(startsOffset + 4 + segment * 4, 4, what)
    let offset = try table.long()
    if offset == 0 { return nil }
    // The format follows two fields of `dyld_chained_starts_in_segment`.
    starts = try part.cursor(startsOffset + offset + 6, 2, what)
    let number: UInt16 = try starts.next()
    guard let format = ChainedPointerFormat(rawValue: number) else {
      throw part.error(
        startsOffset + offset + 6, "a segment has fixups of the format \(number), which is not supported",
        code: .unsupportedFile)
    }
    return format
  }

  private func symbol(_ ordinal: UInt64) throws(InspectionProblem) -> (name: String, addend: Int64) {
    guard ordinal < importCount, let size = Self.importSizes[importFormat] else {
      throw part.error(
        importsOffset, "a fixup refers to import \(ordinal), but the number of imports is \(importCount)")
    }
    var cursor = try part.cursor(importsOffset + ordinal * size, size, "an import of the chained fixups")
    // The lower bits contain the library and a flag for weak imports.
    let nameOffset = importFormat == 3 ? try cursor.next(UInt64.self) >> 32 : try cursor.long() >> 9
    let addend: Int64 =
      switch importFormat {
      case 1: 0
      case 2: Int64(try cursor.next(Int32.self))
      default: try cursor.next()
      }
    return (try part.text(namesOffset + nameOffset, "the name of an import"), addend)
  }
}
