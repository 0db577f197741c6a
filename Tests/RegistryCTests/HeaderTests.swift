import Foundation
import RegistryC
import TestSupport
import Testing

/// Source code with everything that the header registry_export.h accepts.
private let everything = """
  #include "registry_export.h"
  REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
  REGISTRY_EXPORT_MODULE(Shop.A) REGISTRY_EXPORT_MODULE(Shop.B)
  REGISTRY_EXPORT_MODULE(Shop.Full, level(basic), priority(10), after(Account.AccountModule))
  REGISTRY_EXPORT_MODULE(Shop.Lazy, activation(onFirstEvent), initialization(inNextTurn), replaysMissedPhases(yes))
  REGISTRY_EXPORT_MODULE(Shop.All, level(basic), priority(1), after(A.B), activation(atLaunch), initialization(inStart), replaysMissedPhases(no), group(a))
  REGISTRY_EXPORT_MODULE(Shop.Late, after(A.A, B.B, C.C, D.D, E.E, F.F, G.G, H.H), level(normal))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.FakeClock, scope(shared), named(my fake), priority(-5))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.WeakClock, scope(weak), priority(0))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.NewClock, scope(transient), priority(-999999999))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.OtherClock, replaces(Legacy.SystemClock), when(debug))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.AllClock, scope(shared), named(a), priority(1), separateInstance(no), replaces(A.B), when(flag(a-b)), group(a))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.LiveClock, when(release)) REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, A.B, when(test))
  REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.ShownClock, when(preview))
  #define FEATURE(module) REGISTRY_EXPORT_MODULE(module.One) REGISTRY_EXPORT_MODULE(module.Two, priority(999999999))
  FEATURE(Läden)
  #define PRODUCT Configured
  REGISTRY_EXPORT_MODULE(PRODUCT.Module)
  typedef int (*type)(int);
  static int value(int out) { return out; }
  REGISTRY_CONTRIBUTE(shop.filters, type, value, priority(1), key(a), group(b))
  REGISTRY_NEEDS_SERVICE(ShopAPI.Clock, named(my fake), optional(no), group(b))

  """

private struct Mode: Sendable, CustomStringConvertible {
  var compiler: Compiler
  var language: String
  var standard: String
  var description: String { "\(compiler) \(language) \(standard)" }
  var arguments: [String] {
    ["-x", language, "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", include]
  }

  static let all: [Mode] = Compiler.all.flatMap { compiler -> [Mode] in
    var modes = ["c99", "gnu99", "c11", "gnu11", "c17", "c2x"].map {
      Mode(compiler: compiler, language: "c", standard: $0)
    }
    modes += ["c++11", "c++14", "c++17", "gnu++17", "c++20"].map {
      Mode(compiler: compiler, language: "c++", standard: $0)
    }
    // These tests compile Objective-C only with clang.
    guard compiler.description == "clang" else { return modes }
    modes += ["gnu99", "gnu17"].map { Mode(compiler: compiler, language: "objective-c", standard: $0) }
    modes.append(Mode(compiler: compiler, language: "objective-c++", standard: "gnu++17"))
    return modes
  }

  /// The modes with one typical standard for each language and compiler.
  static let typical = all.filter { ["c99", "c++11", "gnu17"].contains($0.standard) }
}

/// The options that a module and a service have, as the messages about unknown options list them.
private let moduleOptions = """
  the options are 'level', 'priority', 'after', 'activation', 'initialization', 'replaysMissedPhases', and 'group', \
  each with a value in parentheses, as in 'priority(10)'
  """
private let serviceOptions = """
  the options are 'scope', 'named', 'priority', 'separateInstance', 'replaces', 'when', and 'group', each with a \
  value in parentheses, as in 'scope(shared)'
  """

/// Source code that must not compile, and a part of the expected error message.
private let mistakes: [(source: String, message: String)] = [
  ("REGISTRY_EXPORT_MODULE()", "expected a name"),
  ("REGISTRY_EXPORT_MODULE(, priority(1))", "expected a name"),
  ("REGISTRY_EXPORT_MODULE(\"Shop.Module\")", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop.\"Module\")", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop\\u002eModule)", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop\\nModule)", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop\\qModule)", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop\\x41Module)", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop Module)", "space"),
  ("REGISTRY_CONTRIBUTE(shop.filters, unsigned int *, 0)", "typedef"),
  ("REGISTRY_EXPORT_MODULE(Shop:Module)", "write a period after the module"),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop:SystemClock)", "write a period after the module"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, after(A.B, Shop::C))", "write a period after the module"),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.A, replaces(Shop::B))", "write a period after the module"),
  ("#define number 1\nREGISTRY_EXPORT_MODULE(number.Module)", "digit"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, basic)", "unknown option 'basic' of a module; \(moduleOptions)"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, level)", "unknown option 'level' of a module; \(moduleOptions)"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, )", "unknown option '' of a module; \(moduleOptions)"),
  (
    "REGISTRY_EXPORT_MODULE(Shop.Module, priority(1), levl(basic))",
    "unknown option 'levl(basic)' of a module; \(moduleOptions)"
  ),
  (
    "REGISTRY_EXPORT_MODULE(Shop.Module, scope(shared))",
    "unknown option 'scope(shared)' of a module; \(moduleOptions)"
  ),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, level(high))", "unknown level 'high'; expected 'basic' or 'normal'"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(0x10))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(010))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(00))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(-0))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(+5))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(- 5))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(1+1))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(9<<9))", "static assertion"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(8<<9))", "static assertion"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(10u))", "u0"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(1.5))", "invalid operands"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority((5)))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority())", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(high))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(1000000000))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(-1000000000))", "plain decimal"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, after())", "expected a name"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, after(A.B, \"C.D\"))", "without quotes"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, after(A, B, C, D, E, F, G, H, I))", "expected at most eight names"),
  (
    "REGISTRY_EXPORT_MODULE(S.M, priority(1), priority(2), level(basic), after(A.B), level(basic), replaysMissedPhases(yes), after(C.D), group(a))",
    "error"
  ),
  (
    "REGISTRY_EXPORT_MODULE(Shop.Module, activation(never))",
    "unknown activation 'never'; expected 'atLaunch' or 'onFirstEvent'"
  ),
  (
    "REGISTRY_EXPORT_MODULE(Shop.Module, initialization(later))",
    "unknown initialization 'later'; expected 'inStart' or 'inNextTurn'"
  ),
  (
    "REGISTRY_EXPORT_MODULE(Shop.Module, replaysMissedPhases(maybe))",
    "unknown value of replaysMissedPhases 'maybe'; expected 'yes' or 'no'"
  ),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, level(basic) volatile)", "expected"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module priority(5))", "separate names and options with commas"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, after(A.B C.D))", "separate names and options with commas"),
  ("REGISTRY_EXPORT_MODULE(Shop.Module, priority(5) __attribute__((unused)))", "error"),
  ("REGISTRY_NEEDS_SERVICE(Shop.Clock, named(a), named(b), optional(yes), group(a))", "error"),
  ("REGISTRY_NEEDS_SERVICE(\"Shop.Clock\")", "without quotes"),
  (
    "REGISTRY_NEEDS_SERVICE(Shop.Clock, scope(shared))",
    "unknown option 'scope(shared)' of a need; the options are 'named', 'optional', and 'group', each"
  ),
  (
    "REGISTRY_NEEDS_SERVICE(Shop.Clock, optional(maybe))",
    "unknown value of optional 'maybe'; expected 'yes' or 'no'"
  ),
  ("REGISTRY_CONTRIBUTE(shop.filters, char, 0)", "the type of a contribution must be a pointer"),
  ("REGISTRY_CONTRIBUTE(\"shop.filters\", intptr_t, 0)", "without quotes"),
  ("REGISTRY_CONTRIBUTE(shop.filters, intptr_t, 0, key(\"a\"))", "without quotes"),
  ("REGISTRY_CONTRIBUTE(shop.filters, intptr_t)", "expected a point, a type, and an address"),
  (
    "REGISTRY_CONTRIBUTE(shop.filters, intptr_t, 0, named(a))",
    "unknown option 'named(a)' of a contribution; the options are 'priority', 'key', and 'group', each"
  ),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock)", "expected a protocol and a class"),
  ("REGISTRY_EXPORT_SERVICE(, Shop.Clock)", "expected a name"),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, )", "expected a name"),
  ("REGISTRY_EXPORT_SERVICE(\"Shop.Clock\", Shop.SystemClock)", "without quotes"),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, level(basic))",
    "unknown option 'level(basic)' of a service; \(serviceOptions)"
  ),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, scope(cached(\"session\")))",
    "write it without quotes"
  ),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, separateInstance(maybe))",
    "unknown value of separateInstance 'maybe'; expected 'yes' or 'no'"
  ),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, scope(global))",
    "unknown scope 'global'; expected 'transient', 'shared', 'weak', or 'cached(name)'"
  ),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, named())", "expected a name"),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, replaces())", "expected a name"),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, when(later))",
    "unknown condition 'later'; expected 'debug', 'release', 'preview', 'test', or 'flag(name)'"
  ),
  (
    "REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, when(flag(\"cart\")))",
    "write it without quotes"
  ),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, scope(cached( )))", "expected a name"),
  ("#define NONE\nREGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, when(flag(NONE)))", "expected a name"),
  ("REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.SystemClock, named(\"red\"))", "without quotes"),
]

@Suite struct `The export header` {
  @Test(arguments: Mode.all) private func `The header compiles without a warning in every mode`(mode: Mode) throws {
    let result = try mode.compiler.run(mode.arguments + ["-fsyntax-only", "-"], input: everything)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(arguments: Mode.typical) private func `Semicolons after the macros are allowed`(mode: Mode) throws {
    let source = everything.replacingOccurrences(of: ")\n", with: ");\n")
    let relaxed = mode.arguments.filter { $0 != "-Wpedantic" }
    let result = try mode.compiler.run(relaxed + ["-fsyntax-only", "-"], input: source)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(arguments: Mode.typical.filter { $0.language != "objective-c" && $0.standard != "gnu17" })
  private func `Arguments that would make invalid JSON do not compile, and the error names the fix`(mode: Mode)
    throws
  {
    let prologue = "#include \"registry_export.h\"\n"
    func compile(_ source: String, _ more: [String] = []) throws -> Command {
      try mode.compiler.run(
        ["-x", mode.language, "-std=\(mode.standard)", "-I", include, "-fsyntax-only"] + more + ["-"],
        input: prologue + source)
    }
    // Every output contains an empty message.
    try #require(mistakes.allSatisfy { !$0.message.isEmpty })
    // Starting a compiler takes longer than compiling a mistake, so compile all of them together.
    // In C, gcc considers what follows some mistakes to be a part of them.
    let isTogether = mode.compiler.description == "clang" || mode.language == "c++"
    var source = ""
    for (index, mistake) in mistakes.enumerated() {
      // The declaration between two mistakes ends what the first one leaves open.
      source += "\n#line \(100 * (index + 1)) \"mistakes\"\n\(mistake.source)\n\n\n\nextern int declaration\(index);\n"
    }
    let unlimited = mode.compiler.description == "clang" ? "-ferror-limit=0" : "-fmax-errors=0"
    let errors = isTogether ? Self.errors(in: try compile(source, [unlimited]).unescapedOutput) : [:]
    for (index, mistake) in mistakes.enumerated() {
      if let error = errors[index], error.contains(mistake.message) { continue }
      // One error can hide another, so compile the mistake separately.
      let result = try compile(mistake.source + "\n")
      #expect(result.status != 0, "compiled: \(mistake.source)")
      #expect(result.unescapedOutput.contains(mistake.message), "\(mistake.source): \(result.output)")
    }
  }

  /// Returns the errors of each mistake, which has a hundred line numbers.
  ///
  /// An error in the expansion of a macro is followed by notes that contain the line of the macro.
  private static func errors(in output: String) -> [Int: String] {
    var errors: [Int: String] = [:]
    var (error, isError) = ("", false)
    func end() {
      guard isError else { return }
      let lines = error.components(separatedBy: "mistakes:").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
      for index in Set(lines.filter { $0 % 100 < 3 }.map { $0 / 100 - 1 }) { errors[index, default: ""] += error }
    }
    for line in output.split(separator: "\n") {
      if [": error: ", ": fatal error: ", ": warning: "].contains(where: line.contains) {
        end()
        (error, isError) = ("", !line.contains(": warning: "))
      }
      error += line + "\n"
    }
    end()
    return errors
  }

  @Test func `Unsupported object formats and compilers are errors that name the alternative`() throws {
    let clang = try #require(Compiler.clang)
    let freestanding = ["-ffreestanding", "-nostdlibinc", "-std=c11", "-I", include, "-fsyntax-only"]
    let unsupported = ["-target", "x86_64-unknown-uefi"] + freestanding
    let user = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(Shop.Module)\n"
    let format = try clang.run(unsupported + ["-x", "c", "-"], input: user)
    #expect(format.status != 0 && format.output.contains("call 'register' in Swift instead"), "\(format.output)")
    let other = try clang.run(["-U__GNUC__", "-U__clang__"] + freestanding + ["-x", "c", "-"], input: user)
    #expect(other.status != 0 && other.output.contains("call 'register' in Swift instead"), "\(other.output)")
    let finder = try clang.run(unsupported + ["\(sources)/images_other.c"])
    #expect(finder.status == 0 && finder.output.contains("write an 'images_*.c'"), "\(finder.output)")
  }

  @Test(arguments: ["c", "c++"]) func `An address of another type than the contribution's does not compile`(
    language: String
  ) throws {
    let clang = try #require(Compiler.clang)
    let result = try clang.run(
      ["-I", include, "-x", language, "-fsyntax-only", "-"],
      input: """
        #include "registry_export.h"
        typedef int (*type)(int);
        static double value(double in) { return in; }
        REGISTRY_CONTRIBUTE(shop.filters, type, value)

        """)
    #expect(result.status != 0 && result.output.contains("double (double)"), "\(result.output)")
  }

  @Test func `A C record with a condition states the build`() throws {
    let clang = try #require(Compiler.clang)
    for (flags, build) in [(["-DDEBUG=1"], "debug"), ([], "release")] {
      let result = try clang.run(
        flags + ["-I", include, "-x", "c", "-", "-S", "-o", "-"],
        input: """
          #include "registry_export.h"
          REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.Fake, replaces(Shop.Real), when(debug), scope(shared), named(a),
                                  priority(1), separateInstance(no))
          REGISTRY_EXPORT_SERVICE(Shop.Clock, Shop.New, when(flag(new-clock)))
          REGISTRY_EXPORT_SERVICE(A.T, A.U, when(test)) REGISTRY_EXPORT_SERVICE(A.P, A.Q, when(preview))
          REGISTRY_EXPORT_SERVICE(A.R, A.S, when(release))
          """)
      #expect(result.status == 0, "\(result.output)")
      let text = result.unescapedOutput.replacingOccurrences(of: "\\", with: "")
      #expect(
        text.contains(
          #"{"protocol":"Shop.Clock","class":"Shop.Fake","replaces":"Shop.Real","when":"debug","build":"\#(build)","scope":"shared","name":"a","priority":1,"separateInstance":false}"#
        ), "\(text)")
      for json in [
        #"{"protocol":"Shop.Clock","class":"Shop.New","when":"flag(new-clock)"}"#,
        #"{"protocol":"A.T","class":"A.U","when":"test"}"#, #"{"protocol":"A.P","class":"A.Q","when":"preview"}"#,
        #"{"protocol":"A.R","class":"A.S","when":"release","build":"\#(build)"}"#,
      ] { #expect(text.contains(json), "\(text)") }
    }
  }

  @Test func `A C record states the options of its module`() throws {
    let clang = try #require(Compiler.clang)
    let result = try clang.run(
      ["-I", include, "-x", "c", "-", "-S", "-o", "-"],
      input: """
        #include "registry_export.h"
        REGISTRY_EXPORT_MODULE(A.B, activation(onFirstEvent), initialization(inNextTurn), replaysMissedPhases(yes))
        REGISTRY_EXPORT_MODULE(A.C, activation(atLaunch), initialization(inStart), replaysMissedPhases(no))
        """)
    #expect(result.status == 0, "\(result.output)")
    let text = result.unescapedOutput.replacingOccurrences(of: "\\", with: "")
    for json in [
      #"{"module":"A.B","activation":"onFirstEvent","initialization":"inNextTurn","catchUp":true}"#,
      #"{"module":"A.C","activation":"atLaunch","initialization":"inStart","catchUp":false}"#,
    ] { #expect(text.contains(json), "\(text)") }
  }

  @Test func `A C record has the specified layout and needs no relocation`() throws {
    let clang = try #require(Compiler.clang)
    let scratch = try Scratch()
    let object = scratch.path + "/record.o"
    let compiled = try clang.run(
      ["-I", include, "-x", "c", "-", "-c", "-o", object],
      input: "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(Cart.CartModule, priority(10))\n")
    try #require(compiled.status == 0, "\(compiled.output)")
    var expected = Bytes()
    expected.record("{\"module\":\"Cart.CartModule\",\"priority\":10}")
    let contents = try Data(contentsOf: URL(fileURLWithPath: object))
    #expect(contents.range(of: Data(expected.bytes)) != nil)
    // Relocations would be in a separate section.
    #expect(contents.range(of: Data(".rela.note.registry".utf8)) == nil)
  }
}

@Suite struct `Linking` {
  /// The source code of a program without Swift that prints the records that it finds.
  private static let program = """
    #include "registry_export.h"
    #include "registry_images.h"
    #include "registry_sync.h"
    #include <stdio.h>
    REGISTRY_EXPORT_MODULE(Linked.One)
    REGISTRY_EXPORT_MODULE(Linked.Two)
    REGISTRY_EXPORT_SERVICE(Linked.Api, Linked.Three)
    static const char anchor;
    int main(void) {
      registry_snapshot *snapshot = registry_images_snapshot(0);
      for (size_t i = 0; i < snapshot->image_count; ++i) {
        for (size_t s = 0; s < snapshot->images[i].section_count; ++s) {
          const registry_section *section = &snapshot->images[i].sections[s];
          registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
          registry_item item;
          for (registry_step step; (step = registry_walk_next(&walker, &item)) != REGISTRY_STEP_END;)
            puts(step == REGISTRY_STEP_RECORD ? item.json : item.problem);
        }
      }
      registry_snapshot_free(snapshot);
      // Without a Swift runtime, the main thread counts as the main executor, and no other
      // executor is recognized.
      printf("%d%d%d\\n", registry_executor_is_current(0, 0, true), registry_executor_is_current(8, 8, false),
             registry_image_pin(&anchor));
      return 0;
    }
    """
  private static let expected = [
    "{\"module\":\"Linked.One\"}", "{\"module\":\"Linked.Two\"}",
    "{\"protocol\":\"Linked.Api\",\"class\":\"Linked.Three\"}",
    // The library exports a record of itself.
    "{\"library\":\"swift-section-registry\"}", "101",
  ]

  /// Compiles the library and the program, once per compiler and flags, and returns the object
  /// files.
  private func objects(_ compiler: Compiler, _ scratch: Scratch, _ flags: [String]) throws -> [String] {
    let program = scratch.path + "/program.c"
    let files = try [program] + sourceFiles()
    try Self.program.write(toFile: program, atomically: true, encoding: .utf8)
    // Put each function into its own section, so that --gc-sections has sections to remove.
    let result = try compiler.run(
      [
        "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffunction-sections",
        "-fdata-sections", "-I", include, "-c",
      ]
        + flags + files, in: scratch.path)
    try #require(result.status == 0, "\(result.output)")
    return files.map { "\(scratch.path)/\($0.split(separator: "/").last?.dropLast(2) ?? "").o" }
  }

  @Test(arguments: Compiler.all) func `Every linker keeps every record`(compiler: Compiler) throws {
    let scratch = try Scratch()
    let objects = try objects(compiler, scratch, [])
    for linker in ["bfd", "gold", "lld"] {
      guard Compiler(named: "ld.\(linker)") != nil else { continue }
      for flags in [[], ["-Wl,--gc-sections", "-Wl,--build-id"], ["-static"], ["-no-pie"]] {
        let program = scratch.path + "/program"
        let linked = try compiler.run(["-fuse-ld=\(linker)", "-o", program] + flags + objects)
        // With glibc, bfd and gold warn about every static program that uses `dlopen`, as they do
        // about static Swift programs.
        let silent =
          linked.output.isEmpty || (flags == ["-static"] && linked.output.contains("Using 'dlopen'"))
        try #require(linked.status == 0 && silent, "\(linker) \(flags): \(linked.output)")
        try expectRecords(of: program, "\(linker) \(flags)")
      }
    }
  }

  // The toolchain's clang links its ThreadSanitizer only into Swift programs, which other tests
  // cover.
  @Test(arguments: Compiler.all) func `Sanitizers report nothing`(compiler: Compiler) throws {
    let sanitizer = compiler.description == "clang" ? "address,undefined" : "thread"
    let scratch = try Scratch()
    let flags = ["-fsanitize=\(sanitizer)"]
    let objects = try objects(compiler, scratch, flags)
    let program = scratch.path + "/program"
    let linked = try compiler.run(["-o", program] + flags + objects)
    try #require(linked.status == 0, "\(linked.output)")
    try expectRecords(of: program, sanitizer)
  }

  /// Checks the output of a program, regardless of the order of the records.
  ///
  /// A compiler can emit variables in any order.
  private func expectRecords(of program: String, _ comment: String) throws {
    let run = try Command.run(program)
    #expect(
      run.status == 0
        && run.output.split(separator: "\n").map(String.init).sorted() == Self.expected.sorted(),
      "\(comment): \(run.output)")
  }
}
