import Lifecycle
import Registry
import RegistryAnalysis
import TestSupport
import Testing

@testable import BinaryInspection

/// The snapshots of files, and of the process that opens them.
@MainActor @Suite struct SnapshotTests {
  private func lines(_ process: RegistrySnapshot.Process) -> [String] {
    process.modules.map { module in
      "\(module.position.map { "\($0)" } ?? "-") \(module.name) in \(module.image ?? "-") after \(module.after)"
        + (module.afterNeeds.isEmpty ? "" : " needs \(module.afterNeeds)")
    }
      + process.entries.map { entry in
        "\(entry.kind) \(entry.key)\(entry.name.map { "/\($0)" } ?? "") #\(entry.rank) \(entry.provider) of"
          + " \(entry.feature)\(entry.isSelected ? "" : ", unused")"
      }
      + process.needs.map { "\($0.kind) \($0.key) for \($0.dependent) from \($0.providers)" }
  }

  private let app: [TestRecord] = [
    .module(#"{"module":"Shop.M","after":["Cart.M","Nobody"]}"#),
    .module(#"{"module":"Ring.M","after":["Ring.M"]}"#),
    .service(#"{"protocol":"API.P","class":"Shop.Base"}"#),
    .service(#"{"protocol":"API.P","class":"Shop.New","replaces":"Cart.C"}"#),
    .service(#"{"protocol":"API.P","class":"Shop.Flagged","priority":9,"when":"flag(new)"}"#),
    .handler(#"{"event":".login","handler":"Shop/F.swift:2:1"}"#),
    .handler(#"{"event":".login","handler":"Shop/F.swift:9:1","priority":2}"#),
    .route(#"{"route":".cart","handler":"Shop/F.swift:3:1"}"#),
    .action(#"{"target":"cart","action":"add","handler":"Shop/F.swift:4:1"}"#),
    .need(#"{"protocol":"API.P","dependent":"Shop.Screen","at":"Shop/F.swift:5:1"}"#, accessor: false),
    .need(#"{"route":".cart","optional":true,"at":"Shop/F.swift:6:1"}"#),
    .need(#"{"protocol":"API.Q","at":"Shop/F.swift:7:1"}"#, accessor: false),
  ]
  private let library: [TestRecord] = [
    .module(#"{"module":"Cart.M"}"#), .service(#"{"protocol":"API.P","class":"Cart.C","priority":5}"#),
    .route(#"{"route":".cart","handler":"Cart/F.swift:1:1"}"#),
    .need(#"{"protocol":"API.P","dependent":"Cart.Screen","at":"Cart/F.swift:2:1"}"#, accessor: false),
  ]

  @Test func `A snapshot has the order of modules and entries, and the providers of needs`() throws {
    let objects: [SimulatedObject] = [
      .with(app, path: "bin/Shop", type: .executable), .with(library, path: "lib/libCart.dylib"),
      .with([.service(#"{"protocol":"API.P","class":"Late.C","priority":100}"#)], path: "Late", type: .bundle),
      // The object of the library has the same records.
      .with(library, path: "Cart.o", type: .object),
      .with([], path: "lib/libQuiet.dylib"),
    ]
    let snapshot = SimulatedObject.inspection(objects).snapshot()
    #expect(snapshot.processes.count == 1 && snapshot.origin == .files)
    let process = try #require(snapshot.processes.first)
    #expect(process.name == "Shop" && process.architecture == "arm64" && process.group == nil)
    #expect(process.images.map(\.name) == ["Shop", "libCart.dylib", "Late"])
    #expect(process.images.map(\.path) == ["bin/Shop", "lib/libCart.dylib", "Late"])
    #expect(
      lines(process) == [
        "1 Cart.M in libCart.dylib after []", #"2 Shop.M in Shop after ["Cart.M", "Nobody"]"#,
        #"- Ring.M in Shop after ["Ring.M"]"#,
        "service API.P #1 Shop.New of Shop", "service API.P #2 Cart.C of Cart, unused",
        "service API.P #3 Shop.Base of Shop, unused", "service API.P #4 Late.C of Late, unused",
        "service API.P #5 Shop.Flagged of Shop, unused",
        "event .login #1 Shop/F.swift:9:1 of Shop", "event .login #2 Shop/F.swift:2:1 of Shop",
        "route .cart #1 Cart/F.swift:1:1 of Cart", "route .cart #2 Shop/F.swift:3:1 of Shop, unused",
        "action cart.add #1 Shop/F.swift:4:1 of Shop",
        #"service API.P for Cart.Screen from ["Shop", "Cart", "Late"]"#,
        #"service API.P for Shop.Screen from ["Shop", "Cart", "Late"]"#,
        #"route .cart for Shop/F.swift:6:1 from ["Shop", "Cart"]"#, "service API.Q for Shop/F.swift:7:1 from []",
      ], "\(lines(process).joined(separator: "\n"))")
    #expect(snapshot.problems.contains { $0.code == "unknown-after" && $0.severity == "error" })
    #expect(try RegistrySnapshot(json: snapshot.json()) == snapshot)
  }

  @Test func `Entries, modules, and needs have their conditions and source locations`() throws {
    let points = (1...2).map { line in
      TestRecord(
        kind: RecordKind.contribution.rawValue, json: #"{"point":".p","key":"k","handler":"A/F.swift:\#(line):1"}"#,
        hasAccessor: true)
    }
    let records: [TestRecord] = [
      .module(#"{"module":"A.M","at":"A/M.swift:1:1"}"#),
      .service(#"{"protocol":"P","class":"A.D","when":"debug","build":"debug","at":"A/S.swift:1:1"}"#),
      .service(#"{"protocol":"P","class":"A.R","when":"release","build":"debug"}"#),
      .need(#"{"protocol":"P","dependent":"B.C","at":"B/C.swift:2:1"}"#, accessor: false),
    ]
    let inspection = SimulatedObject.inspection([.with(records + points, path: "App", type: .executable)])
    let process = try #require(inspection.snapshot().processes.first)
    #expect(process.entries.map(\.isSelected) == [true, false, true, false])
    #expect(process.entries.map(\.condition) == ["debug", "release", nil, nil])
    #expect(process.entries.map(\.location) == ["A/S.swift:1:1", nil, "A/F.swift:1:1", "A/F.swift:2:1"])
    #expect(process.modules.map(\.location) == ["A/M.swift:1:1"])
    #expect(process.needs.map(\.location) == ["B/C.swift:2:1"] && process.needs.map(\.image) == ["App"])
  }

  @Test func `Lines are numbers, and plug-ins follow the app`() throws {
    func contribution(_ location: String, _ priority: Int = 0) -> TestRecord {
      TestRecord(
        kind: RecordKind.contribution.rawValue,
        json: "{\"point\":\".menu\",\"handler\":\"\(location)\",\"priority\":\(priority)}", hasAccessor: true)
    }
    let app: [TestRecord] = [
      .handler(#"{"event":".login","handler":"B/F.swift:12:1"}"#),
      .handler(#"{"event":".login","handler":"B/F.swift:9:1"}"#),
      .route(#"{"route":".cart","handler":"B/F.swift:12:1"}"#), .route(#"{"route":".cart","handler":"B/F.swift:3:1"}"#),
      contribution("B/F.swift:12:1"), contribution("B/F.swift:9:1"), contribution("B/F.swift:20:1", 1),
    ]
    let plugIn: [TestRecord] = [
      .route(#"{"route":".cart","handler":"A/F.swift:1:1"}"#), contribution("A/F.swift:1:1"),
    ]
    let objects: [SimulatedObject] = [
      .with(plugIn, path: "PlugIn", type: .bundle), .with(app, path: "Shop", type: .executable),
    ]
    let process = try #require(SimulatedObject.inspection(objects).snapshot().processes.first)
    #expect(
      lines(process) == [
        "event .login #1 B/F.swift:9:1 of B", "event .login #2 B/F.swift:12:1 of B",
        "route .cart #1 B/F.swift:3:1 of B", "route .cart #2 B/F.swift:12:1 of B, unused",
        "route .cart #3 A/F.swift:1:1 of A, unused",
        "point .menu #1 B/F.swift:20:1 of B", "point .menu #2 B/F.swift:9:1 of B",
        "point .menu #3 B/F.swift:12:1 of B", "point .menu #4 A/F.swift:1:1 of A",
      ], "\(lines(process).joined(separator: "\n"))")
  }

  @Test func `A replaced type is the innermost one with its name, and a replaced name is complete`() throws {
    let app: [TestRecord] = [
      .service(#"{"protocol":"P","class":"A.Old","priority":2}"#),
      .service(#"{"protocol":"P","class":"Shop.A.Old","priority":1}"#),
      .service(#"{"protocol":"P","class":"Shop.New","replacesType":"A.Old"}"#),
      .service(#"{"protocol":"Q","class":"Shop.Old","priority":1}"#),
      .service(#"{"protocol":"Q","class":"Shop.New","replaces":"Old"}"#),
    ]
    let objects: [SimulatedObject] = [.with(app, path: "Shop", type: .executable)]
    let entries = try #require(SimulatedObject.inspection(objects).snapshot().processes.first?.entries)
    #expect(entries.map(\.provider) == ["A.Old", "Shop.New", "Shop.A.Old", "Shop.Old", "Shop.New"])
  }

  @Test func `A replaced type of another Swift module is found among the types of the files`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(API.Pay, Checkout.CardPayment, priority(10))
      REGISTRY_RECORD_(REGISTRY_KIND_SERVICE, "__reg_exports",
                       "{\\"protocol\\":\\"API.Pay\\",\\"class\\":\\"Promo.Wallet\\",\\"replacesType\\":\\"CardPayment\\"}")
      """, name: "Checkout", swift: "public final class CardPayment {}", module: "Checkout")
    let inspection = withExtendedLifetime(object) { Inspection(of: [object.path]) }
    let entries = try #require(inspection.snapshot().processes.first?.entries)
    #expect(entries.map(\.provider) == ["Promo.Wallet", "Checkout.CardPayment"])
    #expect(entries.map(\.replaces) == ["Checkout.CardPayment", nil])
  }

  @Test func `A plug-in's contribution with a key does not precede the app's, whatever its priority`() throws {
    func contribution(_ location: String, _ priority: Int) -> TestRecord {
      let json = #"{"point":".save","key":"a","handler":"\#(location)","when":"flag(a)","priority":\#(priority)}"#
      return TestRecord(kind: RecordKind.contribution.rawValue, json: json, hasAccessor: true)
    }
    let objects: [SimulatedObject] = [
      .with([contribution("A/F.swift:1:1", 9)], path: "PlugIn", type: .bundle),
      .with([contribution("B/F.swift:1:1", 0)], path: "Shop", type: .executable),
    ]
    let inspection = SimulatedObject.inspection(objects)
    let entries = try #require(inspection.snapshot().processes.first?.entries)
    #expect(entries.map(\.provider) == ["B/F.swift:1:1", "A/F.swift:1:1"])
    #expect(inspection.images[0].records[0].contents.condition?.description == "flag(a)")
  }

  @Test(arguments: ["sepia", "&table.sepia"])
  func `The expression for the address of a contribution in C is no source location`(expression: String) throws {
    let json = #"{"point":"filters","type":"filter_function","handler":"\#(expression)"}"#
    let record = TestRecord(kind: RecordKind.contribution.rawValue, json: json, hasAccessor: true)
    let file = SimulatedObject.with([record], path: "Shop", type: .executable)
    let entry = try #require(SimulatedObject.inspection([file]).snapshot().processes.first?.entries.first)
    #expect(entry.provider == expression && entry.location == nil && entry.feature == "Shop")
    #expect(entry.type == "filter_function")
  }

  @Test func `Each executable, architecture, and group is a process`() {
    func module(_ name: String) -> TestRecord { .module("{\"module\":\"\(name)\"}") }
    var grouped = TestRecord.module(#"{"module":"Tool.G","group":"g"}"#)
    grouped.kind &= ~0x2000_0000
    let objects: [SimulatedObject] = [
      .with([module("A.M")], path: "A", type: .executable), .with([module("B.M")], path: "B", type: .executable),
      .with([module("L.M"), grouped], path: "x/libL.dylib"), .with([module("L.N")], path: "y/libL.dylib"),
      .with([module("L.M")], path: "libX.dylib", architecture: "x86_64"),
      .with([], path: "Quiet", type: .executable, architecture: "arm64e"),
    ]
    let processes = SimulatedObject.inspection(objects).snapshot().processes
    #expect(
      processes.map { "\($0.name) \($0.architecture ?? "") \($0.group ?? "-") \($0.modules.map(\.name))" } == [
        #"A arm64 - ["A.M", "L.M", "L.N"]"#, #"B arm64 - ["B.M", "L.M", "L.N"]"#, #"libL.dylib arm64 g ["Tool.G"]"#,
        #"libX.dylib x86_64 - ["L.M"]"#,
      ])
    #expect(processes[0].images.map(\.name) == ["A", "x/libL.dylib", "y/libL.dylib"])
    // Without registrations, the report still has the process.
    #expect(
      SimulatedObject.inspection([.with([], type: .executable)]).snapshot().processes.map(\.name) == ["Simulated"])
    #expect(SimulatedObject.inspection([]).snapshot().processes.isEmpty)
  }

  @Test func `A process has the libraries that its executable links, also in groups that the executable lacks`() {
    func records(_ name: String) -> [TestRecord] {
      var grouped = TestRecord.module("{\"module\":\"G.\(name)\",\"group\":\"g\"}")
      grouped.kind &= ~0x2000_0000
      return [.module("{\"module\":\"\(name).M\"}"), grouped]
    }
    let processes = SimulatedObject.inspection([
      .with(records("A"), path: "libA.so"), .with(records("B"), path: "libB.so"),
      .with(records("App"), path: "App", type: .executable).linking(["libA.so"]),
      .with([], path: "Tool", type: .executable).linking(["libB.so"]),
    ]).snapshot().processes
    #expect(
      processes.map { "\($0.name) \($0.group ?? "-") \($0.modules.map(\.name))" } == [
        #"App - ["A.M", "App.M"]"#, #"Tool - ["B.M"]"#, #"App g ["G.A", "G.App"]"#, #"Tool g ["G.B"]"#,
      ])
  }

  @Test func `A need in a group has the providers without a group`() {
    var need = TestRecord.need(#"{"protocol":"A.P","dependent":"B.Screen","group":"g"}"#)
    need.kind &= ~0x2000_0000
    let service = TestRecord.service(#"{"protocol":"A.P","class":"A.C"}"#)
    let file = SimulatedObject.with([service, need], path: "App", type: .executable)
    let processes = SimulatedObject.inspection([file]).snapshot().processes
    #expect(processes.map(\.group) == [nil, "g"] && processes.last?.needs.map(\.providers) == [["A"]])
  }

  @Test(
    "The process and the tool order the implementations of a service alike",
    arguments: [
      [(0, nil), (3, nil), (3, nil), (-1, nil)], [(0, 3), (1, nil), (5, nil), (3, nil)],
      [(0, 1), (1, 2), (2, 0), (9, nil)],
      [(0, 2), (0, 2), (7, nil), (9, nil)], [(0, 0), (1, nil)], [(9, 1), (0, 2), (5, nil), (5, 2)],
    ] as [[(priority: Int, replaces: Int?)]])
  func services(_ given: [(priority: Int, replaces: Int?)]) throws {
    var records = RecordBytes()
    for (index, claim) in given.enumerated() {
      let replaces = claim.replaces.map { #","replaces":"BinaryInspectionTests.Agreed\#($0)""# } ?? ""
      records.record(
        #"{"protocol":"BinaryInspectionTests.AgreedService","class":"BinaryInspectionTests.Agreed\#(index)","#
          + #""priority":\#(claim.priority)\#(replaces)}"#)
    }
    records.record(#"{"module":"Two.M","after":["One.M"]}"#, kind: 0x6d6f_6475)
    records.record(#"{"module":"One.M"}"#, kind: 0x6d6f_6475)
    let file = try SharedObject(records: records, name: "agreed")
    defer { withExtendedLifetime(file) {} }
    let path = file.path
    let tool = try #require(Inspection(of: [path]).snapshot().processes.first)
    let manager = ServiceManager(
      records: .images { $0.path == path }, onDiagnostic: DiagnosticCollector().handler)
    let image = try manager.openImage(at: path)
    defer { image.close() }
    let modules = ModuleManager(
      services: manager, records: .images { $0.path == path }, onDiagnostic: DiagnosticCollector().handler)
    let process = try #require(modules.snapshot().processes.first)
    func claims(in process: RegistrySnapshot.Process) -> [String] {
      lines(process).filter { $0.hasPrefix("service ") }
    }
    #expect(claims(in: process) == claims(in: tool) && claims(in: tool).count == given.count, "\(claims(in: process))")
    #expect(process.entries.map(\.replaces) == tool.entries.map(\.replaces))
    #expect(process.images.map(\.name) == tool.images.map(\.name) && process.architecture == tool.architecture)
  }
}
