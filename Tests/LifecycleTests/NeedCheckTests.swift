import Registry
import RegistryReports
import TestSupport
import Testing

@testable import Lifecycle

private protocol Engine: Sendable {}
private struct Diesel: Engine {}
private protocol Radio: Sendable {}

/// Code that needs what no image exports. Only the managers of these tests read its records.
private final class Car: Sendable {
  #needs(Engine.self)
  @Service var radio: (any Radio)?
  #needs(module: DriverModule.self)
  #needs(module: "LifecycleTests.NoSuchDriver", optional: true)
}

private final class Van: Sendable {
  @Service var engine: any Engine
}

private protocol Trailer: Sendable {}

@ExportService(Trailer.self, group: "tests.needs")
private struct HorseTrailer: Trailer {}

/// Code that uses a manager other than the one being started.
private final class Truck: Sendable {
  let services: ServiceManager
  @Service(in: \Truck.services) var engine: any Engine
  #needs(Trailer.self)
  init(services: ServiceManager) { self.services = services }
}

private final class TruckModule: Module {
  private(set) var services = ServiceManager()
  @Service(in: \TruckModule.services) var engine: any Engine
}

private final class DriverModule: Module {}

private final class EngineModule: Module {
  func setUp(_ context: Context) { context.services.register(Engine.self) { Diesel() } }
}

private final class PassengerModule: Module {
  func setUp(_ context: Context) { context.configuration[.trace].add("+") }
}

@MainActor @Suite struct NeedCheckTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager(_ modules: [any Module.Type] = [], of type: String = "Car") -> ModuleManager {
    ModuleManager(
      modules: modules, services: ServiceManager(onDiagnostic: problems.handler),
      records: .records { $0.kind == .need && $0.attributes.contains("LifecycleTests.\(type)\"") },
      configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  private func needs(_ error: ModuleError?) -> [Diagnostic] {
    if let error, error.code == "unmet-need" { error.diagnostics } else { [] }
  }

  @Test func `A start reports each need that nothing satisfies`() throws {
    try manager([PassengerModule.self]).start()
    let unmet = problems[.unmetNeed].sorted { $0.subject < $1.subject }
    #expect(unmet.map(\.subject) == ["LifecycleTests.DriverModule", "LifecycleTests.Engine"])
    #expect(unmet.allSatisfy { $0.severity == .error && $0.image != nil })
    #expect(unmet.allSatisfy { $0.message.contains("'LifecycleTests.Car' (LifecycleTests/NeedCheckTests.swift:") })
    #expect(unmet[0].message.contains("no loaded image exports the module, and no code registered it"))
    #expect(trace.lines == ["+"])
  }

  @Test func `A need that another manager can satisfy is not reported`() throws {
    let modules = manager(of: "Truck")
    modules.requireAllNeeds()
    try modules.start()
    #expect(problems[.unmetNeed].isEmpty)
  }

  @Test func `A strict scope permits the check of a need that the shared manager satisfies`() throws {
    let modules = manager([DriverModule.self])
    modules.requireAllNeeds()
    try ServiceManager.shared.withTestScope {
      $0.override(Engine.self) { Diesel() }
    } operation: {
      try modules.context.services.withTestScope(.strict.onLiveService { Issue.record($0) }) { try modules.start() }
    }
  }

  @Test func `A module needs the service of its property in its own manager`() throws {
    let error = #expect(throws: ModuleError.self) {
      let modules = manager([TruckModule.self], of: "TruckModule")
      modules.requireAllNeeds()
      try modules.start()
    }
    #expect(needs(error).map(\.subject) == ["LifecycleTests.Engine"])
  }

  @Test func `A need is satisfied by what modules register until all are initialized`() throws {
    try manager([EngineModule.self, DriverModule.self]).start()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `If all needs are required, the start throws before a module is created`() throws {
    let modules = manager([PassengerModule.self, EngineModule.self])
    modules.requireAllNeeds()
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(needs(error).count == 2 && trace.lines.isEmpty)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("nothing satisfies these needs: LifecycleTests."))
    #expect(text.hasSuffix(" [unmet-need]"))
    #expect(text.contains("with '--whole-archive' elsewhere)"), "a linker can have dropped the record")
    #if DEBUG
    #expect(text.contains("; if a module registers what is missing, call 'requireAllNeeds(afterInitialize: true)'; a"))
    #endif
    #expect(problems.diagnostics.isEmpty, "the error contains the diagnostics")
    // The manager can be started after the cause is fixed.
    modules.register(DriverModule.self)
    modules.context.services.register(Engine.self) { Diesel() }
    try modules.start()
    #expect(trace.lines == ["+"])
  }

  @Test func `Services that modules register count if the start throws after the initialization`() throws {
    let modules = manager([EngineModule.self, DriverModule.self])
    modules.requireAllNeeds(afterInitialize: true)
    try modules.start()
    let incomplete = manager([PassengerModule.self, DriverModule.self])
    incomplete.requireAllNeeds(afterInitialize: true)
    let error = #expect(throws: ModuleError.self) { try incomplete.start() }
    #expect(needs(error).map(\.subject) == ["LifecycleTests.Engine"] && trace.lines == ["+"])
    #expect(error?.description.contains("if a module registers") == false)
  }

  @Test func `Each start checks the needs again`() throws {
    let modules = manager([DriverModule.self])
    try modules.start()
    #expect(problems[.unmetNeed].count == 1)
    modules.stop()
    modules.requireAllNeeds()
    #expect(throws: ModuleError.self) { try modules.start() }
  }

  @Test func `A property needs its service in the shared manager, from which it is read`() throws {
    let modules = manager([EngineModule.self], of: "Van")
    try modules.start()
    #expect(problems[.unmetNeed].map(\.subject) == ["LifecycleTests.Engine"])
    let other = manager(of: "Van")
    other.requireAllNeeds()
    ServiceManager.shared.withTestScope {
      $0.override(Engine.self) { Diesel() }
    } operation: {
      #expect(throws: Never.self) { try other.start() }
    }
  }

  // MARK: - Images that are loaded later

  private func plugIn(needing service: String = "NoSuchService") throws -> SharedObject {
    try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      REGISTRY_NEEDS_SERVICE(LifecycleTests.\(service))
      """)
  }

  private func manager(of object: SharedObject) -> ModuleManager {
    let path = object.path
    return ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler), records: .images { $0.path == path },
      onDiagnostic: problems.handler)
  }

  @Test func `The needs of a plug-in are reported before its modules are set up`() throws {
    let object = try plugIn()
    let modules = manager(of: object)
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    #expect(problems[.unmetNeed].map(\.subject) == ["LifecycleTests.NoSuchService"])
    #expect(problems[.unmetNeed].first?.image?.path == object.path)
    #expect(plugIn.moduleNames == ["LifecycleTests.PluginModule"])
  }

  @Test func `If all needs are required, the modules of a plug-in with another need are not set up`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateServer)
      REGISTRY_NEEDS_SERVICE(LifecycleTests.NoSuchService)
      """)
    let modules = manager(of: object)
    modules.requireAllNeeds()
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(plugIn.moduleNames.isEmpty && modules.moduleNames.isEmpty)
    let problem = try #require(problems[.unmetNeed].first)
    #expect(problem.message.hasSuffix("; the modules of the image are not set up until the need is satisfied"))
    // A refused plug-in stays refused. It does not prevent another start, not even with its
    // asynchronous module.
    modules.stop()
    try modules.start()
    #expect(modules.moduleNames.isEmpty)
    plugIn.close()
    modules.stop()
    try modules.start()
  }

  @Test func `A start does not check the needs of an image that was closed before`() throws {
    let object = try plugIn()
    let modules = manager(of: object)
    let plugIn = try modules.openPlugIn(at: object.path)
    // A report reads the records.
    _ = modules.report()
    plugIn.close()
    modules.requireAllNeeds()
    #expect(throws: Never.self) { try modules.start() }
    modules.stop()
  }

  @Test func `The modules of a refused plug-in are set up when the need is satisfied`() throws {
    let refused = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_NEEDS_SERVICE(LifecycleTests.NoSuchService)
      """)
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(LifecycleTests.PluginModule)
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports", "{\\"module\\":\\"LifecycleTests.DriverModule\\"}")
      """)
    let paths = [refused.path, object.path]
    let modules = ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler), records: .images { paths.contains($0.path) },
      onDiagnostic: problems.handler)
    modules.requireAllNeeds()
    try modules.start()
    // The need of another refused plug-in doesn't matter.
    let other = try modules.openPlugIn(at: refused.path)
    defer { other.close() }
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    #expect(plugIn.moduleNames.isEmpty)
    modules.register(DriverModule.self)
    modules.scanImages()
    #expect(Set(modules.moduleNames) == ["LifecycleTests.DriverModule", "LifecycleTests.PluginModule"])
  }

  @Test func `An event sets up a refused plug-in when its need is satisfied, even if triggered before`() throws {
    let object = try plugIn(needing: "LateTag")
    let modules = manager(of: object)
    modules.requireAllNeeds()
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    #expect(modules.trigger(.list).isEmpty)
    modules.context.services.register(LateTag.self) { PaperTag() }
    #expect(modules.trigger(.list) == ["plugin"])
  }

  @Test func `A plug-in that a diagnostic handler opens is refused, too`() throws {
    let first = try plugIn()
    // Only the main actor opens the object.
    nonisolated(unsafe) let second = try plugIn()
    let paths = [first.path, second.path]
    let modules = ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler),
      records: .images { paths.contains($0.path) }, onDiagnostic: { _ in })
    modules.onDiagnostic = { [weak modules] problem in
      guard problem.code == .unmetNeed, problem.image?.path == paths[0] else { return }
      try? second.open()
      MainActor.assumeIsolated { _ = modules?.scanImages() }
    }
    modules.requireAllNeeds()
    try modules.start()
    let plugIn = try modules.openPlugIn(at: first.path)
    modules.scanImages()
    #expect(modules.moduleNames.isEmpty)
    plugIn.close()
    second.close()
  }

  @Test func `Images that are loaded together are refused together`() throws {
    let library = try SharedObject("#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.LateB)")
    let objects = [try plugIn(), library]
    let paths = objects.map(\.path)
    let modules = ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler), records: .images { paths.contains($0.path) },
      onDiagnostic: problems.handler)
    modules.requireAllNeeds()
    try modules.start()
    for object in objects { try object.open() }
    defer { for object in objects { object.close() } }
    #expect(modules.scanImages().isEmpty && modules.moduleNames.isEmpty && problems.codes == [.unmetNeed])
  }

  @Test func `A plug-in that a late module opens in its set-up is refused, too`() throws {
    let object = try plugIn()
    let modules = manager(of: object)
    modules.requireAllNeeds()
    try modules.start()
    var opened: PlugIn?
    Doer.inSetUp = { _ in opened = try modules.openPlugIn(at: object.path) }
    modules.register(Doer.self)
    Doer.inSetUp = nil
    #expect(modules.moduleNames == ["LifecycleTests.Doer"] && problems.codes == [.unmetNeed])
    opened?.close()
  }

  @Test func `The needs of an image that a diagnostic handler finds during the start are checked`() throws {
    let first = try plugIn()
    // Only the main actor opens the object.
    nonisolated(unsafe) let second = try plugIn()
    let paths = [first.path, second.path]
    let modules = ModuleManager(records: .images { paths.contains($0.path) }, onDiagnostic: { _ in })
    modules.onDiagnostic = { [problems, weak modules] problem in
      problems.handler(problem)
      guard problem.code == .unmetNeed, problem.image?.path == paths[0] else { return }
      try? second.open()
      MainActor.assumeIsolated { _ = modules?.report() }
    }
    let plugIn = try modules.openPlugIn(at: first.path)
    try modules.start()
    #expect(problems[.unmetNeed].map(\.image?.path) == paths)
    plugIn.close()
    second.close()
  }

  @Test func `The needs of an image are checked before any other code sets its modules up`() throws {
    let object = try plugIn()
    let modules = manager(of: object)
    modules.requireAllNeeds()
    try modules.start()
    try object.open()
    defer { object.close() }
    // A report reads the records, and a registration sets up what is pending.
    _ = modules.report()
    modules.register(DriverModule.self)
    #expect(modules.moduleNames == ["LifecycleTests.DriverModule"])
    #expect(problems[.unmetNeed].count >= 1)
  }

  @Test func `The needs of an image are not checked again when other images are loaded`() throws {
    let needs = (0..<40).map { "REGISTRY_NEEDS_SERVICE(LifecycleTests.NoSuchService\($0))" }
    let (first, second) = (
      try SharedObject("#include \"registry_export.h\"\n" + needs.joined(separator: "\n")), try plugIn()
    )
    let paths = [first.path, second.path]
    let modules = ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler), records: .images { paths.contains($0.path) },
      onDiagnostic: problems.handler)
    try modules.start()
    let before = try modules.openPlugIn(at: first.path)
    defer { before.close() }
    #expect(problems[.unmetNeed].count == 40)
    let steps = Subscriber.steps
    let after = try modules.openPlugIn(at: second.path)
    defer { after.close() }
    #expect(problems[.unmetNeed].count == 41 && Subscriber.steps - steps < 20)
  }

  @Test func `Code that is unavailable on this system needs nothing`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      static bool unavailable(void *out, const void *type, uintptr_t flags) { return false; }
      REGISTRY_RECORD_AS_(need, REGISTRY_KIND_NEED, "__reg_exports",
                          "{\\"protocol\\":\\"LifecycleTests.NoSuchService\\",\\"at\\":\\"A/B.swift:1:1\\"}", unavailable)
      REGISTRY_RECORD_AS_(route, REGISTRY_KIND_NEED, "__reg_exports",
                          "{\\"route\\":\\".noSuchRoute\\",\\"at\\":\\"A/B.swift:2:1\\"}", unavailable)
      REGISTRY_RECORD_AS_(type, REGISTRY_KIND_NEED, "__reg_exports",
                          "{\\"module\\":\\"A.B\\",\\"type\\":true,\\"at\\":\\"A/B.swift:3:1\\"}", unavailable)
      """)
    let modules = manager(of: object)
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    try modules.start()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `A malformed need is reported, and the others are checked`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports", "{\\"optional\\":true}")
      REGISTRY_NEEDS_SERVICE(LifecycleTests.NoSuchService)
      """)
    let modules = manager(of: object)
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    try modules.start()
    #expect(problems[.malformedRecord].count == 1 && problems[.unmetNeed].count == 1)
    #expect(problems[.malformedRecord].first?.message.contains("expected one of the members 'protocol'") == true)
  }

  // MARK: - Order

  @Test func `A module follows the modules that its feature needs, and the report says so`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_RECORD_(REGISTRY_KIND_MODULE, "__reg_modules",
                       "{\\"module\\":\\"LifecycleTests.LateA\\",\\"afterNeeds\\":true}")
      REGISTRY_EXPORT_MODULE(LifecycleTests.LateB, priority(-100))
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"module\\":\\"LifecycleTests.LateB\\",\\"at\\":\\"LifecycleTests/Late.swift:1:1\\"}")
      """)
    let modules = manager(of: object)
    modules.context.configuration[.trace] = trace
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.LateB", "LifecycleTests.LateA"])
    #expect(modules.report().description.contains("after 'LifecycleTests.LateB' (in part because of needs)"))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `The modules in the Swift module of an implementation provide its service`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(LifecycleTests.Engine, Motor.Diesel)
      REGISTRY_EXPORT_SERVICE(LifecycleTests.Engine, Turbine.Jet, named(jet))
      REGISTRY_EXPORT_SERVICE(LifecycleTests.Engine, Steam.Boiler, when(flag(never)))
      REGISTRY_EXPORT_SERVICE(LifecycleTests.Engine, Rocket.Booster, group(rocket))
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"protocol\\":\\"LifecycleTests.Engine\\",\\"at\\":\\"Garage/Car.swift:1:1\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"module\\":\\"Road.RoadModule\\",\\"at\\":\\"Garage/Car.swift:2:1\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"module\\":\\"Paint.PaintModule\\",\\"at\\":\\"Factory/Car.swift:1:1\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"protocol\\":\\"LifecycleTests.Engine\\",\\"all\\":true,\\"at\\":\\"Museum/All.swift:1:1\\"}")
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports",
                       "{\\"protocol\\":\\"LifecycleTests.Engine\\",\\"name\\":\\"jet\\",\\"at\\":\\"Hangar/Jet.swift:1:1\\"}")
      """)
    let path = object.path
    // The services of the shared manager count as well.
    let modules = ModuleManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let plugIn = try modules.openPlugIn(at: path)
    defer { plugIn.close() }
    modules.runner.scan()
    let names: Set = [
      "Motor.MotorModule", "Motor.FuelModule", "Garage.DoorModule", "Turbine.T", "Paint.PaintModule", "Steam.S",
      "Road.RoadModule", "Rocket.R",
    ]
    #expect(
      modules.runner.providersOfNeeds(names)("Garage.GarageModule")
        == ["Motor.FuelModule", "Motor.MotorModule", "Road.RoadModule"])
    #expect(modules.runner.providersOfNeeds(names)("Motor.MotorModule").isEmpty)
    // An array contains implementations with names, too.
    #expect(
      modules.runner.providersOfNeeds(names)("Museum.MuseumModule")
        == ["Motor.FuelModule", "Motor.MotorModule", "Turbine.T"])
    #expect(modules.runner.providersOfNeeds(names)("Hangar.HangarModule") == ["Turbine.T"])
    // A module that does not exist is an unmet need, and determines no order.
    #expect(modules.runner.providersOfNeeds(["Road.RoadModule"])("Factory.FactoryModule").isEmpty)
    // A manager of modules that code passes can be the first to use its services, or its parent's.
    let parent = ServiceManager(records: .group("rocket"))
    let other = ModuleManager(services: ServiceManager(parent: parent), onDiagnostic: problems.handler)
    #expect(other.runner.providersOfNeeds(names)("Garage.GarageModule").contains("Rocket.R"))
  }
  @Test func `A module visits only the needs of its own feature`() throws {
    var records = RecordBytes()
    for number in 0..<200 {
      records.record(#"{"module":"Part\#(number).Part","afterNeeds":true}"#, kind: 0x6d6f_6475)
      records.record(#"{"module":"Base.Base","at":"Part\#(number)/A.swift:1:1"}"#, kind: RecordKind.need.rawValue)
    }
    let object = try SharedObject(records: records, name: "features")
    let modules = manager(of: object)
    let plugIn = try modules.openPlugIn(at: object.path)
    defer { plugIn.close() }
    let before = Subscriber.steps
    modules.runner.scan()
    #expect(200..<2_000 ~= Subscriber.steps - before)
  }
}
