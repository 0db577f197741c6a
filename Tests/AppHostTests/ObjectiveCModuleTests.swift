import AppHost
import Foundation
import Lifecycle
import Manifests
import Registry
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct ObjectiveCModuleTests {
  let problems = DiagnosticCollector()
  let log = LegacyLog()

  private func manager() -> ModuleManager { ModuleManager(onDiagnostic: problems.handler) }

  /// Creates a manager with a module that implements the given methods, and does not start it.
  private func manager(
    _ selectors: [String], activation: ModuleActivation = .atLaunch,
    _ body: @escaping @MainActor (String, ObjectiveCCall) -> Void = { _, _ in }
  ) -> ModuleManager {
    let manager = manager()
    SimulatedObjectiveC(legacy: log.legacy(selectors, body)).run {
      _ = manager.register(named: "LegacyModule", activation: activation)
    }
    return manager
  }

  @Test func `a class receives the phases that it has methods for, and is instantiated at its set-up`()
    async throws
  {
    let modules = manager(["modSetUp:", "modInit:", "modSplash:", "modTearDown:", "modDidBecomeActive:"])
    #expect(log.lines.isEmpty)
    try modules.start()
    #expect(modules.moduleNames == ["LegacyModule"] && log.lines == ["init", "modSetUp:", "modInit:"])
    await modules.waitUntilIdle()
    modules.trigger(.didBecomeActive)
    modules.stop()
    #expect(log.lines == ["init", "modSetUp:", "modInit:", "modSplash:", "modDidBecomeActive:", "modTearDown:"])
    #expect(
      log.calls.map(\.contents.event) == [
        "setUp", "initialize", "didFinishStarting", "app.didBecomeActive", "tearDown",
      ])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a class with one method is called only for that method`() async throws {
    let modules = manager(["modWillTerminate:"])
    try modules.start()
    await modules.waitUntilIdle()
    modules.trigger(.didBecomeActive)
    modules.trigger(.willTerminate)
    modules.stop()
    #expect(log.lines == ["init", "modWillTerminate:"])
  }

  @Test func `a waiting class is instantiated only by an event that it has a method for`()
    throws
  {
    let modules = manager(["modOpenURL:"], activation: .onFirstEvent)
    try modules.start()
    modules.trigger(.didBecomeActive)
    #expect(log.lines.isEmpty)
    modules.trigger(.openURL, OpenedURL(URL(string: "shop://cart")!))
    #expect(log.lines == ["init", "modOpenURL:"])
    #expect(log.calls.first?.contents.link.url?.absoluteString == "shop://cart")
  }

  @Test func `a record names an Objective-C class, and its attributes apply`() throws {
    let image = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_MODULE(ObjectiveCRecordModule, level(basic), after(AppHostTests.Nobody))
      """, name: "legacymodule")
    try image.open()
    defer { image.close() }
    var runtime = SimulatedObjectiveC()
    runtime.classes["ObjectiveCRecordModule"] = log.legacy(["modSetUp:"])
    let modules = ModuleManager(
      records: .records { $0.typeName == "ObjectiveCRecordModule" }, onDiagnostic: problems.handler)
    try runtime.run { try modules.start() }
    defer { modules.stop() }
    #expect(modules.moduleNames == ["ObjectiveCRecordModule"] && log.lines == ["init", "modSetUp:"])
    #expect(modules.image(of: "ObjectiveCRecordModule")?.name.contains("legacymodule") == true)
    #expect(problems.codes == [.unknownAfter] && problems.diagnostics[0].subject == "ObjectiveCRecordModule")
  }

  @Test func `an initializer that returns nil fails the start with the name of the class`() throws {
    let modules = manager()
    SimulatedObjectiveC(legacy: log.legacy(["modSetUp:"], makes: false)).run {
      _ = modules.register(named: "LegacyModule")
    }
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.description.contains("'-init' of the Objective-C class 'LegacyModule' returned nil") == true)
  }

  @Test func `a set-up that reports a failure fails the start with its error`() throws {
    struct NoDatabase: Error {}
    let modules = manager(["modSetUp:"]) { _, call in call.fail(NoDatabase()) }
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    guard error?.modules == ["LegacyModule"], error?.phase == "setUp", error?.underlying is NoDatabase else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `a handler that reports a failure is reported, and its answer is ignored`() throws {
    struct Offline: Error {}
    let modules = manager(["modOpenURL:"]) { _, call in
      call.give(true)
      call.fail(Offline())
    }
    try modules.start()
    #expect(!modules.trigger(.openURL, OpenedURL(URL(string: "shop://cart")!)))
    #expect(problems.codes == [.handlerFailed] && problems.diagnostics[0].message.contains("Offline"))
  }

  @Test func `a class without module methods is rejected, unless it adopts a module protocol`() throws {
    let modules = manager(["viewDidLoad"])
    #expect(problems.codes == [.notConforming] && problems.diagnostics[0].subject == "LegacyModule")
    #expect(problems.diagnostics[0].message.contains("no method of a module, such as '-modSetUp:'"))
    for name in ["REGModule", "BHModuleProtocol"] {
      let modules = manager()
      SimulatedObjectiveC(legacy: log.legacy([], adopted: [name: true])).run {
        #expect(modules.register(named: "LegacyModule"))
      }
      try modules.start()
      #expect(modules.moduleNames == ["LegacyModule"])
    }
    try modules.start()
    #expect(modules.moduleNames.isEmpty)
  }

  @Test func `without AppHost, an Objective-C class is an error that names AppHost`() throws {
    let modules = manager()
    ForeignModule.$adapter.withValue("AppHost.NotLinked") {
      SimulatedObjectiveC(legacy: log.legacy(["modSetUp:"])).run { #expect(!modules.register(named: "LegacyModule")) }
    }
    #expect(problems.codes == [.notConforming])
    #expect(
      problems.diagnostics[0].message.contains(
        "is written in Objective-C, so it can be a module only if the app links 'AppHost'"))
  }

  @Test func `a Swift class is found by its Objective-C name, and must be a Swift module`() throws {
    var runtime = SimulatedObjectiveC()
    runtime.classes["RenamedModule"] = SimulatedClass(RenamedModule.self, isSwift: true) { nil }
    runtime.classes["RenamedObject"] = SimulatedClass(LegacyObject.self, isSwift: true) { nil }
    let modules = manager()
    runtime.run {
      #expect(modules.register(named: "RenamedModule"))
      #expect(!modules.register(named: "RenamedObject"))
      #expect(!modules.register(named: "AbsentModule"))
    }
    try modules.start()
    #expect(modules.moduleNames == ["RenamedModule"])
    #expect(problems.codes == [.notConforming, .unknownClass])
    #expect(problems.diagnostics[0].message.contains("does not conform to 'Lifecycle.Module'"))
    #expect(problems.diagnostics[1].message.contains("contains an Objective-C class with this name"))
  }

  @Test func `a Swift class is one module, whichever of its two names is used first`() throws {
    var runtime = SimulatedObjectiveC()
    runtime.classes["RenamedModule"] = SimulatedClass(RenamedModule.self, isSwift: true) { nil }
    try runtime.run {
      for isSwiftFirst in [false, true] {
        let modules = manager()
        if isSwiftFirst { modules.register(RenamedModule.self) }
        #expect(modules.register(named: "RenamedModule") != isSwiftFirst)
        if !isSwiftFirst { modules.register(RenamedModule.self) }
        modules.require(modules: "AppHostTests.RenamedModule")
        try modules.start()
        #expect(modules.moduleNames == [isSwiftFirst ? "AppHostTests.RenamedModule" : "RenamedModule"])
        #expect(problems.codes.last == .duplicate && problems.diagnostics.count == (isSwiftFirst ? 2 : 1))
        #expect(problems.diagnostics.last?.message.contains("its class is already the module '") == true)
        // The method `unregisterModule:`, which receives a class, makes this call.
        #expect(modules.unregister(RenamedModule.self) && modules.moduleNames.isEmpty)
        modules.register(RenamedModule.self)
        #expect(modules.moduleNames == ["AppHostTests.RenamedModule"])
        modules.stop()
      }
    }
  }

  @Test func `the adapter for Objective-C classes is not a module without a class`() {
    let modules = manager()
    modules.register(ObjectiveCModule.self)
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    guard error?.modules == ["AppHost.ObjectiveCModule"], error?.phase == "init", error?.underlying is NoInstance else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `a manifest lists Objective-C classes as modules and services, as in BeeHive`() throws {
    var runtime = SimulatedObjectiveC(legacy: log.legacy(["modSetUp:"]))
    runtime.classes["LegacyService"] = SimulatedClass(LegacyPrinter.self) { LegacyPrinter() }
    runtime.protocols["LegacyPrinting"] = (any LegacyPrinting).self
    let modules = manager()
    try runtime.run {
      let manifest = try Manifest(
        data: JSONSerialization.data(withJSONObject: [
          "moduleClasses": [["moduleClass": "LegacyModule", "moduleLevel": 1]]
        ]), name: "BeeHive.json")
      let report = modules.load(manifest)
      #expect(report.modules == ["LegacyModule"] && report.problems.isEmpty, "\(report.problems)")
      try modules.start()
    }
    #expect(log.lines == ["init", "modSetUp:"])
    let services = try Manifest(
      data: JSONSerialization.data(withJSONObject: [["service": "LegacyPrinting", "impl": "LegacyService"]]),
      name: "BHService.json")
    try runtime.run { () throws in
      let report = modules.load(services)
      #expect(report.services.count == 1 && report.problems.isEmpty, "\(report.problems)")
      #expect(try modules.context.services.createService(for: LegacyPrinting.self).text == "printed")
    }
    #expect(problems.diagnostics.isEmpty)
  }
}

/// A Swift class that stands in for one with the Objective-C name RenamedModule.
private final class RenamedModule: Module {}

private protocol LegacyPrinting {
  var text: String { get }
}

private final class LegacyPrinter: LegacyPrinting, Sendable {
  let text = "printed"
}
