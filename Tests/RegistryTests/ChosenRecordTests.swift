import Registry
import RegistryReports
import TestSupport
import Testing

/// Managers of chosen records, and the properties by which records are chosen.
@Suite struct ChosenRecordTests {
  let problems = DiagnosticCollector()

  private func services(where includes: @escaping @Sendable (ExportedRecord) -> Bool) -> ServiceManager {
    ServiceManager(records: .records(where: includes), onDiagnostic: problems.handler)
  }

  @Test func `a manager with selected records has those and no others`() throws {
    // Other tests load images with C records of the same name, which have no accessor.
    let services = services { $0.typeName == "RegistryTests.GruffGreeter" && $0.hasAccessor }
    #expect(try services.createService(for: Greeter.self).greet() == "what")
    #expect(try services.createServices(for: Greeter.self).count == 1)
    #expect(!services.contains(Greeter.self, named: "warm"))
    #expect(!services.contains(SharedGreeter.self))
    #expect(services.report().records.map(\.typeName) == ["RegistryTests.GruffGreeter"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `records can be selected by their service, also in C`() throws {
    let services = services { $0.name == "RegistryTests.NamedClock" && !$0.hasAccessor }
    #expect(try services.createService(for: NamedClock.self).now() == 9)
    #expect(!services.contains(NestedClock.self))
  }

  @Test(arguments: [
    ("/Applications/Shop.app/Shop", "Shop"),
    ("/Applications/Shop.app/Shop.debug.dylib", "Shop"),
    ("/Applications/Shop.app/PlugIns/Ship.it.appex/Ship.it.debug.dylib", "Ship.it"),
    ("Shop.debug.dylib", "Shop"),
    ("/usr/lib/libshop.dylib", "libshop.dylib"),
    ("/usr/lib/.debug.dylib", ".debug.dylib"),
    ("/usr/lib/libshop.debug.dylib.so", "libshop.debug.dylib.so"),
    ("", ""),
  ])
  func `an app's code has one product name in debug and release builds`(path: String, productName: String) {
    let image = LoadedImage(path: path, serial: 1, batch: 0)
    #expect(image.productName == productName)
  }

  @Test func `a record states its export and its service`() throws {
    let records = RecordSource.loadedImages.records(of: .service)
    #expect(records.contains { $0.typeName == "RegistryTests.ActorGreeter" && $0.name == "SharedGreeter" })
    #expect(records.contains { $0.typeName == "RegistryTests.Outer.Several" && $0.name == "Alias" })
    // The name contains escapes in the JSON and a character outside ASCII.
    #expect(records.contains { $0.name == "CTest.Straße" || $0.typeName == "CTest.Straße" })
  }
}

extension LateImageTests {
  @Test func `records of later images are selected too, and invalid JSON names nothing`() throws {
    let services = ServiceManager(
      records: .records { $0.image.name == "libchosen.so" && $0.typeName == "RegistryTests.PluginClock" },
      onDiagnostic: problems.handler)
    #expect(!services.contains(LateClock.self))
    let object = try SharedObject(
      #"""
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.LateNamedClock)
      __attribute__((used, aligned(8), section(".note.registry"))) static const struct {
        uint32_t a, b, c; char n[12]; uint64_t f; char t[24]; } broken = {9, 32, 0x73657276, "Registry", 0, "{\"class\":\"A.B\""};
      """#, name: "chosen")
    try object.open()
    #expect(try services.createService(for: LateClock.self).now() == 12)
    #expect(!services.contains(NamedClock.self))
    let all = RecordSource.images { $0.name == "libchosen.so" }.records()
    #expect(all.count == 3)
    #expect(Set(all.map(\.typeName)) == ["RegistryTests.PluginClock", "RegistryTests.LateNamedClock", nil])
    #expect(all.filter { $0.name == nil }.count == 1)
    object.close()
    #expect(!services.contains(LateClock.self))
  }
}
