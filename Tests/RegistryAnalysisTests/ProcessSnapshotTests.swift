import Foundation
import Lifecycle
import Registry
import RegistryAnalysis
import Routing
import TestSupport
import Testing

@MainActor @Suite struct ProcessSnapshotTests {
  private final class First: Module {
    static func subscribe(_ events: Subscriptions<First>) {
      events.on(.snapshotEvent) { _, _, _ in }
    }
  }
  private final class Second: Module {}

  @Test func `A snapshot of a process has modules with states, services, and handlers in order`() throws {
    let services = ServiceManager(records: .none)
    services.register(SnapshotService.self, scope: .shared) { SnapshotImplementation() }
    services.register(SnapshotService.self, named: "other", priority: 2) { SnapshotImplementation() }
    let modules = ModuleManager(services: services, records: .none)
    modules.register(named: "Z.First") { First() }
    modules.register(named: "A.Second", after: ["Z.First"]) { Second() }
    modules.on(.snapshotEvent, priority: 5) { _, _ in }
    #expect(modules.snapshot().processes[0].modules.map(\.state) == ["known", "known"])
    try modules.start()
    defer { modules.stop() }
    let snapshot = modules.snapshot()
    let process = try #require(snapshot.processes.first)
    #expect(snapshot.origin == .process && snapshot.processes.count == 1 && !process.name.isEmpty)
    #expect(process.modules.map(\.name) == ["Z.First", "A.Second"])
    #expect(process.modules.map(\.position) == [1, 2] && process.modules[1].after == ["Z.First"])
    #expect(process.modules.map(\.state) == ["setUp", "setUp"])
    #expect(process.modules[0].location?.contains("ProcessSnapshotTests.swift") == true)

    let entries = process.entries
    #expect(entries.filter { $0.kind == .service }.map(\.name) == [nil, "other"])
    #expect(entries.filter { $0.kind == .service }.allSatisfy { $0.key == "RegistryAnalysisTests.SnapshotService" })
    #expect(entries.filter { $0.kind == .service }.map(\.scope) == ["shared", "transient"])
    #expect(entries.allSatisfy { $0.kind != .service || $0.feature == "RegistryAnalysisTests" })
    #expect(entries.allSatisfy { $0.kind != .service || $0.provider == $0.location })
    let handlers = entries.filter { $0.kind == .event && $0.key == "snapshot.event" }
    #expect(handlers.map(\.rank) == [1, 2] && handlers.map(\.priority) == [5, 0])
    #expect(handlers.map(\.feature) == ["RegistryAnalysisTests", "Z"])
    #expect(handlers.map(\.type) == ["Swift.Int → ()", "Swift.Int → ()"])
    #expect(try RegistrySnapshot(json: snapshot.json()) == snapshot)
  }

  @Test func `Contributions by code have their source location`() throws {
    let services = ServiceManager(records: .none)
    services.contribute(to: .snapshotPoint, fileID: "Parts/Rim.swift", line: 12) { 2 }
    let entries = ModuleManager(services: services, records: .none).snapshot().processes[0].entries
    #expect(entries.map(\.provider) == ["Parts/Rim.swift:12"] && entries.map(\.feature) == ["Parts"])
    #expect(entries.map(\.location) == ["Parts/Rim.swift:12"])
  }

  @Test func `A keyed point selects the first contribution with a key, and a list all that apply`() throws {
    let parent = ServiceManager(records: .none)
    parent.contribute(to: .snapshotKeys, key: "save", priority: 9, fileID: "A/A.swift", line: 1) { 1 }
    let services = ServiceManager(parent: parent, records: .none)
    services.contribute(to: .snapshotKeys, key: "save", fileID: "B/B.swift", line: 2) { 2 }
    services.contribute(to: .snapshotKeys, key: "save", priority: 5, fileID: "C/C.swift", line: 3) { 3 }
    services.contribute(to: .snapshotKeys, key: "open", fileID: "D/D.swift", line: 4) { 4 }
    let entries = ModuleManager(services: services, records: .none).snapshot().processes[0].entries
    #expect(entries.map(\.provider) == ["C/C.swift:3", "B/B.swift:2", "D/D.swift:4", "A/A.swift:1"])
    #expect(entries.map(\.isSelected) == [true, false, true, false])
  }

  @Test func `Contributions that only a lookup adds to their point are in the snapshot, too`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      typedef int (*conversion)(int);
      static int square(int value) { return value * value; }
      REGISTRY_CONTRIBUTE(snapshot.conversions, conversion, square, priority(2))
      """)
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path })
    let image = try services.openImage(at: path)
    defer { image.close() }
    let entries = ModuleManager(services: services, records: .none).snapshot().processes[0].entries
    let point = try #require(entries.first { $0.key == "snapshot.conversions" })
    #expect(point.kind == .point && point.provider == "square" && point.priority == 2 && point.image != nil)
  }

  @Test func `Images with one name have their paths as names`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(A.P, A.C)"
    let objects = try (0..<2).map { _ in try SharedObject(source, name: "twin") }
    let paths = objects.map(\.path)
    for object in objects { try object.open() }
    defer { for object in objects { object.close() } }
    let (records, problems) = (RecordSource.images { paths.contains($0.path) }, DiagnosticCollector())
    let services = ServiceManager(records: records, onDiagnostic: problems.handler)
    let modules = ModuleManager(services: services, records: records, onDiagnostic: problems.handler)
    let images = modules.snapshot().processes[0].images
    #expect(images.map(\.name) == images.map(\.path) && Set(images.map(\.path)) == Set(paths))
  }

  @Test func `Routes have patterns and types, whether records or code export them`() throws {
    let services = ServiceManager(records: .images { _ in true }, onDiagnostic: DiagnosticCollector().handler)
    let modules = ModuleManager(services: services, records: .none)
    func routes() throws -> [RegistrySnapshot.Entry] {
      try #require(modules.snapshot().processes.first).entries
        .filter { $0.key.hasPrefix("snapshot.") && $0.kind == .route }
    }
    // Nothing creates the router, so that an app with another one receives no diagnostics of this one.
    let before = try routes()
    #expect(before.map(\.key) == ["snapshot.item", "snapshot.item"] && services.core.attached.withLock { $0 } == nil)
    services.router.register(.snapshotItem) { _ in "code" }
    services.router.register(.snapshotCode) { "code" }
    let found = try routes()
    #expect(found.map(\.key) == ["snapshot.code", "snapshot.item", "snapshot.item", "snapshot.item"])
    #expect(found.map(\.rank) == [1, 1, 2, 3] && found.map(\.isSelected) == [true, true, false, false])
    #expect(found.map(\.access?.origin) == ["local", "remote", "remote", "remote"])
    #expect(found[0].access?.patterns == [])
    #expect(found[1...].allSatisfy { $0.access?.patterns == ["snapshot://item/:id", "snapshot://i/:id"] })
    #expect(found[0].type == "() → Swift.String")
    // The address of a private type's context differs in each process.
    #expect(found[1].type == "RegistryAnalysisTests.Item → Swift.String")
    #expect(found.map { $0.image == nil } == [true, false, false, true])
    let here = "RegistryAnalysisTests/ProcessSnapshotTests.swift:"
    #expect(found.allSatisfy { $0.location?.hasPrefix(here) == true } && found[0].feature == "RegistryAnalysisTests")
  }

  @Test func `Routes of another actor are as the source spells them, and problems of routes are included`() throws {
    let collector = DiagnosticCollector()
    let records = RecordSource.records { $0.group == nil || $0.group == "snapshot" }
    let services = ServiceManager(records: records, onDiagnostic: collector.handler)
    let snapshot = ModuleManager(services: services, records: .none).snapshot()
    let process = try #require(snapshot.processes.first)
    let other = try #require(process.entries.first { $0.key == ".snapshotElsewhere" })
    #expect(other.kind == .route && other.type == nil && other.access == nil && other.isSelected)
    let action = try #require(process.entries.first { $0.kind == .action && $0.key == "snapshot.act" })
    #expect(action.type == "() → Swift.Int" && action.access == .init(origin: "remote", patterns: []))
    let need = try #require(process.needs.first { $0.kind == .route })
    #expect(need.key == "snapshot.item" && need.providers == ["RegistryAnalysisTests"])
    let codes = snapshot.problems.filter { $0.subject?.contains("ProcessSnapshotTests.swift") == true }.map(\.code)
    #expect(codes == ["duplicate"])
    #expect(!collector.diagnostics.contains { $0.code == "duplicate" })
  }

  @Test func `Each snapshot has each problem of the manager's router once`() {
    let services = ServiceManager(records: .none, onDiagnostic: DiagnosticCollector().handler)
    for id in ["snapshot.a", "snapshot.b", "snapshot.a"] {
      services.router.register(Route<Void, Void>(id, [#pattern("snapshot://same")])) {}
    }
    let modules = ModuleManager(services: services, records: .none)
    for _ in 1...2 {
      #expect(modules.snapshot().problems.map(\.code).sorted() == ["ambiguous-route", "duplicate"])
    }
  }

  @Test func `Modules in a cycle, and those that wait for one, follow without a position`() throws {
    let modules = ModuleManager(records: .none, onDiagnostic: DiagnosticCollector().handler)
    modules.register(named: "C.Waits", after: ["B.Two"]) { Second() }
    modules.register(named: "B.Two", after: ["A.One"]) { Second() }
    modules.register(named: "A.One", after: ["B.Two"]) { Second() }
    modules.register(named: "D.Free", level: .basic, priority: 4, activation: .onFirstEvent) { Second() }
    let found = modules.snapshot().processes[0].modules
    #expect(found.map(\.name) == ["D.Free", "A.One", "B.Two", "C.Waits"])
    #expect(found.map(\.position) == [1, nil, nil, nil] && found[1].after == ["B.Two"])
    #expect(found[..<2].map(\.level) == ["basic", "normal"] && found[..<2].map(\.priority) == [4, 0])
    #expect(found[..<2].map(\.activation) == ["onFirstEvent", "atLaunch"])
    #expect(throws: ModuleError.self) { try modules.start() }
    #expect(modules.snapshot().processes[0].modules.map(\.position) == [1, nil, nil, nil])
  }

  @Test func `Only the type that a need states satisfies it, unless its condition does not hold`() throws {
    let process = try #require(
      ModuleManager(records: .images { _ in true }).snapshot().processes.first)
    func need(_ key: String) throws -> RegistrySnapshot.Need {
      try #require(process.needs.first { $0.key == "RegistryAnalysisTests.\(key)" }, "\(process.needs.map(\.key))")
    }
    #expect(try need("SnapshotAPI.Twin").providers == [])
    #expect(try need("SnapshotFlagged").providers == [])
    let flagged = process.entries.filter { $0.condition == "flag(snapshot)" }
    #expect(flagged.map(\.kind) == [.service, .point] && flagged.map(\.isSelected) == [false, false])
  }

  @Test func `Exported modules have their image, location, and what only afterNeeds adds`() throws {
    let modules = ModuleManager(
      services: ServiceManager(records: .none), records: .records { $0.group == "snapshotModules" })
    let found = try #require(modules.snapshot().processes.first).modules
    let last = try #require(found.last)
    #expect(last.name == "RegistryAnalysisTests.SnapshotLast" && last.image != nil && last.position == 3)
    #expect(last.location?.hasPrefix("RegistryAnalysisTests/ProcessSnapshotTests.swift:") == true)
    #expect(last.after == ["RegistryAnalysisTests.SnapshotFirst"])
    #expect(last.afterNeeds == ["RegistryAnalysisTests.SnapshotNeeded"])
  }

  @Test func `Only a module with the type or the complete name satisfies a need for a module`() {
    func manager() -> ModuleManager {
      let needs = RecordSource.records { $0.group == "snapshotModules" && $0.kind == .need }
      return ModuleManager(services: ServiceManager(records: .none), records: needs)
    }
    func needs(_ modules: ModuleManager) -> [String] {
      modules.snapshot().processes[0].needs.filter { $0.kind == .module }.map { "\($0.key) \($0.providers)" }
    }
    let (type, name) = ("RegistryAnalysisTests.SnapshotNeeded", "SnapshotNeeded")
    let modules = manager()
    modules.register(named: "Account.SnapshotNeeded") { Second() }
    #expect(needs(modules) == ["\(type) []", "\(name) []"])
    modules.register(SnapshotNeeded.self)
    #expect(needs(modules) == ["\(type) [\"RegistryAnalysisTests\"]", "\(name) []"])
    modules.register(named: name) { Second() }
    #expect(needs(modules) == ["\(type) [\"RegistryAnalysisTests\"]", "\(name) [\"\(name)\"]"])
    // A module can have another name than its type.
    let named = manager()
    named.register(named: "Cart.Needed") { SnapshotNeeded() }
    #expect(needs(named) == ["Cart.Needed [\"Cart\"]", "\(name) []"])
  }

  @Test func `A contribution of another actor is used only if its condition holds`() throws {
    for flags in [[], [ServiceCondition.flag("snapshotFar")]] {
      let services = ServiceManager(
        records: .records { $0.group == "snapshotModules" }, onDiagnostic: DiagnosticCollector().handler)
      services.conditions = Set(flags)
      let process = ModuleManager(services: services, records: .none).snapshot().processes[0]
      let point = try #require(process.entries.first { $0.key == ".snapshotFar" })
      #expect(point.condition == "flag(snapshotFar)" && point.isSelected == !flags.isEmpty)
      let need = try #require(process.needs.first { $0.kind == .point })
      #expect(need.providers == (flags.isEmpty ? [] : ["RegistryAnalysisTests"]))
    }
  }

  @Test func `In a test scope, a snapshot has what the scope registers`() {
    let services = ServiceManager(records: .none)
    let modules = ModuleManager(services: services, records: .none)
    func kinds() -> [RegistrySnapshot.Kind] { modules.snapshot().processes[0].entries.map(\.kind) }
    services.withTestScope {
      services.register(SnapshotService.self) { SnapshotImplementation() }
      services.contribute(to: .snapshotPoint) { 2 }
      #expect(kinds() == [.service, .point])
    }
    #expect(kinds() == [])
  }

  @Test func `A child's implementation precedes those of its parent`() throws {
    let parent = ServiceManager(records: .none)
    parent.register(SnapshotService.self, priority: 9) { SnapshotImplementation() }
    let child = ServiceManager(parent: parent, records: .none)
    child.register(SnapshotService.self) { SnapshotImplementation() }
    let entries = ModuleManager(services: child, records: .none).snapshot().processes[0].entries
    #expect(entries.map(\.priority) == [0, 9] && entries.map(\.isSelected) == [true, false])
    #expect(entries.map(\.rank) == [1, 2])
  }

  @Test func `Exported contributions, handlers, and needs have their source locations`() throws {
    let modules = ModuleManager(records: .images { _ in true })
    let process = try #require(modules.snapshot().processes.first)
    let here = "RegistryAnalysisTests/ProcessSnapshotTests.swift:"
    func entry(_ kind: RegistrySnapshot.Kind, _ key: String) throws -> RegistrySnapshot.Entry {
      try #require(process.entries.first { $0.kind == kind && $0.key == key }, "\(process.entries.map(\.key))")
    }
    let service = try entry(.service, "RegistryAnalysisTests.SnapshotService")
    #expect(service.provider == "RegistryAnalysisTests.SnapshotImplementation" && service.isSelected)
    #expect(service.location?.hasPrefix(here) == true && service.image != nil)
    let handler = try entry(.event, "snapshot.event")
    #expect(handler.location?.hasPrefix(here) == true && handler.priority == 3)
    let point = try entry(.point, "snapshot.point")
    #expect(point.location?.hasPrefix(here) == true && point.type == "Swift.Int" && point.isSelected)
    let read = try #require(process.needs.first { $0.key == "snapshot.point" })
    #expect(read.kind == .point && read.providers == ["RegistryAnalysisTests"])
    let need = try #require(process.needs.first { $0.key.hasSuffix(".SnapshotService") })
    #expect(need.key == "RegistryAnalysisTests.SnapshotService" && need.providers == ["RegistryAnalysisTests"])
    #expect(need.location?.hasPrefix(here) == true && need.isOptional)
    let image = try #require(process.images.first { $0.name == service.image })
    #expect(image.records >= 9)
  }
}

protocol SnapshotService: AnyObject, Sendable {}

@ExportService((any SnapshotService).self)
final class SnapshotImplementation: SnapshotService {}

extension Event where Payload == Int, Outcome == Void {
  static var snapshotEvent: Self { .init("snapshot.event") }
}

#onEvent(.snapshotEvent, priority: 3) { _, _ in }

extension ContributionPoint<[String: Int]> {
  nonisolated static var snapshotKeys: Self { .init("snapshot.keys") }
}

extension ContributionPoint<[Int]> {
  nonisolated static var snapshotPoint: Self { .init("snapshot.point") }
}

#contribute(.snapshotPoint) { 1 }
#contribute(.snapshotPoint, priority: -1, when: .flag("snapshot")) { 2 }

#needs((any SnapshotService).self, optional: true)
#needs(contributions: .snapshotPoint)

private struct Item: Codable, Sendable { var id: Int }

extension Route where Parameters == Item, Outcome == String {
  fileprivate static var snapshotItem: Self {
    .init("snapshot.item", [#pattern("snapshot://item/:id"), #pattern("snapshot://i/:id")], access: .remote)
  }
}

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var snapshotCode: Self { .init("snapshot.code") }
  @SnapshotActor fileprivate static var snapshotElsewhere: Self { .init("snapshot.elsewhere") }
}

@globalActor actor SnapshotActor { static let shared = SnapshotActor() }

@ExportModule(group: "snapshotModules") final class SnapshotFirst: Module {}
@ExportModule(group: "snapshotModules") final class SnapshotNeeded: Module {}
@ExportModule(priority: 9, after: [SnapshotFirst.self], afterNeeds: true, group: "snapshotModules")
final class SnapshotLast: Module {}
#needs(module: SnapshotNeeded.self, group: "snapshotModules")
#needs(module: "SnapshotNeeded", optional: true, group: "snapshotModules")

extension ContributionPoint<[Int]> {
  @SnapshotActor fileprivate static var snapshotFar: Self { .init("snapshot.far") }
}

@SnapshotActor enum SnapshotFar {
  #contribute(.snapshotFar, when: .flag("snapshotFar"), group: "snapshotModules") { 1 }
  #needs(contributions: .snapshotFar, group: "snapshotModules")
}

#exportRoute(.snapshotItem) { _ in "record" }
#exportRoute(.snapshotItem) { _ in "another record" }
@SnapshotActor enum SnapshotElsewhere {
  // In a group, because routers that can't read a route yet don't know which routes are missing.
  #exportRoute(.snapshotElsewhere, group: "snapshot") { "elsewhere" }
}
#exportAction("snapshot", "act", access: .remote) { 1 }
#needs(route: .snapshotItem)

enum SnapshotAPI {
  protocol Twin: AnyObject, Sendable {}
}
enum SnapshotLegacy {
  protocol Twin: AnyObject, Sendable {}
}
typealias Twin = SnapshotAPI.Twin

@ExportService((any SnapshotLegacy.Twin).self)
final class SnapshotTwin: SnapshotLegacy.Twin {}

protocol SnapshotFlagged: AnyObject, Sendable {}

@ExportService((any SnapshotFlagged).self, when: .flag("snapshot"))
final class SnapshotFlaggedImplementation: SnapshotFlagged {}

#needs((any Twin).self, optional: true)
#needs((any SnapshotFlagged).self, optional: true)
