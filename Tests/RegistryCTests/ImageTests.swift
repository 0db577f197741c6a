import Foundation
import RegistryC
import TestSupport
import Testing

@Suite(.serialized) struct ImageTests {
  struct Found {
    let serial: UInt64
    let path: String
    var json: [String] = []
  }

  private func snapshot(after serial: UInt64 = 0) throws -> [Found] {
    let snapshot = try #require(registry_images_snapshot(serial))
    defer { registry_snapshot_free(snapshot) }
    return UnsafeBufferPointer(start: snapshot.pointee.images, count: snapshot.pointee.image_count).map { image in
      var found = Found(serial: image.serial, path: String(cString: image.path))
      for section in UnsafeBufferPointer(start: image.sections, count: image.section_count) {
        var walker = registry_walk(section.bytes, section.size, section.alignment)
        var item = registry_item()
        while registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD {
          found.json.append(
            String(decoding: UnsafeRawBufferPointer(start: item.json, count: item.json_size), as: UTF8.self))
        }
      }
      return found
    }
  }

  @Test func `records of C and C++ files in this program are found, valid JSON, under its path`() throws {
    let main = try #require(try snapshot().first)
    #expect(FileManager.default.fileExists(atPath: main.path))
    for json in main.json {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }
    #expect(main.json.contains(#"{"module":"LifecycleTests.LegacyModule"}"#))
    #expect(main.json.contains(#"{"module":"LifecycleTests.NoSuchModule"}"#))
    #expect(main.json.contains(#"{"protocol":"CTest.\"quoted\"","class":"Überraschung.Klasse"}"#))
    #expect(main.json.contains(#"{"protocol":"CxxTest.Service","class":"CxxTest.Implementation"}"#))
  }

  @Test func `opening and closing changes the generation and the images`() throws {
    let object = try SharedObject("#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(Late.Module)\n")
    let before = registry_images_generation()
    let first = try snapshot()
    try object.open()
    #expect(registry_images_generation() != before)
    let late = try #require(try snapshot(after: first.map(\.serial).max()!).last)
    #expect(late.path == object.path)
    #expect(late.json == [#"{"module":"Late.Module"}"#])
    // A known image is listed and not copied again.
    #expect(try snapshot(after: late.serial).allSatisfy { $0.json.isEmpty })
    object.close()
    #expect(try !snapshot().contains { $0.path == object.path })
    try object.open()
    #expect(try snapshot().last!.serial > late.serial)
  }

  @Test func `an image without records is no image to us`() throws {
    let object = try SharedObject("int nothing(void) { return 0; }\n", name: "nothing")
    try object.open()
    #expect(try !snapshot().contains { $0.path == object.path })
  }

  @Test func `a pinned image outlives its handle`() throws {
    let object = try SharedObject(
      "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(Pinned.Module)\n", name: "pinned")
    try object.open()
    let image = try #require(registry_images_snapshot(0))
    defer { registry_snapshot_free(image) }
    let last = image.pointee.images[image.pointee.image_count - 1]
    #expect(registry_image_pin(UnsafeRawPointer(bitPattern: last.base)!))
    #expect(!registry_image_pin(UnsafeRawPointer(bitPattern: 16)!))
    object.close()
    #expect(try snapshot().contains { $0.path == object.path })
  }
}
