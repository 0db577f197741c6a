import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Archives in the formats of GNU's and LLVM's archivers.
@Suite(.enabled(if: BuiltELF.ar != nil && BuiltELF.clang != nil, "needs ar and clang"))
struct ArchiveTests {
  /// Creates a text file and objects, including one whose name does not fit into a header.
  private func objects(in folder: String) throws -> [String] {
    let names = ["a.o", "a name of more than sixteen bytes.o", "b.o"]
    for name in names {
      try BuiltELF.write("int x;", "\(folder)/x.c")
      try BuiltELF.run(BuiltELF.clang, ["-target", "x86_64-linux-gnu", "-c", "x.c", "-o", name], in: folder)
    }
    try BuiltELF.write("odd", "\(folder)/read.me")
    return names + ["read.me"]
  }

  @Test(
    "the members of an archive are found in every format",
    arguments: ["gnu", "bsd", "darwin", "gnu64", "llvm", "without symbols"])
  func members(format: String) throws {
    if format != "gnu", format != "without symbols", BuiltELF.llvmAr == nil { return }
    try BuiltELF.inFolder { folder in
      let names = try objects(in: folder)
      switch format {
      case "gnu": try BuiltELF.run(BuiltELF.ar, ["rcs", "libx.a"] + names, in: folder)
      case "without symbols": try BuiltELF.run(BuiltELF.ar, ["rcS", "libx.a"] + names, in: folder)
      case "llvm": try BuiltELF.run(BuiltELF.llvmAr, ["rcs", "libx.a"] + names, in: folder)
      case "gnu64":
        // The environment variable makes the archiver write a symbol table with 64 bits.
        let llvmAr = try #require(BuiltELF.llvmAr)
        try BuiltELF.run(
          "env", ["SYM64_THRESHOLD=0", llvmAr, "--format=gnu", "rcs", "libx.a"] + names, in: folder)
        #expect(
          try Data(contentsOf: URL(fileURLWithPath: "\(folder)/libx.a")).dropFirst(8).starts(with: Data("/SYM64/".utf8))
        )
      default: try BuiltELF.run(BuiltELF.llvmAr, ["--format=\(format)", "rcs", "libx.a"] + names, in: folder)
      }
      let result = SearchResult("\(folder)/libx.a", in: folder)
      #expect(result.found == names.dropLast().map { "libx.a(\($0))" })
      #expect(result.errors.isEmpty)
      #expect(result.notes.map(\.message) == ["skipped members that are not binaries: 'read.me'"])
    }
  }

  @Test("at most a thousand errors and notes of an archive are listed, with the number of the others")
  func manyMembers() throws {
    try BuiltELF.inFolder { folder in
      func member(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let header = name.padding(toLength: 48, withPad: " ", startingAt: 0)
        return Array("\(header)4         `\n".utf8) + content
      }
      var archive = Array("!<arch>\n".utf8)
      for index in 0..<1_003 { archive += member("\(index).o/", [0x7f, 0x45, 0x4c, 0x46]) }
      for index in 0..<1_004 { archive += member("\(index).bc/", [0x42, 0x43, 0xc0, 0xde]) }
      archive += member("text/", Array("text".utf8))
      let path = "\(folder)/lib.a"
      try Data(archive).write(to: URL(fileURLWithPath: path))
      let inspection = Inspection(of: [path])
      let (errors, notes) = (inspection.errors, inspection.notes)
      #expect(errors.count == 1_001 && errors[0].file == "\(path)(0.o)")
      #expect(errors.last?.description == "\(path): error: 3 more messages of this kind [damaged-file]")
      #expect(notes.count == 1_002 && notes[0].file == "\(path)(0.bc)")
      #expect(
        notes.suffix(2).map(\.description) == [
          "\(path): note: skipped members that are not binaries: 'text' [skipped-members]",
          "\(path): note: 4 more messages of this kind [unsupported-file]",
        ])
    }
  }

  @Test("bitcode of link-time optimization is reported, in an archive and on its own")
  func bitcode() throws {
    try BuiltELF.inFolder { folder in
      try BuiltELF.write("int x;", "\(folder)/x.c")
      try BuiltELF.run(BuiltELF.clang, ["-target", "x86_64-linux-gnu", "-flto", "-c", "x.c"], in: folder)
      try BuiltELF.run(BuiltELF.ar, ["rcS", "libx.a", "x.o"], in: folder)
      let message = "is LLVM bitcode; it \(BinaryFinder.linkTime)"
      let result = SearchResult("\(folder)/libx.a", in: folder)
      #expect(result.found.isEmpty && result.errors.isEmpty)
      #expect(result.notes.map(\.message) == [message])
      #expect(result.notes.first?.file == "libx.a(x.o)")
      #expect(SearchResult("\(folder)/x.o", in: folder).errors.map(\.message) == [message])
    }
  }

  @Test("an archive without a member for the architecture is an error that names its contents")
  func architecture() throws {
    try BuiltELF.inFolder { folder in
      let names = try objects(in: folder)
      try BuiltELF.run(BuiltELF.ar, ["rcs", "libx.a"] + names, in: folder)
      #expect(SearchResult("\(folder)/libx.a", in: folder, architecture: "x86_64").found.count == names.count - 1)
      let result = SearchResult("\(folder)/libx.a", in: folder, architecture: "arm64")
      #expect(result.found.isEmpty)
      #expect(result.errors.map(\.message) == ["does not contain the architecture 'arm64', but only 'x86_64'"])
    }
  }
}

/// Malformed archives that are assembled byte by byte.
@Suite struct DamagedArchiveTests {
  private func header(_ name: String, _ size: String, end: String = "`\n") -> String {
    name.padding(toLength: 16, withPad: " ", startingAt: 0) + "0           0     0     644     "
      + size.padding(toLength: 10, withPad: " ", startingAt: 0) + end
  }

  private func read(_ text: String) -> (names: [String], error: InspectionProblem?) {
    var names: [String] = []
    do throws(InspectionProblem) {
      guard var archive = try Archive(BinaryView(FileBytes(Array(text.utf8), path: "x.a"))) else {
        return ([], InspectionProblem(file: "x.a", code: .unsupportedFile, text: "is not an archive"))
      }
      while let member = try archive.nextMember() { names.append(member.name) }
      return (names, nil)
    } catch {
      return (names, error)
    }
  }

  @Test("a member outside the file is an error with its name, and earlier members are kept")
  func leadsOut() {
    let text = "!<arch>\n" + header("one/", "3") + "abc\n" + header("two/", "9999999999") + "abc"
    let (names, error) = read(text)
    #expect(names == ["one"])
    #expect(
      error?.message == "the member 'two' has 9999999999 bytes, but the archive has only 3 bytes left")
    #expect(error?.offset == 132)
  }

  @Test("a member with a long name is not a table of symbols, unless BSD's archivers give tables that name")
  func tables() {
    let gnu = header("//", "10") + "/SYM64//\n\n" + header("/0", "3") + "abc\n"
    let bsd = ["/SYM64/", "__.SYMDEF"].map { header("#1/\($0.utf8.count)", "\($0.utf8.count + 1)") + "\($0)a" }
    let text = "!<arch>\n" + gnu + header("/SYM64/", "4") + "abcd" + bsd.joined()
    #expect(read(text).names == ["/SYM64/", "/SYM64/"])
  }

  @Test(
    "malformed headers are errors with their offsets",
    arguments: [
      ("one/", "-3", "`\n", "the size of the member 'one/' is '-3', which is not a number", 56),
      ("one/", "", "`\n", "the size of the member 'one/' is '', which is not a number", 56),
      ("one/", "0x3", "`\n", "the size of the member 'one/' is '0x3', which is not a number", 56),
      ("one/", "3", "\n`", "the header of a member has an invalid end", 66),
      ("#1/9", "3", "`\n", "the length of the member's name is '9', but the member has 3 bytes", 8),
      ("#1/x", "3", "`\n", "the length of the member's name is 'x', but the member has 3 bytes", 8),
      ("/0", "3", "`\n", "the member's name is at 0 in a table of names that is missing", 8),
      ("/0:7", "3", "`\n", "the member's name '/0:7' has an unknown form", 8),
      ("/x", "3", "`\n", "the member's name '/x' has an unknown form", 8),
      ("//", "4", "`\n", "the member '//' has 4 bytes, but the archive has only 3 bytes left", 68),
    ])
  func headers(name: String, size: String, end: String, message: String, offset: UInt64) {
    let (names, error) = read("!<arch>\n" + header(name, size, end: end) + "abc")
    #expect(names.isEmpty)
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test("a name outside the table of names, or without an end, is an error")
  func names() {
    let table = "!<arch>\n" + header("//", "6") + "abc/\nd"
    #expect(read(table + header("/0", "1") + "x").names == ["abc"])
    #expect(read(table + header("/6", "1") + "x").error?.message.contains("has 6 bytes") == true)
    #expect(read(table + header("/5", "1") + "x").error?.message == "the name of a member is not terminated")
  }

  @Test("the byte that fills up the last member may be missing; a header that is cut off may not")
  func ends() {
    let whole = "!<arch>\n" + header("one/", "3") + "abc"
    #expect(read(whole).names == ["one"] && read(whole).error == nil)
    #expect(read(whole + "\n").error == nil)
    #expect(read(whole + "\nxyz").error?.message == "the archive is truncated in the header of a member")
    #expect(read("!<arch>\n").names.isEmpty && read("!<arch>\n").error == nil)
    #expect(read("!<arch>").error != nil)
  }

  @Test("a thin archive is an error that names the alternative")
  func thin() throws {
    let error = read("!<thin>\n" + header("a.o/", "768")).error
    #expect(
      error?.message == "is a thin archive, which does not contain its members; pass the member files instead")
  }
}
