import Foundation
import Registry
import RegistryReports
import TestSupport
import Testing

protocol LateClock { func now() -> Int }

final class PluginClock: LateClock, NamedExport {
  init() {}
  func now() -> Int { 12 }
}

final class PluginMidnight: LateClock, NamedExport {
  init() {}
  func now() -> Int { 0 }
}

final class LateNamedClock: NamedClock, NamedExport {
  init() {}
  func now() -> Int { 99 }
}

private protocol TwinClock {}

/// A class that a C record exports for a protocol whose name two protocols share.
final class PluginTwin: TwinClock, NamedExport {
  init() {}
}

/// Returns whether a manager has a service for another protocol with the same name in records.
///
/// Names in records do not contain the context of private types.
private func asksForOther(_ services: ServiceManager) -> Bool {
  protocol TwinClock {}
  #expect(recordName(of: (any TwinClock).self) == "RegistryTests.TwinClock")
  return services.contains((any TwinClock).self)
}

/// Services of images that are loaded and unloaded.
///
/// The tests run one at a time, so that none observes another test's images.
@Suite(.serialized) struct LateImageTests {
  let problems = DiagnosticCollector()

  @Test func `a failed lookup finds an image that was opened since, and not a closed one`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(throws: ServiceError.self) { try services.createService(for: LateClock.self) }
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      """)
    try object.open()
    #expect(try services.createService(for: LateClock.self).now() == 12)
    let image = try #require(services.report().records.first { $0.attributes.contains("LateClock") }?.image)
    #expect(image.path == object.path)
    // In a scope, too, the services of images that were loaded later precede registered services.
    struct Midnight: LateClock { func now() -> Int { 0 } }
    try services.withTestScope { () throws in
      services.register(LateClock.self) { Midnight() }
      #expect(try services.createService(for: LateClock.self).now() == 12)
    }
    object.close()
    #expect(!services.contains(LateClock.self))
    try object.open()
    #expect(services.contains(LateClock.self))
  }

  @Test(.timeLimit(.minutes(20)))
  func `contributions of a library appear when it is opened, and leave when it is closed`() async throws {
    let point = ContributionPoint<[@convention(c) @Sendable (CInt) -> CInt]>("late.conversions", cType: "conversion")
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    services.contribute(to: point, priority: 1) { { $0 } }
    let table = ContributionPoint<[String: @convention(c) @Sendable (CInt) -> CInt]>("late.table", cType: "conversion")
    services.contribute(to: table, key: "a") { { $0 } }
    var lists = services.contributionChanges(to: point).makeAsyncIterator()
    #expect(await lists.next()?.map { $0(4) } == [4])
    let object = try SharedObject(
      """
      #include "registry_export.h"
      typedef int (*conversion)(int);
      static int square(int number) { return number * number; }
      static int cube(int number) { return number * number * number; }
      static int f10(int number) { return number + 10; }
      static int f9(int number) { return number + 9; }
      REGISTRY_CONTRIBUTE(late.table, conversion, cube, key(a), priority(1))
      REGISTRY_CONTRIBUTE(late.conversions, conversion, square)
      REGISTRY_CONTRIBUTE(late.conversions, conversion, f10)
      REGISTRY_CONTRIBUTE(late.conversions, conversion, f9)
      REGISTRY_CONTRIBUTE(late.conversions, conversion, cube, priority(2))
      """)
    for _ in 1...2 {
      let opened = try services.openImage(at: object.path)
      // Contributions with one priority are in the order of their names.
      #expect(await lists.next()?.map { $0(4) } == [64, 4, 13, 14, 16])
      #expect(try services.contributions(to: table)["a"]?(4) == 4)
      opened.close()
      #expect(await lists.next()?.map { $0(4) } == [4])
    }
    #expect(problems[.wrongContribution].isEmpty)
    let attempt = problems[.takeover].first { $0.subject.contains("late.table") }
    #expect(attempt?.message.hasSuffix(", although its priority is higher") == true)
    let path = object.path
    for isScanned in [true, false] {
      let other = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
      let opened = try other.openImage(at: path)
      // The image stays mapped, so a record that stays can be read.
      try object.open()
      if isScanned { _ = other.report() }
      opened.close()
      #expect(try other.contributions(to: point).isEmpty)
      object.close()
    }
  }

  @Test func `contributions of images that one lookup reads are in the order of the images`() throws {
    typealias Convert = @convention(c) @Sendable (CInt) -> CInt
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let opened = try [("zebra", 5), ("ant", 3)].map { name, number in
      let object = try SharedObject(
        """
        #include "registry_export.h"
        typedef int (*conversion)(int);
        static int \(name)(int number) { return number + \(number); }
        REGISTRY_CONTRIBUTE(late.order, conversion, \(name))
        """, name: name)
      return (object: object, image: try services.openImage(at: object.path))
    }
    let point = ContributionPoint<[Convert]>("late.order", cType: "conversion")
    #expect(try services.contributions(to: point).map { $0(0) } == [5, 3])
    for (_, image) in opened { image.close() }
    #expect(try services.contributions(to: point).isEmpty)
  }

  @Test func `a list takes no contribution of C code with a key, and a dictionary none without one`() throws {
    typealias Convert = @convention(c) @Sendable (CInt) -> CInt
    let object = try SharedObject(
      """
      #include "registry_export.h"
      typedef int (*conversion)(int);
      static int square(int number) { return number * number; }
      REGISTRY_CONTRIBUTE(late.list, conversion, square, key(a))
      REGISTRY_CONTRIBUTE(late.keyed, conversion, square)
      """, name: "keys")
    let services = ServiceManager(records: .images { $0.name == "libkeys.so" }, onDiagnostic: problems.handler)
    let opened = try services.openImage(at: object.path)
    defer { opened.close() }
    #expect(try services.contributions(to: ContributionPoint<[Convert]>("late.list", cType: "conversion")).isEmpty)
    let keyed = ContributionPoint<[String: Convert]>("late.keyed", cType: "conversion")
    #expect(try services.contributions(to: keyed).isEmpty)
    let wrong = problems[.wrongContribution].map(\.message)
    #expect(wrong.count == 2 && wrong.first?.contains(" and a key, but") == true)
    #expect(wrong.last?.contains(" and no key, but") == true && wrong.last?.contains(" and a key; it") == true)
  }

  @Test func `a lookup scans images once, although each scan would find another one`() throws {
    var records = RecordBytes()
    records.record(#"{"protocol":"Plugin\#(NumberedImages.placeholder).Service","class":"Nobody.Class"}"#)
    let images = try NumberedImages(5, records: records)
    let paths = images.paths
    let handles = Locked<[UInt]>([])
    @Sendable func open(_ path: String) {
      let handle = UInt(bitPattern: dlopen(path, RTLD_NOW))
      handles.withLock { $0.append(handle) }
    }
    let services = ServiceManager(
      records: .images { image in
        // The image that a scan finds makes the test open the next one.
        let count = handles.withLock { $0.count }
        if count > 0, count < paths.count, image.path == paths[count - 1] { open(paths[count]) }
        return false
      }, onDiagnostic: problems.handler)
    #expect(throws: ServiceError.self) { try services.createService(for: LateClock.self) }
    open(paths[0])
    for count in 2...3 {
      #expect(throws: ServiceError.self) { try services.createService(for: LateClock.self) }
      #expect(handles.withLock { $0.count } == count)
    }
    for handle in handles.withLock({ $0 }) { dlclose(UnsafeMutableRawPointer(bitPattern: handle)!) }
  }

  @Test func `closing an image removes a service of a C record, although another type shares its name`()
    throws
  {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.TwinClock, RegistryTests.PluginTwin)
      """, name: "twin")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    #expect(services.contains(TwinClock.self))
    #expect(!asksForOther(services))
    image.close()
    #expect(!services.contains(TwinClock.self))
    // The image that is opened again serves the same protocol.
    let again = try services.openImage(at: path)
    defer { again.close() }
    #expect(services.contains(TwinClock.self) && !asksForOther(services))
  }

  #if objectFormat(MachO)
  // dyld announces images without records, but the library ignores them.
  static let laterImages = ["REGISTRY_EXPORT_SERVICE(Late.Other, Late.OtherClass)"]
  #else
  static let laterImages = ["REGISTRY_EXPORT_SERVICE(Late.Other, Late.OtherClass)", "int without_records;"]
  #endif

  @Test(arguments: laterImages)
  func `an implementation whose class was missing serves after a later image is opened`(later: String) throws {
    let header = "#include \"registry_export.h\"\n"
    let object = try SharedObject(
      header + "REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, PluginClock)", name: "missing_class")
    try object.open()
    let services = ServiceManager(
      records: .records { $0.typeName == "PluginClock" }, onDiagnostic: problems.handler)
    let others = ServiceManager { _ in }
    others.register(service: "RegistryTests.LateClock", class: "PluginClock")
    // No image contains a class with this name in Objective-C.
    SimulatedObjectiveC().run {
      for services in [services, services, others] {
        #expect(throws: ServiceError.self) { try services.createService(for: LateClock.self) }
      }
    }
    #expect(problems.codes == [.unknownClass])
    let runtime = SimulatedObjectiveC([SimulatedClass(PluginClock.self) { PluginClock() }])
    let other = try SharedObject(header + later, name: "with_class")
    // A scope that is older than the image also finds the class.
    try others.withTestScope {
      try other.open()
      runtime.run { #expect(throws: Never.self) { try others.createService(for: LateClock.self) } }
    }
    runtime.run {
      for services in [services, others] {
        #expect(throws: Never.self) { try services.createService(for: LateClock.self) }
      }
    }
    #expect(problems.codes == [.unknownClass])
    #expect(services.report().diagnostics.map(\.code) == [.unknownClass])
    withExtendedLifetime((object, other)) {}
  }

  @Test func `malformed records are reported with image and offset, and the other records are served`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      #define BROKEN(id, name_size, payload, name, json) \\
        __attribute__((used, aligned(8), section(".note.registry"))) static const struct { \\
          uint32_t a, b, c; char n[12]; uint64_t f; char t[24]; } id = {name_size, payload, 0x73657276, name, 0, json};
      BROKEN(too_long, 9, 4000000000u, "Registry", "{}")
      BROKEN(not_json, 9, 32, "Registry", "{\\"protocol\\":")
      BROKEN(no_class, 9, 32, "Registry", "{\\"protocol\\":\\"P\\"}")
      BROKEN(version_two, 10, 32, "Registry2", "{}")
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      """, name: "broken")
    try object.open()
    let services = ServiceManager(
      records: .images { $0.name == "libbroken.so" }, onDiagnostic: problems.handler)
    #expect(try services.createServices(for: LateClock.self).count == 2)
    let malformed = problems[.malformedRecord]
    #expect(malformed.count == 3)
    #expect(malformed.allSatisfy { $0.image?.path == object.path && $0.subject.hasPrefix("record at offset ") })
    #expect(Set(malformed.map(\.subject)).count == 3)
    #expect(problems[.unsupportedVersion].count == 1)
    let (filtered, path) = (DiagnosticCollector(), object.path)
    for name in ["RegistryTests.LateClock", "none"] {
      let some = ServiceManager(
        records: .records { $0.image.path == path && $0.name == name }, onDiagnostic: filtered.handler)
      #expect(some.contains(LateClock.self) == (name != "none"))
      // A manager that selects no record of the image reports nothing about it.
      #expect(filtered[.malformedRecord].count == 1 && filtered[.unsupportedVersion].count == 1, "\(filtered.codes)")
    }
  }

  @Test func `a later image does not take precedence, and the attempt is reported with both images`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(try services.createService(for: NamedClock.self).now() == 9)
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.LateNamedClock, priority(99))
      """, name: "later")
    try object.open()
    // The list of a child makes its parent scan.
    let child = ServiceManager(parent: services)
    #expect(try child.createServices(for: NamedClock.self).map { $0.now() } == [9, 99])
    #expect(try services.createServices(for: NamedClock.self).map { $0.now() } == [9, 99])
    #expect(try services.createService(for: NamedClock.self).now() == 9)
    let attempt = try #require(problems[.takeover].first { $0.subject == "RegistryTests.NamedClock" })
    #expect(attempt.image?.path == object.path)
    #expect(attempt.message.contains("'RegistryTests.SystemClock' ("))
    #expect(
      attempt.message.hasSuffix(
        "; to replace it, export it with 'replaces:', or register it in code with 'replacing: true'"))
    services.register(NamedClock.self, replacing: true) { LateNamedClock() }
    #expect(try services.createService(for: NamedClock.self).now() == 99)
  }

  @Test func `an accessor that serves nothing, or another type than announced, is reported`() throws {
    let object = try SharedObject(
      SharedObject.badAccessors(kind: 0x7365_7276) + #"""

        RECORD(first, nothing, "{\"protocol\":\"P\",\"class\":\"Odd.Nothing\"}")
        RECORD(astray, (registry_accessor)(uintptr_t)16, "{\"protocol\":\"Int\",\"class\":\"Odd.Astray\"}")
        RECORD(beyond, (registry_accessor)(UINTPTR_MAX - 15), "{\"protocol\":\"Int\",\"class\":\"Odd.Beyond\"}")
        RECORD(second, liar, "{\"protocol\":\"Int\",\"class\":\"Odd.Liar\"}")
        """#, name: "odd")
    try object.open()
    let services = ServiceManager(records: .images { $0.name == "libodd.so" }, onDiagnostic: problems.handler)
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Int.self) }
    #expect(error?.code == .unusableService && error?.service == "Swift.Int")
    #expect(error?.diagnostics.map(\.code) == [.accessorRefused])
    #expect(error?.diagnostics.map(\.subject) == ["Odd.Liar"])
    #expect(problems[.unavailable].map(\.subject) == ["Odd.Nothing"])
    #expect(problems[.malformedRecord].map(\.image?.name) == ["libodd.so", "libodd.so"])
    // The image has accessors, so it stays loaded.
    object.close()
    #expect(services.report().records.count == 2)
  }

  @Test func `a contribution without an accessor, or without the build for its condition, is malformed`() throws {
    let object = try SharedObject(
      SharedObject.badAccessors(kind: RecordKind.contribution.rawValue) + #"""

        RECORD(first, 0, "{\"point\":\".menu\",\"handler\":\"A/A:1:1\"}")
        RECORD(second, nothing, "{\"point\":\".menu\",\"handler\":\"A/A:2:1\",\"when\":\"debug\"}")
        RECORD(third, liar, "{\"point\":\".menu\",\"handler\":\"A/A:3:1\"}")
        """#, name: "oddpoint")
    try object.open()
    let services = ServiceManager(records: .images { $0.name == "liboddpoint.so" }, onDiagnostic: problems.handler)
    #expect(try services.contributions(to: ContributionPoint<[Int]>("kitchen.menu")).isEmpty)
    #expect(problems.codes == [.malformedRecord, .malformedRecord, .accessorRefused])
    #expect(problems.diagnostics.first?.message.contains("has no accessor; contribute the value") == true)
    #expect(problems[.malformedRecord].last?.message.contains("missing member 'build'") == true)
    #expect(problems.diagnostics.last?.subject == "A/A:3:1")
  }

  @Test func `an exported optional is reported with its image`() throws {
    // The macro cannot see that a type alias is optional.
    let source =
      SharedObject.badAccessors(kind: RecordKind.service.rawValue)
      + SharedObject.goodAccessor { out, type, _ in
        guard let out, type == nil else { return false }
        let optional: Any.Type = Int?.self
        out.storeBytes(of: unsafeBitCast(optional, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
        return true
      } + #"RECORD(alias, good, "{\"protocol\":\"Alias\",\"class\":\"Odd.Alias\"}")"#
    let object = try SharedObject(source, name: "optional")
    try object.open()
    defer { object.close() }
    let services = ServiceManager(records: .images { $0.name == "liboptional.so" }, onDiagnostic: problems.handler)
    #expect(!services.contains(LateClock.self))
    #expect(problems.codes == [.optionalService] && problems.diagnostics.first?.image?.name == "liboptional.so")
  }

  @Test func `a report tells of groups whose names look alike`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(Late.Oven, Late.GasOven, group(late.kitchen))
      REGISTRY_EXPORT_SERVICE(Late.Oven, Late.GasOven, group(late.kitchem))
      """, name: "groups")
    try object.open()
    defer { object.close() }
    let report = ServiceManager { _ in }.report().description
    #expect(report.contains("'late.kitchem' and 'late.kitchen' are two groups; if"), "\(report)")
  }

  @Test func `eight threads look up, register, and override while images are opened and closed`() throws {
    // Only one of the threads opens and closes the object.
    nonisolated(unsafe) let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      """, name: "busy")
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let made = Counter()
    services.register(SharedGreeter.self, scope: .shared, replacing: true) {
      made.increment()
      return ActorGreeter()
    }
    onThreads(8) { worker in
      for round in 0..<100 {
        switch worker {
        case 0:
          try! object.open()
          _ = services.contains(LateClock.self)
          object.close()
        case 1:
          services.register(Greeter.self, named: "\(round)") { PoliteGreeter() }
          #expect(services.unregister(Greeter.self, named: "\(round)"))
        case 2:
          services.withOverrides {
            $0.override(SharedGreeter.self) { ActorGreeter() }
          } operation: {
            #expect(services.contains(SharedGreeter.self))
          }
        case 3:
          _ = try? services.createService(for: LateClock.self)
        default:
          #expect((try? services.createService(for: SharedGreeter.self))?.greet() == "hello from an actor")
          #expect((try? services.createService(for: Greeter.self))?.greet() == "good day")
        }
      }
    }
    #expect(made.value == 1)
  }
}
