/// The pointers that the load command LC_DYLD_INFO binds to symbols.
///
/// `mach-o/loader.h` defines the command. Each pointer takes eight bytes of memory.
struct BoundAddresses {
  /// The address of a symbol plus an addend.
  ///
  /// The name of the symbol is at an offset in the file.
  struct Value: Equatable {
    var nameOffset: UInt64
    var addend: Int64
  }

  private let view: BinaryView
  /// The sorted pointers: the file offset in the upper half, the index of the value in the lower
  /// half.
  private var entries: [UInt64] = []
  private var values: [Value] = []

  init(
    _ view: BinaryView, _ info: MachOLoadCommands.DyldInfo, segments: [MachOSegment], is64Bit: Bool
  ) throws(InspectionError) {
    self.view = view
    // Use the same order as dyld, because a later binding replaces an earlier one.
    let tables = [
      (info.bind, "the bind opcodes", false), (info.lazyBind, "the lazy bind opcodes", true),
      (info.weakBind, "the weak bind opcodes", false),
    ]
    let pointerSize: UInt64 = is64Bit ? 8 : 4
    // One limit applies to all tables, because they can be the same one.
    var remainingCount = view.size / pointerSize
    for (range, what, isLazy) in tables where range.isPresent {
      var reader = try BindOpcodeReader(
        view, range, what, segments: segments, pointerSize: pointerSize, isLazy: isLazy, remainingCount: remainingCount)
      try reader.run { offset, value throws(InspectionError) in
        if values.last != value { values.append(value) }
        guard offset <= UInt32.max, values.count <= UInt32.max else {
          throw view.error(offset, "\(what) bind an offset after the first 4 GB of the file")
        }
        entries.append(offset << 32 | UInt64(values.count - 1))
      }
      remainingCount = reader.remainingCount
    }
    entries.sort()
  }

  /// Returns the symbol that is bound at a file offset; nil if the pointer is as in the file.
  func pointer(atFileOffset offset: UInt64) throws(InspectionError) -> Pointer? {
    guard offset <= UInt32.max else { return nil }
    let low = entries.firstSortedIndex { $0 >> 32 > offset }
    guard low > 0, entries[low - 1] >> 32 == offset else { return nil }
    let value = values[Int(entries[low - 1] & 0xffff_ffff)]
    return .symbol(try view.symbolName(value.nameOffset, "the name of a symbol"), value.addend)
  }
}
