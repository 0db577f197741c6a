import Registry

extension RecordReader {
  /// Reads the records of BeeHive and Ant, which this package replaces.
  ///
  /// Their records are sections of pointers to C strings and exist only on Mach-O. Reading them
  /// shows an app that migrates which annotations remain. `BHAnnotation.h` defines BeeHive's
  /// sections.
  mutating func readPointerRecords() throws(InspectionError) {
    guard object.header.format == .machO, object.header.type != .other else { return }
    var texts = PointerTexts(object)
    try readAll("__DATA,BeehiveMods", 1) { reader, record in reader.module(record, .beeHive, &texts) }
    try readAll("__DATA,BeehiveServices", 1) { reader, record in reader.beeHiveService(record, &texts) }
    try readAll("__DATA,__ant_modules", 1) { reader, record in reader.module(record, .ant, &texts) }
    try readAll("__DATA,__ant_services", 2) { reader, record in reader.antService(record, &texts) }
  }

  /// Reads the sections with a name.
  ///
  /// - Parameter count: The number of pointers in a record.
  private mutating func readAll(
    _ name: String, _ count: UInt64, _ body: (inout RecordReader, RecordLocation) -> Void
  ) throws(InspectionError) {
    let size = count * object.header.pointerSize
    for section in object.sections(named: name) {
      try read(section) { reader in
        // The section ends inside the file, because the object file's reader has checked that.
        for index in 0..<(section.size / size) {
          body(&reader, RecordLocation(section: section, offset: index * size, in: reader.object.view))
        }
        if section.size % size != 0 {
          reader.report(
            .malformedRecord,
            RecordLocation(section: section, offset: section.size / size * size, in: reader.object.view).subject,
            "the section has \(section.size) bytes, which is not a multiple of the record size, \(size)")
        }
      }
    }
  }

  private mutating func module(
    _ location: RecordLocation, _ source: InspectedRecord.Source, _ texts: inout PointerTexts
  ) {
    guard let name = text(0, of: location, "the module's name", &texts) else { return }
    add(.module, source, location, [("module", name)])
  }

  /// Reads the JSON of a BeeHive service.
  ///
  /// BeeHive uses one member, `{ "Protocol" : "Class"}`.
  private mutating func beeHiveService(_ location: RecordLocation, _ texts: inout PointerTexts) {
    guard var json = text(0, of: location, "the service's JSON", &texts) else { return }
    var members: [(String, String)] = []
    do throws(JSONError) {
      try json.withUTF8Bytes { bytes throws(JSONError) in
        var reader = JSONReader(bytes)
        try reader.object { reader, key throws(JSONError) in members.append((key.string, try reader.string())) }
        try reader.end()
      }
    } catch {
      return report(.malformedRecord, location.subject, "\(error): \(json.escapedForDisplay()); the record is ignored")
    }
    guard members.count == 1, !members[0].0.isEmpty, !members[0].1.isEmpty else {
      return report(
        .malformedRecord, location.subject,
        "expected one member with the names of a protocol and its class, but found \(members.count) members or an empty"
          + " name: \(json.escapedForDisplay()); the record is ignored")
    }
    add(.service, .beeHive, location, [("protocol", members[0].0), ("class", members[0].1)])
  }

  /// Reads an Ant service, which is the name of a class, followed by the name of a protocol.
  private mutating func antService(_ location: RecordLocation, _ texts: inout PointerTexts) {
    guard let type = text(0, of: location, "the service's class", &texts),
      let name = text(1, of: location, "the service's protocol", &texts)
    else { return }
    add(.service, .ant, location, [("protocol", name), ("class", type)])
  }

  private mutating func add(
    _ kind: RecordKind, _ source: InspectedRecord.Source, _ location: RecordLocation, _ members: [(String, String)]
  ) {
    append(
      InspectedRecord(
        source: source, kind: kind, offset: location.offsetInFile, hasAccessor: false,
        attributes: JSONLine.object(members), isMalformed: false))
  }

  /// Returns the text that a pointer of a record refers to, or reports why there is none.
  private mutating func text(
    _ index: UInt64, of location: RecordLocation, _ what: String, _ texts: inout PointerTexts
  ) -> String? {
    let address = location.section.address &+ location.offset &+ index * object.header.pointerSize
    do throws(PointerTexts.Problem) {
      let text = try texts.text(at: address, what)
      if text.isEmpty { throw PointerTexts.Problem("\(what) is empty") }
      return text
    } catch {
      report(.malformedRecord, location.subject, error.message)
      return nil
    }
  }
}
