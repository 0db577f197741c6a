/// The name and the relocations of a processor, as in its ABI supplement.
struct ELFMachine {
  /// The effect of a relocation on a pointer or an offset in data.
  enum Relocation: Equatable {
    /// No effect.
    case none
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
    case other
  }

  let number: UInt16
  let is64Bit: Bool

  /// The name of the architecture in readelf and in LLVM's triples.
  var name: String {
    switch number {
    case 3: "i386"
    case 21: "ppc64le"
    case 40: "arm"
    case 62 where is64Bit: "x86_64"
    case 183 where is64Bit: "aarch64"
    case 243: is64Bit ? "riscv64" : "riscv32"
    case 258 where is64Bit: "loongarch64"
    default: "machine \(number)"
    }
  }

  /// Returns the effect of a type of relocation.
  ///
  /// The numbers are from `elf.h`, which follows the processor supplements.
  func relocation(_ type: UInt32) -> Relocation {
    // No supplement uses zero for anything else.
    if type == 0 { return .none }
    switch number {
    case 62 where is64Bit:
      return lookUp(type, absolute: 1, distance: [2, 4], symbol: [6, 7], relative: 8, indirect: 37)
    case 3: return lookUp(type, absolute: 1, distance: [2, 4], symbol: [6, 7], relative: 8, indirect: 42)
    case 183 where is64Bit:
      return lookUp(type, absolute: 257, distance: [261, 314], symbol: [1025, 1026], relative: 1027, indirect: 1032)
    case 40:
      // R_ARM_TARGET1 is R_ARM_ABS32 on every system that has dynamic loading.
      if type == 38 { return .absolute }
      return lookUp(type, absolute: 2, distance: [3], symbol: [21, 22], relative: 23, indirect: 160)
    case 243:
      switch type {
      case 35: return .add
      case 39: return .subtract
      default:
        let absolute: UInt32 = is64Bit ? 2 : 1
        return lookUp(type, absolute: absolute, distance: [57, 59], symbol: [5], relative: 3, indirect: 58)
      }
    case 258 where is64Bit:
      switch type {
      case 50: return .add
      case 55: return .subtract
      default: return lookUp(type, absolute: 2, distance: [99], symbol: [5], relative: 3, indirect: 12)
      }
    case 21:
      if type == 43 { return .absolute }
      return lookUp(type, absolute: 38, distance: [26], symbol: [20, 21], relative: 22, indirect: 248)
    default: return .other
    }
  }

  private func lookUp(
    _ type: UInt32, absolute: UInt32, distance: [UInt32], symbol: [UInt32], relative: UInt32, indirect: UInt32
  ) -> Relocation {
    if type == relative { return .relative }
    if type == absolute { return .absolute }
    if distance.contains(type) { return .distance }
    if symbol.contains(type) { return .symbol }
    return type == indirect ? .indirect : .other
  }
}
