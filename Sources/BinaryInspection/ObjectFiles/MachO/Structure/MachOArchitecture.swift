/// The processor that a Mach-O file or a slice of a universal file is for.
struct MachOArchitecture: Equatable {
  let cpuType: UInt32
  /// The subtype without the bits for features, such as the version of the pointers of arm64e.
  let cpuSubtype: UInt32

  init(cpuType: UInt32, cpuSubtype: UInt32) {
    self.cpuType = cpuType
    self.cpuSubtype = cpuSubtype & 0x00ff_ffff
  }

  /// A Boolean value that indicates whether pointers have 64 bits.
  var is64Bit: Bool { cpuType & 0x0100_0000 != 0 }

  /// The name in lipo and in the -arch option of compilers.
  var name: String { Self.names[[cpuType, cpuSubtype]] ?? "unknown(\(cpuType),\(cpuSubtype))" }

  /// The names by type and subtype, which `mach/machine.h` defines.
  private static let names: [[UInt32]: String] = [
    [7, 3]: "i386", [0x0100_0007, 3]: "x86_64", [0x0100_0007, 8]: "x86_64h",
    [12, 9]: "armv7", [12, 11]: "armv7s", [12, 12]: "armv7k",
    [0x0100_000c, 0]: "arm64", [0x0100_000c, 1]: "arm64v8", [0x0100_000c, 2]: "arm64e",
    [0x0200_000c, 0]: "arm64_32", [0x0200_000c, 1]: "arm64_32",
  ]
}
