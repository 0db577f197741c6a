/// A universal file, with binaries for several architectures. `mach-o/fat.h` defines the format.
/// The header is always big-endian.
enum UniversalFile {
  /// A Mach-O file or an archive for one architecture, with lipo's name for the architecture.
  typealias Slice = (architecture: String, view: BinaryView)

  private static let magic32: UInt32 = 0xcafe_babe
  private static let magic64: UInt32 = 0xcafe_babf
  /// The smallest slice count that identifies a Java class file.
  ///
  /// Class files have the same magic number, followed by a version of at least 45 in place of the
  /// number of slices. LLVM uses the same threshold.
  private static let firstJavaVersion: UInt32 = 43
  /// The maximum number of slices. About thirty architectures exist, including all variants.
  private static let largestCount: UInt64 = 1_000

  static func isUniversal(_ view: BinaryView) throws(InspectionProblem) -> Bool {
    guard view.size >= 4 else { return false }
    var cursor = try view.cursor(0, view.size < 8 ? 4 : 8, isBigEndian: true, "the beginning")
    switch try cursor.next(UInt32.self) {
    case magic64: return true
    // A truncated file counts as universal, so that reading its slices reports the error.
    case magic32: return cursor.left == 0 ? true : try cursor.next(UInt32.self) < firstJavaVersion
    default: return false
    }
  }

  /// Returns the slices in the order of the file's table, or throws an error if slices overlap
  /// or aren't inside the file.
  static func slices(of view: BinaryView) throws(InspectionProblem) -> [Slice] {
    var header = try view.cursor(0, 8, isBigEndian: true, "the header of a universal file")
    let is64Bit = try header.next(UInt32.self) == magic64
    let count = try header.long()
    guard count > 0 else { throw view.error(4, "the universal file has no slices") }
    try view.check(8, count * (is64Bit ? 32 : 20), "the table of slices")
    guard count <= largestCount else {
      throw view.error(4, "the universal file has \(count) slices, more than there are architectures")
    }
    let slices = try view.table(8, count, of: is64Bit ? 32 : 20, isBigEndian: true, "the table of slices") {
      table throws(InspectionProblem) -> Slice in
      let name = MachO.architecture(try table.next(), try table.next())
      let (offset, size) = (try table.word(is64Bit: is64Bit), try table.word(is64Bit: is64Bit))
      // Skip the alignment and, in the long form, a reserved field.
      try table.skip(is64Bit ? 8 : 4)
      let part = try view.part(offset, size, name: "\(view.name) (\(name))", what: "the slice for '\(name)'")
      return (name, part)
    }
    try view.refuseOverlap(
      slices.map { Section(name: $0.architecture, size: $0.view.size, offset: $0.view.start - view.start) }, "slices")
    return slices
  }
}
