import TestSupport
import Testing

@testable import Registry

private protocol Shelter: AnyObject, Sendable {
  var services: ServiceManager { get }
}

/// An instance that stores the manager that it receives.
private final class StoringShelter: Shelter {
  let services: ServiceManager
  private let freed: Counter?

  init(services: ServiceManager, freed: Counter? = nil) {
    self.services = services
    self.freed = freed
  }

  deinit { freed?.increment() }

  var gadget: any Gadget { __injected(in: services, "Shelter", "Shelter.swift:1:1") }
  var missing: (any Holder)? { __injectedIfPresent(in: services, "Shelter", "Shelter.swift:2:1") }
  var all: [any Gadget] { __injectedAll(in: services, "Shelter", "Shelter.swift:3:1") }
}

/// The manager that an initializer receives, as in the factory of an exported type.
@Suite struct OwnManagerTests {
  private let problems = DiagnosticCollector()

  private func manager(_ gadget: String, parent: ServiceManager? = nil) -> ServiceManager {
    let services = ServiceManager(parent: parent, onDiagnostic: problems.handler)
    services.register(Gadget.self, scope: .shared) { Widget(gadget) }
    return services
  }

  @Test func `a transient instance receives the manager that was asked, another one its owner`() throws {
    let parent = manager("parent")
    parent.register(Shelter.self) { StoringShelter(services: ServiceCore.creating.unretained) }
    for scope in [ServiceScope.shared, .weak, .cached("session")] {
      parent.register(Shelter.self, scope: scope, named: "\(scope)") {
        StoringShelter(services: ServiceCore.creating.unretained)
      }
    }
    let child = manager("child", parent: parent)
    for _ in 0..<2 {
      #expect(try child.createService(for: Shelter.self).services.gadget() == "child")
      #expect(try parent.createService(for: Shelter.self).services.gadget() == "parent")
    }
    for scope in [ServiceScope.shared, .weak, .cached("session")] {
      #expect(try child.createService(for: Shelter.self, named: "\(scope)").services.gadget() == "parent")
    }
    let gadgets = try child.createServices(for: Shelter.self).map { try $0.services.gadget() }
    #expect(gadgets.sorted() == ["child", "parent", "parent", "parent"])
  }

  @Test func `without a creation, and in the shared manager, it is the shared one`() throws {
    #expect(ServiceCore.creating.unretained.core === ServiceCore.shared)
    ServiceManager.shared.withTestScope {
      ServiceManager.shared.register(Shelter.self, scope: .shared) {
        StoringShelter(services: ServiceCore.creating.unretained)
      }
      let screen = try? ServiceManager.shared.createService(for: Shelter.self)
      #expect(screen?.services.core === ServiceCore.shared)
    }
  }

  @Test func `an instance finds the services of a test scope, and of overrides inside it`() throws {
    let services = manager("live")
    services.register(Shelter.self, scope: .shared) { StoringShelter(services: ServiceCore.creating.unretained) }
    try services.withTestScope {
      $0.override(Gadget.self) { Widget("scope") }
    } operation: { () throws in
      let screen = try services.createService(for: Shelter.self)
      #expect(try screen.services.gadget() == "scope")
      try services.withOverrides {
        $0.override(Gadget.self) { Widget("inner") }
      } operation: { () throws in
        #expect(try screen.services.gadget() == "inner")
      }
    }
    #expect(try services.createService(for: Shelter.self).services.gadget() == "live")
  }

  @Test func `an asynchronous lookup on another actor passes the manager`() async throws {
    let services = manager("own")
    services.register(Shelter.self) { @MainActor in StoringShelter(services: ServiceCore.creating.unretained) }
    let screen = try await Task.detached { try await services.service(for: Shelter.self) }.value
    #expect(try screen.services.gadget() == "own")
  }

  @Test func `the registrations of an owner are not passed on`() throws {
    let services = manager("own")
    services.register(Shelter.self) { StoringShelter(services: ServiceCore.creating.unretained) }
    var registrations: OwnedRegistrations?
    let handle = services.collecting(&registrations)
    let screen = try handle.createService(for: Shelter.self)
    screen.services.register(Holder.self) { Keeper(Widget("held")) }
    #expect(registrations?.count == 0 && services.contains(Holder.self))
  }

  @Test func `an instance that stores its manager does not keep it alive`() throws {
    let freed = Counter()
    var screen: (any Shelter)?
    do {
      let services = manager("own")
      services.register(Shelter.self, scope: .shared) {
        StoringShelter(services: ServiceCore.creating.unretained, freed: freed)
      }
      services.register(Shelter.self, named: "other") { StoringShelter(services: ServiceCore.creating.unretained) }
      #expect(try services.createService(for: Shelter.self).services.gadget() == "own")
      screen = try services.createService(for: Shelter.self, named: "other")
      #expect(try screen?.services.gadget() == "own")
    }
    #expect(freed.value == 1)
    let error = #expect(throws: ServiceError.self) { try screen?.services.createService(for: Gadget.self) }
    let message = """
      'RegistryTests.Gadget' cannot be looked up, because the manager was released, and the manager that an initializer \
      receives does not keep itself alive; keep the manager, or its module manager, as long as its services are in use \
      [no-service]
      """
    #expect(error?.description == message)
    let other = #expect(throws: ServiceError.self) { try screen?.services.contributions(to: .menu) }
    #expect(other?.service == #"ContributionPoint<[RegistryTests.Dish]>("kitchen.menu")"#)
  }

  #if DEBUG
  @Test func `a released manager reports optional properties and registrations`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      func handle() -> ServiceManager { ServiceManager().core.unretained }
      let screen = StoringShelter(services: handle())
      screen.services.register(Holder.self) { Keeper(Widget("held")) }
      #expect(screen.missing == nil)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("the optional service at Shelter.swift:2:1 cannot be created: "), "\(output)")
    #expect(output.contains("the registration is lost, because the manager of this handle was released"), "\(output)")
  }
  #endif

  @Test func `properties read the manager of their instance`() throws {
    let services = manager("own")
    let screen = StoringShelter(services: services)
    #expect(screen.gadget.name == "own" && screen.gadget === screen.gadget)
    #expect(screen.missing == nil && problems.diagnostics.isEmpty)
    #expect(screen.all.map(\.name) == ["own"])
    services.register(Holder.self) { throw FaultyError() }
    #expect(screen.missing == nil && problems.diagnostics.map(\.code) == [.unmetNeed])
  }

  private struct FaultyError: Error {}

  @Test func `a manager keeps one attachment`() {
    final class Attachment: Sendable {}
    let (one, other) = (manager("one").core, manager("other").core)
    let first = one.attachment { Attachment() }
    let (again, another) = (one.attachment { Attachment() }, other.attachment { Attachment() })
    #expect(again === first && another !== first)
  }
}

extension LateImageTests {
  @Test func `each manager of a group has its own instances, and others skip the records`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.LateNamedClock, group(document))
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock, scope(shared), group(document))
      REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.LateNamedClock, named(late), group(other))
      REGISTRY_NEEDS_SERVICE(RegistryTests.LateClock, group(document))
      """, name: "grouped")
    try object.open()
    defer { object.close() }
    let all = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(!all.contains(LateClock.self) && !all.contains(NamedClock.self, named: "late"))
    let image = ServiceManager(records: .images { $0.name == "libgrouped.so" }, onDiagnostic: problems.handler)
    #expect(!image.contains(LateClock.self))

    let document = ServiceManager(parent: all, records: .group("document"), onDiagnostic: problems.handler)
    #expect(try document.createService(for: LateClock.self).now() == 12)
    #expect(!document.contains(NamedClock.self, named: "late"))
    #expect(ServiceManager(records: .group("other")).contains(NamedClock.self, named: "late"))
    #expect(!ServiceManager(records: .group("others")).contains(NamedClock.self, named: "late"))

    let groups = ServiceManager(records: .records { $0.group == "document" })
    #expect(groups.contains(LateClock.self))
    let records = RecordSource.group("document").records()
    #expect(records.count == 3 && records.allSatisfy { $0.group == "document" })
    #expect(RecordSource.loadedImages.records().allSatisfy { $0.group == nil })
    #expect(!problems.diagnostics.contains { $0.image?.name == "libgrouped.so" })
    object.close()
    #expect(!document.contains(LateClock.self))
    let opened = try all.openImage(at: object.path)
    #expect(opened.records.count == 4)
    opened.close()
  }

  @Test func `records of C code state their subjects, their types, and their groups`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      typedef int (*conversion)(int);
      static int square(int number) { return number * number; }
      REGISTRY_CONTRIBUTE(late.grouped, conversion, square, priority(2), key(a), group(late.c))
      REGISTRY_EXPORT_MODULE(Late.Module, group(late.c))
      REGISTRY_NEEDS_SERVICE(Late.Clock, optional(no), group(late.c))
      """, name: "subjects")
    try object.open()
    defer { object.close() }
    let records = RecordSource.group("late.c").records()
    #expect(Set(records.map(\.name)) == ["late.grouped", "Late.Clock", nil])
    #expect(records.compactMap(\.typeName) == ["Late.Module"] && records.compactMap(\.handlerName) == ["square"])
    #expect(
      Set(records.map(\.attributes)) == [
        #"{"point":"late.grouped","type":"conversion","handler":"square","priority":2,"key":"a","group":"late.c"}"#,
        #"{"module":"Late.Module","group":"late.c"}"#, #"{"protocol":"Late.Clock","optional":false,"group":"late.c"}"#,
      ])
  }
}
