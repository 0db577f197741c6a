/// The constants of the ELF format, from the gABI and `elf.h`.
enum ELF {
  static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  // MARK: File types

  static let relocatable: UInt16 = 1
  static let executable: UInt16 = 2
  static let dynamic: UInt16 = 3

  // MARK: Machines

  /// The names of processors in LLVM's triples, by machine number in `elf.h` and pointer width.
  static let machines: [[UInt16]: String] = [
    [3, 32]: "i386", [62, 64]: "x86_64", [40, 32]: "arm", [183, 64]: "aarch64", [21, 64]: "ppc64le",
    [243, 64]: "riscv64", [243, 32]: "riscv32", [258, 64]: "loongarch64",
  ]

  // MARK: Segments

  static let load: UInt32 = 1
  static let dynamicSegment: UInt32 = 2
  static let interpreter: UInt32 = 3
  static let note: UInt32 = 4
  static let readable: UInt32 = 4

  // MARK: Sections

  static let symbolTable: UInt32 = 2
  static let rela: UInt32 = 4
  static let noteSection: UInt32 = 7
  static let noBits: UInt32 = 8
  static let rel: UInt32 = 9
  static let instructions: UInt64 = 0x4

  // MARK: Section indices

  static let undefined: UInt32 = 0
  /// The marker for an index that's stored in section header 0.
  static let extendedIndex: UInt32 = 0xffff

  // MARK: Dynamic section

  /// The name of a library that an image links.
  static let library: UInt64 = 1
  static let stringTable: UInt64 = 5
  static let symbols: UInt64 = 6
  static let stringSize: UInt64 = 10
  /// The name that other images use to link an image.
  static let ownName: UInt64 = 14
  /// The tags of relocation tables and their sizes. The relocations of the procedure linkage table
  /// aren't included, because records and metadata don't use that table.
  static let relocations: [(name: String, address: UInt64, size: UInt64)] = [("RELA", 7, 8), ("REL", 17, 18)]
  static let androidRelocations: [UInt64] = [0x6000_000f, 0x6000_0011]
  static let flags1: UInt64 = 0x6fff_fffb
  /// The flag of a position-independent program, which has the file type of a shared object.
  static let isPositionIndependentProgram: UInt64 = 0x0800_0000

  // MARK: Symbols

  static let variable: UInt8 = 1
}
