/// The format of the pointers in a chain.
///
/// The constants `DYLD_CHAINED_PTR_…` in `mach-o/fixup-chains.h` define the formats.
enum ChainedPointerFormat: UInt16 {
  case arm64e = 1
  case pointer64 = 2
  case pointer32 = 3
  case pointer32Cache = 4
  case pointer32Firmware = 5
  case pointer64Offset = 6
  case arm64eKernel = 7
  case pointer64KernelCache = 8
  case arm64eUserland = 9
  case arm64eFirmware = 10
  case x86KernelCache = 11
  case arm64eUserland24 = 12

  /// The target of a fixup.
  enum Target: Equatable {
    /// An address in the image.
    case address(UInt64)
    /// An offset from the header of the image.
    case offset(UInt64)
    /// The number of an import, and an addend.
    case bind(UInt64, Int64)
    /// A number that is not a pointer.
    ///
    /// The linker adds such a number to the chain if it is between two pointers that are too far
    /// apart.
    case number(UInt64)
  }

  var is64Bit: Bool {
    switch self {
    case .pointer32, .pointer32Cache, .pointer32Firmware: false
    default: true
    }
  }

  /// The number of bytes in one step to the next fixup.
  private var stride: UInt64 {
    switch self {
    case .arm64e, .arm64eUserland, .arm64eUserland24: 8
    case .x86KernelCache: 1
    default: 4
    }
  }

  /// Returns the distance to the next fixup in bytes; zero at the end of the chain.
  func next(_ raw: UInt64) -> UInt64 {
    let steps =
      switch self {
      case .arm64e, .arm64eKernel, .arm64eUserland, .arm64eFirmware, .arm64eUserland24: raw.bits(51, 11)
      case .pointer64, .pointer64Offset, .pointer64KernelCache, .x86KernelCache: raw.bits(51, 12)
      case .pointer32: raw.bits(26, 5)
      case .pointer32Cache: raw.bits(30, 2)
      case .pointer32Firmware: raw.bits(26, 6)
      }
    return steps * stride
  }

  /// Returns the target of a fixup; nil for a fixup of another level of a kernel cache.
  ///
  /// The tag in the highest byte of a pointer is not part of the address.
  ///
  /// - Parameter maxValidPointer: The largest address of a 32-bit pointer. Greater values are
  ///   numbers.
  func target(_ raw: UInt64, maxValidPointer: UInt64) -> Target? {
    switch self {
    case .arm64e, .arm64eKernel, .arm64eUserland, .arm64eFirmware, .arm64eUserland24: arm64eTarget(raw)
    case .pointer64, .pointer64Offset:
      if raw.bits(63, 1) == 1 {
        .bind(raw.bits(0, 24), Int64(raw.bits(24, 8)))
      } else {
        self == .pointer64 ? .address(raw.bits(0, 36)) : .offset(raw.bits(0, 36))
      }
    case .pointer64KernelCache, .x86KernelCache: raw.bits(30, 2) == 0 ? .offset(raw.bits(0, 30)) : nil
    case .pointer32:
      if raw.bits(31, 1) == 1 {
        .bind(raw.bits(0, 20), Int64(raw.bits(20, 6)))
      } else if raw.bits(0, 26) > maxValidPointer {
        // Like dyld, subtract the bias that the linker added to make the number greater than all
        // pointers.
        .number((raw.bits(0, 26) &- (0x0400_0000 + maxValidPointer) / 2) & 0xffff_ffff)
      } else {
        .address(raw.bits(0, 26))
      }
    case .pointer32Cache: .offset(raw.bits(0, 30))
    case .pointer32Firmware: .address(raw.bits(0, 26))
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
    return self == .arm64e || self == .arm64eFirmware ? .address(target) : .offset(target)
  }
}

extension UInt64 {
  /// Returns a range of the bits, counted from the lowest one.
  func bits(_ first: UInt64, _ count: UInt64) -> UInt64 { self >> first & (1 << count - 1) }
}
