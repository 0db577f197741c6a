import TestSupport
import Testing

@testable import Registry

/// A service that counts its instances.
protocol Voucher: Sendable { var number: Int { get } }

private struct NumberedVoucher: Voucher {
  let number: Int
}

protocol Lamp: Sendable { var isOn: Bool { get } }

@ExportService(Lamp.self, scope: .shared)
final class DeskLamp: Lamp {
  var isOn: Bool { true }
}

/// A service without an implementation.
protocol Ghost: Sendable {}

@MainActor protocol MainLamp: Sendable { var isOn: Bool { get } }

@ExportService(MainLamp.self, scope: .shared)
@MainActor final class MainDeskLamp: MainLamp {
  let isOn = true
}

private final class Desk: Sendable {
  @Service var lamp: any Lamp
  @Service(named: "second") var second: any Voucher
  @Service var voucher: any Voucher
  @Service(cached: true) var cached: any Voucher
  @Service var ghost: (any Ghost)?
  @Service(cached: true) var cachedGhost: (any Ghost)?
  @Service static var shared: any Lamp
}

extension Desk {
  @Service fileprivate var another: any Lamp
}

private struct Shelf: Hashable {
  @Service var lamp: any Lamp
  @Service(cached: true) var voucher: any Voucher
  var name = ""
}

private enum Room {
  case only
  @Service var lamp: any Lamp
}

private actor Worker {
  @Service var lamp: any Lamp
  @Service(cached: true) var voucher: any Voucher
  func look() -> (Bool, Int, Int) { (lamp.isOn, voucher.number, voucher.number) }
}

private struct Cellar {
  @Service var lamp: any Lamp
  @Service var ghost: (any Ghost)?
  @Service var lamps: [any Lamp]
}

@MainActor private final class LampScreen {
  @Service var lamp: any MainLamp
}

#needs(Lamp.self, (any Voucher).self)
#needs(Voucher.self, named: "second", optional: true)
#needs(Ghost.self, optional: true)

@Suite(.timeLimit(.minutes(20))) struct InjectionTests {
  /// Runs a closure in which each voucher has the next number.
  private func withVouchers(_ operation: () throws -> Void) rethrows {
    let (first, second) = (Counter(), Counter())
    try ServiceManager.shared.withTestScope {
      $0.override(Voucher.self) { NumberedVoucher(number: first.increment()) }
      $0.override(Voucher.self, named: "second") { NumberedVoucher(number: 100 + second.increment()) }
    } operation: {
      try operation()
    }
  }

  @Test func `A property of each kind of type has the service`() async throws {
    let lamp = try ServiceManager.shared.createService(for: Lamp.self)
    for found in [Desk().lamp, Desk.shared, Desk().another, Shelf().lamp, Room.only.lamp] {
      #expect(found as AnyObject === lamp as AnyObject)
    }
    #expect(await LampScreen().lamp.isOn)
  }

  @Test func `A property looks its service up at each use, in the scope of its task`() {
    withVouchers {
      let desk = Desk()
      #expect([desk.voucher.number, desk.voucher.number] == [1, 2])
      #expect(desk.second.number == 101)
      ServiceManager.shared.withOverrides {
        $0.override(Voucher.self) { NumberedVoucher(number: 7) }
      } operation: {
        #expect(desk.voucher.number == 7)
      }
      #expect(desk.voucher.number == 3)
    }
  }

  @Test func `A cached property keeps its service, one for each instance of the type`() async {
    withVouchers {
      let (desk, other, shelf) = (Desk(), Desk(), Shelf())
      #expect([desk.cached.number, other.cached.number, desk.cached.number, shelf.voucher.number] == [1, 2, 1, 3])
      let copy = shelf
      #expect(copy.voucher.number == 3)
    }
    let counter = Counter()
    await ServiceManager.shared.withTestScope {
      $0.override(Voucher.self) { NumberedVoucher(number: counter.increment()) }
    } operation: {
      #expect(await Worker().look() == (true, 1, 1))
    }
  }

  @Test func `A cache does not change whether two values are equal`() {
    withVouchers {
      let (shelf, other) = (Shelf(name: "a"), Shelf(name: "a"))
      _ = shelf.voucher
      #expect(shelf == other && shelf.hashValue == other.hashValue && shelf != Shelf(name: "b"))
    }
  }

  @Test func `An optional property without an implementation is nil, and nothing is reported`() {
    let problems = DiagnosticCollector()
    ServiceManager.shared.withTestScope {
      ServiceManager.shared.onDiagnostic = problems.handler
      #expect(Desk().ghost == nil && Desk().cachedGhost == nil)
    }
    #expect(problems.diagnostics.isEmpty)
    // A cache keeps the first implementation, and not its absence.
    struct Spirit: Ghost {}
    let desk = Desk()
    ServiceManager.shared.withTestScope {
      #expect(desk.cachedGhost == nil)
      ServiceManager.shared.register(Ghost.self) { Spirit() }
      #expect(desk.cachedGhost is Spirit)
    }
    #expect(desk.cachedGhost is Spirit && desk.ghost == nil)
  }

  @Test func `An optional property whose service cannot be created is nil, and the error is reported`() throws {
    struct Broken: Error {}
    let problems = DiagnosticCollector()
    ServiceManager.shared.withTestScope {
      $0.override(Ghost.self) { throw Broken() }
    } operation: {
      ServiceManager.shared.onDiagnostic = problems.handler
      #expect(Desk().ghost == nil)
    }
    let problem = try #require(problems.diagnostics.first)
    #expect(problem.code == .unmetNeed && problem.subject == "RegistryTests.Desk")
    #expect(problem.message.hasPrefix("the optional service at RegistryTests/InjectionTests.swift:"))
    #expect(problem.message.contains("Broken()"))
  }

  @Test func `In a strict test scope, a property has the live service, and the scope reports it`() throws {
    let reported = Locked<[ServiceError]>([])
    let live = try ServiceManager.shared.createService(for: Lamp.self)
    let policy = TestScopePolicy.strict.onLiveService { error in reported.withLock { $0.append(error) } }
    ServiceManager.shared.withTestScope(policy) {
      let lamp = Desk().lamp
      #expect(lamp is DeskLamp && lamp as AnyObject !== live as AnyObject, "it is an instance of the scope")
      #expect(Desk().ghost == nil)
    }
    let errors = reported.withLock { $0 }
    #expect(errors.count == 2)
    #expect(errors.first?.code == .liveService && errors.first?.service == "RegistryTests.Lamp")
    #expect(errors.first?.description.contains("allow 'RegistryTests.DeskLamp'") == true, "\(errors)")
  }

  @Test func `In a strict test scope without a handler, properties report the services that it withholds`() {
    let problems = DiagnosticCollector()
    ServiceManager.shared.withTestScope(.strict) {
      ServiceManager.shared.onDiagnostic = problems.handler
      let cellar = Cellar()
      #expect(cellar.lamp is DeskLamp && cellar.ghost == nil && cellar.lamps.isEmpty)
    }
    #expect(problems.diagnostics.allSatisfy { $0.code == .unmetNeed && $0.subject == "RegistryTests.Cellar" })
    let messages = problems.diagnostics.map(\.message)
    #expect(messages.allSatisfy { $0.contains("is neither overridden nor allowed in a strict test scope") })
    #expect(messages.count == 3 && messages.first?.hasPrefix("the test scope's service at RegistryTests/") == true)
  }

  private struct Gallery {
    let services: ServiceManager
    @Service(in: \Gallery.services) var holder: any Holder
    @Service(in: \Gallery.services) var holders: [any Holder]
  }

  @Test(arguments: [false, true])
  func `In a strict test scope, the service of a property can need another live service`(isAllowed: Bool) {
    let (shop, withheld) = (GadgetShop(), Withheld())
    let gallery = Gallery(services: shop.services)
    shop.services.withTestScope(.strict.onLiveService(withheld.handler)) {
      if isAllowed { $0.allowLive(Holder.self) }
    } operation: {
      #expect(gallery.holders.isEmpty)
      #expect(gallery.holder.held.name == "live 1")
    }
    // Without the permission, both services are withheld.
    #expect(withheld.messages.count == (isAllowed ? 1 : 2))
  }

  @Test func `In a strict test scope, the live service of a property gets the services that the test registers`() {
    let (shop, withheld) = (GadgetShop(), Withheld())
    let gallery = Gallery(services: shop.services)
    shop.services.withTestScope(.strict.onLiveService(withheld.handler)) {
      shop.services.register(Gadget.self) { Widget("given") }
      #expect(gallery.holder.held.name == "given")
    }
    #expect(shop.made.value == 0)
  }

  @Test func `In a strict test scope, a live service that needs a withheld one gets what the test registers`() throws {
    let (services, withheld) = (ServiceManager(), Withheld())
    services.register(Voucher.self) { NumberedVoucher(number: 1) }
    services.register(Gadget.self) { Widget("live") }
    services.register(Holder.self) { [weak core = services.core] in
      let services = ServiceManager(core!)
      let number = try services.createService(for: Voucher.self).number
      let names = try services.createServices(for: Gadget.self).map(\.name) + [services.gadget()]
      return Keeper(Widget("\(number) \(names)"))
    }
    let gallery = Gallery(services: services)
    services.withTestScope(.strict.onLiveService(withheld.handler)) {
      services.onDiagnostic = { _ in }
      services.register(Gadget.self) { Widget("given") }
      #expect(gallery.holder.held.name == #"1 ["given", "given"]"#)
    }
    #expect(withheld.messages.count == 2)
    services.withTestScope(.strict.onLiveService { _ in }) {
      #expect(gallery.holder.held.name == #"1 ["live", "live"]"#)
    }
  }

  private struct Annex {
    let services: ServiceManager
    @Service(in: \Annex.services) var lamp: any Lamp
  }

  @Test func `A child's property reports a service that its parent's scope withholds only to the scope's handler`() {
    let problems = DiagnosticCollector()
    let reported = Locked(0)
    let child = ServiceManager(parent: .shared, onDiagnostic: problems.handler)
    ServiceManager.shared.withTestScope(.strict.onLiveService { _ in reported.withLock { $0 += 1 } }) {
      #expect(Annex(services: child).lamp is DeskLamp)
    }
    #expect(reported.withLock { $0 } == 1 && problems.diagnostics.isEmpty)
  }

  @Test func `Threads that fill a cache at once all get the same service`() async {
    let counter = Counter()
    await ServiceManager.shared.withTestScope {
      $0.override(Voucher.self) { NumberedVoucher(number: counter.increment()) }
    } operation: {
      let desk = Desk()
      let numbers = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { desk.cached.number } }
        return await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(numbers.count == 1)
    }
  }

  // MARK: - Records

  private func needs(of dependent: String) throws -> [Need] {
    let own = RecordSource.records { $0.kind == .need && $0.attributes.contains("RegistryTests/InjectionTests") }
    return try own.records().map { try Need($0) }.filter { $0.dependent == "RegistryTests.\(dependent)" }
  }

  @Test func `Each property has a record with its type, its name, and its location`() throws {
    let needs = try needs(of: "Desk")
    #expect(
      needs.map(\.target).sorted() == ["Ghost", "Ghost", "Lamp", "Lamp", "Lamp", "Voucher", "Voucher", "Voucher"])
    #expect(needs.filter(\.isOptional).map(\.target) == ["Ghost", "Ghost"])
    #expect(needs.compactMap(\.name) == ["second"])
    #expect(needs.allSatisfy { $0.location?.hasPrefix("RegistryTests/InjectionTests.swift:") == true })
    #expect(needs.contains { $0.record.servedType == (any Lamp).self })
    #expect(needs.allSatisfy { $0.dependentForDisplay.hasPrefix("'RegistryTests.Desk' (RegistryTests/Inj") })
  }

  @Test func `A need is satisfied by an implementation that can be used`() throws {
    let needs = try needs(of: "Desk")
    let services = ServiceManager(onDiagnostic: { _ in })
    let lamp = try #require(needs.first { $0.target == "Lamp" })
    let problem = try #require(services.problem(of: lamp))
    #expect(problem.code == .unmetNeed && problem.severity == .error && problem.subject == "RegistryTests.Lamp")
    #expect(problem.message.hasPrefix("needed by 'RegistryTests.Desk' (RegistryTests/InjectionTests.swift:"))
    #expect(problem.message.contains("but no implementation of 'RegistryTests.Lamp' was found"))
    services.register(Lamp.self) { DeskLamp() }
    #expect(services.problem(of: lamp) == nil)
    let second = try #require(needs.first { $0.name == "second" })
    services.register(Voucher.self) { NumberedVoucher(number: 1) }
    #expect(
      services.problem(of: second)?.message.contains("no implementation of 'RegistryTests.Voucher' without") == false)
    services.register(Voucher.self, named: "second") { NumberedVoucher(number: 2) }
    #expect(services.problem(of: second) == nil)
  }

  @Test func `C code states needs by the name of the protocol or the class`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_NEEDS_SERVICE(RegistryTests.Lamp)
      REGISTRY_NEEDS_SERVICE(RegistryTests.Lamp, named(second), optional(yes))
      REGISTRY_NEEDS_SERVICE(RegistryTests.NoSuchProtocol)
      REGISTRY_NEEDS_SERVICE(RegistryTests.DeskLamp)
      """)
    try object.open()
    defer { object.close() }
    let path = object.path
    let needs = try RecordSource.records { $0.kind == .need && $0.image.path == path }.records().map { try Need($0) }
    try #require(needs.count == 4)
    let sorted = needs.sorted { ($0.target, $0.name ?? "") < ($1.target, $1.name ?? "") }
    #expect(
      sorted.map(\.name) == [nil, nil, "second", nil] && sorted.map(\.isOptional) == [false, false, true, false])
    #expect(sorted[1].dependentForDisplay.hasPrefix("a record of C code (record at offset "))
    let services = ServiceManager(onDiagnostic: { _ in })
    services.register(DeskLamp.self) { DeskLamp() }
    services.register(Lamp.self) { DeskLamp() }
    #expect(services.problem(of: sorted[0]) == nil && services.problem(of: sorted[1]) == nil)
    #expect(services.problem(of: sorted[2])?.code == .unmetNeed)
    #expect(services.problem(of: sorted[3])?.message.contains("no loaded image declares a protocol") == true)
  }

  @Test(arguments: [
    "{}", #"{"protocol":""}"#, #"{"protocol":"A","route":".b"}"#, #"{"protocol":1}"#, #"{"protocol":"A","optional":1}"#,
  ])
  func `A need without exactly one subject is malformed`(_ json: String) throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports", "\(json.replacing("\"", with: "\\\""))")
      """)
    try object.open()
    defer { object.close() }
    let path = object.path
    let record = try #require(RecordSource.records { $0.image.path == path }.records().first)
    #expect(throws: JSONError.self) { try Need(record) }
  }
}
