/// The processor that a Mach-O file or a slice of a universal file is for.
///
/// `mach/machine.h` defines the numbers.
struct MachOArchitecture: Equatable {
  let cpuType: UInt32
  /// The subtype without the bits for features, such as the version of the pointers of arm64e.
  let cpuSubtype: UInt32

  static let typeI386: UInt32 = 7
  static let typeX86: UInt32 = 0x0100_0007
  static let typeARM: UInt32 = 12
  static let typeARM64: UInt32 = 0x0100_000c
  static let typeARM64With32: UInt32 = 0x0200_000c

  init(cpuType: UInt32, cpuSubtype: UInt32) {
    self.cpuType = cpuType
    self.cpuSubtype = cpuSubtype & 0x00ff_ffff
  }

  /// A Boolean value that indicates whether pointers have 64 bits.
  var is64Bit: Bool { cpuType & 0x0100_0000 != 0 }

  /// The name in lipo and in the -arch option of compilers.
  var name: String {
    switch (cpuType, cpuSubtype) {
    case (Self.typeI386, 3): "i386"
    case (Self.typeX86, 3): "x86_64"
    case (Self.typeX86, 8): "x86_64h"
    case (Self.typeARM, 9): "armv7"
    case (Self.typeARM, 11): "armv7s"
    case (Self.typeARM, 12): "armv7k"
    case (Self.typeARM64, 0): "arm64"
    case (Self.typeARM64, 1): "arm64v8"
    case (Self.typeARM64, 2): "arm64e"
    case (Self.typeARM64With32, 0), (Self.typeARM64With32, 1): "arm64_32"
    default: "unknown(\(cpuType),\(cpuSubtype))"
    }
  }
}
