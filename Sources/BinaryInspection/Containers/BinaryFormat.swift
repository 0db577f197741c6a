/// A namespace for functions that recognize the formats of binaries.
enum BinaryFormat {
  /// Returns the binary of one architecture in a view; nil if it contains none.
  static func object(_ view: BinaryView) throws(InspectionError) -> (any ObjectFile)? {
    if try ELFHeader.isELF(view) { return try ELFFile(view) }
    if try MachOHeader.isMachO(view) { return try MachOFile(view) }
    return nil
  }

  /// Returns the slices of a universal file; nil for other files.
  static func slices(_ view: BinaryView) throws(InspectionError) -> [UniversalFile.Slice]? {
    try UniversalFile.isUniversal(view) ? try UniversalFile.slices(of: view) : nil
  }

  /// Returns whether a file contains LLVM bitcode.
  static func isBitcode(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 4 else { return false }
    let bytes = try view.bytes(0, 4, "the beginning")
    return bytes == [0x42, 0x43, 0xc0, 0xde] || bytes == [0xde, 0xc0, 0x17, 0x0b]
  }
}
