import Foundation
import Registry
import TestSupport
import Testing

private let clock = """
  #include "registry_export.h"
  REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
  """

/// What is seldom done with images; in the suite of those that come and go.
extension LateImageTests {
  @Test(arguments: ["", "/nowhere\0/x"])
  func `a path that is none opens nothing and is said to be wrong`(path: String) throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let error = #expect(throws: ImageError.self) { try services.open(path) }
    #expect(error?.description.contains("the path ") == true && error?.description.contains("Give the path") == true)
  }

  @Test func `a library that stays mapped comes and goes with the images that need it, in whatever order`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let library = try SharedObject(clock, name: "kit", swift: "public enum Anything {}")
    let objects = try ["a", "b"].map {
      try SharedObject("", name: "needs_kit_\($0)", flags: ["-Wl,--no-as-needed", library.path])
    }
    for path in objects.map(\.path) {
      // The second time round it is mapped, as something that was closed.
      let opened = try services.open(path)
      #expect(services.contains(LateClock.self) && opened.records.map(\.image.path) == [library.path])
      opened.close()
      #expect(!services.contains(LateClock.self) && library.isMapped)
    }

    let orders = [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]]
    for order in orders {
      let opened = try [library.path, objects[0].path, objects[1].path].map { try services.open($0) }
      for (place, index) in order.enumerated() {
        #expect(services.contains(LateClock.self), "\(order) \(place)")
        opened[index].close()
      }
      #expect(!services.contains(LateClock.self))
    }
  }

  @Test func `an image without records reports those of the libraries it needs`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let library = try SharedObject(clock, name: "under")
    let object = try SharedObject("", name: "umbrella", flags: ["-Wl,--no-as-needed", library.path])
    let opened = try services.open(object.path)
    #expect(opened.image == nil && opened.records.map(\.image.path) == [library.path])
    opened.close()
    #expect(!services.contains(LateClock.self))
  }

  @Test func `a file that was cut short is refused`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let (object, cut) = (try SharedObject(clock, name: "whole"), try SharedObject("", name: "cut"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: object.path))
    for size in stride(from: 0, to: 3_000, by: 37) {
      // Written to another file: the loader has mapped what it opened before.
      try whole.prefix(size).write(to: URL(fileURLWithPath: cut.path))
      #expect(throws: ImageError.self) { try services.open(cut.path) }
    }
    try whole.write(to: URL(fileURLWithPath: cut.path))
    try services.open(cut.path).close()
  }

  @Test func `a symbolic link opens the same image`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let object = try SharedObject(clock, name: "linked")
    let link = object.path + ".link"
    _ = try Command.run("ln", ["-s", object.path, link])
    let (a, b) = (try services.open(object.path), try services.open(link))
    #expect(a.image == b.image && b.records.isEmpty)
    a.close()
    #expect(services.contains(LateClock.self))
    b.close()
    #expect(!services.contains(LateClock.self) && !object.isMapped)
  }
}
