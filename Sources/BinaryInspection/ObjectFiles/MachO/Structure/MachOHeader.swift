/// The header of a thin little-endian file, `mach_header` or `mach_header_64` in `mach-o/loader.h`.
struct MachOHeader {
  let is64Bit: Bool
  let architecture: String
  let type: ImageHeader.FileType
  let commandCount: UInt32
  let commandsSize: UInt32

  var size: UInt64 { is64Bit ? 32 : 28 }
  var isObject: Bool { type == .object }
  /// True for an image that dyld loads, so that dyld's rules apply.
  var isLoaded: Bool { type != .object && type != .other }

  private static let types: [UInt32: ImageHeader.FileType] = [1: .object, 2: .executable, 6: .library, 8: .bundle]

  /// Returns true if a view starts like a Mach-O file or a shared cache. This includes unsupported
  /// files, so that reading the header throws a specific error.
  static func isMachO(_ view: BinaryView) throws(InspectionProblem) -> Bool {
    try view.starts(
      with: MachO.magic32, MachO.magic64, MachO.bigEndianMagic32, MachO.bigEndianMagic64, MachO.sharedCacheMagic)
  }

  init(_ view: BinaryView) throws(InspectionProblem) {
    guard try !view.starts(with: MachO.sharedCacheMagic) else {
      throw view.error(
        0, "is a shared cache of dyld; extract its images with another tool first", code: .unsupportedFile)
    }
    guard try view.starts(with: MachO.magic32, MachO.magic64) else {
      throw view.error(
        0, "is a big-endian Mach-O file, such as for PowerPC; only little-endian files are supported",
        code: .unsupportedFile)
    }
    is64Bit = try view.starts(with: MachO.magic64)
    var cursor = try view.cursor(4, min(view.size, 32) - 4, "the header of a Mach-O file")
    architecture = MachO.architecture(try cursor.next(), try cursor.next())
    type = Self.types[try cursor.next()] ?? .other
    commandCount = try cursor.next()
    commandsSize = try cursor.next()
  }
}
