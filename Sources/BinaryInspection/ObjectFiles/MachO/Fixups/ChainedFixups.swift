/// The chained fixups of an image.
///
/// Apple's `mach-o/fixup-chains.h` defines the format. A page of a segment has one or more chains,
/// in which each fixup contains the distance to the next. A page is walked once, when a pointer on
/// it is read. Each fixup then takes two bytes of memory.
final class ChainedFixups {
  /// The positions of the chains in a segment.
  ///
  /// The C type is `dyld_chained_starts_in_segment`.
  private struct Starts {
    let offset: UInt64
    let size: UInt64
    let pageSize: UInt64
    let pageCount: UInt64
    let format: ChainedPointerFormat
    let maxValidPointer: UInt64
  }

  private struct Page: Hashable {
    let segment: Int
    let number: UInt64
  }

  /// The page start of a page without fixups.
  private static let noStart: UInt16 = 0xffff
  /// The flag of a page start that is the index of several starts, or the last of them.
  private static let mark: UInt16 = 0x8000
  /// The offset of the page starts in the starts of a segment.
  private static let pageStarts: UInt64 = 22

  private let view: BinaryView
  /// The bytes of the fixups, from which the offsets in them count.
  private let part: BinaryView
  private let segments: [MachOSegment]
  private let base: UInt64
  private let is64Bit: Bool
  private let imports: ChainedImports
  private let startsOffset: UInt64
  private let segmentCount: UInt64
  /// The starts of the segments that were read; nil for a segment without fixups.
  private var starts: [Int: Starts?] = [:]
  /// The offsets of the fixups on the pages that were walked.
  ///
  /// Errors are kept as well, because every record on a page needs its fixups.
  private var pages: [Page: Result<[UInt16], InspectionError>] = [:]

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

  /// Returns the value of a pointer after the fixup; nil if no fixup changes it.
  func pointer(_ raw: UInt64, at address: UInt64, segment: Int) throws(InspectionError) -> Pointer? {
    guard let starts = try starts(of: segment) else { return nil }
    let offset = address - segments[segment].address
    let page = Page(segment: segment, number: offset / starts.pageSize)
    guard page.number < starts.pageCount else { return nil }
    let offsets = try fixupOffsets(on: page, starts)
    guard offsets.hasSorted(UInt16(offset % starts.pageSize)) else { return nil }
    switch starts.format.target(raw, maxValidPointer: starts.maxValidPointer) {
    case .address(let address): return .address(address)
    case .offset(let distance):
      let (address, overflows) = base.addingReportingOverflow(distance)
      guard !overflows else { throw error("the target of a fixup overflows", segment, offset) }
      return .address(address)
    case .bind(let ordinal, let addend):
      let (name, more) = try imports.symbol(ordinal)
      return .symbol(name, addend &+ more)
    case .number(let number): return number == 0 ? .null : .address(number)
    case nil: throw error("a fixup refers to another level of a kernel cache", segment, offset)
    }
  }

  private func starts(of segment: Int) throws(InspectionError) -> Starts? {
    if let starts = starts[segment] { return starts }
    guard segment < segmentCount else { return nil }
    var table = try part.cursor(startsOffset + 4 + UInt64(segment) * 4, 4, "the starts of the chained fixups")
    let offset = UInt64(try table.next(UInt32.self))
    let found = offset == 0 ? nil : try readStarts(startsOffset + offset, segments[segment])
    starts.updateValue(found, forKey: segment)
    return found
  }

  private func readStarts(_ offset: UInt64, _ segment: MachOSegment) throws(InspectionError) -> Starts {
    var cursor = try part.cursor(offset, Self.pageStarts, "the starts of the segment '\(segment.name)'")
    let size = UInt64(try cursor.next(UInt32.self))
    let pageSize = UInt64(try cursor.next(UInt16.self))
    let number: UInt16 = try cursor.next()
    let segmentOffset: UInt64 = try cursor.next()
    let maxValidPointer = UInt64(try cursor.next(UInt32.self))
    let pageCount = UInt64(try cursor.next(UInt16.self))
    guard let format = ChainedPointerFormat(rawValue: number) else {
      let isOfCache = number == 13
      throw part.error(
        offset + 6,
        "the segment '\(segment.name)' has fixups of the format \(number),"
          + (isOfCache ? " which only shared caches use" : " which is unknown"), code: .unsupportedFile)
    }
    guard format.is64Bit == is64Bit else {
      throw part.error(
        offset + 6,
        "the segment '\(segment.name)' has fixups of the format \(number), which is not for \(is64Bit ? 64 : 32) bits")
    }
    guard pageSize == 0x1000 || pageSize == 0x4000 else {
      throw part.error(
        offset + 4,
        "the segment '\(segment.name)' has fixups in pages of \(pageSize) bytes instead of 4096 or 16384")
    }
    guard segmentOffset == segment.address &- base else {
      throw part.error(
        offset + 8,
        "the fixups of the segment '\(segment.name)' are for a segment at 0x\(String(segmentOffset, radix: 16)) from the"
          + " header")
    }
    guard Self.pageStarts + pageCount * 2 <= size, offset + size <= part.size else {
      throw part.error(
        offset, "the starts of the segment '\(segment.name)', of \(pageCount) pages, do not fit into \(size) bytes")
    }
    return Starts(
      offset: offset, size: size, pageSize: pageSize, pageCount: pageCount, format: format,
      maxValidPointer: maxValidPointer)
  }

  /// Returns the offsets of the fixups on a page in ascending order.
  private func fixupOffsets(on page: Page, _ starts: Starts) throws(InspectionError) -> [UInt16] {
    if let offsets = pages[page] { return try offsets.get() }
    guard try start(page.number, starts) != Self.noStart else { return [] }
    let result: Result<[UInt16], InspectionError>
    do throws(InspectionError) { result = .success(try walk(page, starts)) } catch { result = .failure(error) }
    pages[page] = result
    return try result.get()
  }

  private func walk(_ page: Page, _ starts: Starts) throws(InspectionError) -> [UInt16] {
    let segment = segments[page.segment]
    let pageOffset = page.number * starts.pageSize
    var isFixup = [Bool](repeating: false, count: Int(starts.pageSize))
    var content: [UInt8] = []
    if pageOffset < segment.fileSize {
      // The last pointer of a page can end on the next page.
      let count = min(starts.pageSize + 7, segment.fileSize - pageOffset)
      content = try view.bytes(segment.fileOffset + pageOffset, count, "a page of the segment '\(segment.name)'")
    }
    try visitChains(of: page, starts) { start throws(InspectionError) in
      var offset = start
      while true {
        let segmentOffset = pageOffset + offset
        guard offset < starts.pageSize else {
          throw error("a chain of fixups leaves its page", page.segment, segmentOffset)
        }
        // Chains only lead forward and never meet, so all of them together are no longer than the
        // page.
        guard !isFixup[Int(offset)] else { throw error("two chains of fixups meet", page.segment, segmentOffset) }
        guard let raw = content.number(at: Int(offset), is64Bit ? 8 : 4) else {
          throw error("a chain of fixups leaves its segment", page.segment, segmentOffset)
        }
        isFixup[Int(offset)] = true
        let next = starts.format.next(raw)
        if next == 0 { return }
        offset += next
      }
    }
    return isFixup.indices.filter { isFixup[$0] }.map { UInt16($0) }
  }

  private func visitChains(
    of page: Page, _ starts: Starts, _ body: (UInt64) throws(InspectionError) -> Void
  ) throws(InspectionError) {
    let start = try self.start(page.number, starts)
    guard start & Self.mark != 0 else { return try body(UInt64(start)) }
    var index = UInt64(start & ~Self.mark)
    while true {
      let start = try self.start(index, starts)
      try body(UInt64(start & ~Self.mark))
      if start & Self.mark != 0 { return }
      index += 1
    }
  }

  private func start(_ index: UInt64, _ starts: Starts) throws(InspectionError) -> UInt16 {
    let end = Self.pageStarts + index * 2 + 2
    guard end <= starts.size else {
      throw part.error(
        starts.offset,
        "the starts of a page's chains must be within those of the segment, which have \(starts.size) bytes"
      )
    }
    var cursor = try part.cursor(starts.offset + end - 2, 2, "the start of a page's chain")
    return try cursor.next()
  }

  private func error(_ message: String, _ segment: Int, _ offset: UInt64) -> InspectionError {
    view.error(segments[segment].fileOffset &+ offset, "\(message), in the segment '\(segments[segment].name)'")
  }
}

extension [UInt8] {
  /// Returns the little-endian number at an index; nil if not all of its bytes are there.
  fileprivate func number(at index: Int, _ size: Int) -> UInt64? {
    guard index <= count - size else { return nil }
    return self[index..<index + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [UInt16] {
  /// Returns whether an ascending list contains a number.
  fileprivate func hasSorted(_ number: UInt16) -> Bool {
    let low = firstSortedIndex { $0 >= number }
    return low < count && self[low] == number
  }
}
