import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Classes that conform to the protocol of modules and that no record exports.
@Suite struct UnexportedModuleTests {
  private static let library = "public protocol Module {}\npublic protocol Other {}\nfinal class Placeholder: Module {}"
  private static let cart = """
    import Lifecycle
    public final class CartModule: Module {}
    enum Outer { final class Inner: Module {} }
    final class Exported: Module {}
    final class Unrelated: Other {}
    """
  private static let note =
    "note: Cart.CartModule: the class conforms to 'Module', but no file exports it, so no manager starts it unless code"
    + " registers it; add '@ExportModule', or, if code registers it, pass '--registered Cart.CartModule'"
    + " [unexported-module]"

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modules-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [("Lifecycle", Self.library), ("Cart", Self.cart)] {
      try text.write(toFile: "\(folder.path)/\(name).swift", atomically: true, encoding: .utf8)
    }
    try body(folder.path)
  }

  private func run(_ tool: String, _ arguments: [String], in folder: String) throws {
    let result = try Command.run(tool, arguments, in: folder)
    try #require(result.succeeded, "\(tool) \(arguments.joined(separator: " ")): \(result.output)")
  }

  private func modules(_ path: String) throws -> [String] {
    let object = try #require(try BinaryView(try FileBytes(path: path)).object())
    return try MetadataReader.conformances(in: object).filter { $0.protocol == "Lifecycle.Module" }.map(\.type).sorted()
  }

  #if os(Linux)
  @Test func `libraries and stripped libraries have the conformances of their source`() throws {
    try inFolder { folder in
      let flags = ["-parse-as-library", "-module-name"]
      try run("swiftc", ["-emit-library", "-emit-module"] + flags + ["Lifecycle", "Lifecycle.swift"], in: folder)
      try run("swiftc", ["-c", "-I", "."] + flags + ["Cart", "Cart.swift", "-o", "Cart.o"], in: folder)
      try run("swiftc", ["-emit-library", "Cart.o", "-L", ".", "-lLifecycle", "-o", "libCart.so"], in: folder)
      try run("swiftc", ["-emit-library", "Cart.o", "libLifecycle.so", "-o", "libBoth.so"], in: folder)
      try run("llvm-objcopy", ["--strip-all", "libCart.so", "stripped.so"], in: folder)
      let all = ["Cart.CartModule", "Cart.Exported", "Cart.Outer.Inner"]
      for file in ["libCart.so", "libBoth.so", "stripped.so"] {
        #expect(try modules("\(folder)/\(file)") == all, "\(file)")
      }
      #expect(try modules("\(folder)/libLifecycle.so") == ["Lifecycle.Placeholder"])

      let tool = ToolTests()
      let check = try tool.tool(["check", "libCart.so", "libLifecycle.so", "--registered=Inner"], in: folder)
      #expect(check.status == 0, "\(check.errors)")
      let lines = check.errors.split(separator: "\n")
      #expect(lines.first == "libCart.so: \(Self.note)" && lines.count { $0.contains("unexported-module") } == 2)
      #expect(!check.errors.contains("Inner") && !check.errors.contains("Placeholder"))
    }
  }
  #endif

  @Test(
    "Mach-O libraries have the conformances of their source",
    .enabled(if: MachOTools.areThere, "\(MachOTools.missing)"),
    arguments: ["x86_64", "arm64"])
  func machO(_ machine: String) throws {
    try inFolder { folder in
      let flags = [
        "-frontend", "-parse-as-library", "-parse-stdlib", "-target", "\(machine)-apple-macosx13.0", "-I", ".",
        "-emit-object",
      ]
      for name in ["Lifecycle", "Cart"] {
        let more = [
          "-emit-module-path", "\(name).swiftmodule", "-module-name", name, "\(name).swift", "-o", "\(name).o",
        ]
        try run("swiftc", flags + more, in: folder)
      }
      let link = [
        "-arch", machine, "-platform_version", "macos", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup",
      ]
      try run(MachOTools.linker ?? "", link + ["Cart.o", "-o", "Cart"], in: folder)
      try run(MachOTools.linker ?? "", link + ["Cart.o", "Lifecycle.o", "-o", "Both"], in: folder)
      let all = ["Cart.CartModule", "Cart.Exported", "Cart.Outer.Inner"]
      #expect(try modules("\(folder)/Cart") == all)
      #expect(try modules("\(folder)/Both") == all + ["Lifecycle.Placeholder"])
      #expect(try modules("\(folder)/Cart.o") == [])
    }
  }

  @Test func `a conformance that cannot be read is an error of the file`() {
    var builder = MetadataBuilder(list: 1)
    let unknown = builder.context(9)
    let conformance = builder.pointer(.null)
    _ = builder.pointer(.null)
    builder.put(unknown, at: conformance)
    builder.put(conformance, at: 0)
    let object = MetadataObject(builder, section: "swift5_protocol_conformances", list: 4)
    var classes = DeclaredTypes()
    let error = #expect(throws: InspectionProblem.self) { _ = try classes.add(object) }
    #expect(error?.message.contains("unknown kind 9") == true && !classes.isComplete)
  }

  @Test @MainActor func `an exported class, also of a group, and a registered one are not noted`() {
    var known = DeclaredTypes()
    known.modules = [
      "Cart.CartModule": "App", "Cart.Other": "App", "Cart.Grouped": "App", "Lifecycle.Own": "App",
      "AppHost.Own": "App",
    ]
    let images = SimulatedObject.inspection([
      .with([
        .module(#"{"module":"Cart.CartModule"}"#),
        TestRecord(kind: 0x4d6f_6475, json: #"{"module":"Cart.Grouped","group":"g"}"#),
      ])
    ]).images
    for (registered, expected) in [([], ["Cart.Other"]), (["Other"], [])] {
      let list = ProblemList()
      TypeCheck(images, ServiceNames(known)).report(registered: registered, to: list)
      let found = list.all.filter { $0.code == .unexportedModule }
      #expect(found.map(\.subject) == expected && found.allSatisfy { $0.severity == .note })
    }
  }
}
