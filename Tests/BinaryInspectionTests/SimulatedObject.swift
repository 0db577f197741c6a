import Foundation
import Registry
import TestSupport

@testable import BinaryInspection

/// A binary with sections and pointers that a test specifies.
final class SimulatedObject: ObjectFile {
  struct Part {
    var name: String
    var bytes: [UInt8]
    var hasRecords = true
    var isNotes = false
    var isEncrypted = false
  }

  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  let recordSections: [Section]
  let map: AddressMap
  var linkage = Linkage()
  /// The pointers by address.
  ///
  /// The pointers at all other addresses are null.
  var pointers: [UInt64: Pointer] = [:]
  /// The symbols of Swift variables by address.
  var symbols: [UInt64: String] = [:]
  /// The addresses of the pointers that cannot be read.
  var brokenPointers: Set<UInt64> = []

  /// The address of the first part.
  static let base: UInt64 = 0x1_0000

  init(
    _ parts: [Part], path: String = "Simulated", format: ImageHeader.Format = .machO,
    type: ImageHeader.FileType = .library, architecture: String = "arm64", platform: UInt32? = nil
  ) {
    header = ImageHeader(
      format: format, type: type, architecture: architecture, is64Bit: true, platform: platform)
    var file: [UInt8] = []
    var sections: [Section] = []
    for part in parts {
      file += [UInt8](repeating: 0xff, count: (8 - file.count % 8) % 8)
      let offset = UInt64(file.count)
      sections.append(
        Section(
          name: part.name, address: Self.base + offset, size: UInt64(part.bytes.count), offset: offset,
          isEncrypted: part.isEncrypted, noteAlignment: part.isNotes ? 8 : nil))
      file += part.bytes
    }
    self.sections = sections
    recordSections = zip(parts, sections).filter { $0.0.hasRecords }.map(\.1)
    view = BinaryView(FileBytes(file, path: path))
    map = .at(Self.base, view)
  }

  /// Sets the names of the object and of the libraries that it links.
  func linking(_ libraries: [String] = [], as name: String? = nil) -> SimulatedObject {
    linkage = Linkage(name: name, libraries: libraries)
    return self
  }

  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer {
    if brokenPointers.contains(address) { throw view.error(address &- Self.base, "the fixup is broken") }
    return pointers[address] ?? .null
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {
    for (address, name) in symbols { body(address) { name } }
  }

}

extension AddressMap {
  /// Returns a map with all bytes of a file at an address.
  static func at(_ address: UInt64, _ view: BinaryView) -> AddressMap {
    let region = Section(name: "all", address: address, size: view.size, offset: 0)
    return AddressMap([region], ofObject: false, view)
  }
}

/// A record in a binary of a test.
struct TestRecord {
  var kind: UInt32 = 0x6d6f_6475
  var json: String
  var hasAccessor = false
  var symbol: String?

  static func module(_ json: String, accessor: Bool = false) -> TestRecord {
    TestRecord(json: json, hasAccessor: accessor)
  }

  static func service(_ json: String, accessor: Bool = false) -> TestRecord {
    TestRecord(kind: 0x7365_7276, json: json, hasAccessor: accessor)
  }

  static func route(_ json: String) -> TestRecord { TestRecord(kind: 0x726f_7574, json: json, hasAccessor: true) }
  static func action(_ json: String) -> TestRecord { TestRecord(kind: 0x6163_746e, json: json, hasAccessor: true) }
  static func need(_ json: String, accessor: Bool = true) -> TestRecord {
    TestRecord(kind: 0x6e65_6564, json: json, hasAccessor: accessor)
  }
  static func handler(_ json: String) -> TestRecord { TestRecord(kind: 0x6576_6e74, json: json, hasAccessor: true) }
}

extension SimulatedObject {
  /// Creates a binary that contains the given records.
  static func with(
    _ records: [TestRecord], path: String = "Simulated", format: ImageHeader.Format = .machO,
    type: ImageHeader.FileType = .library, architecture: String = "arm64", platform: UInt32? = nil
  ) -> SimulatedObject {
    var bytes = RecordBytes()
    var slots: [Int] = []
    var symbols: [UInt64: String] = [:]
    for record in records {
      if record.hasAccessor { slots.append(bytes.offset + 24) }
      symbols[base + UInt64(bytes.offset)] = record.symbol
      bytes.record(record.json, kind: record.kind)
    }
    let object = SimulatedObject(
      [Part(name: "__DATA,__reg_exports", bytes: bytes.bytes)], path: path, format: format, type: type,
      architecture: architecture, platform: platform)
    object.symbols = symbols
    for slot in slots { object.pointers[base + UInt64(slot)] = .address(base) }
    return object
  }

  static func inspection(_ objects: [SimulatedObject], members: [String?] = [], readsClasses: Bool = false)
    -> Inspection
  {
    let members = members + [String?](repeating: nil, count: objects.count - members.count)
    return Inspection(of: [""], readsClasses: readsClasses) { _, tell in
      for (index, object) in objects.enumerated() {
        // An inspection reads each path and member only once, so the paths of the objects must
        // differ.
        tell(.found(object, path: object.view.name, member: members[index]))
      }
    }
  }
}

extension Inspection {
  /// Creates an inspection of images that were already read.
  init(images: [InspectedImage]) {
    self.init(of: [], readsClasses: false) { _, _ in }
    self.images = images
  }

  /// The files that cannot be read.
  var errors: [InspectionProblem] { problems.filter { $0.severity == .unreadable } }

  /// The notes on what was skipped.
  var notes: [InspectionProblem] { problems.filter { $0.severity == .note } }

  /// Returns the results of a check that have a severity.
  @MainActor func check(
    for severity: InspectionProblem.Severity, librariesAreSeparate: Bool = false, registered: [String] = []
  ) -> [InspectionProblem] {
    check(librariesAreSeparate: librariesAreSeparate, registered: registered).filter { $0.severity == severity }
  }

  /// Returns the JSON of a report about problems.
  func report(_ problems: [InspectionProblem]) -> String {
    var text = ""
    Self.writeReport(problems, images: images.count, records: recordCount) { text += $0 }
    return text
  }

  /// Returns the text of the graph.
  @MainActor func text(of format: GraphFormat) -> String {
    var text = ""
    writeGraph(format) { text += $0 }
    return text
  }
}
