/// The chained fixups of an image.
///
/// Apple's `mach-o/fixup-chains.h` defines the format. A fixup contains the target of its pointer
/// and the distance to the next fixup. Linkers add every pointer to a chain, so the reader decodes
/// single pointers and follows no chain.
final class ChainedFixups {
  private let view: BinaryView
  /// The bytes of the fixups, from which the offsets in them count.
  private let part: BinaryView
  private let segments: [MachOSegment]
  private let base: UInt64
  private let is64Bit: Bool
  private let imports: ChainedImports
  private let startsOffset: UInt64
  private let segmentCount: UInt64
  /// The formats of the segments that were read; nil for a segment without fixups.
  private var formats: [Int: ChainedPointerFormat?] = [:]

  init(
    _ view: BinaryView, _ range: MachOLoadCommands.FileRange, segments: [MachOSegment], base: UInt64, is64Bit: Bool
  ) throws(InspectionError) {
    self.view = view
    self.segments = segments
    self.base = base
    self.is64Bit = is64Bit
    part = try view.part(range.offset, range.size, name: view.name, what: "the chained fixups")
    var header = try part.cursor(0, 28, "the header of the chained fixups")
    let version: UInt32 = try header.next()
    guard version == 0 else { throw part.error(0, "the chained fixups have version \(version) instead of 0") }
    startsOffset = UInt64(try header.next(UInt32.self))
    imports = try ChainedImports(part, &header)
    var count = try part.cursor(startsOffset, 4, "the starts of the chained fixups")
    segmentCount = UInt64(try count.next(UInt32.self))
    guard segmentCount <= segments.count else {
      throw part.error(
        startsOffset, "there are chained fixups for \(segmentCount) segments, but the file has only \(segments.count)")
    }
  }

  /// Returns the value of a pointer after the fixup.
  ///
  /// - Parameter raw: The number in the file, which is not zero. Zero is a null pointer, which has
  ///   no fixup.
  func pointer(_ raw: UInt64, at address: UInt64, segment: Int) throws(InspectionError) -> Pointer {
    guard let format = try format(of: segment) else { return .address(raw) }
    switch format.target(raw) {
    case .address(let address): return .address(address)
    case .offset(let distance):
      let (target, overflows) = base.addingReportingOverflow(distance)
      guard !overflows else {
        throw view.error(
          segments[segment].fileOffset &+ (address - segments[segment].address),
          "the target of a fixup overflows, in the segment '\(segments[segment].name)'")
      }
      return .address(target)
    case .bind(let ordinal, let addend):
      let (name, more) = try imports.symbol(ordinal)
      return .symbol(name, addend &+ more)
    }
  }

  private func format(of segment: Int) throws(InspectionError) -> ChainedPointerFormat? {
    if let format = formats[segment] { return format }
    guard segment < segmentCount else { return nil }
    var table = try part.cursor(startsOffset + 4 + UInt64(segment) * 4, 4, "the starts of the chained fixups")
    let offset = UInt64(try table.next(UInt32.self))
    let format = offset == 0 ? nil : try readFormat(startsOffset + offset, segments[segment])
    formats.updateValue(format, forKey: segment)
    return format
  }

  /// Reads the format in the starts of a segment, whose type is `dyld_chained_starts_in_segment`.
  private func readFormat(_ offset: UInt64, _ segment: MachOSegment) throws(InspectionError) -> ChainedPointerFormat {
    var cursor = try part.cursor(offset, 16, "the starts of the segment '\(segment.name)'")
    try cursor.skip(6)
    let number: UInt16 = try cursor.next()
    let segmentOffset: UInt64 = try cursor.next()
    guard let format = ChainedPointerFormat(rawValue: number) else {
      throw part.error(
        offset + 6, "the segment '\(segment.name)' has fixups of the format \(number), which is not supported",
        code: .unsupportedFile)
    }
    guard format.is64Bit == is64Bit else {
      throw part.error(
        offset + 6,
        "the segment '\(segment.name)' has fixups of the format \(number), which is not for \(is64Bit ? 64 : 32) bits")
    }
    guard segmentOffset == segment.address &- base else {
      throw part.error(
        offset + 8,
        "the fixups of the segment '\(segment.name)' are for a segment at 0x\(String(segmentOffset, radix: 16)) from the"
          + " header")
    }
    return format
  }
}
