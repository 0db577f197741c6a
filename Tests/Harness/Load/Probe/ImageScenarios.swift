import Foundation
import Registry
import TestSupport

/// The class that C records in images name.
final class Exported: NamedExport, Answering {
  init() {}
}

/// The protocol that C records in images name.
protocol Answering {}

/// The number of records in each image.
private let each = 5

/// Creates images whose records name unique protocols, except one record of a shared protocol.
private func images(_ count: Int) throws -> NumberedImages {
  var records = RecordBytes()
  for index in 1..<each {
    records.record(#"{"protocol":"Plugin\#(NumberedImages.placeholder).Service\#(index)","class":"Nobody.Class"}"#)
  }
  records.record(#"{"protocol":"LoadProbe.Answering","class":"LoadProbe.Exported"}"#)
  return try NumberedImages(count, records: records)
}

/// Opens all images with the loader, and then scans once.
func imagesAtOnce(_ meter: Meter) throws {
  let images = try images(meter.size)
  let services = ServiceManager(records: .loadedImages) { _ in }
  let handles = meter.phase("the loader opens them all") { images.paths.map { dlopen($0, RTLD_NOW | RTLD_LOCAL) } }
  require(handles.allSatisfy { $0 != nil }, "an image was not opened")
  let found = meter.phase("one look") { RecordSource.loadedImages.records(of: .service) }
  require(found.count == each * meter.size, "\(found.count) records")
  let made = try meter.phase("all services of one protocol") { try services.createServices(for: (any Answering).self) }
  require(made.count == meter.size, "\(made.count) services")
  meter.phase("the loader closes them all") { for handle in handles { dlclose(handle!) } }
  meter.phase("a look after that") { require(!services.contains((any Answering).self), "they are still there") }
}

/// Measures the time that the loader itself needs to open and close images one by one.
func loaderOneByOne(_ meter: Meter) throws {
  let images = try images(meter.size)
  let handles = meter.phase("opened by the loader alone") { images.paths.map { dlopen($0, RTLD_NOW | RTLD_LOCAL) } }
  require(handles.allSatisfy { $0 != nil }, "an image was not opened")
  meter.phase("closed by the loader alone") { for handle in handles { dlclose(handle!) } }
}

/// Opens images one by one through a manager, with one scan for each, and closes them in the same
/// way.
func imagesOneByOne(_ meter: Meter) throws {
  let images = try images(meter.size)
  let services = ServiceManager(records: .loadedImages) { _ in }
  require(!services.contains((any Answering).self), "there is one already")
  let opened = try meter.phase("opened one by one") {
    try images.paths.map { path in
      let opened = try services.open(path)
      require(
        opened.records.count == each && services.contains((any Answering).self), "\(opened.records.count) records")
      return opened
    }
  }
  require(try services.createServices(for: (any Answering).self).count == meter.size, "some are not served")
  meter.phase("closed one by one") {
    for (index, image) in opened.enumerated() {
      image.close()
      require(services.contains((any Answering).self) == (index < meter.size - 1), "closing \(index) is not seen")
    }
  }
  require(RecordSource.loadedImages.records(of: .service).isEmpty, "records are left")
  require(images.paths.allSatisfy { dlopen($0, RTLD_LAZY | RTLD_NOLOAD) == nil }, "an image is still mapped")
}
