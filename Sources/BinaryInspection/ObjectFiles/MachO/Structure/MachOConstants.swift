/// Constants of the Mach-O format, from Apple's `mach-o` headers, and the dyld cache's magic.
enum MachO {
  static let magic32: [UInt8] = [0xce, 0xfa, 0xed, 0xfe]
  static let magic64: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe]
  static let sharedCacheMagic = Array("dyld_v1".utf8)

  /// Returns true if a view starts like a Mach-O file or a shared cache. This includes unsupported
  /// files, so that reading the header throws a specific error.
  static func isMachO(_ view: BinaryView) throws(InspectionProblem) -> Bool {
    try view.starts(with: magic32, magic64, magic32.reversed(), magic64.reversed(), sharedCacheMagic)
  }

  enum Command {
    static let segments: Set<UInt32> = [0x1, 0x19]
    static let symbolTable: UInt32 = 0x2
    /// LC_ID_DYLIB.
    static let ownName: UInt32 = 0xd
    /// LC_LOAD_DYLIB, LC_LAZY_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB, and
    /// LC_LOAD_UPWARD_DYLIB.
    static let libraries: Set<UInt32> = [0xc, 0x20, 0x8000_0018, 0x8000_001f, 0x8000_0023]
    static let encryptionInfo: Set<UInt32> = [0x21, 0x2c]
    static let buildVersion: UInt32 = 0x32
    static let chainedFixups: UInt32 = 0x8000_0034
  }

  static let macOS: UInt32 = 1
  static let macCatalyst: UInt32 = 6
  /// The platforms of the commands LC_VERSION_MIN_MACOSX, …_IPHONEOS, …_TVOS, and …_WATCHOS.
  static let platforms: [UInt32: UInt32] = [0x24: macOS, 0x25: 2, 0x2f: 3, 0x30: 4]

  /// SG_PROTECTED_VERSION_1: the pages are encrypted, but no load command says so.
  static let protectedSegment: UInt32 = 0x8
  static let sectionTypeMask: UInt32 = 0xff
  /// S_ZEROFILL, S_GB_ZEROFILL, and S_THREAD_LOCAL_ZEROFILL.
  static let zeroFilledSections: Set<UInt32> = [0x1, 0xc, 0x12]

  static let scattered: UInt64 = 0x8000_0000
  static let scatteredType: UInt64 = 0xf00_0000
  /// The type of a pair's second relocation, which has no offset of its own.
  static let pair: UInt64 = 0x100_0000

  enum Symbol {
    static let stabMask: UInt8 = 0xe0
    static let typeMask: UInt8 = 0x0e
    static let external: UInt8 = 0x01
    static let absolute: UInt8 = 0x2
    static let inSection: UInt8 = 0xe
    /// N_OPT, the type of the symbol that strip adds.
    static let option: UInt8 = 0x3c
  }

  /// Returns a processor's name as lipo and the compilers' -arch option spell it. The subtype can
  /// contain feature bits, such as the version of the arm64e ABI.
  static func architecture(_ type: UInt32, _ subtype: UInt32) -> String {
    let subtype = subtype & 0x00ff_ffff
    return architectures[[type, subtype]] ?? "unknown(\(type),\(subtype))"
  }

  /// The names of processors by type and subtype, from `mach/machine.h`.
  private static let architectures: [[UInt32]: String] = [
    [7, 3]: "i386", [0x0100_0007, 3]: "x86_64", [0x0100_0007, 8]: "x86_64h",
    [12, 9]: "armv7", [12, 11]: "armv7s", [12, 12]: "armv7k",
    [0x0100_000c, 0]: "arm64", [0x0100_000c, 1]: "arm64v8", [0x0100_000c, 2]: "arm64e",
    [0x0200_000c, 0]: "arm64_32", [0x0200_000c, 1]: "arm64_32",
  ]
}
