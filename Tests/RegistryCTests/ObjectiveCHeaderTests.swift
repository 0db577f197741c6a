import Foundation
import TestSupport
import Testing

/// Source code with everything that the header registry_objc.h accepts.
private let everything = """
  #import "registry_objc.h"
  @class NSObject, NSString;
  @protocol Clock;
  @ExportModule(LegacyModule)
  @ExportModule(First) @ExportModule(Second)
  @ExportModule(CartModule, level(basic), priority(-10), after(AccountModule, Shop.PaymentModule))
  @ExportModule(LazyModule, activation(onFirstEvent), initialization(inNextTurn), replaysMissedPhases(yes))
  @ExportModule(Shop.SwiftModule)
  @ExportService(Clock, SystemClock)
  @ExportService(ShopAPI.Clock, LegacyClock, scope(shared), named(my fake), priority(5))
  #define FEATURE(name) @ExportModule(name##Module) @ExportService(name##Service, Default##name)
  FEATURE(Payment)

  """

private struct Mode: Sendable, CustomStringConvertible {
  var compiler: Compiler
  var language: String
  var standard: String
  var description: String { "\(compiler) \(language) \(standard)" }

  func run(_ arguments: [String], _ source: String, in folder: String? = nil) throws -> Command {
    try compiler.run(
      ["-x", language, "-std=\(standard)", "-I", include] + arguments + ["-"], input: source, in: folder)
  }

  /// The modes of clang, and those of gcc if it compiles Objective-C.
  static let all: [Mode] = [Compiler.clang, `The Objective-C run time`.compiler].compactMap { $0 }.flatMap { compiler in
    let modes = ["gnu99", "gnu11", "gnu17"].map { Mode(compiler: compiler, language: "objective-c", standard: $0) }
    guard compiler.description == "clang" else { return modes }
    return modes + ["gnu++11", "gnu++17"].map { Mode(compiler: compiler, language: "objective-c++", standard: $0) }
  }

  /// The modes with one typical standard for each language and compiler.
  static let typical = all.filter { ["gnu17", "gnu++17"].contains($0.standard) }
}

@Suite struct `The export header for Objective-C` {
  @Test(arguments: Mode.all) private func `The Objective-C header compiles without a warning`(mode: Mode) throws {
    let result = try mode.run(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"], everything)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    // Users add semicolons out of habit.
    let source = everything.replacingOccurrences(of: ")\n", with: ");\n").replacingOccurrences(
      of: "#define FEATURE(name) @ExportModule(name##Module) @ExportService(name##Service, Default##name);",
      with: "#define FEATURE(name) @ExportModule(name##Module); @ExportService(name##Service, Default##name)")
    let relaxed = try mode.run(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"], source)
    #expect(relaxed.status == 0 && relaxed.output.isEmpty, "\(relaxed.output)")
  }

  @Test(arguments: Mode.typical) private func `The header writes the same records as the C header`(mode: Mode) throws {
    let scratch = try Scratch()
    let compiled = try mode.run(
      ["-c", "-o", "exports.o"],
      """
      #import "registry_objc.h"
      @ExportModule(LegacyModule, priority(5), after(Shop.CartModule))
      @ExportService(Clock, SystemClock, scope(shared))
      """, in: scratch.path)
    try #require(compiled.status == 0, "\(compiled.output)")
    let object = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/exports.o"))
    for (json, kind) in [
      (#"{"module":"LegacyModule","priority":5,"after":["Shop.CartModule"]}"#, "udom"),
      (#"{"protocol":"Clock","class":"SystemClock","scope":"shared"}"#, "vres"),
    ] {
      let place = try #require(object.range(of: Data(json.utf8)), "\(json)")
      #expect(object[place.lowerBound - 24..<place.lowerBound - 20] == Data(kind.utf8))
    }
  }

  @Test(arguments: Mode.typical) private func `Code that the C header rejects does not compile`(mode: Mode) throws {
    for (source, message) in [
      ("@ExportModule()", "expected a name"), ("@ExportModule(\"LegacyModule\")", "without quotes"),
      ("@ExportModule(LegacyModule, level(high))", "unknown level 'high'; expected 'basic' or 'normal'"),
      ("@ExportModule(Legacy Module)", "space"), ("@ExportService(Clock)", "expected a protocol and a class"),
      ("@ExportService(Clock, SystemClock, level(basic))", "unknown option 'level(basic)' of a service; "),
    ] {
      let result = try mode.run(["-fsyntax-only"], "#import \"registry_objc.h\"\n\(source)\n")
      #expect(result.status != 0 && result.unescapedOutput.contains(message), "\(source): \(result.output)")
    }
  }

  @Test(arguments: Compiler.all, ["c", "c++"])
  func `In C and C++, an error names the right header`(compiler: Compiler, language: String) throws {
    let result = try compiler.run(
      ["-x", language, "-I", include, "-fsyntax-only", "-"], input: "#include \"registry_objc.h\"\n")
    #expect(result.status != 0 && result.output.contains("include 'registry_export.h'"), "\(result.output)")
  }
}
