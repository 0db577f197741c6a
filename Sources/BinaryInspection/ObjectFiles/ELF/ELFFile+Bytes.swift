extension ELFFile {
  func bytes(at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> [UInt8]
  {
    if count == 0 { return [] }
    let extent = try extent(at: address, what())
    let distance = address - extent.address
    guard count <= extent.memorySize - distance else {
      throw view.error(
        extent.offset,
        "\(what()) (\(count) bytes at address \(hex(address))) must be within its \(isObject ? "section" : "segment"),"
          + " which ends at \(hex(extent.address + extent.memorySize))")
    }
    let inFile = distance < extent.fileSize ? min(count, extent.fileSize - distance) : 0
    // Limit the zeros by the size of the file, because a segment can claim a terabyte of them.
    guard count - inFile <= max(view.size, 4096) else {
      throw view.error(
        extent.offset, "\(what()) has \(count) bytes at address \(hex(address)), but the file contains too few of them")
    }
    let bytes = inFile == 0 ? [] : try view.bytes(extent.offset + distance, inFile, what())
    return count == inFile ? bytes : bytes + [UInt8](repeating: 0, count: Int(count - inFile))
  }

  func cString(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> String {
    let extent = try extent(at: address, what())
    let distance = address - extent.address
    // Zeros follow the bytes of the file.
    guard distance < extent.fileSize else { return "" }
    let left = extent.fileSize - distance
    let end = min(left, 65_537)
    var text: [UInt8] = []
    while UInt64(text.count) < end {
      let piece = try view.bytes(
        extent.offset + distance + UInt64(text.count), min(256, end - UInt64(text.count)), what())
      if let zero = piece.firstIndex(of: 0) { return String(decoding: text + piece[..<zero], as: UTF8.self) }
      text += piece
    }
    guard end == left, extent.memorySize > extent.fileSize else {
      throw view.error(extent.offset + distance, "\(what()) is not terminated")
    }
    return String(decoding: text, as: UTF8.self)
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    let size = ELFSymbol.size(is64Bit: header.is64Bit)
    guard let table = sectionHeaders.first(where: { $0.type == ELF.symbolTable && $0.hasBytes }),
      Int(table.link) < sectionHeaders.count, case let strings = sectionHeaders[Int(table.link)], strings.hasBytes,
      var cursor = try? view.cursor(table.offset, table.size - table.size % size, "the table of symbols")
    else { return }
    while !cursor.isAtEnd, let symbol = try? ELFSymbol(&cursor, is64Bit: header.is64Bit) {
      guard symbol.type == ELF.variable, Int(symbol.section) < sections.count else { continue }
      body(symbol.value &+ (isObject ? sections[Int(symbol.section)].address : 0)) {
        try? view.symbolName(strings.offset &+ UInt64(symbol.name), "the name of a symbol")
      }
    }
  }

  /// Returns the number at an address, which is as wide as a pointer.
  func pointerValue(at address: UInt64) throws(InspectionError) -> UInt64 {
    let bytes = try bytes(at: address, header.pointerSize, "a pointer")
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func extent(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError)
    -> ELFExtents.Extent
  {
    guard let extent = extents.extent(at: address) else {
      throw view.error(0, "\(what()) is at address \(hex(address)), which is not in the file")
    }
    if let section = extent.section, sectionHeaders[section].flags & ELF.compressed != 0 {
      throw view.error(
        extent.offset, "the section '\(sections[section].name)' is compressed, so \(what()) cannot be read",
        code: .unsupportedFile)
    }
    return extent
  }

  func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  /// Returns the sum of an address and an addend, truncated to the width of a pointer.
  func sum(_ address: UInt64, _ addend: Int64) -> UInt64 {
    let sum = address &+ UInt64(bitPattern: addend)
    return header.is64Bit ? sum : sum & 0xffff_ffff
  }
}
