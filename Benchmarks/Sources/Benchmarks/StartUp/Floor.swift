import Foundation
import Measuring
import RecordsInside
import RegistryC

/// The least that a program needs to find every record of an image: a copy of the records, a pass
/// over their JSON with the library's reader, and a dictionary each for services and modules.
@MainActor enum Floor {
  /// The member by which a record is found.
  private struct Name: JSONMembers {
    var text = ""
    var problem: String? { text.isEmpty ? "no name" : nil }

    mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "protocol", "module": text = try reader.string()
      default: try reader.skip()
      }
    }
  }

  /// Opens an image, finds its records once, and prints the nanoseconds and the touched memory.
  static func run(_ image: String) throws {
    _ = try FirstUse.open(image)
    let memory = TouchedMemory()
    let start = threadTime()
    let (services, modules) = try fill(image)
    let time = threadTime() - start
    let text = TouchedMemory(since: memory).text(since: memory)
    guard !modules.isEmpty, services.count >= modules.count else {
      throw FirstUse.Wrong(description: "\(services.count) services and \(modules.count) modules are found")
    }
    print(time, text)
  }

  @inline(never) private static func fill(_ path: String) throws -> (
    services: [String: registry_item], modules: [String: registry_item]
  ) {
    var (services, modules): ([String: registry_item], [String: registry_item]) = ([:], [:])
    guard let snapshot = registry_images_snapshot(0) else { throw CocoaError(.fileReadUnknown) }
    for image in UnsafeBufferPointer(start: snapshot.pointee.images, count: snapshot.pointee.image_count)
    where String(cString: image.path) == path {
      for section in UnsafeBufferPointer(start: image.sections, count: image.section_count) {
        services.reserveCapacity(section.size / 192)
        modules.reserveCapacity(section.size / 192)
        var walker = registry_walk(section.bytes, section.size, section.alignment)
        var item = registry_item()
        while registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD {
          var name = Name()
          try name.read(UnsafeRawBufferPointer(start: item.json, count: item.json_size))
          if item.kind == REGISTRY_KIND_SERVICE { services[name.text] = item } else { modules[name.text] = item }
        }
      }
    }
    // The records refer to the snapshot, so it is not freed.
    return (services, modules)
  }
}
