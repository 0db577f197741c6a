/// A namespace for functions that create sections from section headers.
enum ELFSections {
  /// The name of the sections with records.
  static let records = ".note.registry"

  /// The first address of a section in an object, so that no address is zero.
  private static let firstAddress: UInt64 = 0x1000

  /// Returns the sections with their names and, in objects, with addresses that do not overlap.
  static func read(
    _ headers: [ELFSectionHeader], namesIndex: UInt32, isObject: Bool, of view: BinaryView
  ) throws(InspectionError) -> [Section] {
    var names = try ELFNames(headers, index: namesIndex, of: view)
    var sections: [Section] = []
    sections.reserveCapacity(headers.count)
    var next = firstAddress
    for (index, header) in headers.enumerated() {
      let name = header.type == 0 ? "" : try names.name(at: header.name, "the name of section \(index)")
      if header.hasBytes { try check(header, name, index, view) }
      let alignment = max(1, header.alignment)
      guard alignment & (alignment - 1) == 0 else {
        throw view.error(
          header.offset, "the section '\(display(name, index))' is aligned to \(alignment), which is not a power of two"
        )
      }
      var address = header.address
      if isObject {
        let (raised, overflows) = next.addingReportingOverflow(alignment - 1)
        address = raised & ~(alignment - 1)
        // Leave a gap of one byte, so that a pointer to the end of a section is not a pointer to
        // the next.
        let (end, ends) = address.addingReportingOverflow(header.type == 0 ? 0 : header.size)
        let (after, isLast) = end.addingReportingOverflow(1)
        guard !overflows, !ends, !isLast else {
          throw view.error(
            header.offset,
            "the section '\(display(name, index))' (\(header.size) bytes) must be within the address space"
          )
        }
        next = after
      }
      sections.append(
        Section(
          name: name, address: address, size: header.type == 0 ? 0 : header.size,
          offset: header.hasBytes ? header.offset : nil,
          noteAlignment: header.type == ELF.noteSection ? (alignment >= 8 ? 8 : 4) : nil))
    }
    return sections
  }

  private static func check(
    _ header: ELFSectionHeader, _ name: String, _ index: Int, _ view: BinaryView
  ) throws(InspectionError) {
    let (end, overflows) = header.offset.addingReportingOverflow(header.size)
    guard !overflows, end <= view.size else {
      throw view.error(
        min(header.offset, view.size),
        "the section '\(display(name, index))' (\(header.size) bytes at 0x\(String(header.offset, radix: 16)))"
          + " must be within the file, which has \(view.size) bytes")
    }
  }

  private static func display(_ name: String, _ index: Int) -> String { name.isEmpty ? "\(index)" : name }
}

/// A table of strings that names are read from.
///
/// Names can share their ends, so a hostile file can have far more of them than bytes. The size of
/// the file limits all names together.
struct ELFNames {
  /// The bytes of the table; nil if there are no names.
  private let strings: BinaryView?
  private var remainingSize: UInt64

  /// The largest length of a name in bytes.
  ///
  /// C++ compilers write long names.
  private static let limit = 1 << 20

  /// Creates a reader of the names in a section.
  ///
  /// - Parameter index: The index of the section; zero if there are no names.
  init(_ headers: [ELFSectionHeader], index: UInt32, of view: BinaryView) throws(InspectionError) {
    remainingSize = view.size
    guard index != 0 else {
      strings = nil
      return
    }
    guard Int(index) < headers.count else {
      throw view.error(0, "the string table is section \(index), but the number of sections is \(headers.count)")
    }
    let header = headers[Int(index)]
    strings =
      header.hasBytes
      ? try view.part(header.offset, header.size, name: view.name, what: "the string table (section \(index))")
      : nil
  }

  mutating func name(at offset: UInt32, _ what: @autoclosure () -> String) throws(InspectionError) -> String {
    guard let strings, offset != 0 else { return "" }
    guard UInt64(offset) < strings.size else {
      throw strings.error(0, "\(what()) is at \(offset) in a string table that has \(strings.size) bytes")
    }
    let name = try strings.text(UInt64(offset), limit: Self.limit, what())
    let count = UInt64(name.utf8.count)
    guard count <= remainingSize else {
      throw strings.error(0, "the names in the string table share bytes and are together longer than the file")
    }
    remainingSize -= count
    return name
  }
}
