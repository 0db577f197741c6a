/// Numbers of the ELF gABI, as `elf.h` names them.
enum ELF {
  static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  // MARK: File types

  static let relocatable: UInt16 = 1
  static let executable: UInt16 = 2
  static let dynamic: UInt16 = 3

  // MARK: Segments

  static let load: UInt32 = 1
  static let dynamicSegment: UInt32 = 2
  static let interpreter: UInt32 = 3
  static let note: UInt32 = 4
  static let readable: UInt32 = 4
  /// What `e_phnum` says where the number does not fit.
  static let manySegments: UInt16 = 0xffff

  // MARK: Sections

  static let symbolTable: UInt32 = 2
  static let rela: UInt32 = 4
  static let noteSection: UInt32 = 7
  static let noBits: UInt32 = 8
  static let rel: UInt32 = 9
  static let dynamicSymbols: UInt32 = 11
  static let extendedIndices: UInt32 = 18
  static let allocated: UInt64 = 0x2
  static let instructions: UInt64 = 0x4
  static let compressed: UInt64 = 0x800

  // MARK: Section indices

  static let undefined: UInt32 = 0
  static let firstReserved: UInt32 = 0xff00
  static let absolute: UInt32 = 0xfff1
  /// The index stands elsewhere: in section zero, or in a table beside that of the symbols.
  static let extendedIndex: UInt32 = 0xffff

  // MARK: Dynamic section

  static let programLinkageSize: UInt64 = 2
  static let stringTable: UInt64 = 5
  static let symbols: UInt64 = 6
  static let relaTable: UInt64 = 7
  static let relaSize: UInt64 = 8
  static let relaEntry: UInt64 = 9
  static let stringSize: UInt64 = 10
  static let symbolEntry: UInt64 = 11
  static let relTable: UInt64 = 17
  static let relSize: UInt64 = 18
  static let relEntry: UInt64 = 19
  static let programLinkageKind: UInt64 = 20
  static let programLinkage: UInt64 = 23
  /// Android's own packing.
  static let androidRel: UInt64 = 0x6000_000f
  static let androidRela: UInt64 = 0x6000_0011
  static let flags1: UInt64 = 0x6fff_fffb
  /// In `flags1`: the image is a program although its type says shared object.
  static let isPositionIndependentProgram: UInt64 = 0x0800_0000

  // MARK: Symbols

  static let sectionSymbol: UInt8 = 3
  /// Its value is where the function is that chooses the value.
  static let indirectFunction: UInt8 = 10
}
