import Foundation
import Registry
import RegistryReports
import TestSupport

/// The class that C records name.
final class Exported: NamedExport, Answering {
  init() {}
}

/// The protocol that C records name.
protocol Answering {}

private let usable = #"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#

/// Opens images one by one through a manager, with one scan for each, and closes them in the same
/// way.
func images(_ meter: Meter) throws {
  let each = 5
  var records = RecordBytes()
  for index in 1..<each {
    records.record(#"{"protocol":"Plugin\#(NumberedImages.placeholder).Service\#(index)","class":"Nobody.Class"}"#)
  }
  records.record(usable)
  let images = try NumberedImages(meter.size, records: records)
  let services = ServiceManager(records: .loadedImages) { _ in }
  let opened = try meter.phase("opened one by one") {
    try images.paths.map { path in
      let opened = try services.openImage(at: path)
      require(opened.records.count == each, "\(opened.records.count) records")
      require(services.contains((any Answering).self), "\(path) does not serve")
      return opened
    }
  }
  let found = meter.phase("scanned again") { RecordSource.loadedImages.records(of: .service) }
  require(found.count == each * meter.size, "\(found.count) records")
  let created = try meter.phase("all created") { try services.createServices(for: (any Answering).self) }
  require(created.count == meter.size, "\(created.count) services")
  meter.phase("closed one by one") {
    for (index, image) in opened.enumerated() {
      image.close()
      require(services.contains((any Answering).self) == (index < meter.size - 1), "closing \(index) is not seen")
    }
  }
  require(RecordSource.loadedImages.records(of: .service).isEmpty, "records are left")
}

// MARK: - One image with many records

/// Creates a manager, and opens an image with records. Only the last record is usable.
private func withRecords(
  _ meter: Meter, json: (Int) -> String, _ body: (ServiceManager, DiagnosticCollector) throws -> Void
) throws {
  var records = RecordBytes()
  for index in 1..<meter.size { records.record(json(index)) }
  records.record(usable)
  let image = try NumberedImages(1, records: records)
  require(dlopen(image.paths[0], RTLD_NOW | RTLD_LOCAL) != nil, "the image was not opened")
  let problems = DiagnosticCollector()
  try body(ServiceManager(records: .loadedImages, onDiagnostic: problems.handler), problems)
}

/// Reads records that each name a different protocol.
func recordsOfManyProtocols(_ meter: Meter) throws {
  func json(_ index: Int) -> String { #"{"protocol":"Plugin.Service\#(index)","class":"Nobody.Class\#(index)"}"# }
  try withRecords(meter, json: json) { services, problems in
    meter.phase("read") { require(services.contains((any Answering).self), "it is not found") }
    let report = meter.phase("report, which resolves each class") { services.report() }
    require(report.records.count == meter.size, "\(report.records.count) records are reported")
    require(problems[.unknownClass].count == meter.size - 1, "\(problems[.unknownClass].count) classes are missing")
    // The log keeps a thousand diagnostics, and the report adds the protocols that are unknown.
    let expected = min(1_000, meter.size - 1) + meter.size - 1
    require(report.diagnostics.count == expected, "\(report.diagnostics.count) problems are reported")
  }
}

/// Reads and resolves many records of one protocol.
func recordsOfOneProtocol(_ meter: Meter) throws {
  try withRecords(meter, json: { _ in usable }) { services, problems in
    meter.phase("read") { require(services.contains((any Answering).self), "it is not found") }
    require(!problems[.tie].isEmpty, "the tie is not reported")
    let created = try meter.phase("all created") { try services.createServices(for: (any Answering).self) }
    require(created.count == meter.size, "\(created.count) are created")
    meter.phase("removed") { require(services.unregister((any Answering).self), "none is removed") }
    require(!services.contains((any Answering).self), "one is left")
  }
}

/// Looks up a protocol for which only the last of many records names an existing class.
func recordsOfNoUse(_ meter: Meter) throws {
  func json(_ index: Int) -> String {
    #"{"protocol":"LoadProbe.Answering","class":"Nobody.Class\#(index)","priority":1}"#
  }
  try withRecords(meter, json: json) { services, problems in
    try meter.phase("first lookup, which tries them all") { _ = try services.createService(for: (any Answering).self) }
    require(problems[.unknownClass].count >= min(1_000, meter.size - 1), "too few classes are reported")
    try meter.phase("10 more lookups") { for _ in 0..<10 { _ = try services.createService(for: (any Answering).self) } }
  }
}

/// Reads many malformed records.
func malformedRecords(_ meter: Meter) throws {
  var records = RecordBytes()
  for _ in 1..<meter.size { records.record(Array("{\"a\":12}".utf8), room: 8) }
  records.record(usable)
  let image = try NumberedImages(1, records: records)
  require(dlopen(image.paths[0], RTLD_NOW | RTLD_LOCAL) != nil, "the image was not opened")
  let problems = DiagnosticCollector()
  let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
  meter.phase("read") { require(services.contains((any Answering).self), "the valid record is not found") }
  require(problems[.malformedRecord].count == meter.size - 1, "\(problems[.malformedRecord].count) are reported")
}
