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
  /// - Throws: An ``InspectionError`` if the table or a slice is not inside the file, or if slices
  ///   overlap.
  static func slices(of view: BinaryView) throws(InspectionError) -> [Slice] {
    var header = try view.cursor(0, 8, isBigEndian: true, "the header of a universal file")
    let is64Bit = try header.next(UInt32.self) == magic64
    let count = UInt64(try header.next(UInt32.self))
    guard count > 0 else { throw view.error(4, "the universal file has no slices") }
    var table = try view.cursor(8, count * (is64Bit ? 32 : 20), isBigEndian: true, "the table of \(count) slices")
    guard count <= largestCount else {
      throw view.error(4, "the universal file has \(count) slices, more than there are architectures")
    }
    var slices: [Slice] = []
    while !table.isAtEnd {
      let architecture = MachOArchitecture(cpuType: try table.next(), cpuSubtype: try table.next())
      let (offset, size) = (try table.word(is64Bit: is64Bit), try table.word(is64Bit: is64Bit))
      // The alignment and, in the long form, a reserved field follow.
      try table.skip(is64Bit ? 8 : 4)
      let name = architecture.name
      let part = try view.part(offset, size, name: "\(view.name) (\(name))", what: "the slice for '\(name)'")
      slices.append(Slice(architecture: name, view: part))
    }
    try view.refuseOverlap(
      slices.map { Span(start: $0.view.start - view.start, size: $0.view.size, name: $0.architecture) }, "slices")
    return slices
  }
}
