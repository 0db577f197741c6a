import Registry

// Records of libraries that this one takes the place of: sections of pointers to C strings, on Mach-O alone. What was
// annotated in an app that is being moved shows up beside what was exported.

extension RecordReader {
  /// BeeHive's, by `BHAnnotation.h`, and Ant's.
  mutating func readPointerRecords() throws(InspectionError) {
    guard object.header.format == .machO, object.header.type != .other else { return }
    var texts = PointerTexts(object)
    try readAll("__DATA,BeehiveMods", 1) { reader, pointers in reader.module(pointers, .beeHive, &texts) }
    try readAll("__DATA,BeehiveServices", 1) { reader, pointers in reader.beeHiveService(pointers, &texts) }
    try readAll("__DATA,__ant_modules", 1) { reader, pointers in reader.module(pointers, .ant, &texts) }
    try readAll("__DATA,__ant_services", 2) { reader, pointers in reader.antService(pointers, &texts) }
  }

  /// Reads the sections of a name, in records of so many pointers.
  private mutating func readAll(
    _ name: String, _ count: UInt64, _ body: (inout RecordReader, Place) -> Void
  ) throws(InspectionError) {
    let size = count * object.header.pointerSize
    for section in object.sections(named: name) {
      try read(section) { reader in
        // No bytes behind the file's end: the reader of the format has checked sections.
        for index in 0..<(section.size / size) {
          body(&reader, Place(section: section, offset: index * size, in: reader.object.view))
        }
        if section.size % size != 0 {
          reader.report(
            .malformedRecord,
            Place(section: section, offset: section.size / size * size, in: reader.object.view).subject,
            "The section's \(section.size) bytes are no multiple of a record's \(size).")
        }
      }
    }
  }

  private mutating func module(_ place: Place, _ source: InspectedRecord.Source, _ texts: inout PointerTexts) {
    guard let name = text(0, of: place, "the module's name", &texts) else { return }
    add(.module, source, place, [("module", name)])
  }

  /// `{ "Protocol" : "Class"}`, of which BeeHive takes one member.
  private mutating func beeHiveService(_ place: Place, _ texts: inout PointerTexts) {
    guard var json = text(0, of: place, "the service's JSON", &texts) else { return }
    var members: [(String, String)] = []
    do throws(JSONError) {
      try json.withUTF8Bytes { bytes throws(JSONError) in
        var reader = JSONReader(bytes)
        try reader.object { reader, key throws(JSONError) in members.append((key.string, try reader.string())) }
        try reader.end()
      }
    } catch {
      return report(.malformedRecord, place.subject, "\(error): \(json.escapedForDisplay())")
    }
    guard members.count == 1, !members[0].0.isEmpty, !members[0].1.isEmpty else {
      return report(
        .malformedRecord, place.subject,
        "\(members.count) members, and names that may be empty, where BeeHive reads one protocol and its class: "
          + json.escapedForDisplay())
    }
    add(.service, .beeHive, place, [("protocol", members[0].0), ("class", members[0].1)])
  }

  /// The class's name, then the protocol's.
  private mutating func antService(_ place: Place, _ texts: inout PointerTexts) {
    guard let type = text(0, of: place, "the service's class", &texts),
      let name = text(1, of: place, "the service's protocol", &texts)
    else { return }
    add(.service, .ant, place, [("protocol", name), ("class", type)])
  }

  private mutating func add(
    _ kind: RecordKind, _ source: InspectedRecord.Source, _ place: Place, _ members: [(String, String)]
  ) {
    append(
      InspectedRecord(
        source: source, kind: kind, offset: place.offsetInFile, hasAccessor: false,
        attributes: JSONLine.object(members), isMalformed: false))
  }

  /// The text that one of a record's pointers leads to; nil, and reported, if it leads to none.
  private mutating func text(
    _ index: UInt64, of place: Place, _ what: String, _ texts: inout PointerTexts
  ) -> String? {
    let address = place.section.address &+ place.offset &+ index * object.header.pointerSize
    do throws(PointerTexts.Problem) {
      let text = try texts.text(at: address, what)
      if text.isEmpty { throw PointerTexts.Problem("\(what) is empty") }
      return text
    } catch {
      report(.malformedRecord, place.subject, error.message)
      return nil
    }
  }
}

/// Texts that pointers of an image lead to.
///
/// However many pointers there are, to one text or wherever into one another's, all together is no longer than the file.
struct PointerTexts {
  struct Problem: Error {
    let message: String

    init(_ message: String) {
      self.message = message
    }
  }

  private let object: any ObjectFile
  /// By address. They do not overlap.
  private let encrypted: [Section]
  private var known: [UInt64: String] = [:]
  private var budget: UInt64

  init(_ object: any ObjectFile) {
    self.object = object
    encrypted = object.sections.filter { $0.isEncrypted && $0.size > 0 }.sorted { $0.address < $1.address }
    budget = object.view.size
  }

  mutating func text(at address: UInt64, _ what: String) throws(Problem) -> String {
    let pointer: Pointer
    do {
      pointer = try object.pointer(at: address)
    } catch {
      throw Problem("the pointer to \(what) cannot be resolved: \(error.withPlace)")
    }
    let target: UInt64
    switch pointer {
    case .null: throw Problem("the pointer to \(what) is null")
    case .symbol(let name, _):
      throw Problem(
        "the pointer to \(what) is bound to the symbol \(name.escapedForDisplay()), which is in another image")
    case .address(let address): target = address
    }
    guard budget > 0 else { throw Problem("\(what) is left out: the texts before it are longer than the file") }
    let text: String
    if let read = known[target] { text = read } else { text = try read(target, what) }
    // One that is known counts again: each record that says it has a copy.
    budget -= min(budget, UInt64(text.utf8.count) + 1)
    return text
  }

  private mutating func read(_ target: UInt64, _ what: String) throws(Problem) -> String {
    let next = encrypted.firstSortedIndex { $0.address > target }
    if next > 0, target - encrypted[next - 1].address < encrypted[next - 1].size {
      let section = encrypted[next - 1]
      throw Problem("\(what) is in \(section.name), whose bytes are encrypted: check the binary before it is encrypted")
    }
    do {
      let text = try object.cString(at: target, what)
      known[target] = text
      return text
    } catch {
      throw Problem("\(what) cannot be read: \(error.withPlace)")
    }
  }
}
