/// The formats that binaries come in.
enum BinaryFormat {
  /// A part of a file for one architecture.
  struct Slice {
    var architecture: String
    var view: BinaryView
  }

  /// Whether a file begins as one that holds binaries: one, one of several architectures, or an archive.
  static func isKnown(_ view: BinaryView) throws(InspectionError) -> Bool {
    if try ELFFile.isELF(view) { return true }
    return try Archive.isArchive(view)
  }

  /// The binary of one architecture; nil if it is none.
  static func object(_ view: BinaryView) throws(InspectionError) -> (any ObjectFile)? {
    if try ELFFile.isELF(view) { return try ELFFile(view) }
    return nil
  }

  /// The slices of a universal file; nil if it is none.
  static func slices(_ view: BinaryView) throws(InspectionError) -> [Slice]? {
    nil
  }

  /// Whether the file is code that LLVM has still to compile.
  static func isBitcode(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 4 else { return false }
    let bytes = try view.bytes(0, 4, "the beginning")
    return bytes == [0x42, 0x43, 0xc0, 0xde] || bytes == [0xde, 0xc0, 0x17, 0x0b]
  }
}
