import Foundation
import TestSupport
import Testing

/// The commands of registry-tool that compare builds and check rules.
@Suite struct AnalysisToolTests {
  private static let records = """
    #include "registry_export.h"
    REGISTRY_EXPORT_MODULE(Shop.First)
    REGISTRY_EXPORT_SERVICE(API.Clock, Shop.Watch)
    """

  private func library(_ more: String = "", without line: String = "-") throws -> SharedObject {
    let lines = Self.records.split(separator: "\n").filter { !$0.contains(line) }
    return try SharedObject(
      lines.joined(separator: "\n") + "\n" + more, name: "shop",
      swift: "public class First {}\npublic class Second {}\npublic class Watch {}", module: "Shop")
  }

  /// Runs the tool in a new folder with the files.
  private func run(_ arguments: [String], _ files: [String: String] = [:]) throws -> ToolTests.Run {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("analysis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    return try ToolTests().tool(arguments, in: folder.path)
  }

  @Test func `builds and snapshots are compared, and breaking changes have the status 1`() throws {
    let (old, new) = (try library(), try library("REGISTRY_EXPORT_MODULE(Shop.Second, after(Shop.First))"))
    let added = try run(["diff", old.path, new.path])
    #expect(added.status == 0 && added.errors == "", "\(added.errors)")
    #expect(
      added.output
        == "from \(old.path) to \(new.path)\nmodule\n  + Shop.Second: level normal\n1 added, 0 removed, 0 changed; none breaking\n"
    )

    let snapshot = try run(["report", "--format", "json", old.path]).output
    let none = try run(["diff", "old.json", old.path], ["old.json": snapshot])
    #expect(none.status == 0 && none.output == "from old.json to \(old.path)\nno differences\n")

    let gone = try library(without: "SERVICE")
    let removed = try run(["diff", "old.json", gone.path], ["old.json": snapshot])
    #expect(removed.status == 1)
    #expect(removed.output.contains("  - breaking: API.Clock: Shop.Watch, the last implementation\n"))
    let json = try run(["diff", "--format=json", old.path, gone.path])
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["version"] as? Int == 1 && object?["breaking"] as? Int == 1)
    let markdown = try run(["diff", "--format=markdown", old.path, gone.path])
    #expect(markdown.status == 1 && markdown.output.contains("| **breaking** | service | <code>API.Clock</code> |"))

    let html = try run(["diff", "--format", "html", old.path, gone.path])
    #expect(html.status == 1 && html.output.contains(#"{"changes":[{"breaking":true"#))
    #expect(!html.output.contains(#""provider":"Shop.Watch""#), "the page is that of NEW")

    let process = snapshot.replacingOccurrences(of: "\"files\"", with: "\"process\"")
    let mixed = try run(["diff", old.path, "p.json"], ["p.json": process])
    #expect(
      mixed.status == 0 && mixed.errors.hasPrefix("p.json: note: only one of the snapshots is of a running process"))
    #expect(mixed.errors.hasSuffix("[mixed-origins]\n"))
  }

  @Test func `a page has the given title`() throws {
    let library = try library()
    #expect(try run(["report", "--title", "Shop <1>", library.path]).output.contains(#""title":"Shop \u003C1>""#))
    let json = try run(["report", "--format", "json", "--title", "Shop", library.path])
    #expect(json.status == 2 && json.output == "" && json.errors.contains("'--title' needs '--format html'"))
  }

  @Test func `a comparison needs two readable files`() throws {
    let library = try library()
    let one = try run(["diff", library.path])
    #expect(one.status == 2 && one.errors.contains("'diff' compares two files, but got 1"))
    let missing = try run(["diff", library.path, "missing"])
    #expect(missing.status == 2 && missing.output == "" && missing.errors.contains("[unreadable-file]"))
    for text in ["{", "{\"version\": 1}", "{\"version\": 999}", "{\"processes\": [[[["] {
      let damaged = try run(["diff", "damaged.json", library.path], ["damaged.json": text])
      #expect(damaged.status == 2 && damaged.errors.contains("damaged.json"), "\(text): \(damaged.errors)")
    }
  }

  @Test func `the message of a problem in a snapshot stays in its line`() throws {
    let problem = #"{"severity":"error","code":"tie","message":"m\n::error::injected"}"#
    let snapshot = #"{"version":1,"origin":"files","problems":[\#(problem)],"processes":[]}"#
    let check = try run(["check", "s.json"], ["s.json": snapshot])
    #expect(check.status == 1 && check.errors == "s.json: error: m\\u{a}::error::injected [tie]\n", "\(check.errors)")
    let warning = snapshot.replacingOccurrences(of: "\"error\"", with: "\"warning\"")
    let note = try run(["check", "s.json"], ["s.json": warning])
    #expect(note.status == 0 && note.errors.hasPrefix("s.json: note: m"), "\(note.errors)")
  }

  @Test func `rules check a snapshot, also one without images`() throws {
    let need =
      #"{"kind":"service","key":"API.P","isOptional":false,"dependent":"A.C","feature":"A","providers":["B"]}"#
    let process = #"{"name":"P","images":[],"modules":[],"entries":[],"needs":[\#(need)]}"#
    let files = [
      "s.json": #"{"version":1,"origin":"process","problems":[],"processes":[\#(process)]}"#,
      "rules.json": #"{"version": 1, "forbid": [{"from": "A", "to": "B"}]}"#,
    ]
    let check = try run(["check", "--rules", "rules.json", "s.json"], files)
    let start = "rules.json: error: A.C: 'A' needs 'API.P' of 'B', but forbid[0]"
    #expect(check.status == 1 && check.errors.hasPrefix(start), "\(check.errors)")
    #expect(try run(["check", "--write-rules", "new.json", "s.json"], files).status == 0)
  }

  @Test func `rules are written, hold, and find what they forbid`() throws {
    let library = try library("REGISTRY_EXPORT_MODULE(Shop.Second, after(Other.Main))\n")
    let other = try SharedObject(
      "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(Other.Main)", name: "other",
      swift: "public class Main {}", module: "Other")
    let files = [library.path, other.path]
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func tool(_ arguments: [String]) throws -> ToolTests.Run {
      try ToolTests().tool(arguments + files, in: folder.path)
    }

    // Rules of a part of the files are not written.
    #expect(try tool(["check", "--write-rules", "rules.json", "missing"]).status == 2)
    let written = try tool(["check", "--write-rules", "rules.json"])
    #expect(written.status == 0, "\(written.errors)")
    #expect(try tool(["check", "--rules", "rules.json"]).status == 0)
    let again = try tool(["check", "--write-rules", "rules.json"])
    #expect(again.status == 2 && again.errors.contains("'rules.json' exists"))
    let unwritten = try tool(["check", "--write-rules", "missing/rules.json", "--format", "json"])
    #expect(unwritten.status == 2 && unwritten.errors == "" && unwritten.output.contains("cannot be written; pass"))

    let forbidding = #"{"version": 1, "forbid": [{"from": "Shop", "to": "Other", "reason": "it is old"}]}"#
    try Data(forbidding.utf8).write(to: folder.appendingPathComponent("rules.json"))
    let message = "'Shop' follows 'Other.Main' of 'Other', but forbid[0] forbids it (it is old); remove the use"
    let text = try tool(["check", "--rules", "rules.json"])
    #expect(text.status == 1 && text.output.hasSuffix(": 1 problem\n"))
    #expect(text.errors.hasPrefix("\(library.path): error: Shop.Second: \(message)"), "\(text.errors)")
    let json = try tool(["check", "--rules", "rules.json", "--format", "json"])
    #expect(json.status == 1 && json.output.contains("\"code\":\"forbidden-use\"") && json.output.contains(message))

    for text in ["", "[]", "{\"version\": 1, \"form\": 1}", forbidding.replacingOccurrences(of: "}]", with: "")] {
      try Data(text.utf8).write(to: folder.appendingPathComponent("rules.json"))
      let damaged = try tool(["check", "--rules", "rules.json"])
      #expect(damaged.status == 2 && damaged.errors.contains("rules.json: error: malformed rules: line 1: "))
    }
    #expect(try tool(["check", "--rules", "missing.json"]).errors.contains("missing.json: error: cannot be opened"))
  }
}
