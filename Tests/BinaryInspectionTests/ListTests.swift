import Foundation
import Registry
import Testing

@testable import BinaryInspection

@MainActor @Suite struct ListTests {
  private let records: [TestRecord] = [
    .module(#"{"module":"A.M","after":["B \u0022\\ M"],"new":[1.50,true,null,{"é":"\u202e"}]}"#, accessor: true),
    .service(#"{"protocol":"P","class":"A.C","name":"n","priority":-2}"#),
    .handler(#"{"event":".e","handler":"A/F.swift:12:1"}"#),
    .action(#"{"target":"t","action":"a","handler":"A/G.swift:1:1"}"#),
    TestRecord(kind: 0x6162_6364, json: #"{"x":1}"#),
    .module("broken"),
  ]

  private func list(_ inspection: Inspection) -> String {
    var text = ""
    inspection.writeList { text += $0 }
    return text
  }

  @Test func `the list is JSON of version 1 with every image and record`() throws {
    let text = list(SimulatedObject.inspection([.with(records), .with([], path: "Empty\u{1b}\u{e0001}")]))
    #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"))
    let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(list["version"] as? Int == 1 && Set(list.keys) == ["version", "images", "records"])
    let images = try #require(list["images"] as? [[String: Any]])
    #expect(images.map { $0["path"] as? String } == ["Simulated", "Empty\u{1b}\u{e0001}"])
    #expect(images.map { $0["records"] as? Int } == [6, 0])
    #expect(images[0]["format"] as? String == "Mach-O" && images[0]["architecture"] as? String == "arm64")
    #expect(images[0]["encrypted"] as? Bool == false && images[0]["stripped"] as? Bool == false)
    let rows = try #require(list["records"] as? [[String: Any]])
    #expect(rows.map { $0["kind"] as? String } == ["modu", "serv", "evnt", "actn", "abcd", "modu"])
    #expect(rows.map { $0["known"] as? Bool } == [true, true, true, true, false, true])
    #expect(rows.map { $0["accessor"] as? Bool } == [true, false, true, true, false, false])
    #expect(rows.map { $0["malformed"] as? Bool } == [false, false, false, false, false, true])
    #expect(rows.map { $0["code"] as? String } == [nil, nil, nil, nil, nil, "malformed-record"])
    #expect(rows[5]["attributes"] is NSNull && rows[5]["text"] as? String == "broken")
    // The attributes contain all members of the record, including unknown ones.
    let attributes = try #require(rows[0]["attributes"] as? [String: Any])
    #expect(attributes["after"] as? [String] == [#"B "\ M"#] && attributes["new"] != nil)
    #expect(
      text.contains(
        #"{"kind":"serv","known":true,"source":"registry","path":"Simulated","member":null,"architecture":"arm64","offset":120,"#
          + #""accessor":false,"malformed":false,"attributes":{"protocol":"P","class":"A.C","name":"n","priority":-2}}"#
      ))
    #expect(text.contains(#""new":[1.50,true,null,{"é":"\u202e"}]"#))
  }

  private func missing(_ expected: [TestRecord], in found: [TestRecord]) throws -> [InspectionProblem] {
    let text = list(SimulatedObject.inspection([.with(expected, path: "Before")]))
    let list = try ExpectedRecords(Array(text.utf8), path: "list.json")
    return SimulatedObject.inspection([.with(found, path: "Now", architecture: "x86_64")]).check(expecting: list)
      .filter { $0.code.description == "missing" }
  }

  @Test func `the records of a list are found by kind and names, in any order`() throws {
    #expect(try missing(records, in: records.reversed()) == [])
    // Different attributes do not make a different record, and a handler moves with every edit
    // above it.
    #expect(
      try missing(
        records,
        in: [
          .module(#"{"module":"A.M","priority":7}"#), .service(#"{"class":"A.C","name":"n","protocol":"P"}"#),
          .handler(#"{"event":".e","handler":"A/F.swift:99:3"}"#),
          .action(#"{"target":"t","action":"a","handler":"A/G.swift:5:1"}"#),
          TestRecord(kind: 0x6162_6364, json: #"{ "x": 1 }"#), .module(#"{"module":"New.M"}"#),
        ]) == [])
  }

  @Test func `a missing record is named, with the linker as a possible reason`() throws {
    let found = try missing(records, in: [])
    #expect(
      found.map(\.subject) == [
        "modu A.M", #"serv P by A.C named "n""#, "evnt .e by A/F.swift", "actn t.a by A/G.swift", #"abcd {"x":1}"#,
      ])
    #expect(found.allSatisfy { $0.file == "Now" && $0.message.contains("'Before'") })
    #expect(found[0].message.contains("-ObjC") && found[0].message.contains("--whole-archive"))
    // A record with another name is a different record.
    #expect(
      try missing(
        [.service(#"{"protocol":"P","class":"A.C"}"#)], in: [.service(#"{"protocol":"P","class":"A.C","name":"n"}"#)]
      )
      .count == 1)
  }

  @Test(arguments: [
    ("", "expected an object, but found the end"), ("[]", "expected an object"),
    ("{}", "missing member 'version'"),
    (#"{"version":2,"records":[]}"#, "the list has version 2, but this tool reads version 1"),
    (#"{"version":1}"#, "missing member 'records'"),
    (#"{"version":1,"records":[{}]}"#, "missing or malformed member 'kind' or 'attributes' in a record"),
    (#"{"version":1,"records":[{"source":"registry","kind":"modu","attributes":{"module":1}}"#, "malformed member"),
    (#"{"version":1,"records":[{"source":"registry","kind":"modu","attributes":{"module":"A.M"}}"#, "a comma"),
  ])
  func `a malformed list is rejected with the location`(_ text: String, _ words: String) throws {
    let error = #expect(throws: InspectionProblem.self) { try ExpectedRecords(Array(text.utf8), path: "list.json") }
    #expect(error?.message.hasPrefix("is not a list written by 'registry-tool list --format json': ") == true)
    #expect(error?.message.contains(words) == true && error?.offset != nil)
  }
}
