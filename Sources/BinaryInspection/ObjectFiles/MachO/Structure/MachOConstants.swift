/// The constants of the Mach-O format.
///
/// Apple's `mach-o/loader.h` and `mach-o/nlist.h` define them.
enum MachO {
  static let magic32: UInt32 = 0xfeed_face
  static let magic64: UInt32 = 0xfeed_facf

  enum Command {
    static let segment: UInt32 = 0x1
    static let symbolTable: UInt32 = 0x2
    /// The command LC_LOAD_DYLIB.
    static let library: UInt32 = 0xc
    /// The command LC_ID_DYLIB.
    static let ownName: UInt32 = 0xd
    static let segment64: UInt32 = 0x19
    static let encryptionInfo: UInt32 = 0x21
    static let encryptionInfo64: UInt32 = 0x2c
    static let buildVersion: UInt32 = 0x32
    /// The command LC_LOAD_WEAK_DYLIB.
    static let weakLibrary: UInt32 = 0x8000_0018
    /// The command LC_REEXPORT_DYLIB.
    static let exportedLibrary: UInt32 = 0x8000_001f
    /// The command LC_LOAD_UPWARD_DYLIB.
    static let upwardLibrary: UInt32 = 0x8000_0023
    static let chainedFixups: UInt32 = 0x8000_0034
  }

  static let macOS: UInt32 = 1
  static let macCatalyst: UInt32 = 6
  /// The platforms of the commands LC_VERSION_MIN_MACOSX, IPHONEOS, TVOS, and WATCHOS.
  static let platforms: [UInt32: UInt32] = [0x24: macOS, 0x25: 2, 0x2f: 3, 0x30: 4]

  /// The flag SG_PROTECTED_VERSION_1 of a segment whose pages are encrypted without a load command.
  static let protectedSegment: UInt32 = 0x8
  static let sectionTypeMask: UInt32 = 0xff
  /// The types S_ZEROFILL, S_GB_ZEROFILL, and S_THREAD_LOCAL_ZEROFILL.
  static let zeroFilledSections: Set<UInt32> = [0x1, 0xc, 0x12]

  enum Symbol {
    static let stabMask: UInt8 = 0xe0
    static let typeMask: UInt8 = 0x0e
    static let external: UInt8 = 0x01
    static let absolute: UInt8 = 0x2
    static let inSection: UInt8 = 0xe
    /// The type N_OPT of the symbol that strip adds.
    static let option: UInt8 = 0x3c
  }
}
