enum ELFSections {
  static let records = ".note.registry"

  /// The limit on the bytes of a name. Names can share their ends, so together they can be longer
  /// than the file. C++ compilers write longer names only for sections that the tool doesn't read.
  private static let nameLimit = 512

  /// Returns the sections with their names. Objects have no addresses, so their sections have file
  /// offsets instead.
  static func read(
    _ headers: [ELFSectionHeader], namesIndex: UInt32, isObject: Bool, of view: BinaryView
  ) throws(InspectionProblem) -> [Section] {
    guard namesIndex == 0 || namesIndex < headers.count else {
      throw view.error(
        0, "the section of names is section \(namesIndex), but the number of sections is \(headers.count)")
    }
    let strings = namesIndex == 0 ? nil : try headers[Int(namesIndex)].part(of: view, "the names of sections")
    var sections: [Section] = []
    sections.reserveCapacity(headers.count)
    for (index, header) in headers.enumerated() {
      var name = ""
      if header.type != 0, header.name != 0, let strings {
        name = try strings.text(UInt64(header.name), limit: nameLimit, "the name of section \(index)")
      }
      let what = "the section '\(name.isEmpty ? "\(index)" : name)'"
      if header.hasBytes { try view.check(header.offset, header.size, what) }
      sections.append(
        Section(
          name: name, index: index, address: isObject ? header.offset : header.address,
          size: header.type == 0 ? 0 : header.size, offset: header.hasBytes ? header.offset : nil,
          noteAlignment: header.type == ELF.noteSection ? header.noteAlignment : nil))
    }
    return sections
  }
}

extension ELFSectionHeader {
  var noteAlignment: UInt32 { alignment >= 8 ? 8 : 4 }

  func part(of view: BinaryView, _ what: String) throws(InspectionProblem) -> BinaryView? {
    hasBytes ? try view.part(offset, size, what: what) : nil
  }
}
