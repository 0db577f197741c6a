/// The header of a thin little-endian file.
///
/// The types `mach_header` and `mach_header_64` in `mach-o/loader.h` define the format.
struct MachOHeader {
  let is64Bit: Bool
  let architecture: MachOArchitecture
  let fileType: UInt32
  let commandCount: UInt32
  let commandsSize: UInt32
  let flags: UInt32

  /// The size in bytes, which is the offset of the load commands.
  var size: UInt64 { is64Bit ? 32 : 28 }
  var isObject: Bool { fileType == MachO.FileType.object }
  /// A Boolean value that indicates whether dyld loads the image, so that dyld's rules apply to it.
  var isLoaded: Bool { [MachO.FileType.execute, MachO.FileType.dylib, MachO.FileType.bundle].contains(fileType) }

  var type: ImageHeader.FileType {
    switch fileType {
    case MachO.FileType.object: .object
    case MachO.FileType.execute: .executable
    case MachO.FileType.dylib: .library
    case MachO.FileType.bundle: .bundle
    default: .other
    }
  }

  /// Returns whether a view starts like a Mach-O file or a cache of such files.
  ///
  /// Reading a file of an unsupported kind throws a specific error.
  static func isMachO(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 4 else { return false }
    var cursor = try view.cursor(0, 4, "the beginning")
    let magic: UInt32 = try cursor.next()
    if [MachO.magic32, MachO.magic64].contains(magic) { return true }
    if [MachO.magic32, MachO.magic64].contains(magic.byteSwapped) { return true }
    return try isSharedCache(view)
  }

  init(_ view: BinaryView) throws(InspectionError) {
    guard try !Self.isSharedCache(view) else {
      throw view.error(
        0, "is a shared cache of dyld; extract its images with another tool first", code: .unsupportedFile)
    }
    var start = try view.cursor(0, 4, "the header of a Mach-O file")
    let magic: UInt32 = try start.next()
    guard ![MachO.magic32, MachO.magic64].contains(magic.byteSwapped) else {
      throw view.error(
        0, "is a big-endian Mach-O file, such as for PowerPC; only little-endian files are supported",
        code: .unsupportedFile)
    }
    guard [MachO.magic32, MachO.magic64].contains(magic) else { throw view.error(0, "is not a Mach-O file") }
    is64Bit = magic == MachO.magic64
    var cursor = try view.cursor(4, is64Bit ? 28 : 24, "the header of a Mach-O file")
    let cpuType: UInt32 = try cursor.next()
    let cpuSubtype: UInt32 = try cursor.next()
    architecture = MachOArchitecture(cpuType: cpuType, cpuSubtype: cpuSubtype)
    fileType = try cursor.next()
    commandCount = try cursor.next()
    commandsSize = try cursor.next()
    flags = try cursor.next()
    guard architecture.is64Bit == is64Bit else {
      throw view.error(
        4,
        "the file has a \(is64Bit ? 64 : 32)-bit layout, but its architecture, '\(architecture.name)', does not"
      )
    }
    guard fileType != MachO.FileType.fileset else {
      throw view.error(
        12, "is a collection of kernel extensions ('MH_FILESET'); extract them first", code: .unsupportedFile)
    }
  }

  private static func isSharedCache(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 7 else { return false }
    return try view.bytes(0, 7, "the beginning") == Array("dyld_v1".utf8)
  }
}
