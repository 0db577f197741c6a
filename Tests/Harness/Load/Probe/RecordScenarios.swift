import Foundation
import Registry
import TestSupport

// These scenarios use a single image with many records.

/// Opens an image with records, and keeps it open.
private func image(_ records: RecordBytes) throws -> NumberedImages {
  let image = try NumberedImages(1, records: records)
  require(dlopen(image.paths[0], RTLD_NOW | RTLD_LOCAL) != nil, "the image was not opened")
  return image
}

/// Reads records that each name a different protocol.
func recordsOfManyProtocols(_ meter: Meter) throws {
  var records = RecordBytes()
  for index in 1..<meter.size {
    records.record(#"{"protocol":"Plugin.Service\#(index)","class":"Nobody.Class\#(index)"}"#)
  }
  records.record(#"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#)
  let image = try image(records)
  let problems = DiagnosticCollector()
  let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
  meter.phase("read") { require(services.contains((any Answering).self), "it is not found") }
  require(RecordSource.loadedImages.records(of: .service).count == meter.size, "not all are found")
  let report = meter.phase("report, which looks for every class") { services.report() }
  require(report.records.count == meter.size, "\(report.records.count) records are reported")
  require(problems[.unknownClass].count == meter.size - 1, "\(problems[.unknownClass].count) classes are missing")
  require(report.diagnostics.count == min(1_000, meter.size - 1), "\(report.diagnostics.count) problems are kept")
  withExtendedLifetime(image) {}
}

/// Reads and resolves many records of one protocol.
func recordsOfOneProtocol(_ meter: Meter) throws {
  var records = RecordBytes()
  for _ in 0..<meter.size { records.record(#"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#) }
  let image = try image(records)
  let problems = DiagnosticCollector()
  let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
  meter.phase("read") { require(services.contains((any Answering).self), "it is not found") }
  require(!problems[.tie].isEmpty, "the tie is not reported")
  let made = try meter.phase("all made") { try services.createServices(for: (any Answering).self) }
  require(made.count == meter.size, "\(made.count) are made")
  meter.phase("removed") { require(services.unregister((any Answering).self), "none is removed") }
  require(!services.contains((any Answering).self), "one is left")
  withExtendedLifetime(image) {}
}

/// Reads malformed records.
func malformedRecords(_ meter: Meter) throws {
  var records = RecordBytes()
  for _ in 1..<meter.size { records.record(Array("{\"a\":12}".utf8), room: 8) }
  records.record(#"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#)
  let image = try image(records)
  let problems = DiagnosticCollector()
  let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
  meter.phase("read") { require(services.contains((any Answering).self), "the good one is not found") }
  require(problems[.malformedRecord].count == meter.size - 1, "\(problems[.malformedRecord].count) are reported")
  require(services.report().diagnostics.count == min(1_000, meter.size - 1), "more are kept than should be")
  withExtendedLifetime(image) {}
}

/// Looks up a protocol for which only the last of many records names an existing class.
func recordsOfNoUse(_ meter: Meter) throws {
  var records = RecordBytes()
  for index in 1..<meter.size {
    records.record(#"{"protocol":"LoadProbe.Answering","class":"Nobody.Class\#(index)","priority":1}"#)
  }
  records.record(#"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#)
  let image = try image(records)
  let problems = DiagnosticCollector()
  let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
  try meter.phase("first look-up, which tries them all") { _ = try services.createService(for: (any Answering).self) }
  require(problems[.unknownClass].count >= min(1_000, meter.size - 1), "\(problems[.unknownClass].count) are reported")
  try meter.phase("10 more look-ups") { for _ in 0..<10 { _ = try services.createService(for: (any Answering).self) } }
  withExtendedLifetime(image) {}
}
