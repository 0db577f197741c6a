import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// Records of groups, whose kinds begin with an uppercase letter.
@MainActor @Suite struct GroupTests {
  private func problems(_ records: [TestRecord]) -> [String] {
    SimulatedObject.inspection([.with(records, path: "App")]).check().map(\.description)
  }

  @Test func `a record of a group has the kind and the contents of one without a group`() throws {
    let records = [
      TestRecord.module(#"{"module":"A.M","group":"document"}"#).grouped(),
      .module(#"{"module":"B.M","group":"document"}"#), .module(#"{"module":"C.M"}"#).grouped(),
      TestRecord(kind: 0x4f74_6872, json: #"{"group":"document"}"#),
    ]
    let inspection = SimulatedObject.inspection([.with(records, path: "App")])
    let found = inspection.images[0].records
    #expect(found.map(\.kind.description) == ["modu", "modu", "modu", "othr"])
    #expect(found.map(\.group) == ["document", nil, nil, "document"])
    #expect(found.map(\.isMalformed) == [false, false, true, false])
    #expect(found[0].contents.type == "A.M")
    #expect(
      inspection.check().map(\.description) == [
        #"App: error: record at offset 144 of __DATA,__reg_exports (0x90 in the file): missing member 'group': "#
          + #"{"module":"C.M"}; the record is ignored [malformed-record]"#
      ])
    var list = ""
    inspection.writeList { list += $0 }
    #expect(list.contains(#""architecture":"arm64","group":"document","offset":0,"#))
    #expect(list.split(separator: "\"group\":\"document\",\"offset\"").count == 3)
  }

  @Test func `records of different groups are no duplicates, and those of one group are`() {
    let service = TestRecord.service(#"{"protocol":"P","class":"A.C"}"#)
    let others = ["a", "b"].map { TestRecord.service(#"{"protocol":"P","class":"A.D","group":"\#($0)"}"#).grouped() }
    #expect(problems([service] + others) == [])
    #expect(
      problems(others + [TestRecord.service(#"{"protocol":"P","class":"A.E","group":"b"}"#).grouped()]).count == 1)
    let modules = [nil, "a", "b"].map { group in
      group.map { TestRecord.module(#"{"module":"A.M","group":"\#($0)"}"#).grouped() } ?? .module(#"{"module":"A.M"}"#)
    }
    #expect(problems(modules) == [])
    #expect(problems(modules + [modules[2]]).count == 1)
    // A type's exports in different groups are different instances.
    let scopes = [("a", "shared"), ("b", "weak")].map { group, scope in
      TestRecord.service(#"{"protocol":"P","class":"A.S","scope":"\#(scope)","group":"\#(group)"}"#).grouped()
    }
    #expect(problems(scopes + [.module(#"{"module":"A.S"}"#)]) == [])
  }

  @Test func `a name in 'after' refers to a module of the same group`() {
    let modules = [
      TestRecord.module(#"{"module":"A.M","group":"a"}"#).grouped(),
      TestRecord.module(#"{"module":"A.N","after":["A.M"],"group":"a"}"#).grouped(),
      .module(#"{"module":"Basics.Module"}"#),
    ]
    #expect(problems(modules) == [])
    #expect(
      problems(modules + [.module(#"{"module":"Store.Main","after":["A.M"]}"#)]) == [
        "App: error: Store.Main: 'after' names 'A.M', but no record without a group exports a module with that name"
          + " [unknown-after]"
      ])
    #expect(
      problems(
        modules + [TestRecord.module(#"{"module":"Store.Main","after":["Basics.Module"],"group":"a"}"#).grouped()]) == [
          "App: error: Store.Main: 'after' names 'Basics.Module', but no record of its group exports a module with that name"
            + " [unknown-after]"
        ])
  }

  @Test func `a group and the records without a group satisfy the needs of its records`() {
    func need(_ service: String, _ group: String?, isProperty: Bool = false) -> TestRecord {
      let member = (group.map { #","group":"\#($0)""# } ?? "") + (isProperty ? #","property":true"# : "")
      let need = TestRecord.need(#"{"protocol":"\#(service)","dependent":"A.Screen"\#(member)}"#)
      return group == nil ? need : need.grouped()
    }
    let services = [
      TestRecord.service(#"{"protocol":"A.P","class":"A.C"}"#),
      TestRecord.service(#"{"protocol":"A.Q","class":"A.C","group":"a"}"#).grouped(),
    ]
    #expect(problems(services + [need("A.P", nil), need("A.P", "a"), need("A.Q", "a")]) == [])
    let text = "A.Q: needed by 'A.Screen', but only the group 'a' exports an implementation; export it without a group,"
    // The code can look it up in a manager of the group.
    #expect(
      problems(services + [need("A.P", nil), need("A.Q", nil)]) == [
        "App: note: \(text) unless only managers of the group run this code [unmet-need]"
      ])
    // Managers of another group and the shared manager do not find it.
    for other in [need("A.Q", "b"), need("A.Q", nil, isProperty: true)] {
      #expect(
        problems(services + [need("A.P", nil), other]) == [
          "App: error: \(text) or, if code registers it, pass '--registered A.Q' [unmet-need]"
        ])
    }
  }

  @Test func `Swift modules need each other even if one of the needs has a group`() {
    let needs = [
      TestRecord.need(#"{"protocol":"A.P","dependent":"B.Screen","at":"B/S.swift:1:1","group":"a"}"#).grouped(),
      .need(#"{"protocol":"B.Q","dependent":"A.C","at":"A/C.swift:1:1"}"#),
    ]
    func cycles(_ group: String?) -> [String] {
      let member = group.map { #","group":"\#($0)""# } ?? ""
      let service = TestRecord.service(#"{"protocol":"B.Q","class":"B.D"\#(member)}"#)
      let both = [.service(#"{"protocol":"A.P","class":"A.C"}"#), group == nil ? service : service.grouped()]
      let apps = ["App", "Tool"].map { SimulatedObject.with([], path: $0, type: .executable) }
      return SimulatedObject.inspection(apps + [.with(both + needs, path: "Lib")]).check()
        .filter { $0.code == .featureCycle }.map(\.description)
    }
    #expect(
      cycles(nil) == [
        "Lib: note: A: Swift modules need each other: 'A' → 'B' → 'A', because 'A' needs 'B.Q', 'B' needs 'A.P'; move an"
          + " implementation, or the code that needs it, to another module [feature-cycle]"
      ])
    // Code without a group doesn't find the service of a group.
    #expect(cycles("a") == [])
  }

  @Test func `a list expects records of their group, and each group has a part of the graph`() throws {
    let (plain, grouped) = (
      TestRecord.module(#"{"module":"A.M"}"#), TestRecord.module(#"{"module":"A.M","group":"a"}"#).grouped()
    )
    let inspection = SimulatedObject.inspection([.with([grouped], path: "App")])
    var list = ""
    inspection.writeList { list += $0 }
    let expected = try ExpectedRecords(Array(list.utf8), path: "list")
    #expect(inspection.check(expecting: expected) == [])
    let other = SimulatedObject.inspection([.with([plain], path: "App")]).check(expecting: expected)
    #expect(other.map(\.subject) == ["modu A.M in group 'a'"])
    let graph = SimulatedObject.inspection([.with([plain, grouped], path: "App")]).text(of: .dot)
    #expect(graph.contains(#"label="App (arm64)";"#) && graph.contains(#"label="App (arm64), group a";"#))
    #expect(graph.split(separator: "1. A.M").count == 3)
  }
}

extension TestRecord {
  /// Returns the record as one of the group that its JSON names.
  fileprivate func grouped() -> TestRecord {
    var record = self
    record.kind &= ~0x2000_0000
    return record
  }
}
