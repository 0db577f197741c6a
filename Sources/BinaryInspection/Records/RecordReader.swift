import Registry
import RegistryC

/// A reader of the records of one binary.
///
/// The walker and the JSON readers are those of the runtime, so both accept the same records.
struct RecordReader {
  /// The largest number of problems that are reported for one section.
  ///
  /// Otherwise, a section that contains only mistakes would become a list many times its size.
  static let problemLimit = 100

  let object: any ObjectFile
  private(set) var records: [InspectedRecord] = []
  private(set) var problems: [InspectionProblem] = []
  /// A Boolean value that indicates whether the binary contains a copy of this library.
  private(set) var hasLibrary = false
  /// The indices of the records with accessors, by their addresses.
  private var indices: [UInt64: Int] = [:]
  /// The number of problems that can still be reported for the section.
  private var allowance = problemLimit
  /// The number of the section's problems that were not reported.
  private var unreported = 0

  init(_ object: any ObjectFile) throws(InspectionError) {
    self.object = object
    for section in object.recordSections { try read(section) }
    if !indices.isEmpty { readSymbols() }
  }

  private mutating func readSymbols() {
    // Assemblers and linkers put a few labels of their own at the address of a variable. The names
    // of symbols can share bytes, so all of them together can be far longer than the file.
    var (attempts, room) = (8 * indices.count, object.view.size)
    object.visitVariables { address, name in
      guard attempts > 0, let index = indices[address], records[index].symbol == nil else { return }
      attempts -= 1
      guard let name = name(), name.hasPrefix("$s") || name.hasPrefix("_$s"), name.utf8.count < room else { return }
      room -= UInt64(name.utf8.count)
      records[index].symbol = name
    }
  }

  /// Reads one section, if the file has bytes for it that are not encrypted.
  private mutating func read(_ section: Section) throws(InspectionError) {
    (allowance, unreported) = (Self.problemLimit, 0)
    if section.isEncrypted {
      report(
        .encrypted, section.name,
        "the \(section.size) bytes of the section are encrypted, so its records cannot be read; check the binary before it"
          + " is encrypted")
    } else if section.offset != nil, section.size > 0 {
      try walk(section)
    }
    if unreported > 0 {
      add(.malformedRecord, section.name, "\(unreported.counted("more malformed record")) in the section")
    }
  }

  private mutating func walk(_ section: Section) throws(InspectionError) {
    guard let start = section.offset else { return }
    let words = try object.view.words(start, section.size, "the section '\(section.name)'")
    words.withUnsafeBytes { walk(section, UnsafeRawBufferPointer(rebasing: $0[..<Int(section.size)])) }
  }

  private mutating func walk(_ section: Section, _ bytes: UnsafeRawBufferPointer) {
    // An alignment of zero means that the section contains only records.
    var walker = registry_walk(bytes.baseAddress, bytes.count, section.noteAlignment ?? 0)
    var item = registry_item()
    while true {
      let step = registry_walk_next(&walker, &item)
      if step == REGISTRY_STEP_END { break }
      let location = RecordLocation(section: section, offset: UInt64(item.offset), in: object.view)
      guard step == REGISTRY_STEP_RECORD else {
        let isVersion = step == REGISTRY_STEP_OTHER_VERSION
        report(isVersion ? .unsupportedVersion : .malformedRecord, location.subject, String(cString: item.problem))
        continue
      }
      let kind = RecordKind(rawValue: item.kind)
      if kind == .library {
        hasLibrary = true
        continue
      }
      add(kind, UnsafeRawBufferPointer(start: item.json, count: item.json_size), hasAccessor(location), location)
    }
  }

  /// Adds a record, and reports invalid JSON or a missing accessor as the runtime does.
  private mutating func add(
    _ kind: RecordKind, _ json: UnsafeRawBufferPointer, _ hasAccessor: Bool, _ location: RecordLocation
  ) {
    let attributes = String(decoding: json, as: UTF8.self)
    var problem: String?
    do throws(JSONError) {
      _ = try RecordContents(json, kind)
      if !hasAccessor { problem = Self.needsAccessor(kind) }
    } catch {
      problem = "\(error)"
    }
    if let problem {
      report(.malformedRecord, location.subject, "\(problem): \(attributes.escapedForDisplay()); the record is ignored")
    }
    if hasAccessor { indices[location.section.address &+ location.offset] = records.count }
    records.append(
      InspectedRecord(
        kind: kind, offset: location.offsetInFile, hasAccessor: hasAccessor, attributes: attributes,
        isMalformed: problem != nil))
  }

  /// Returns the problem of a kind of record that lacks an accessor.
  private static func needsAccessor(_ kind: RecordKind) -> String? {
    switch kind {
    case .handler: "the record of a handler has no accessor; export the handler with '#onEvent'"
    case .route: "the record of a route has no accessor; export the route with '#exportRoute'"
    case .contribution: "the record of a contribution has no accessor; contribute the value with '#contribute'"
    case .action: "the record of an action has no accessor; export the action with '#exportAction'"
    default: nil
    }
  }

  /// Returns whether the slot of a record contains a function after the image is loaded.
  private mutating func hasAccessor(_ location: RecordLocation) -> Bool {
    do throws(InspectionError) {
      return try object.pointer(at: location.section.address &+ location.offset &+ 24) != .null
    } catch {
      report(
        .malformedRecord, location.subject, "cannot determine whether the record has an accessor: \(error.withOffset)")
      return true
    }
  }

  /// The location of a record.
  private struct RecordLocation {
    let section: Section
    /// The offset in the section, which the runtime also reports.
    let offset: UInt64
    /// The offset in the file.
    let offsetInFile: UInt64

    init(section: Section, offset: UInt64, in view: BinaryView) {
      self.section = section
      self.offset = offset
      offsetInFile = view.start &+ (section.offset ?? 0) &+ offset
    }

    /// The name of the record in messages.
    var subject: String {
      "record at offset \(offset) of \(section.name) (0x\(String(offsetInFile, radix: 16)) in the file)"
    }
  }

  /// Reports a problem of a section, unless it has too many.
  private mutating func report(_ code: Diagnostic.Code, _ subject: String, _ message: String) {
    guard allowance > 0 else { return unreported += 1 }
    allowance -= 1
    add(code, subject, message)
  }

  private mutating func add(_ code: Diagnostic.Code, _ subject: String, _ message: String) {
    problems.append(InspectionProblem(file: object.view.name, code: code, subject: subject, message: message))
  }
}

extension InspectionError {
  /// The message with its offset, for a problem that already names the file.
  var withOffset: String { message + (offset.map { " (at offset 0x\(String($0, radix: 16)))" } ?? "") }
}
