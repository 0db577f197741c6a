import Foundation
import TestSupport
import Testing

/// What a run of the compiler came to.
struct Compilation {
  let succeeded: Bool
  /// The errors and warnings, one a line, with file, line and column.
  let diagnostics: [String]
  /// Everything it said.
  let output: String
  /// What it made, if it was to make something.
  let object: Data?
}

/// Runs the compiler on snippets.
enum Compiler {
  /// Compiles files of the given names and texts in a folder of their own.
  ///
  /// - Parameter emitsObject: Whether to make an object file. Only then is it checked that a record's constant
  ///   can be laid out at compile time; without it types are checked, which is faster.
  static func run(
    _ files: [String: String], _ flags: [String] = [], emitsObject: Bool = false
  ) throws -> Compilation {
    try inFolder(files) { folder in
      let mode = emitsObject ? ["-c", "-wmo", "-o", "snippet.o"] : ["-typecheck"]
      let compiled = try compile(files, mode + flags, in: folder)
      return Compilation(
        succeeded: compiled.succeeded,
        diagnostics: compiled.output.split(separator: "\n").map(String.init).filter {
          $0.contains(": error: ") || $0.contains(": warning: ")
        },
        output: compiled.output,
        object: try? Data(contentsOf: folder.appendingPathComponent("snippet.o")))
    }
  }

  /// Compiles a program, links it with Registry, runs it and returns what it prints.
  ///
  /// - Parameter api: The text of the module `API`, which is compiled without the flags.
  static func runProgram(_ source: String, importing api: String, _ flags: [String]) throws -> String {
    let directory = try #require(BuildDirectory.current, "no RegistryMacros-tool above the test's binary")
    return try inFolder(["snippet.swift": source, "API.swift": api]) { folder in
      let library = try Command.run(
        "swiftc",
        [
          "-parse-as-library", "-wmo", "-module-name", "API", "-emit-module-path",
          "API.swiftmodule",
          "-c", "-o", "api.o", "API.swift",
        ], in: folder.path)
      try #require(library.succeeded, "\(library.output)")
      let program = try compile(
        ["snippet.swift": source],
        ["-o", "snippet", "-I", ".", "api.o"] + directory.objects(of: ["Registry", "RegistryC"]) + flags,
        in: folder)
      try #require(program.succeeded, "\(program.output)")
      return try Command.run(folder.appendingPathComponent("snippet").path, in: folder.path).output
    }
  }

  /// Does something in a folder with the given files, and removes it.
  private static func inFolder<Result>(
    _ files: [String: String], _ body: (URL) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    return try body(folder)
  }

  private static func compile(
    _ files: [String: String], _ flags: [String], in folder: URL
  ) throws -> Command {
    let directory = try #require(BuildDirectory.current, "no RegistryMacros-tool above the test's binary")
    return try Command.run(
      "swiftc",
      ["-module-name", "Snippet", "-diagnostic-style", "llvm", "-module-cache-path", moduleCache]
        + (files.keys.contains("main.swift") ? [] : ["-parse-as-library"])
        + directory.arguments + flags + files.keys.sorted(), in: folder.path)
  }

  /// Clang modules are built once for all snippets.
  private static let moduleCache = FileManager.default.temporaryDirectory
    .appendingPathComponent("swift-section-registry-snippets").path
}
