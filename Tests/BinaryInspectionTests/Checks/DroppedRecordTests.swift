import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// Records of objects that a linker dropped.
@MainActor @Suite struct DroppedRecordTests {
  private let linked = TestRecord.module(#"{"module":"App.M"}"#)
  private let dropped = TestRecord.module(#"{"module":"Cart.M","at":"Cart/M.swift:3:1"}"#, accessor: true)
  private let fix =
    "because a linker omits members of an archive that nothing refers to; link the archive with"
    + " '-Wl,--whole-archive libCart.a -Wl,--no-whole-archive', or make it an object library ('OBJECT' in CMake)"
    + " [dropped-record]"

  private func inspection(
    _ app: [TestRecord], _ archive: [TestRecord], format: ImageHeader.Format = .elf, member: String? = "Cart.o"
  ) -> Inspection {
    SimulatedObject.inspection(
      [
        .with(app, path: "App", format: format, type: .executable),
        .with(archive, path: member == nil ? "Cart.o" : "libCart.a", format: format, type: .object),
      ], members: [nil, member])
  }

  @Test func `an archive's record that the executable lacks is a problem`() {
    #expect(
      inspection([linked], [dropped]).check().map(\.description) == [
        "libCart.a: error: modu Cart.M (Cart/M.swift:3:1): 'App' lacks this record, \(fix)"
      ])
    let machO = inspection([linked], [dropped], format: .machO).check()
    #expect(machO.count == 1 && machO[0].description.contains("'-Wl,-force_load,libCart.a'"))
    // A folder of a build also contains objects of other products.
    let object = inspection([linked], [dropped], member: nil).check()
    #expect(object.map(\.severity) == [.note])
    #expect(object[0].description.hasSuffix(" of the object; add the object to the link [dropped-record]"))
  }

  @Test func `an object with several records is reported once`() {
    let others = (1...4).map { TestRecord.service(#"{"protocol":"P\#($0)","class":"C"}"#) }
    #expect(
      inspection([linked], [dropped] + others).check(for: .problem).map(\.description) == [
        "libCart.a: error: modu Cart.M, serv P1 by C, serv P2 by C, and 2 more (Cart/M.swift:3:1): 'App' lacks these"
          + " records, \(fix)"
      ])
    // An object of which a record was linked was not dropped.
    let partly = inspection([linked, dropped], [dropped] + others.prefix(1)).check(for: .problem).map(\.description)
    #expect(
      partly == [
        "libCart.a: error: serv P1 by C: 'App' lacks this record, but not all records of the object, so it was compiled"
          + " after the link, or an option removed records; link again, or remove the option [dropped-record]"
      ])
  }

  @Test func `an executable with all records of an archive has no problem`() {
    // A record can be compiled again, and a need that is absent fails nothing.
    let moved = TestRecord.module(#"{"module":"Cart.M","at":"Cart/M.swift:4:1"}"#, accessor: true)
    let need = TestRecord.need(#"{"protocol":"P","optional":true}"#)
    #expect(inspection([linked, moved], [dropped, linked, need]).check(for: .problem) == [])
    // Without a linked file, or without an object, nothing can be compared.
    let archives = [
      SimulatedObject.with([linked], path: "a", type: .object), .with([dropped], path: "b", type: .object),
    ]
    #expect(SimulatedObject.inspection(archives).check() == [])
  }

  @Test func `groups and the keys of contributions tell records apart`() {
    func contribution(_ more: String, by handler: String = "A/A.swift:1:1") -> TestRecord {
      TestRecord(kind: 0x636f_6e74, json: #"{"point":"menu","handler":"\#(handler)"\#(more)}"#, hasAccessor: true)
    }
    let plain = contribution("")
    for (app, archive) in [
      (contribution(#","key":"a""#), contribution(#","key":"b""#)), (plain, contribution(#","key":"b""#)),
      (contribution("", by: "cart::rows"), contribution("", by: "cart::total")),
    ] {
      #expect(inspection([app], [archive]).check(for: .problem).map(\.code) == [.droppedRecord])
    }
    #expect(inspection([plain], [plain]).check(for: .problem) == [])
  }

  @Test func `records are not called dropped if a file that could contain them is unread`() {
    let objects: [(SimulatedObject, member: String?)] = [
      (.with([linked], path: "App", format: .elf, type: .executable), nil),
      (.with([dropped], path: "libCart.a", format: .elf, type: .object), "Cart.o"),
    ]
    for (severity, code) in [(.unreadable, .unreadableFile), (.problem, .encrypted)]
      as [(InspectionProblem.Severity, Diagnostic.Code)]
    {
      let found = Inspection(of: [""], readsClasses: false) { _, tell in
        tell(.problem(InspectionProblem(file: "x", severity: severity, code: code, text: "x"), path: "x"))
        for (object, member) in objects { tell(.found(object, path: object.view.name, member: member)) }
      }.check()
      #expect(found.map(\.code) == [code])
    }
  }

  @Test func `an archive can belong to another process with --separate`() {
    let found = inspection([linked], [dropped]).check(librariesAreSeparate: true)
    #expect(found.map(\.severity) == [.note] && found.map(\.code) == [.droppedRecord])
  }
}

/// The option `--built-from`, with files that compilers and linkers create.
@Suite(.enabled(if: MachOTools.areThere && BuiltELF.linker != nil && BuiltELF.ar != nil, "needs clang, lld, and ar"))
struct BuiltFromTests {
  private static let (linux, mac) = ("x86_64-linux-gnu", "arm64-apple-macos13")

  /// Calls a closure with a folder that contains the objects Cart.o and Used.o, each with a module
  /// and a service, and None.o without records.
  private func inFolder(_ target: String, _ body: (String) throws -> Void) throws {
    try BuiltELF.inFolder { folder in
      try compile(target, in: folder)
      try body(folder)
    }
  }

  private func compile(_ target: String, to suffix: String = "", in folder: String) throws {
    try BuiltELF.write("int none;", "\(folder)/None.c")
    for name in ["Cart", "Used"] {
      try BuiltELF.write(
        """
        #include "registry_export.h"
        REGISTRY_EXPORT_MODULE(\(name).M)
        REGISTRY_EXPORT_SERVICE(\(name).P, \(name).C)
        REGISTRY_NEEDS_SERVICE(Other.P, optional(yes))
        """, "\(folder)/\(name).c")
    }
    for name in ["Cart", "Used", "None"] {
      try BuiltELF.run(
        MachOTools.clang,
        [
          "-target", target, "-ffreestanding", "-nostdlibinc", "-I", SharedObject.headers, "-c", "\(name).c", "-o",
          "\(name)\(suffix).o",
        ], in: folder)
    }
  }

  private func link(_ objects: String..., to path: String = "libshop.so", in folder: String) throws {
    try BuiltELF.run(BuiltELF.linker, ["-shared", "-o", path] + objects, in: folder)
  }

  /// Runs `check` with words, and returns the status and the lines that begin with `paths`.
  private func check(_ words: String..., of paths: [String], in folder: String) throws -> (Int32, [String]) {
    let run = try ToolTests().tool(["check"] + words, in: folder)
    let lines = run.errors.split(separator: "\n").map(String.init)
    return (run.status, lines.filter { line in paths.contains { line.hasPrefix("\($0): ") } })
  }

  @Test func `an object and an archive's member are named with their records, images, and fixes`() throws {
    try inFolder(Self.linux) { folder in
      try BuiltELF.run(BuiltELF.ar, ["rcs", "libAll.a", "Cart.o", "Used.o", "None.o"], in: folder)
      try link("Used.o", in: folder)
      let records = "error: modu Cart.M, serv Cart.P by Cart.C: 'libshop.so' lacks these records"
      let fix =
        "because a linker omits members of an archive that nothing refers to; link the archive with"
        + " '-Wl,--whole-archive libAll.a -Wl,--no-whole-archive', or make it an object library ('OBJECT' in CMake)"
      // With a pattern of the shell, only the first file is the option's.
      for words in [
        ["--built-from", "Cart.o", "Used.o"], ["--built-from", "Used.o", "Cart.o"], ["--built-from=Cart.o"],
      ] {
        let run = try ToolTests().tool(["check"] + words + ["libshop.so"], in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("Cart.o: \(records) of the object; add the object to the link [dropped-record]\n"))
        #expect(run.errors.components(separatedBy: "[dropped-record]").count == 2)
      }
      // An object that is given twice is reported once, and also if products may be separate.
      let archive = try check(
        "--separate", "--built-from", "libAll.a", "--built-from", "libAll.a", "libshop.so", of: ["libAll.a(Cart.o)"],
        in: folder)
      #expect(archive == (1, ["libAll.a(Cart.o): \(records), \(fix) [dropped-record]"]))
      let folderOfAll = try check(
        "--built-from", ".", "libshop.so", of: ["./libAll.a(Cart.o)", "./Cart.o", "./Used.o"], in: folder)
      #expect(folderOfAll.0 == 1 && folderOfAll.1.count == 2)
    }
  }

  @Test func `records of all images count, and those of several builds count once`() throws {
    try inFolder(Self.linux) { folder in
      try link("Used.o", in: folder)
      try link("Cart.o", to: "libCart.so", in: folder)
      // Two builds, and a prelinked object with its parts.
      try BuiltELF.run(BuiltELF.linker, ["-r", "Cart.o", "Used.o", "-o", "Both.o"], in: folder)
      try FileManager.default.copyItem(atPath: "\(folder)/Cart.o", toPath: "\(folder)/Release.o")
      let run = try ToolTests().tool(
        ["check", "--built-from", ".", "--registered", "Cart.M", "libshop.so", "libCart.so"], in: folder)
      #expect(!run.errors.contains("dropped-record") && !run.errors.contains("duplicate"), "\(run.errors)")
      // An object of which a part was linked: the image is older than it.
      let partly = try check("--built-from", "Both.o", "libshop.so", of: ["Both.o"], in: folder)
      #expect(partly.0 == 1)
      #expect(partly.1.count == 1 && partly.1[0].contains("but not all records of the object, so it was compiled"))
      try link("None.o", to: "libNone.so", in: folder)
      let several = try check("--built-from", "Cart.o", "libshop.so", "libNone.so", of: ["Cart.o"], in: folder)
      #expect(several.1.count == 1 && several.1[0].contains("'libshop.so' and 'libNone.so' lack these records of"))
    }
  }

  @Test func `files that cannot be compared are errors, and those without records are noted`() throws {
    try inFolder(Self.linux) { folder in
      try link("Used.o", in: folder)
      try compile("aarch64-linux-gnu", to: "-arm", in: folder)
      #expect(
        try check("--built-from", "Cart-arm.o", "libshop.so", of: ["Cart-arm.o"], in: folder) == (
          2,
          [
            "Cart-arm.o: error: the objects are for 'ELF aarch64', but the linked files are for 'ELF x86_64'; pass the"
              + " objects of the same build [architecture-not-found]"
          ]
        ))
      let empty =
        "no file of '--built-from' is an object with records, so nothing is compared; pass the objects or archives of the"
        + " features [nothing-selected]"
      for file in ["None.o", "libshop.so"] {
        let run = try ToolTests().tool(["check", "--built-from", file, "libshop.so"], in: folder)
        #expect(run.status != 2 && run.errors.contains("\(file): note: \(empty)\n"))
      }
      // Bitcode can contain records.
      try BuiltELF.run(
        BuiltELF.clang, ["-target", "x86_64-linux-gnu", "-flto", "-c", "None.c", "-o", "Code.o"], in: folder)
      try BuiltELF.run(BuiltELF.ar, ["rcS", "libx.a", "None.o", "Code.o"], in: folder)
      let unread = try ToolTests().tool(["check", "--built-from", "libx.a", "libshop.so"], in: folder)
      let unreadable =
        "objects of '--built-from' cannot be read, so their records are not compared; pass objects with machine code"
        + " [nothing-selected]\n"
      #expect(unread.status == 2 && unread.errors.contains("libx.a: error: \(unreadable)"), "\(unread.errors)")
      // With records in another member, the others are still unknown.
      try BuiltELF.run(BuiltELF.ar, ["rcS", "liby.a", "Cart.o", "Code.o"], in: folder)
      let partly = try ToolTests().tool(["check", "--built-from", "liby.a", "libshop.so"], in: folder)
      #expect(partly.status == 2 && partly.errors.contains("liby.a: error: \(unreadable)"), "\(partly.errors)")
      // Binary targets of other packages have no records.
      for file in ["None.o", "libx.a"] {
        let run = try ToolTests().tool(["check", "--separate", "--built-from", file, "libshop.so"], in: folder)
        #expect(run.status != 2 && !run.errors.contains("error: \(unreadable)"), "\(run.errors)")
      }
      #expect(
        try check("--built-from", "Cart.o", "Used.o", of: ["Cart.o"], in: folder) == (
          2,
          [
            "Cart.o: error: no linked file can contain these objects; also pass the executable or the library that is built"
              + " from them [nothing-selected]"
          ]
        ))
      let absent = try ToolTests().tool(["check", "--built-from", "absent.o", "libshop.so"], in: folder)
      #expect(absent.status == 2 && absent.errors.contains("absent.o: error: cannot be opened: No such file"))
      #expect(!absent.errors.contains("nothing-selected"))
      try BuiltELF.write("{\"schema\":1}", "\(folder)/snapshot.json")
      #expect(try ToolTests().tool(["check", "--built-from", "Cart.o", "snapshot.json"], in: folder).status == 2)
    }
  }

  @Test func `a slice of a universal archive is compared with the images of its architecture`() throws {
    try inFolder(Self.mac) { folder in
      try compile("x86_64-apple-macos13", to: "-intel", in: folder)
      try BuiltELF.run(MachOTools.lipo, ["-create", "Cart.o", "Cart-intel.o", "-output", "Universal.o"], in: folder)
      try BuiltELF.run(
        MachOTools.linker,
        [
          "-arch", "arm64", "-platform_version", "macos", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup",
          "-o",
        ]
          + ["libshop.dylib", "Used.o"], in: folder)
      let found = try check(
        "--built-from", "Universal.o", "libshop.dylib", of: ["Universal.o (arm64)", "Universal.o (x86_64)"], in: folder)
      #expect(found.0 == 1)
      #expect(
        found.1 == [
          "Universal.o (arm64): error: modu Cart.M, serv Cart.P by Cart.C: 'libshop.dylib' lacks these records of the"
            + " object; add the object to the link [dropped-record]"
        ])
      let intel = try check("--built-from", "Cart-intel.o", "libshop.dylib", of: ["Cart-intel.o"], in: folder)
      #expect(intel.0 == 2 && intel.1.count == 1 && intel.1[0].contains("'Mach-O x86_64, platform 1'"))
    }
  }
}
