/// What the processor's supplement to the ABI says of an ELF file: the architecture's name and its relocations.
struct ELFMachine {
  /// What a relocation does to a place, as far as pointers and offsets in data are concerned.
  enum Relocation: Equatable {
    /// Nothing.
    case none
    /// The image's own address is added: `R_*_RELATIVE`.
    case relative
    /// The address of a symbol and the addend, as wide as a pointer.
    case absolute
    /// The address of a symbol without what stands in the place: `R_*_GLOB_DAT`, `R_*_JUMP_SLOT`.
    case symbol
    /// What the function at the addend chooses: `R_*_IRELATIVE`.
    case indirect
    /// The distance from the place to a symbol, in 32 bits.
    case distance
    /// The address of a symbol is added to 32 bits, or taken from them: RISC-V and LoongArch write distances so.
    case add, subtract
    case other
  }

  let number: UInt16
  let is64Bit: Bool
  let isBigEndian: Bool

  /// As `readelf` and LLVM's triples have it.
  var name: String {
    switch number {
    case 2, 18: return "sparc"
    case 3: return "i386"
    case 4: return "m68k"
    case 8: return "mips" + (is64Bit ? "64" : "") + (isBigEndian ? "" : "el")
    case 15: return "parisc"
    case 20: return isBigEndian ? "ppc" : "ppcle"
    case 21: return isBigEndian ? "ppc64" : "ppc64le"
    case 22: return is64Bit ? "s390x" : "s390"
    case 40: return isBigEndian ? "armeb" : "arm"
    case 42: return "sh"
    case 43: return "sparcv9"
    case 50: return "ia64"
    case 62: return is64Bit ? "x86_64" : "x32"
    case 94: return "xtensa"
    case 164: return "hexagon"
    case 183: return (is64Bit ? "aarch64" : "aarch64_32") + (isBigEndian ? "_be" : "")
    case 243: return is64Bit ? "riscv64" : "riscv32"
    case 247: return "bpf"
    case 252: return "csky"
    case 258: return is64Bit ? "loongarch64" : "loongarch32"
    default: return "machine \(number)"
    }
  }

  /// Whether entries of relocations have the three types and two symbols of MIPS with 64 bits.
  var hasMIPSEntries: Bool { number == 8 && is64Bit }

  /// What a type of relocation does; the numbers are from `elf.h` and the supplements it follows.
  func relocation(_ type: UInt32) -> Relocation {
    // No supplement uses zero for anything else.
    if type == 0 { return .none }
    switch number {
    case 62:
      // R_X86_64_64 is a pointer's in 64 bits, R_X86_64_32 in x32.
      switch type {
      case 1: return is64Bit ? .absolute : .other
      case 10: return is64Bit ? .other : .absolute
      case 2, 4: return .distance
      case 6, 7: return .symbol
      case 8, 38: return .relative
      case 37: return .indirect
      default: return .other
      }
    case 3: return lookUp(type, absolute: 1, distance: [2, 4], symbol: [6, 7], relative: 8, indirect: 42)
    case 183 where is64Bit:
      return lookUp(type, absolute: 257, distance: [261, 314], symbol: [1025, 1026], relative: 1027, indirect: 1032)
    case 183:
      return lookUp(type, absolute: 1, distance: [3, 29], symbol: [181, 182], relative: 183, indirect: 188)
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
    case 258:
      switch type {
      case 50: return .add
      case 55: return .subtract
      default:
        let absolute: UInt32 = is64Bit ? 2 : 1
        return lookUp(type, absolute: absolute, distance: [99], symbol: [5], relative: 3, indirect: 12)
      }
    case 21:
      if type == 43 { return .absolute }
      return lookUp(type, absolute: 38, distance: [26], symbol: [20, 21], relative: 22, indirect: 248)
    case 20:
      if type == 24 { return .absolute }
      return lookUp(type, absolute: 1, distance: [26], symbol: [20, 21], relative: 22, indirect: 248)
    case 22:
      let absolute: UInt32 = is64Bit ? 22 : 4
      return lookUp(type, absolute: absolute, distance: [5], symbol: [10, 11], relative: 12, indirect: 61)
    case 8:
      // R_MIPS_REL32 is relative without a symbol, and with one the same as R_MIPS_32.
      if type == 3 { return .absolute }
      return lookUp(type, absolute: is64Bit ? 18 : 2, distance: [248], symbol: [51, 127], relative: 3, indirect: 128)
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
