/// An entry in a table of symbols.
struct ELFSymbol {
  var name: UInt32
  var value: UInt64
  var type: UInt8
  /// The index of the section as in the entry, where SHN_XINDEX refers to another table.
  var section: UInt32

  static func size(is64Bit: Bool) -> UInt64 { is64Bit ? 24 : 16 }

  init(_ cursor: inout ByteCursor, is64Bit: Bool) throws(InspectionError) {
    name = try cursor.next()
    if is64Bit {
      type = try cursor.next(UInt8.self) & 15
      _ = try cursor.next(UInt8.self)
      section = UInt32(try cursor.next(UInt16.self))
      value = try cursor.next()
      _ = try cursor.next(UInt64.self)
    } else {
      value = UInt64(try cursor.next(UInt32.self))
      _ = try cursor.next(UInt32.self)
      type = try cursor.next(UInt8.self) & 15
      _ = try cursor.next(UInt8.self)
      section = UInt32(try cursor.next(UInt16.self))
    }
  }
}

/// The target of a relocation.
enum ELFTarget: Equatable {
  case address(UInt64)
  /// The name of a symbol that is in another image or is resolved at run time.
  case named(String)
}
