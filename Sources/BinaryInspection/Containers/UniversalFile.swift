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
  private static let firstJavaVersion: UInt64 = 43
  /// The maximum number of slices. About thirty architectures exist, including all variants.
  private static let largestCount: UInt64 = 1_000

  /// Returns the slices in the order of the file's table, or nil if the file isn't universal.
  /// Throws an error if slices overlap or aren't inside the file.
  static func slices(of view: BinaryView) throws(InspectionProblem) -> [Slice]? {
    guard view.size >= 4 else { return nil }
    var header = try view.cursor(0, min(view.size, 8), isBigEndian: true, "the beginning")
    let magic: UInt32 = try header.next()
    guard magic == magic32 || magic == magic64 else { return nil }
    // A file that ends after the magic number counts as universal, so that the error is reported.
    try view.check(0, 8, "the header of a universal file")
    let (is64Bit, count) = (magic == magic64, try header.long())
    guard is64Bit || count < firstJavaVersion else { return nil }
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
