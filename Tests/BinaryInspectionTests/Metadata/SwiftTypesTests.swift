import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Files that compilers and linkers create from Swift code.
///
/// The files for ELF use the standard library, and those for Mach-O do not.
@Suite struct SwiftTypesTests {
  private static let source = """
    public struct Outer { public final class Inner {}; enum E { case a } }
    class Base {}
    final class Derived: Base {}
    private class Hidden { struct Deep {} }
    struct Generic<T> { struct Nested {} }
    protocol Priced {}
    extension Outer { struct Extended {} }
    func make() -> Any.Type { struct Local {}; return Local.self }
    """
  private static let types: Set<String> = [
    "Cart.Outer", "Cart.Outer.Inner", "Cart.Outer.E", "Cart.Base", "Cart.Derived", "Cart.Hidden", "Cart.Hidden.Deep",
    "Cart.Generic", "Cart.Generic.Nested", "Cart.Outer.Extended",
  ]

  private static func object(_ path: String) throws -> any ObjectFile {
    try #require(try BinaryView(try FileBytes(path: path)).object())
  }

  private static func run(_ tool: String, _ arguments: String..., in folder: String) throws {
    let result = try Command.run(tool, arguments, in: folder)
    try #require(result.succeeded, "\(tool) \(arguments.joined(separator: " ")): \(result.output)")
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("types-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  #if os(Linux)
  @Test("a library of this system has the types of its source, extensions of other modules' types too")
  func elf() throws {
    try inFolder { folder in
      let source =
        Self.source
        + "\nextension String { final class InString {} }\nstruct `v1.2 (beta)` { class `the shop` {} }"
        + "\nextension Array where Element == Int { struct InArray {} }"
      try source.write(toFile: folder + "/Cart.swift", atomically: true, encoding: .utf8)
      try Self.run(
        "swiftc", "-parse-as-library", "-module-name", "Cart", "-c", "Cart.swift", "-o", "Cart.o", in: folder)
      try Self.run("swiftc", "-emit-library", "Cart.o", "-o", "libCart.so", in: folder)
      try Self.run("llvm-objcopy", "--strip-all", "libCart.so", "stripped.so", in: folder)
      let types = Self.types.union([
        "Swift.String.InString", "Swift.Array.InArray", "Cart.Local", "Cart.v1.2 (beta)",
        "Cart.v1.2 (beta).the shop",
      ])
      for file in ["libCart.so", "stripped.so"] {
        let object = try Self.object("\(folder)/\(file)")
        #expect(try MetadataReader.names(of: .type, in: object) == types, "\(file)")
        #expect(try MetadataReader.names(of: .protocol, in: object) == ["Cart.Priced"], "\(file)")
        #expect(try MetadataReader.names(of: .objectiveCClass, in: object) == [])
      }
      let object = try Self.object("\(folder)/Cart.o")
      #expect(try MetadataReader.names(of: .type, in: object) == nil)
      #expect(try MetadataReader.conformances(in: object).isEmpty)
    }
  }
  #endif

  @Test(
    "Mach-O libraries have the types of their source, with opcodes and with chained fixups, and objects have none",
    .enabled(if: MachOTools.areThere, "\(MachOTools.missing)"), arguments: ["x86_64", "arm64"])
  func machO(_ machine: String) throws {
    try inFolder { folder in
      try
        (Self.source.replacingOccurrences(
          of: "func make() -> Any.Type { struct Local {}; return Local.self }", with: ""))
        .write(toFile: folder + "/Cart.swift", atomically: true, encoding: .utf8)
      // A third file extends a type of another module.
      try "extension Outer { struct Elsewhere {} }".write(
        toFile: folder + "/Shop.swift", atomically: true, encoding: .utf8)
      let flags = ["-frontend", "-parse-as-library", "-parse-stdlib", "-target", "\(machine)-apple-macosx13.0"]
      for (module, more) in [("Cart", []), ("Shop", ["-import-module", "Cart", "-I", "."])] {
        let emit = ["-emit-object", "-emit-module-path", "\(module).swiftmodule", "-module-name", module]
        let result = try Command.run(
          "swiftc", flags + more + emit + ["\(module).swift", "-o", "\(module).o"], in: folder)
        try #require(result.succeeded, "\(result.output)")
      }
      for (name, options) in [("chained", []), ("opcodes", ["-no_fixup_chains"])] {
        let link = [
          "-arch", machine, "-platform_version", "macos", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup",
        ]
        for module in ["Cart", "Shop"] {
          let result = try Command.run(
            MachOTools.linker ?? "", link + options + ["\(module).o", "-o", "\(module)-\(name)"], in: folder)
          try #require(result.succeeded, "\(result.output)")
        }
      }
      for file in ["Cart-chained", "Cart-opcodes"] {
        let object = try Self.object("\(folder)/\(file)")
        #expect(try MetadataReader.names(of: .type, in: object) == Self.types, "\(file)")
        #expect(try MetadataReader.names(of: .protocol, in: object) == ["Cart.Priced"], "\(file)")
        let classes = try #require(try MetadataReader.names(of: .objectiveCClass, in: object))
        #expect(classes.contains("_TtC4Cart4Base") && classes.contains("_TtCV4Cart5Outer5Inner"), "\(file): \(classes)")
        #expect(classes.count == 4)
      }
      #expect(
        try MetadataReader.names(of: .type, in: Self.object("\(folder)/Shop-chained")) == ["Cart.Outer.Elsewhere"])
      // The opcodes that bind a pointer to the type of the other library are not interpreted.
      #expect(try MetadataReader.names(of: .type, in: Self.object("\(folder)/Shop-opcodes")) == nil)
      let object = try Self.object("\(folder)/Cart.o")
      #expect(
        try MetadataReader.names(of: .type, in: object) == nil && MetadataReader.names(of: .protocol, in: object) == nil
      )
      #expect(try MetadataReader.names(of: .objectiveCClass, in: object) == nil)
    }
  }

  @Test(
    "classes of Objective-C have the names of their source, on every machine",
    .enabled(if: MachOTools.areThere, "\(MachOTools.missing)"),
    arguments: ["x86_64-apple-macos13", "arm64-apple-macos13", "arm64_32-apple-watchos9", "i386-apple-ios9-simulator"])
  func objectiveC(_ target: String) throws {
    try inFolder { folder in
      let source = """
        __attribute__((objc_root_class)) @interface Cart @end
        @implementation Cart + (int)total { return 1; } @end
        @interface Basket : Cart @end
        @implementation Basket @end
        """
      try source.write(toFile: folder + "/Cart.m", atomically: true, encoding: .utf8)
      let machine = String(target.prefix { $0 != "-" })
      try Self.run(MachOTools.clang ?? "", "-target", target, "-c", "Cart.m", "-o", "Cart.o", in: folder)
      var files: [String] = []
      // The linker does not support the other machines.
      if machine != "i386" {
        let platform = machine == "arm64_32" ? ["watchos", "9.0", "9.0"] : ["macos", "13.0", "13.0"]
        for (name, options) in [("chained", []), ("opcodes", ["-no_fixup_chains"])] {
          let link = ["-arch", machine, "-platform_version"] + platform + ["-dylib", "-undefined", "dynamic_lookup"]
          let result = try Command.run(MachOTools.linker ?? "", link + options + ["Cart.o", "-o", name], in: folder)
          try #require(result.succeeded, "\(result.output)")
          files.append(name)
        }
      }
      for file in files {
        let object = try Self.object("\(folder)/\(file)")
        #expect(try MetadataReader.names(of: .objectiveCClass, in: object) == ["Cart", "Basket"], "\(file)")
        #expect(try MetadataReader.names(of: .type, in: object) == [], "\(file)")
      }
    }
  }
}
