import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// The symbols of records in files that compilers and linkers create.
@Suite struct RecordSymbolTests {
  private static let c = #"""
    #include "registry_export.h"
    #ifdef __APPLE__
    #define LABEL(name) __asm__("_" name)
    #else
    #define LABEL(name) __asm__(name)
    #endif
    static _Bool accessor(void *out, const void *type, unsigned long reserved) { return 0; }
    #define RECORD(variable, label, text) \
      static const struct { unsigned a[3]; char name[12]; void *accessor; char json[40]; } variable LABEL(label) \
        __attribute__((aligned(8))) REGISTRY_SECTION_("__reg_modules") REGISTRY_PLAIN_ = \
        {{9, 48, 0x6d6f6475}, "Registry", (void *)accessor, text}
    RECORD(first, "$sSd4CartE14__module_Total33_AALLs6UInt32V_tvpZ", "{\"module\":\"Cart.Amount.Total\"}");
    RECORD(second, "$s4Cart13__module_Main33_AALLs6UInt32V_tvp", "{\"module\":\"Cart.Main\"}");
    RECORD(third, "other", "{\"module\":\"Cart.Other\"}");
    """#

  private func contexts(_ file: any ObjectFile) throws -> [String: String] {
    let records = try RecordReader(file, ProblemList()).records
    #expect(records.count == 3 && records.allSatisfy(\.hasAccessor))
    return Dictionary(
      records.map { ($0.contents.type ?? "", $0.context ?? "") }
    ) { first, _ in first }
  }

  private static let expected = ["Cart.Amount.Total": "Swift.Double", "Cart.Main": "Cart", "Cart.Other": ""]

  private func run(_ program: String?, _ arguments: String..., in folder: String) throws {
    let result = try Command.run(program ?? "missing", arguments, in: folder)
    try #require(result.succeeded, "\(result.output)")
  }

  private func view(_ path: String) throws -> BinaryView { try BinaryView(FileBytes(path: path)) }

  @Test(
    "the symbols of Mach-O records state their contexts", .enabled(if: MachOTools.areThere, "\(MachOTools.missing)"),
    arguments: ["arm64", "x86_64"])
  func machO(_ machine: String) throws {
    try BuiltELF.inFolder { folder in
      try BuiltELF.write(Self.c, "\(folder)/records.c")
      try run(
        MachOTools.clang, "-target", "\(machine)-apple-macos13", "-nostdlibinc", "-ffreestanding", "-I",
        SharedObject.headers, "-c", "records.c", "-o", "records.o", in: folder)
      try run(
        MachOTools.linker, "-arch", machine, "-platform_version", "macos", "13.0", "13.0", "-dylib", "-undefined",
        "dynamic_lookup", "records.o", "-o", "records.dylib", in: folder)
      for name in ["records.o", "records.dylib"] {
        #expect(try contexts(MachOFile(view("\(folder)/\(name)"))) == Self.expected, "\(name)")
      }
      try run(MachOTools.strip, "-x", "records.dylib", in: folder)
      #expect(try contexts(MachOFile(view("\(folder)/records.dylib"))).values.allSatisfy(\.isEmpty))
    }
  }

  @Test func `the contexts of records are together not longer than the file`() throws {
    var record = TestRecord.module(#"{"module":"A.M"}"#, accessor: true)
    record.symbol = "$s3000" + String(repeating: "a", count: 3_000) + "5countSivpZ"
    let object = SimulatedObject.with(Array(repeating: record, count: 100))
    let contexts = try RecordReader(object, ProblemList()).records.compactMap(\.context)
    #expect(contexts.count == Int(object.view.size / 3_000))
  }

  @Test(
    "the symbols of ELF records state their contexts",
    .enabled(if: BuiltELF.tool("gcc") != nil && BuiltELF.objcopy != nil, "needs gcc and objcopy"))
  func elf() throws {
    try BuiltELF.inFolder { folder in
      try BuiltELF.write(Self.c, "\(folder)/records.c")
      let gcc = BuiltELF.tool("gcc")
      try run(gcc, "-fPIC", "-I", SharedObject.headers, "-c", "records.c", "-o", "records.o", in: folder)
      try run(gcc, "-shared", "records.o", "-o", "records.so", in: folder)
      for name in ["records.o", "records.so"] {
        #expect(try contexts(ELFFile(view("\(folder)/\(name)"))) == Self.expected, "\(name)")
      }
      try run(BuiltELF.objcopy, "--strip-all", "records.so", in: folder)
      #expect(try contexts(ELFFile(view("\(folder)/records.so"))).values.allSatisfy(\.isEmpty))
    }
  }
}
