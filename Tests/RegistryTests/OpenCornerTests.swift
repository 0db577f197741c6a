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
