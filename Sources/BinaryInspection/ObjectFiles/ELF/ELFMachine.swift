/// The name and the relocations of a processor, as in its ABI supplement.
struct ELFMachine {
  /// The effect of a relocation on a pointer or an offset in data.
  enum Relocation: Equatable {
    /// No effect.
    case nothing
    /// The addition of the address at which the image is loaded.
    ///
    /// These relocations are named `R_*_RELATIVE`.
    case relative
    /// The address of a symbol plus the addend, as wide as a pointer.
    case absolute
    /// The address of a symbol, which ignores the value of the word.
    ///
    /// These relocations are named `R_*_GLOB_DAT` and `R_*_JUMP_SLOT`.
    case symbol
    /// The result of calling the function at the addend.
    ///
    /// These relocations are named `R_*_IRELATIVE`.
    case indirect
    /// The distance from the word to a symbol, in 32 bits.
    case distance
    /// The addition or subtraction of a symbol's address in a word of 32 bits.
    ///
    /// RISC-V and LoongArch express distances this way.
    case add, subtract
  }

  /// The name of the architecture in readelf and in LLVM's triples.
  let name: String
  private let relocations: [UInt32: Relocation]

  init(number: UInt16, is64Bit: Bool) {
    let known = Self.known[[number, is64Bit ? 64 : 32]]
    (name, relocations) = known ?? ("machine \(number)", [:])
  }

  /// Returns the effect of a type of relocation; nil if it is unknown.
  func relocation(_ type: UInt32) -> Relocation? {
    // No supplement uses zero for anything else.
    type == 0 ? .nothing : relocations[type]
  }

  /// The names and relocations of processors, by their numbers and the width of their pointers.
  ///
  /// The numbers are from `elf.h`, which follows the processor supplements. R_ARM_TARGET1 is
  /// R_ARM_ABS32 on every system that has dynamic loading.
  private static let known: [[UInt16]: (String, [UInt32: Relocation])] = [
    [3, 32]: (
      "i386", [1: .absolute, 2: .distance, 4: .distance, 6: .symbol, 7: .symbol, 8: .relative, 42: .indirect]
    ),
    [62, 64]: (
      "x86_64", [1: .absolute, 2: .distance, 4: .distance, 6: .symbol, 7: .symbol, 8: .relative, 37: .indirect]
    ),
    [40, 32]: (
      "arm", [2: .absolute, 3: .distance, 21: .symbol, 22: .symbol, 23: .relative, 38: .absolute, 160: .indirect]
    ),
    [183, 64]: (
      "aarch64",
      [
        257: .absolute, 261: .distance, 314: .distance, 1025: .symbol, 1026: .symbol, 1027: .relative, 1032: .indirect,
      ]
    ),
    [21, 64]: (
      "ppc64le", [20: .symbol, 21: .symbol, 22: .relative, 26: .distance, 38: .absolute, 43: .absolute, 248: .indirect]
    ),
    [243, 64]: ("riscv64", riscV.merging([2: .absolute]) { $1 }),
    [243, 32]: ("riscv32", riscV.merging([1: .absolute]) { $1 }),
    [258, 64]: (
      "loongarch64",
      [2: .absolute, 3: .relative, 5: .symbol, 12: .indirect, 50: .add, 55: .subtract, 99: .distance]
    ),
  ]

  private static let riscV: [UInt32: Relocation] = [
    3: .relative, 5: .symbol, 35: .add, 39: .subtract, 57: .distance, 58: .indirect, 59: .distance,
  ]
}
