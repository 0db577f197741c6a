/// The format of the pointers in a chain.
///
/// The constants `DYLD_CHAINED_PTR_…` in `mach-o/fixup-chains.h` define the formats. The formats of
/// kernels and firmware are omitted, because those binaries register nothing.
enum ChainedPointerFormat: UInt16 {
  case arm64e = 1
  case pointer64 = 2
  case pointer32 = 3
  case pointer64Offset = 6
  case arm64eUserland = 9
  case arm64eUserland24 = 12

  /// Returns the import that a fixup refers to, and an addend; nil if the target is in the image.
  func bind(_ raw: UInt64) -> (ordinal: UInt64, addend: Int64)? {
    switch self {
    case .pointer64, .pointer64Offset: raw.bits(63, 1) == 0 ? nil : (raw.bits(0, 24), Int64(raw.bits(24, 8)))
    case .pointer32: raw.bits(31, 1) == 0 ? nil : (raw.bits(0, 20), Int64(raw.bits(20, 6)))
    case .arm64e, .arm64eUserland, .arm64eUserland24:
      // An authenticated pointer has its key and diversity in place of the signed 19-bit addend.
      raw.bits(62, 1) == 0
        ? nil
        : (
          raw.bits(0, self == .arm64eUserland24 ? 24 : 16),
          raw.bits(63, 1) == 1 ? 0 : Int64(bitPattern: raw.bits(32, 19) << 45) >> 45
        )
    }
  }

  /// Returns the address in the image that a fixup refers to, without the tag in the highest byte.
  /// In some formats, the target is relative to `base`, the address of the image's header.
  func address(_ raw: UInt64, base: UInt64) -> UInt64 {
    switch self {
    case .pointer64: raw.bits(0, 36)
    case .pointer64Offset: base &+ raw.bits(0, 36)
    case .pointer32: raw.bits(0, 26)
    case .arm64e, .arm64eUserland, .arm64eUserland24:
      // An authenticated pointer has a shorter offset, which is always relative to the header.
      raw.bits(63, 1) == 1 ? base &+ raw.bits(0, 32) : (self == .arm64e ? 0 : base) &+ raw.bits(0, 43)
    }
  }
}

extension UInt64 {
  func bits(_ first: UInt64, _ count: UInt64) -> UInt64 { self >> first & (1 << count - 1) }
}
