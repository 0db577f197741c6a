import Registry
import RegistryC

/// A reader of one binary's records. It uses the runtime's walker and JSON readers, so the tool and
/// the app accept the same records.
struct RecordReader {
  private let object: any ObjectFile
  private let problems: ProblemList
  private(set) var records: [InspectedRecord] = []
  private(set) var hasLibrary = false
  private var indices: [UInt64: Int] = [:]

  init(_ object: any ObjectFile, _ problems: ProblemList) throws(InspectionProblem) {
    (self.object, self.problems) = (object, problems)
    for section in object.recordSections {
      if section.isEncrypted {
        report(
          .encrypted, section.name,
          "the section (\(section.size.bytes)) is encrypted; check the binary before it is encrypted")
      } else if let start = section.offset {
        walk(section, try object.view.bytes(start, section.size, "the section '\(section.name)'"))
      }
    }
    if !indices.isEmpty { readSymbols() }
  }

  private mutating func readSymbols() {
    // Allow eight symbols per record, because assemblers and linkers add labels at a variable's
    // address. Limit the total bytes of contexts, because overlapping names can exceed the file
    // size.
    var (attempts, room) = (8 * indices.count, object.view.size)
    object.visitVariables { address, name in
      guard attempts > 0, let index = indices[address], records[index].context == nil else { return }
      attempts -= 1
      guard let context = name().flatMap(MangledTypeName.context), context.utf8.count < room else { return }
      room -= UInt64(context.utf8.count)
      records[index].context = context
    }
  }

  private mutating func walk(_ section: Section, _ bytes: [UInt8]) {
    // The walker requires the alignment that records have in memory. The notes of other owners can
    // begin between multiples of eight, and the walker skips zeros before them.
    let padding = object.header.isObject || section.noteAlignment == nil ? 0 : Int(section.address % 8)
    let aligned = UnsafeMutableRawBufferPointer.allocate(byteCount: padding + bytes.count, alignment: 8)
    defer { aligned.deallocate() }
    aligned.copyBytes(from: Array(repeating: 0, count: padding) + bytes)
    // An alignment of zero means that the section contains only records.
    var walker = registry_walk(aligned.baseAddress, aligned.count, section.noteAlignment ?? 0)
    var item = registry_item()
    while true {
      let step = registry_walk_next(&walker, &item)
      if step == REGISTRY_STEP_END { break }
      add(item, at: UInt64(item.offset - padding), step, section)
    }
  }

  /// Adds a record. Like the runtime, reports invalid JSON or a missing accessor.
  private mutating func add(_ item: registry_item, at offset: UInt64, _ step: registry_step, _ section: Section) {
    let (address, offsetInFile) = (section.address &+ offset, object.view.start &+ (section.offset ?? 0) &+ offset)
    func report(_ code: Diagnostic.Code, _ text: String) {
      // Like the runtime, report the offset in the section.
      self.report(code, "record at offset \(offset) of \(section.name) (\(offsetInFile.hex) in the file)", text)
    }
    guard step == REGISTRY_STEP_RECORD else {
      let isVersion = step == REGISTRY_STEP_OTHER_VERSION
      return report(isVersion ? .unsupportedVersion : .malformedRecord, String(cString: item.problem))
    }
    let (kind, isGrouped) = RecordKind.read(item.kind)
    if kind == .library {
      hasLibrary = true
      return
    }
    var hasAccessor = true
    do throws(InspectionProblem) {
      // If a record has an accessor, the pointer to it isn't null after the image is loaded.
      hasAccessor = try object.pointer(at: address &+ 24) != .null
    } catch {
      report(.malformedRecord, "cannot determine whether the record has an accessor: \(error.messageWithOffset)")
    }
    let json = UnsafeRawBufferPointer(start: item.json, count: item.json_size)
    let attributes = String(decoding: json, as: UTF8.self)
    var problem: String?
    do throws(JSONError) {
      _ = try RecordContents(json, kind)
      if !hasAccessor { problem = kind.problemWithoutAccessor }
    } catch {
      problem = "\(error)"
    }
    var record = InspectedRecord(
      kind: kind, offset: offsetInFile, hasAccessor: hasAccessor, attributes: attributes, isMalformed: problem != nil,
      isGrouped: isGrouped)
    if isGrouped, record.isOfKnownKind, problem == nil, record.group == nil {
      problem = "missing member 'group'"
      record.isMalformed = true
    }
    if let problem {
      report(.malformedRecord, "\(problem): \(attributes.escapedForDisplay()); the record is ignored")
    }
    if hasAccessor { indices[address] = records.count }
    records.append(record)
  }

  private func report(_ code: Diagnostic.Code, _ subject: String, _ text: String) {
    problems.add(code, file: object.view.name, path: object.view.file.path, subject: subject, text)
  }
}
