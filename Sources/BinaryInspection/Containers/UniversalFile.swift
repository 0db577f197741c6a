/// A universal file, which contains binaries of several architectures.
///
/// `mach-o/fat.h` defines the format. The header is always big-endian.
enum UniversalFile {
  /// The part for one architecture: a Mach-O file or an archive of them.
  struct Slice {
    /// The name of the architecture in lipo, such as arm64e.
    var architecture: String
    var view: BinaryView
  }

  private static let magic32: UInt32 = 0xcafe_babe
  private static let magic64: UInt32 = 0xcafe_babf
  /// The smallest number of slices that identifies a Java class file instead of a universal file.
  ///
  /// Java class files start with the same number as universal files. In place of the number of
  /// slices, they have their version, which is at least 45.
  private static let firstJavaVersion: UInt32 = 43
  /// The largest alignment that linkers request, as a power of two.
  private static let largestAlignment: UInt32 = 15

  /// The largest number of slices.
  ///
  /// About thirty architectures exist, including all variants.
  private static let largestCount: UInt64 = 1_000

  static func isUniversal(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 4 else { return false }
    var cursor = try view.cursor(0, min(view.size, 8), isBigEndian: true, "the beginning")
    switch try cursor.next(UInt32.self) {
    case magic64: return true
    case magic32:
      // The file is truncated. Treat it as a universal file, so that reading its slices reports
      // that.
      guard view.size >= 8 else { return true }
      return try cursor.next(UInt32.self) < firstJavaVersion
    default: return false
    }
  }

  /// Returns the slices in the order of the file's table.
  ///
  /// - Throws: An ``InspectionError`` if the table or a slice is not inside the file, if slices
  ///   overlap or have the same architecture, or if a slice is a universal file itself.
  static func slices(of view: BinaryView) throws(InspectionError) -> [Slice] {
    var header = try view.cursor(0, 8, isBigEndian: true, "the header of a universal file")
    let is64Bit = try header.next(UInt32.self) == magic64
    let count = UInt64(try header.next(UInt32.self))
    guard count > 0 else { throw view.error(4, "the universal file has no slices") }
    let end = 8 + count * (is64Bit ? 32 : 20)
    var table = try view.cursor(8, end - 8, isBigEndian: true, "the table of \(count) slices")
    guard count <= largestCount else {
      throw view.error(4, "the universal file has \(count) slices, more than there are architectures")
    }

    var slices: [Slice] = []
    var architectures: Set<String> = []
    for _ in 0..<count {
      let entryOffset = table.offset
      let slice = try slice(&table, of: view, is64Bit: is64Bit, behind: end)
      guard architectures.insert(slice.architecture).inserted else {
        throw view.error(entryOffset, "the universal file has two slices for '\(slice.architecture)'")
      }
      slices.append(slice)
    }
    try view.refuseOverlap(
      slices.map { Span(start: $0.view.start - view.start, size: $0.view.size, name: $0.architecture) }, "slices")
    return slices
  }

  private static func slice(
    _ table: inout ByteCursor, of view: BinaryView, is64Bit: Bool, behind end: UInt64
  ) throws(InspectionError) -> Slice {
    let entryOffset = table.offset
    let cpuType: UInt32 = try table.next()
    let cpuSubtype: UInt32 = try table.next()
    let architecture = MachOArchitecture(cpuType: cpuType, cpuSubtype: cpuSubtype)
    let offset = try table.word(is64Bit: is64Bit)
    let size = try table.word(is64Bit: is64Bit)
    let alignment: UInt32 = try table.next()
    if is64Bit { _ = try table.next(UInt32.self) }

    let name = architecture.name
    guard alignment <= largestAlignment else {
      throw view.error(
        entryOffset, "the slice for '\(name)' is aligned to 2^\(alignment), more than 2^\(largestAlignment)")
    }
    guard offset >= end else {
      throw view.error(
        entryOffset, "the slice for '\(name)' begins at 0x\(String(offset, radix: 16)), within the header")
    }
    guard offset % (1 << UInt64(alignment)) == 0 else {
      throw view.error(
        entryOffset,
        "the slice for '\(name)' begins at 0x\(String(offset, radix: 16)), which is not aligned to 2^\(alignment)")
    }
    let part = try view.part(offset, size, name: "\(view.name) (\(name))", what: "the slice for '\(name)'")
    try checkContent(of: part, architecture)
    return Slice(architecture: name, view: part)
  }

  private static func checkContent(of part: BinaryView, _ architecture: MachOArchitecture) throws(InspectionError) {
    guard part.size >= 8 else {
      throw part.error(0, "the slice for '\(architecture.name)' has \(part.size) bytes, too few for a binary")
    }
    var cursor = try part.cursor(0, 8, "the beginning of the slice")
    let magic: UInt32 = try cursor.next()
    guard ![magic32, magic64].contains(magic.byteSwapped) else {
      throw part.error(0, "the slice for '\(architecture.name)' is itself a universal file")
    }
    guard [MachO.magic32, MachO.magic64].contains(magic) else { return }
    let cpuType: UInt32 = try cursor.next()
    guard cpuType == architecture.cpuType else {
      throw part.error(
        4, "the slice for '\(architecture.name)' is for another processor type, 0x\(String(cpuType, radix: 16))")
    }
  }
}
