import Foundation
import TestSupport
import Testing

/// The output and the exit status of registry-tool.
@Suite struct ToolTests {
  struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the tool in a folder, and returns its status and both output streams.
  ///
  /// The arguments can name files relative to the folder.
  func tool(_ arguments: [String], in folder: String? = nil) throws -> Run {
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: errors) }
    let tool = try BuiltProgram.path("registry-tool")
    let run = try Command.run(
      "sh", ["-c", "errors=$1; shift; exec \"$@\" 2>\"$errors\"", "sh", errors.path, tool] + arguments, in: folder)
    // LeakSanitizer finds that `String(contentsOf:)` leaks when it reads an empty file.
    let said = try FileHandle(forReadingFrom: errors).readToEnd() ?? Data()
    return Run(status: run.status, output: run.output, errors: String(decoding: said, as: UTF8.self))
  }

  private static let include = "#include \"registry_export.h\"\n"

  private static func good() throws -> SharedObject {
    try SharedObject(
      include + """
        REGISTRY_EXPORT_MODULE(Good.First, level(basic), priority(3))
        REGISTRY_EXPORT_MODULE(Good.Second, after(Good.First))
        REGISTRY_EXPORT_SERVICE(Good.P, Good.Outer.Nested, scope(shared), named(n))
        """, name: "good",
      swift:
        "public protocol P {}\npublic class First {}\npublic class Second {}\npublic enum Outer { public class Nested {} }",
      module: "Good")
  }

  @Test func `a correct library is listed, checked, and drawn`() throws {
    let library = try Self.good()
    let list = try tool(["list", library.path])
    #expect(list.status == 0 && list.errors == "")
    let lines = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let head = "KIND CLASS OR HANDLER FOR NAME SCOPE LEVEL PRIORITY AFTER ACCESSOR IMAGE SLICE"
    #expect(lines[0].joined(separator: " ") == head)
    #expect(lines.contains { $0.starts(with: ["modu", "Good.First", "basic", "3", "no", library.path]) })
    #expect(lines.contains { $0.starts(with: ["modu", "Good.Second", "normal", "0", "Good.First", "no"]) })
    #expect(lines.contains { $0.starts(with: ["serv", "Good.Outer.Nested", "Good.P", "n", "shared", "0", "no"]) })

    let check = try tool(["check", library.path])
    #expect(check.status == 0 && check.errors == "")
    #expect(check.output == "3 records in 1 image: no problems\n")

    for format in ["--format=mermaid", "--format=dot"] {
      let graph = try tool(["graph", format, library.path])
      #expect(graph.status == 0 && graph.errors == "")
      #expect(graph.output.hasPrefix(format == "--format=dot" ? "digraph registrations {" : "flowchart LR"))
      #expect(graph.output.contains(format == "--format=dot" ? "2. Good.Second" : "2#46; Good.Second"))
    }
  }

  @Test func `problems are on standard error in the form of editors, and the status is 1`() throws {
    let library = try SharedObject(
      Self.include + """
        REGISTRY_EXPORT_MODULE(Bad.Absent)
        REGISTRY_EXPORT_MODULE(Bad.There, after(Bad.Ther))
        REGISTRY_EXPORT_MODULE(Bad.There)
        """, name: "bad", swift: "public class There {}", module: "Bad")
    let check = try tool(["check", library.path])
    #expect(check.status == 1 && check.output == "3 records in 1 image: 3 problems\n")
    let lines = check.errors.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("\(library.path): error: ") })
    for words in [
      "Bad.There: a module with this name is already exported by '",
      "Bad.Absent: no file contains a class with this name",
      "Bad.There: 'after' names 'Bad.Ther', but no file exports a module with that name; did you mean 'Bad.There'? [unknown-after]",
    ] {
      #expect(lines.contains { $0.contains(words) }, "\(words)")
    }
    // Listing the records succeeds regardless of their problems.
    #expect(try tool(["list", library.path]).status == 0)
  }

  @Test func `C records with unknown protocols are reported with the nearest name`() throws {
    let library = try SharedObject(
      Self.include + """
        REGISTRY_EXPORT_SERVICE(Spell.Clok, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Spell.Clock, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Spell.Outer.Inner, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Spell.Watch, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Elsewhere.Clok, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Swift.Clok, Spell.Watch)
        REGISTRY_EXPORT_SERVICE(Clock, Spell.Watch)
        """, name: "spell",
      swift: """
        public protocol Clock {}
        public class Watch {}
        public enum Outer { protocol Inner {} }
        extension String { public enum Nested {} }
        """, module: "Spell")
    let check = try tool(["check", library.path])
    let start = "'Spell.Watch' (\(library.path)) is exported as its implementation, but "
    #expect(check.status == 1)
    #expect(
      check.errors.split(separator: "\n") == [
        "\(library.path): error: Spell.Clok: \(start)no file declares a protocol or a class with this name, so no lookup"
          + " finds the implementation; write the name as 'Module.Protocol'; did you mean 'Spell.Clock'? [unknown-protocol]",
        "\(library.path): error: Clock: \(start)a name without a module is the name of an Objective-C protocol, which this"
          + " system does not support; write the name of a Swift protocol as 'Module.Protocol' [unknown-protocol]",
      ])
  }

  @Test func `two copies of the library are a problem, or a note with --separate`() throws {
    let source =
      "#include \"registry_record.h\"\n\(Self.include)REGISTRY_RECORD_(REGISTRY_KIND_LIBRARY, \"__reg_exports\", \"{}\")"
    let (one, two) = (try SharedObject(source, name: "one"), try SharedObject(source, name: "two"))
    let together = try tool(["check", one.path, two.path])
    #expect(together.status == 1 && together.output == "0 records in 2 images: 1 problem\n")
    #expect(
      together.errors.hasPrefix("\(two.path): error: swift-section-registry: this image and '\(one.path)' each contain")
    )
    // An option without a value can be repeated.
    let separate = try tool(["check", "--separate", "--separate", one.path, two.path])
    #expect(separate.status == 0 && separate.output == "0 records in 2 images: no problems\n")
    #expect(separate.errors.hasPrefix("\(two.path): note: this image and '\(one.path)' each contain a copy"))
    // A graph has the same notes as a check.
    #expect(try tool(["graph", one.path]).errors.contains("[nothing-selected]"))
    for options in [[], ["--separate"]] {
      let report = try tool(["report", "--format", "json"] + options + [one.path, two.path]).output
      #expect(report.contains("\"severity\" : \"error\"") == options.isEmpty, "\(report)")
    }
  }

  @Test func `a record that a list expects and a library lacks is a problem`() throws {
    let library = try Self.good()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("expect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let list = folder.appendingPathComponent("list.json")
    try Data(try tool(["list", "--format", "json", library.path]).output.utf8).write(to: list)
    let fine = try tool(["check", "--expect", "list.json", library.path], in: folder.path)
    #expect(fine.status == 0, "\(fine.errors)")

    let other = try SharedObject(
      Self.include + "REGISTRY_EXPORT_MODULE(Good.First)", name: "other", swift: "public class First {}", module: "Good"
    )
    let check = try tool(["check", "--expect=\(list.path)", other.path])
    #expect(check.status == 1)
    let lines = check.errors.split(separator: "\n")
    #expect(
      lines.count == 2 && lines.allSatisfy { $0.hasPrefix("\(other.path): error: ") && $0.hasSuffix("[missing]") })
    #expect(
      check.errors.contains("modu Good.Second") && check.errors.contains("serv Good.P by Good.Outer.Nested named \"n\"")
    )
    #expect(check.errors.contains("--whole-archive"))

    try Data("{}".utf8).write(to: list)
    let unreadable = try tool(["check", "--expect", list.path, library.path])
    #expect(unreadable.status == 2 && unreadable.errors.hasPrefix("\(list.path): error: is not a list"))
    #expect(unreadable.errors.hasSuffix(" [malformed-list]\n"))
    #expect(try tool(["check", "--expect", "/nowhere", library.path]).status == 2)
  }

  @Test func `check reports every problem, error, and note with its code in JSON`() throws {
    let library = try SharedObject(Self.include + "REGISTRY_EXPORT_MODULE(Bad.Absent, after(Bad.Absen))", name: "json")
    let check = try tool(["check", "--format=json", library.path, "/nowhere"])
    #expect(check.status == 2 && check.errors == "")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
    #expect(Set(report.keys) == ["version", "images", "records", "problems"])
    #expect(report["version"] as? Int == 1 && report["images"] as? Int == 1 && report["records"] as? Int == 1)
    let problems = try #require(report["problems"] as? [[String: Any]])
    for problem in problems {
      #expect(Set(problem.keys) == ["severity", "code", "file", "subject", "location", "offset", "message"])
    }
    #expect(problems.map { $0["code"] as? String } == ["unreadable-file", "unknown-after", "unknown-class"])
    #expect(problems.map { $0["severity"] as? String } == ["error", "error", "error"])
    #expect(problems.map { $0["file"] as? String } == ["/nowhere", library.path, library.path])
    #expect(problems.map { $0["subject"] as? String } == [nil, "Bad.Absent", "Bad.Absent"])
    // The text form contains the same messages.
    let lines = try tool(["check", library.path, "/nowhere"]).errors
    for problem in problems { #expect(lines.contains(try #require(problem["message"] as? String))) }

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("text".utf8).write(to: folder.appendingPathComponent("text.txt"))
    #expect(try Command.run("ar", ["rc", "libx.a", "text.txt"], in: folder.path).succeeded)
    let notes = try tool(["check", "--format", "json", "libx.a"], in: folder.path)
    #expect(
      notes.output.contains(
        #"{"severity":"note","code":"skipped-members","file":"libx.a","subject":null,"location":null,"offset":null,"message":"skipped "#
      ),
      "\(notes.output)")
  }

  @Test func `a report is written to a file, and is accepted in place of binaries`() throws {
    let library = try Self.good()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try tool(["report", "--format=json", "-o", "good.json", library.path], in: folder.path)
    #expect(file.status == 0 && file.output == "" && file.errors == "")
    // A symbolic link stays one.
    let link = folder.appendingPathComponent("link.json").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.json")
    #expect(try tool(["report", "--format=json", "-o", "link.json", library.path], in: folder.path).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.json")
    #expect(try Data(contentsOf: folder.appendingPathComponent("target.json")).count > 100)
    let again = try tool(["report", "--format", "json", "good.json"], in: folder.path)
    #expect(again.status == 0 && again.output.contains("\"name\" : \"Good.Second\""))
    #expect(try tool(["report", "--format", "json", library.path]).output == again.output)
    #expect(try tool(["check", "good.json"], in: folder.path).output == "3 records in 1 image: no problems\n")
    for (arguments, words) in [
      (["list", "good.json"], "'good.json' is a snapshot, which has no records; pass the binaries"),
      (["report", "good.json", "good.json"], "'good.json' is a snapshot, which must be the only file"),
      (["check", "--expect", "x", "good.json"], "'--expect' needs binaries, because a snapshot has no records"),
      (
        ["check", "--registered", "x", "good.json"], "'--registered' needs binaries, because a snapshot has no records"
      ),
      (["report", "--separate", "good.json"], "'--separate' needs binaries, because a snapshot has no records"),
      (
        ["diff", "--arch", "x", "good.json", "good.json"], "'--arch' needs binaries, because a snapshot has no records"
      ),
      (["report", "-o", "./good.json", "good.json"], "'-o' would replace the input './good.json'; pass another path"),
      (
        ["report", "-o", "link.json", "target.json"],
        "'-o' would replace the input 'link.json'; pass another path"
      ),
      (["check", "--arch", "x", "good.json"], "'--arch' needs binaries, because a snapshot has no records"),
      (
        ["check", "--built-from", "x", "good.json"], "'--built-from' needs binaries, because a snapshot has no records"
      ),
      (["report", "--format", "json", "--trace", "t.json", "good.json"], "'--trace' needs '--format html'"),
      (
        ["report", "--trace", "t.json", "-o", "t.json", "good.json"],
        "'-o' would replace the input 't.json'; pass another path"
      ),
      (
        ["report", "--trace", "good.json", "good.json"],
        "good.json: error: not a trace of modules: it has no array 'traceEvents' of objects"
      ),
      (["report", "-o", "missing/x.json", "good.json"], "missing/x.json: error: cannot be written"),
    ] {
      let run = try tool(arguments, in: folder.path)
      #expect(run.status == 2 && run.output == "" && run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ("{", ""), (" \n{}", "missing member 'version'"),
    (#"{"version":2}"#, "it has version 2, and this version of the library reads 1; use a newer version"),
    (
      #"{"version":1,"origin":"files","problems":[{"severity":"error","code":"x]","message":"m"}],"processes":[]}"#,
      "problems[0].code: 'x]' is not a code"
    ),
    (#"{"version":1}"#, "missing member 'origin'; write it again with 'registry-tool report --format json'"),
    (#"{"version":1,"origin":"files","problems":[],"processes":[{}]}"#, "processes[0]: missing member "),
    (#"{"version":1,"origin":"files","problems":[],"processes":[7]}"#, "processes[0]: "),
    (#"{"version":1,"origin":"fil\u0000es","problems":[],"processes":[]}"#, "origin: "),
    (#"{"version":99999999999999999999}"#, ""), (#"{"version":1,"images":[],"records":[]}"#, "missing member 'origin'"),
    ("{\"a\":" + String(repeating: "[", count: 100_000), ""),
  ])
  func `a damaged or newer snapshot is an error that names the file`(_ json: String, _ words: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("damaged-\(UUID().uuidString).json")
    try Data(json.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let json = try tool(["check", "--format", "json", file.path])
    #expect(json.status == 2 && json.errors == "" && json.output.contains(#""code":"malformed-snapshot","file":"#))
    let other = try tool(["check", "--rules", "none.json", "--built-from", "none.a", file.path])
    #expect(other.status == 2 && other.errors.split(separator: "\n").count == 1, "\(other.errors)")
    for command in ["report", "check", "list", "graph"] {
      let run = try tool([command, file.path])
      let output = "0 records in 0 images: no problems; 1 could not be read\n"
      #expect(run.status == 2 && run.output == (command == "check" ? output : ""), "\(run.output)")
      #expect(
        run.errors.hasPrefix("\(file.path): error: is not a snapshot of registrations: \(words)"), "\(run.errors)")
      #expect(run.errors.hasSuffix(" [malformed-snapshot]\n"))
    }
  }

  @Test func `an archive member that the linker did not link is detected`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    func run(_ program: String, _ arguments: String...) throws {
      let run = try Command.run(program, arguments, in: folder.path)
      #expect(run.succeeded, "\(run.output)")
    }
    try write("one.c", Self.include + "REGISTRY_EXPORT_MODULE(One)\nint one(void) { return 1; }")
    try write("two.c", Self.include + "REGISTRY_EXPORT_MODULE(Two)")
    try write("main.c", "int one(void);\nint main(void) { return one(); }")
    for name in ["one", "two", "main"] { try run("clang", "-I", SharedObject.headers, "-c", "\(name).c") }
    try run("ar", "rcs", "libmembers.a", "one.o", "two.o")
    try run("clang", "main.o", "libmembers.a", "-o", "app")
    let list = try tool(["list", "--format", "json", "libmembers.a"], in: folder.path)
    #expect(list.status == 0 && list.output.contains("\"member\":\"two.o\""), "\(list.errors)")
    try write("list.json", list.output)
    let check = try tool(["check", "--expect", "list.json", "app"], in: folder.path)
    #expect(check.status == 1)
    #expect(
      check.errors.contains(
        "app: error: modu Two: the list expects this record from 'libmembers.a', but no file contains it"))
    #expect(!check.errors.contains("modu One:"))

    // An archive that is named twice is read once.
    let twice = try tool(["list", "libmembers.a", "./libmembers.a"], in: folder.path).output
    #expect(twice.components(separatedBy: "modu  Two").count == 2, "\(twice)")
  }

  @Test func `an unreadable file makes the status 2, and the other files are read`() throws {
    let library = try SharedObject(Self.include + "REGISTRY_EXPORT_MODULE(Absent.Class)", name: "unreadable")
    let check = try tool(["check", "/nowhere", #filePath, library.path])
    #expect(check.status == 2)
    let lines = check.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(check.errors)")
    #expect(lines[0].hasPrefix("/nowhere: error: cannot be opened") && lines[0].hasSuffix(" [unreadable-file]"))
    #expect(lines[1].hasPrefix("\(#filePath): error: is not a binary") && lines[1].hasSuffix(" [unsupported-file]"))
    #expect(lines[2].hasPrefix("\(library.path): error: Absent.Class: "))
    #expect(check.output == "1 record in 1 image: 1 problem; 2 could not be read\n")
    let json = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data("{}".utf8).write(to: json)
    defer { try? FileManager.default.removeItem(at: json) }
    for command in ["list", "graph", "check", "report"] {
      let run = try tool([command, json.path, library.path])
      #expect(run.status == 2 && (run.output + run.errors).contains("Absent.Class"), "\(run)")
      #expect(run.errors.contains("\(json.path): error: is not a binary"))
    }
    for command in ["list", "graph"] {
      let run = try tool([command, "/nowhere", library.path])
      #expect(run.status == 2 && run.output.contains("Absent.Class") && run.errors.hasPrefix("/nowhere: error: "))
    }
  }

  @Test func `the records that a graph omits are reported`() throws {
    var bytes = RecordBytes()
    bytes.record(#"{"module":"A.M","level":"odd"}"#, kind: 0x6d6f_6475)
    let library = try SharedObject(records: bytes, name: "drawn")
    let graph = try tool(["graph", library.path])
    #expect(graph.status == 0 && !graph.output.contains("A.M"))
    #expect(graph.errors.hasPrefix("\(library.path): warning: record at offset "), "\(graph.errors)")
  }

  @Test func `malformed records are listed with a warning, and a problem for check`() throws {
    var bytes = RecordBytes()
    bytes.record(#"{"module":"A.M","level":"odd"}"#, kind: 0x6d6f_6475)
    bytes.record(Array("{}".utf8), payloadSize: 12)
    let library = try SharedObject(records: bytes, name: "malformed")
    let list = try tool(["list", library.path])
    #expect(list.status == 0 && list.output.contains("malformed: {\"module\":\"A.M\",\"level\":\"odd\"}"))
    #expect(list.errors.split(separator: "\n").count == 2)
    #expect(list.errors.contains("\(library.path): warning: record at offset "))
    let check = try tool(["check", library.path])
    #expect(check.status == 1 && check.errors.contains("unknown level 'odd' at byte 29 of its JSON"))
    #expect(check.errors.contains("the payload is shorter than 16 bytes"))
  }

  @Test func `rare columns of a list are shown if a record needs them`() throws {
    var bytes = RecordBytes()
    bytes.record(#"{"protocol":"A.P","class":"A.C","replaces":"A.Old","when":"flag(new)"}"#)
    bytes.record(#"{"protocol":"A.Q","class":"A.D","replacesType":"Old"}"#)
    bytes.record(#"{"module":"A.M","after":["B.M"],"afterTypes":["C.M"]}"#, kind: 0x6d6f_6475)
    let library = try SharedObject(records: bytes, name: "rare")
    let list = try tool(["list", library.path])
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows[0].contains("REPLACES") && rows[0].contains("WHEN") && !rows[0].contains("GROUP"))
    let cells = ["serv", "A.C", "A.P", "transient", "0", "A.Old", "flag(new)", "no"]
    #expect(rows[1].starts(with: cells), "\(list.output)")
    #expect(rows[2].starts(with: ["serv", "A.D", "A.Q", "transient", "0", "Old", "no"]), "\(list.output)")
    #expect(rows[3].starts(with: ["modu", "A.M", "normal", "0", "B.M,", "C.M", "no"]), "\(list.output)")
    withExtendedLifetime(library) {}
  }

  @Test func `a record of an unknown kind is listed as such, and is not a problem`() throws {
    var bytes = RecordBytes()
    bytes.record(#"{"new":1}"#, kind: 0x6162_6364)
    let library = try SharedObject(records: bytes, name: "newer")
    let list = try tool(["list", library.path])
    #expect(list.status == 0 && list.output.contains("\nabcd (unknown)  {\"new\":1}"), "\(list.output)")
    let check = try tool(["check", library.path])
    withExtendedLifetime(library) { #expect(check.status == 0, "\(check.errors)") }
  }

  @Test func `The tool explains each code with its section of the page`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let page = try String(contentsOf: root.appendingPathComponent("Documentation/Diagnostics.md"), encoding: .utf8)
    let codes = page.matches(of: /\n### `([a-z-]+)`\n/).map { String($0.1) }
    #expect(codes.count > 100)
    let all = try tool(["explain"] + codes)
    #expect(all.status == 0 && all.errors.isEmpty)
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      for text in section.components(separatedBy: "\n### ").dropFirst() { #expect(all.output.contains("### \(text)")) }
    }
    let one = try tool(["explain", "[tie]"])
    #expect(one.output.hasPrefix("### `tie`\n") && one.output.matches(of: /\n##/).isEmpty)
  }

  private static let commands = "'list', 'check', 'graph', 'report', 'diff', 'budget', and 'explain'"

  @Test(arguments: [
    ([], "missing command; see 'registry-tool --help'"),
    (
      ["lis"],
      "unknown command 'lis'; the commands are \(commands); did you mean 'list'?"
    ),
    (
      ["--hepl"],
      "unknown option '--hepl'; the commands are \(commands); did you mean '--help'?"
    ),
    (["list"], "missing FILE…; see 'registry-tool list --help'"),
    (
      ["check", "--registered", "Shop.app"],
      "missing FILE… after '--registered Shop.app', which is the name of a service, a route, or a module; see"
        + " 'registry-tool check --help'"
    ),
    (
      ["check", "--registered", "Swift.Int, Swift.String"],
      "missing FILE… after '--registered Swift.Int, Swift.String', which is the name of a service, a route, or a module; see"
        + " 'registry-tool check --help'"
    ),
    (["explain"], "missing CODE…; see 'registry-tool explain --help'"),
    (
      ["explain", "--arch=x"],
      "unknown option '--arch'; 'explain' has the options '--help'; 'list', 'check', 'graph', 'report', and 'diff' have it"
    ),
    (
      ["explain", "no-servcie"],
      "unknown code 'no-servcie'; Documentation/Diagnostics.md lists the codes; did you mean 'no-service'?"
    ),
    (
      ["list", "--formt", "json", "x"],
      "unknown option '--formt'; 'list' has the options '--format', '--arch', and '--help'; did you mean '--format'?"
    ),
    (
      ["list", "--format", "jsn", "x"],
      "unknown format 'jsn'; the formats are 'table' and 'json'; did you mean 'json'?"
    ),
    (
      ["check", "--seperate", "x"],
      "unknown option '--seperate'; 'check' has the options '--expect', '--built-from', '--rules', '--write-rules', '--registered',"
        + " '--separate', '--format', '--arch', and '--help'; did you mean '--separate'?"
    ),
    (
      ["list", "--separate", "x"],
      "unknown option '--separate'; 'list' has the options '--format', '--arch', and '--help'; 'check' and 'report' have it"
    ),
    (
      ["graph", "--configuration", "x"],
      "unknown option '--configuration'; 'graph' has the options '--format', '--arch', and '--help';"
        + " 'swift package check-registrations' and 'swift package registry-report' have it"
    ),
    (
      ["graph", "--baseline", "x"],
      "unknown option '--baseline'; 'graph' has the options '--format', '--arch', and '--help';"
        + " 'swift package check-registrations' has it"
    ),
    (
      ["graph", "--format=table", "x"],
      "unknown format 'table'; the formats are 'dot' and 'mermaid'; 'list' has it"
    ),
    (
      ["check", "--format", "jsn", "x"],
      "unknown format 'jsn'; the formats are 'text' and 'json'; did you mean 'json'?"
    ),
    (["check", "--separate=no", "x"], "'--separate' takes no value; remove '=' and the value"),
    (
      ["check", "--registered", "A.P,A.Q", "x"],
      "'--registered' takes one name; repeat the option for each of 'A.P,A.Q'"
    ),
    (["list", "x", "--arch"], "'--arch' requires a value"), (["list", "--arch=", "x"], "'--arch' requires a value"),
    (["list", "--arch", "a", "--arch=b", "x"], "'--arch' is given more than once; pass it once"),
  ])
  func `a wrong command prints the correct usage`(_ arguments: [String], _ words: String) throws {
    let run = try tool(arguments)
    #expect(run.status == 2 && run.output == "")
    #expect(run.errors == "registry-tool: error: \(words) [usage]\n", "\(run.errors)")
  }

  @Test func `help is available for the tool and for each command`() throws {
    for arguments in [
      ["--help"], ["help"], ["list", "--help"], ["check", "x", "-h"], ["graph", "--help"], ["help", "check"],
    ] {
      let run = try tool(arguments)
      #expect(run.status == 0 && run.errors == "" && run.output.contains("usage: registry-tool"))
      #expect(run.output.contains("Exit status"))
    }
  }

  @Test func `the version is that of the list of changes`() throws {
    let run = try tool(["--version"])
    #expect(run.status == 0 && run.output == "registry-tool 0.1.0-dev\n" && run.errors == "")
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let changes = try Data(contentsOf: root.appendingPathComponent("CHANGELOG.md"))
    #expect(String(decoding: changes, as: UTF8.self).contains("`registry-tool --version` prints `0.1.0-dev`"))
  }

  @Test func `help about an unknown command is an error`() throws {
    let run = try tool(["help", "lis"])
    #expect(run.status == 2 && run.output == "")
    #expect(run.errors.hasPrefix("registry-tool: error: unknown command 'lis'; the commands are"), "\(run.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no device that is full"))
  func `output that cannot be written makes the status 2`() throws {
    let path = try BuiltProgram.path("registry-tool")
    #expect(try Command.run("sh", ["-c", "\"$0\" --help >/dev/full", path]).status == 2)
  }

  @Test func `members without records are one row of the list's table`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quiet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("a", "int a;"), ("b", "int b;"), ("c", Self.include + "REGISTRY_EXPORT_MODULE(C)"), ("d", "int d;"),
    ] {
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).c"))
      #expect(try Command.run("clang", ["-I", SharedObject.headers, "-c", "\(name).c"], in: folder.path).succeeded)
    }
    #expect(try Command.run("ar", ["rcs", "libx.a", "a.o", "b.o", "c.o", "d.o"], in: folder.path).succeeded)
    let list = try tool(["list", "libx.a"], in: folder.path)
    let rows = list.output.split(separator: "\n").filter { $0.hasPrefix("libx.a") }.map {
      $0.prefix { $0 != ")" } + ")"
    }
    #expect(rows == ["libx.a (3 members)", "libx.a(c.o)"])
  }

  @Test func `after two dashes, every argument is a file`() throws {
    let run = try tool(["list", "--", "--help"])
    #expect(run.status == 2 && run.errors.hasPrefix("--help: error: cannot be opened"))
  }

  @Test func `slices that differ are reported, and one slice can be selected`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("universal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = """
      REGISTRY_EXPORT_MODULE(Both)
      #ifdef __arm64__
      REGISTRY_EXPORT_MODULE(Arm)
      #endif
      """
    try Data((Self.include + source).utf8).write(to: folder.appendingPathComponent("x.c"))
    // The header mach-o/fat.h declares the magic number and the number of slices, followed by the
    // type and subtype of the processor, the offset, the size, and the alignment of each slice.
    func words(_ words: UInt32...) -> Data {
      words.reduce(into: Data()) { data, word in withUnsafeBytes(of: word.bigEndian) { data.append(contentsOf: $0) } }
    }
    var (header, contents) = (words(0xcafe_babe, 2), Data())
    for (name, type, subtype) in [("arm64", 0x0100_000c, 0), ("x86_64", 0x0100_0007, 3)] as [(String, UInt32, UInt32)] {
      let compiled = try Command.run(
        "clang",
        [
          "-target", "\(name)-apple-macos13", "-nostdlibinc", "-ffreestanding", "-I", SharedObject.headers, "-c", "x.c",
          "-o", "\(name).o",
        ], in: folder.path)
      #expect(compiled.succeeded, "\(compiled.output)")
      let object = try Data(contentsOf: folder.appendingPathComponent("\(name).o"))
      header += words(type, subtype, UInt32(4096 + contents.count), UInt32(object.count), 12)
      contents += object + Data(count: (4096 - object.count % 4096) % 4096)
    }
    let file = folder.appendingPathComponent("fat.o")
    try (header + Data(count: 4096 - header.count) + contents).write(to: file)

    let list = try tool(["list", "fat.o"], in: folder.path)
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let records = rows.filter { $0.first == "modu" }
    #expect(
      list.status == 0
        && records.map { [$0[1], $0.last!] } == [["Both", "arm64"], ["Arm", "arm64"], ["Both", "x86_64"]])
    let check = try tool(["check", "fat.o"], in: folder.path)
    #expect(check.status == 1)
    #expect(
      check.errors.contains(
        #"fat.o: error: modu {"module":"Arm"}: the file registers it for 'arm64', but not for 'x86_64' [slice-mismatch]"#
      ))
    #expect(check.errors.contains("fat.o (arm64): note: the classes cannot be read"))
    let one = try tool(["list", "--arch", "x86_64", "fat.o"], in: folder.path)
    #expect(one.status == 0 && one.output.split(separator: "\n").count { $0.hasPrefix("modu") } == 1)
    #expect(try !tool(["check", "--arch=x86_64", "fat.o"], in: folder.path).errors.contains("slice-mismatch"))
    for command in [["graph"], ["report", "--format", "json"]] {
      let one = try tool(command + ["--arch", "x86_64", "fat.o"], in: folder.path)
      #expect(one.status == 0 && one.output.contains("Both") && !one.output.contains("Arm"), "\(one)")
    }
  }

  @Test func `an architecture that a file lacks is an error that names the existing ones`() throws {
    let library = try SharedObject(Self.include + "REGISTRY_EXPORT_MODULE(A.M)", name: "arch")
    let run = try tool(["list", "--arch", "pdp11", library.path])
    #expect(run.status == 2 && run.errors.contains("does not contain the architecture 'pdp11'"))
  }
}
