/// The constants of the Mach-O format.
///
/// Apple's `mach-o/loader.h`, and `mach-o/nlist.h` define them.
enum MachO {
  static let magic32: UInt32 = 0xfeed_face
  static let magic64: UInt32 = 0xfeed_facf

  enum FileType {
    static let object: UInt32 = 0x1
    static let execute: UInt32 = 0x2
    static let dylib: UInt32 = 0x6
    static let bundle: UInt32 = 0x8
    static let fileset: UInt32 = 0xc
  }

  enum Command {
    static let segment: UInt32 = 0x1
    static let symbolTable: UInt32 = 0x2
    static let dynamicSymbolTable: UInt32 = 0xb
    /// The command LC_LOAD_DYLIB.
    static let library: UInt32 = 0xc
    /// The command LC_ID_DYLIB.
    static let ownName: UInt32 = 0xd
    static let segment64: UInt32 = 0x19
    static let encryptionInfo: UInt32 = 0x21
    /// The command LC_VERSION_MIN_MACOSX.
    static let macOSVersion: UInt32 = 0x24
    /// The command LC_VERSION_MIN_IPHONEOS.
    static let iOSVersion: UInt32 = 0x25
    static let encryptionInfo64: UInt32 = 0x2c
    /// The command LC_VERSION_MIN_TVOS.
    static let tvOSVersion: UInt32 = 0x2f
    /// The command LC_VERSION_MIN_WATCHOS.
    static let watchOSVersion: UInt32 = 0x30
    static let buildVersion: UInt32 = 0x32
    /// The command LC_LOAD_WEAK_DYLIB.
    static let weakLibrary: UInt32 = 0x8000_0018
    /// The command LC_REEXPORT_DYLIB.
    static let exportedLibrary: UInt32 = 0x8000_001f
    /// The command LC_LOAD_UPWARD_DYLIB.
    static let upwardLibrary: UInt32 = 0x8000_0023
    static let chainedFixups: UInt32 = 0x8000_0034
  }

  enum Platform {
    static let macOS: UInt32 = 1
    static let iOS: UInt32 = 2
    static let tvOS: UInt32 = 3
    static let watchOS: UInt32 = 4
    static let macCatalyst: UInt32 = 6
  }

  enum SegmentFlag {
    /// The flag SG_PROTECTED_VERSION_1 of a segment whose pages are encrypted without a load
    /// command.
    static let protected: UInt32 = 0x8
  }

  enum SectionType {
    static let mask: UInt32 = 0xff
    static let zeroFill: UInt32 = 0x1
    static let bigZeroFill: UInt32 = 0xc
    static let threadLocalZeroFill: UInt32 = 0x12
  }

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
