import Foundation
import TestSupport
import Testing

/// The result of a compilation.
struct Compilation {
  let succeeded: Bool
  /// The errors and warnings as single lines with the file, the line, and the column.
  let diagnostics: [String]
  /// The complete output of the compiler.
  let output: String
  /// The contents of the object file, if the compiler emitted one.
  let object: Data?

  /// The errors as single lines with the file, the line, and the column.
  var errors: [String] { diagnostics.filter { $0.contains(": error: ") } }

  /// Returns the messages of the errors, warnings, or notes, without their positions.
  func messages(_ severity: String = "error") -> [String] {
    output.split(separator: "\n").compactMap { line in
      line.range(of: ": \(severity): ").map { String(line[$0.upperBound...]) }
    }
  }

  /// Returns a Boolean value that indicates whether a line of the output is a note at a location.
  func hasNote(_ note: String, at location: String) -> Bool {
    output.split(separator: "\n").contains { $0 == "\(location): note: \(note)" }
  }
}

/// A runner of the compiler.
enum Compiler {
  /// Compiles files with the given names and contents in a separate folder.
  ///
  /// - Parameters:
  ///   - standIns: The files of modules that the files import. The modules are compiled first, in
  ///     this order.
  ///   - emitsObject: A Boolean value that indicates whether to emit an object file. Only then does
  ///     the compiler check that the constant of a record can be laid out statically. Type checking
  ///     alone is faster.
  static func run(
    _ files: [String: String], _ flags: [String] = [], standIns: [URL] = [], emitsObject: Bool = false
  ) throws -> Compilation {
    try inFolder(files) { folder in
      for file in standIns {
        let module = try Command.run(
          "swiftc",
          [
            "-parse-as-library", "-swift-version", "6", "-emit-module", "-I", ".", "-module-name",
            file.deletingPathExtension().lastPathComponent, file.path,
          ], in: folder.path)
        try #require(module.succeeded, "\(module.output)")
      }
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

  /// Compiles a program, links it with the library, runs it, and returns its output.
  ///
  /// - Parameter api: The source code of the module `API`, which is compiled without the flags.
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

  /// Calls a closure with a temporary folder that contains the given files.
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
        + directory.arguments + ["-I", "."] + flags + files.keys.sorted(), in: folder.path)
  }

  /// The path of the cache of Clang modules, which all snippets share.
  private static let moduleCache = FileManager.default.temporaryDirectory
    .appendingPathComponent("swift-section-registry-snippets").path
}
