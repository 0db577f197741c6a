import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Options, files, and folders that select nothing.
@MainActor @Suite struct NothingSelectedTests {
  private let module = TestRecord.module(#"{"module":"A.M"}"#)

  private func check(_ records: [TestRecord], registered: [String] = []) -> [String] {
    SimulatedObject.inspection([.with(records, path: "App")]).check(registered: registered).map(\.description)
  }

  @Test func `a file without records is noted`() {
    #expect(
      check([]) == [
        "App: note: the file contains no records; pass the executable, library, or archive that contains the features"
          + " [nothing-selected]"
      ])
    #expect(check([module]) == [])
    let members = ["a.o", "b.o"]
    let objects = members.map { _ in SimulatedObject.with([], path: "libCart.a", type: .object) }
    let archive = SimulatedObject.inspection(objects, members: members).check().map(\.message)
    #expect(archive.map { $0.hasPrefix("the file contains no records; ") } == [true])
  }

  @Test func `a registered name that no code needs is noted with the nearest one`() {
    let needs = [
      TestRecord.need(#"{"protocol":"Clock","dependent":"A.Screen"}"#),
      .need(#"{"route":".detail","dependent":"A.Screen"}"#),
    ]
    #expect(check([module] + needs, registered: ["A.Clock", ".detail"]) == [])
    #expect(
      check([module] + needs, registered: ["Clock", "detail", "Clok"]) == [
        "App: note: --registered Clok: no code needs a service, a route, or a module with this name, so the option has no"
          + " effect; remove it, or correct the name; did you mean 'Clock'? [nothing-selected]"
      ])
  }

  @Test func `a list without records is noted`() throws {
    let inspection = SimulatedObject.inspection([.with([module], path: "App")])
    let list = try ExpectedRecords(Array(#"{"version":1,"records":[]}"#.utf8), path: "list.json")
    #expect(
      inspection.check(expecting: list).map(\.description) == [
        "list.json: note: the list contains no records, so it expects nothing; write it again from a build with records"
          + " [nothing-selected]"
      ])
  }

  @Test func `a folder and an archive without binaries cannot be checked`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nothing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("!<arch>\n".utf8).write(to: folder.appendingPathComponent("empty.a"))
    try Data("text".utf8).write(to: folder.appendingPathComponent("read.me"))
    for path in [".", "empty.a"] {
      let run = try ToolTests().tool(["check", path], in: folder.path)
      #expect(run.status == 2)
      #expect(
        run.errors
          == "\(path): error: contains no binaries; pass a file, or a folder or an archive that contains one"
          + " [nothing-selected]\n")
    }
  }
}
