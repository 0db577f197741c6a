import Foundation
import Registry
import RegistryReports
import TestSupport
import Testing

protocol WallClock: Sendable {
  func now() -> Int
}

/// A class that stands in for an Objective-C class that an extension makes conform.
final class LegacyClock: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

extension LegacyClock: WallClock {
  func now() -> Int { number }
}

/// A class that stands in for an Objective-C class without a conformance.
final class LegacyLamp: Sendable {}

/// A class that stands in for a Swift class with an Objective-C name, which the runtime can
/// instantiate.
final class RenamedClock: WallClock, NamedExport {
  init() {}
  func now() -> Int { 5 }
}

@Suite struct `Services of Objective-C` {
  private let problems = DiagnosticCollector()
  private let made = Counter()

  private func services() -> ServiceManager { ServiceManager(onDiagnostic: problems.handler) }

  private func clock(adopts: [String: Bool] = [:]) -> SimulatedClass {
    let made = made
    return SimulatedClass(LegacyClock.self, adopted: adopts) { LegacyClock(made.increment()) }
  }

  private static let service = "RegistryTests.WallClock"

  @Test func `An Objective-C class that a record names is instantiated with its initializer`() throws {
    let image = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.WallClock, LegacyClock)
      """, name: "legacy")
    try image.open()
    let services = ServiceManager(
      records: .records { $0.typeName == "LegacyClock" }, onDiagnostic: problems.handler)
    try SimulatedObjectiveC([clock()]).run { () throws in
      #expect(try services.createService(for: WallClock.self).now() == 1)
      #expect(try services.createService(for: WallClock.self).now() == 2)
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `Scopes and names apply as for all services`() throws {
    let services = services()
    services.register(service: Self.service, class: "LegacyClock", scope: .shared)
    services.register(service: Self.service, class: "LegacyClock", named: "new")
    try SimulatedObjectiveC([clock()]).run { () throws in
      let first = try services.createService(for: WallClock.self)
      #expect(try services.createService(for: WallClock.self).now() == first.now() && made.value == 1)
      #expect(try services.createService(for: WallClock.self, named: "new").now() == 2)
      #expect(try services.createServices(for: WallClock.self).count == 2 && services.contains(WallClock.self))
    }
  }

  @Test func `A class that does not adopt the Objective-C protocol is reported before it is instantiated`() throws {
    let services = services()
    services.register(service: Self.service, class: "LegacyClock")
    SimulatedObjectiveC([clock(adopts: [Self.service: false])]).run {
      #expect(throws: ServiceError.self) { try services.createService(for: WallClock.self) }
    }
    #expect(made.value == 0 && problems.codes == [.notConforming])
    #expect(
      problems.diagnostics[0].message
        == "the class is registered by name as an implementation of 'RegistryTests.WallClock', but the class does not"
        + " adopt that protocol; declare the conformance")
  }

  @Test func `A class is instantiated if it adopts the protocol, or if the protocol is unknown`() throws {
    for adopts in [[Self.service: true], [:]] {
      let services = services()
      services.register(service: Self.service, class: "LegacyClock")
      try SimulatedObjectiveC([clock(adopts: adopts)]).run { () throws in
        #expect(try services.createService(for: WallClock.self).now() > 0)
      }
    }
    let services = services()
    services.register(service: Self.service, class: "LegacyLamp")
    SimulatedObjectiveC([SimulatedClass(LegacyLamp.self) { LegacyLamp() }]).run {
      #expect(throws: ServiceError.self) { try services.createService(for: WallClock.self) }
    }
    #expect(problems.codes == [.notConforming] && problems.diagnostics[0].subject == "LegacyLamp")
  }

  @Test func `An initializer that returns nil is an error that names the class`() throws {
    let services = services()
    services.register(service: Self.service, class: "LegacyClock")
    SimulatedObjectiveC([SimulatedClass(LegacyClock.self) { nil }]).run {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: WallClock.self) }
      #expect(error?.description.contains("'-init' of the Objective-C class 'LegacyClock' returned nil") == true)
    }
  }

  @Test func `A Swift class is found by its Objective-C name, and is created as Swift classes are`() throws {
    let services = services()
    services.register(service: Self.service, class: "RenamedClock")
    try SimulatedObjectiveC([SimulatedClass(RenamedClock.self, isSwift: true) { nil }]).run { () throws in
      #expect(try services.createService(for: WallClock.self).now() == 5)
    }
    // A Swift class that does not conform to NamedExport is not instantiated, because it can lack
    // an initializer without arguments.
    let other = self.services()
    other.register(service: Self.service, class: "LegacyClock")
    SimulatedObjectiveC([SimulatedClass(LegacyClock.self, isSwift: true) { LegacyClock(1) }]).run {
      #expect(throws: ServiceError.self) { try other.createService(for: WallClock.self) }
    }
    #expect(problems.codes == [.notConforming])
    #expect(problems.diagnostics[0].message.contains("must conform to 'Registry.NamedExport'"))
  }

  @Test func `A class that Objective-C lacks is reported, and so is the absence of Objective-C`() throws {
    var runtime = SimulatedObjectiveC()
    for (isAvailable, words) in [
      (true, "contains an Objective-C class with this name"), (false, "which this system does not support"),
    ] {
      runtime.isAvailable = isAvailable
      let services = services()
      services.register(service: Self.service, class: "LegacyClock")
      runtime.run { #expect(throws: ServiceError.self) { try services.createService(for: WallClock.self) } }
      #expect(problems.diagnostics.last?.code == .unknownClass)
      #expect(problems.diagnostics.last?.message.contains(words) == true)
      #expect(problems.diagnostics.last?.message.contains("'Module.Class'") == true)
    }
  }

  @Test func `A report searches unused classes, and instantiates none`() throws {
    let services = services()
    services.register(service: Self.service, class: "LegacyClock")
    services.register(service: Self.service, class: "LegacyLamp")
    let diagnostics = SimulatedObjectiveC([clock()]).run { services.report().diagnostics }
    #expect(diagnostics.map(\.subject) == ["LegacyLamp"] && made.value == 0)
  }

  @Test func `A name that is not an identifier is not looked up`() {
    let runtime = SimulatedObjectiveC([clock()])
    runtime.run {
      for name in ["", "Legacy Clock", "LegacyClock\0", "5Clock", "-", String(repeating: "a", count: 1_001)] {
        #expect(ClassLookup.type(named: name) == nil && ClassLookup.existential(named: name) == nil)
      }
      #expect(ClassLookup.type(named: "LegacyClock") == LegacyClock.self)
    }
    // The system's runtime knows none of these names.
    #expect(ClassLookup.type(named: "LegacyClock") == nil && ClassLookup.existential(named: "WallClock") == nil)
  }

  @Test func `A name with a dollar sign is looked up in Objective-C and not in Swift`() {
    var runtime = SimulatedObjectiveC([], protocols: ["Shop$Clock": (any WallClock).self])
    runtime.classes["Shop$Clock"] = clock()
    runtime.classes["Shop.Legacy$Clock"] = clock()
    runtime.run {
      #expect(ClassLookup.type(named: "Shop$Clock") == LegacyClock.self)
      #expect(ClassLookup.existential(named: "Shop$Clock") == (any WallClock).self)
      #expect(ClassLookup.type(named: "Shop.Legacy$Clock") == nil && ClassLookup.type(named: "5$") == nil)
    }
  }

  @Test func `A service can be created by the name of its protocol or class`() throws {
    let services = services()
    services.register(WallClock.self, named: "new") { LegacyClock(7) }
    services.register(service: Self.service, class: "LegacyClock")
    let runtime = SimulatedObjectiveC([clock()], protocols: ["Clock": (any WallClock).self])
    try runtime.run { () throws in
      for name in ["Clock", Self.service] {
        let clock = try #require(try services.createService(protocolNamed: name) as? any WallClock)
        #expect(clock.now() > 0)
      }
      let new = try #require(try services.createService(protocolNamed: "Clock", named: "new") as? any WallClock)
      #expect(new.now() == 7)
      services.register(LegacyClock.self) { LegacyClock(3) }
      let legacy = try services.createService(protocolNamed: "RegistryTests.LegacyClock") as? LegacyClock
      #expect(legacy?.number == 3)
      for services in [services, ServiceManager(parent: services)] {
        let error = #expect(throws: ServiceError.self) {
          try services.createService(protocolNamed: "RegistryTests.WallClok")
        }
        #expect(error?.description.contains("; did you mean 'RegistryTests.WallClock'?") == true)
      }
    }
  }

  @Test func `A type that is imported from C or Objective-C has a name without a module in records`() {
    #expect(_typeName(timespec.self) == "__C.timespec" && recordName(of: timespec.self) == "timespec")
    #expect(recordName(of: LegacyClock.self) == "RegistryTests.LegacyClock")
  }
}
