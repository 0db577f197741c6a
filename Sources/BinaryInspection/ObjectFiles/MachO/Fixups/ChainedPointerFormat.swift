/// The format of the pointers in a chain.
///
/// The constants `DYLD_CHAINED_PTR_…` in `mach-o/fixup-chains.h` define the formats. Those of
/// kernels and firmware are missing, because Swift code does not run there.
enum ChainedPointerFormat: UInt16 {
  case arm64e = 1
  case pointer64 = 2
  case pointer32 = 3
  case pointer64Offset = 6
  case arm64eUserland = 9
  case arm64eUserland24 = 12

  /// The target of a fixup.
  enum Target: Equatable {
    /// An address in the image.
    case address(UInt64)
    /// An offset from the header of the image.
    case offset(UInt64)
    /// The number of an import, and an addend.
    case bind(UInt64, Int64)
  }

  /// Returns the target of a fixup.
  ///
  /// The tag in the highest byte of a pointer is not part of the address.
  func target(_ raw: UInt64) -> Target {
    switch self {
    case .arm64e, .arm64eUserland, .arm64eUserland24: arm64eTarget(raw)
    case .pointer64, .pointer64Offset:
      if raw.bits(63, 1) == 1 {
        .bind(raw.bits(0, 24), Int64(raw.bits(24, 8)))
      } else {
        self == .pointer64 ? .address(raw.bits(0, 36)) : .offset(raw.bits(0, 36))
      }
    case .pointer32:
      raw.bits(31, 1) == 1 ? .bind(raw.bits(0, 20), Int64(raw.bits(20, 6))) : .address(raw.bits(0, 26))
    }
  }

  private func arm64eTarget(_ raw: UInt64) -> Target {
    let isAuthenticated = raw.bits(63, 1) == 1
    if raw.bits(62, 1) == 1 {
      let ordinal = raw.bits(0, self == .arm64eUserland24 ? 24 : 16)
      // An authenticated pointer has its key and diversity in place of the signed addend of 19
      // bits.
      let addend = isAuthenticated ? 0 : Int64(bitPattern: raw.bits(32, 19) << 45) >> 45
      return .bind(ordinal, addend)
    }
    if isAuthenticated { return .offset(raw.bits(0, 32)) }
    let target = raw.bits(0, 43)
    return self == .arm64e ? .address(target) : .offset(target)
  }
}

extension UInt64 {
  /// Returns a range of the bits, counted from the lowest one.
  func bits(_ first: UInt64, _ count: UInt64) -> UInt64 { self >> first & (1 << count - 1) }
}
